r"""A system on a group in spatial velocities, along right-invariant fields.

.. math:: w^a = W^bB_b{}^a(g), \qquad Y_b = B_b{}^aE_a, \quad [Y_a, Y_b] = -c_{ab}{}^dY_d

A ball whose inertia is the same about every axis rolls with its angular velocity in space, whatever its attitude. In the speeds of its body the
same equations are full of the attitude.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, matrix_vector
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.short_forms_on_groups import shortened_vector
from anholonomy.algebra.zero_test import is_zero
from anholonomy.equations.lagrangian import quadratic_parts
from anholonomy.equations.principles.base import QUADRATIC
from anholonomy.system.frames.spatial import constraints_in_space, freed
from anholonomy.system.model import Model

__all__ = ["seen_from_space"]


@lru_cache(maxsize=32)
def seen_from_space(model: Model) -> tuple[Model, Mapping[Symbol, Expr]]:
    """The same system in velocities along right-invariant fields, and these in its own: where that is free of redundant coordinates.

    >>> from anholonomy.catalogue import ball_on_turntable
    >>> space, named = seen_from_space(ball_on_turntable().model)
    >>> print(space.constraints[0].expression, list(named))
    x' - r*W2 + y*Omega [W1, W2, W3]
    """
    plain, as_it_is = model.independent, (model, dict[Symbol, Expr]())
    on = plain.frame.orbit
    if on is None or plain.functions or QUADRATIC.obstacle(plain) or not _mentions(plain, on.tied):
        return as_it_is
    found = constraints_in_space(plain)
    if found is None:
        return as_it_is
    space, B = found
    lagrangian, forces = _lagrangian(plain, B, space.velocities), _forces(plain, B, space.velocities)
    if lagrangian is None or forces is None:
        return as_it_is
    columns = [shortened_vector(column, on) for column in zip(*inverse(B), strict=True)]
    called = {value: name for name, value in plain.named.items()}
    own = [dot(plain.velocities, [_called(e, called, on) for e in column]) for column in columns]
    named = {W: e for W, e in zip(space.velocities, own, strict=True) if W not in plain.velocities}
    return space.replaced(lagrangian=lagrangian, forces_a=forces), named


def _lagrangian(model: Model, B: Matrix, new: tuple[Symbol, ...]) -> Expr | None:
    """The Lagrangian in velocities along right-invariant fields; None where redundant coordinates stay in it."""
    M, b, V = quadratic_parts(model.lagrangian, model.velocities)
    mass = [e for row in B for e in matrix_vector(B, matrix_vector(M, row))]
    entries = freed(model, [*mass, *matrix_vector(B, b), V])
    if entries is None:
        return None
    n = len(new)
    rows = [entries[k * n : (k + 1) * n] for k in range(n)]
    return dot(new, [dot(row, new) for row in rows]) / 2 + dot(entries[n * n : -1], new) - entries[-1]


def _forces(model: Model, B: Matrix, new: tuple[Symbol, ...]) -> Vector | None:
    """The forces along right-invariant fields, in the velocities along these; None where redundant coordinates stay in them."""
    back = dict(zip(model.velocities, (dot(new, column) for column in zip(*B, strict=True)), strict=True))
    return freed(model, matrix_vector(B, [Q.xreplace(back) for Q in model.forces_a]))


def _called(e: Expr, called: Mapping[Expr, Symbol], on: Orbit) -> Expr:
    """A function on a group by its name, where it has one."""
    return e if not e.args else next((name for value, name in called.items() if is_zero(e - value, on)), e)


def _mentions(model: Model, tied: Iterable[Symbol]) -> bool:
    said = (model.lagrangian, *(c.expression for c in model.constraints))
    return not free_symbols(said).isdisjoint(tied)
