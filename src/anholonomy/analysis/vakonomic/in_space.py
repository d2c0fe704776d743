r"""A system on a group, seen from space: its velocities along right-invariant fields, where the group's element drops out.

.. math:: w^a = W^bB_b{}^a(g), \qquad Y_b = B_b{}^aE_a, \quad [Y_a, Y_b] = -c_{ab}{}^dY_d

A ball whose inertia is the same about every axis rolls with its angular velocity in space, whatever its attitude. In the speeds of its body the
same equations are full of the attitude.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import symengine

from anholonomy.formulations.inertia import quadratic_parts
from anholonomy.formulations.needs import QUADRATIC
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, matrix_vector, unused
from anholonomy.symbolic.matrices.linear import inverse
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.orbits.short_forms import shortened_vector
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.constraints import classify
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["seen_from_space"]

one = symengine.Integer(1)
_PLAIN = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT


@lru_cache(maxsize=32)
def seen_from_space(model: Model) -> tuple[Model, Mapping[Symbol, Expr]]:
    """The same system in velocities along right-invariant fields, and these in its own: where that is free of redundant coordinates.

    >>> from anholonomy.catalogue import ball_on_turntable
    >>> space, named = seen_from_space(ball_on_turntable().model)
    >>> print(space.constraints[0].expression, list(named))
    x' - r*W2 + y*Omega [W1, W2, W3]
    """
    plain, as_it_is = model.independent, (model, dict[Symbol, Expr]())
    frame, on = plain.frame, plain.frame.orbit
    if frame.right_invariant is None or on is None or plain.functions or QUADRATIC.obstacle(plain):
        return as_it_is
    if any(c.kind & ~_PLAIN for c in plain.constraints) or not _mentions(plain, on.tied):
        return as_it_is
    B = frame.right_invariant()
    new = tuple(
        w if _is_unit(row, a) else unused(f"W{a + 1}", plain.names.__contains__)
        for a, (w, row) in enumerate(zip(plain.velocities, B, strict=True))
    )
    space = _in_velocities(plain, B, new)
    if space is None:
        return as_it_is
    columns = [shortened_vector(column, on) for column in zip(*inverse(B), strict=True)]
    called = {value: name for name, value in plain.named.items()}
    own = [dot(plain.velocities, [_called(e, called, on) for e in column]) for column in columns]
    return space, {W: e for W, e in zip(new, own, strict=True) if W not in plain.velocities}


def _in_velocities(model: Model, B: Matrix, new: tuple[Symbol, ...]) -> Model | None:
    """The system in velocities along the rows of a matrix, which are right-invariant fields; None where redundant coordinates stay."""
    frame, on = model.frame, model.frame.orbit
    origin = dict(zip(frame.coordinates, frame.origin, strict=True))
    still = {q: origin[q] for q in model.redundant_coordinates}
    back = dict(zip(model.velocities, (dot(new, column) for column in zip(*B, strict=True)), strict=True))
    M, b, V = quadratic_parts(model.lagrangian, model.velocities)
    mass = [matrix_vector(B, matrix_vector(M, row)) for row in B]
    rows = [(*gradient(c.expression.xreplace(back), new), c.offset) for c in model.constraints]
    linear = (*matrix_vector(B, b), V)
    entries = [e for row in (*rows, *mass, linear) for e in row]
    if not all(is_zero(e - e.xreplace(still), on) for e in entries if not e.free_symbols.isdisjoint(still)):
        return None
    kept = [[e.xreplace(still) for e in row] for row in mass]
    *slopes, V = (e.xreplace(still) for e in linear)
    lagrangian = dot(new, [dot(row, new) for row in kept]) / 2 + dot(slopes, new) - V
    turned = Frame.with_structure(
        frame.coordinates,
        tuple(shortened_vector(matrix_vector(tuple(zip(*frame.anchor_ai, strict=True)), row), on) for row in B),
        tuple(tuple(tuple(-e for e in row) for row in block) for block in frame.structure_abd),
        [w.name for w in new],
        frame.origin,
        frame.invariants,
        frame.named,
    )
    moved = [dot([e.xreplace(still) for e in row], (*new, one)) for row in rows]
    constraints = [classify(c.label, phi, turned, new) for c, phi in zip(model.constraints, moved, strict=True)]
    return model.with_words(
        frame=turned,
        velocities=new,
        lagrangian=lagrangian,
        constraints=tuple(constraints),
        span_ba=None,
        speed_names=None,
        speed_values=None,
        group=None,
    )


def _is_unit(row: Vector, a: int) -> bool:
    return all(entry == (1 if b == a else 0) for b, entry in enumerate(row))


def _called(e: Expr, called: Mapping[Expr, Symbol], on: Orbit) -> Expr:
    """A function on a group by its name, where it has one."""
    return e if not e.args else next((name for value, name in called.items() if is_zero(e - value, on)), e)


def _mentions(model: Model, tied: Iterable[Symbol]) -> bool:
    said = (model.lagrangian, *(c.expression for c in model.constraints))
    return not free_symbols(said).isdisjoint(tied)
