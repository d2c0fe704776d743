r"""The multiplier's equations on a set of states that motions do not leave, written there and nowhere else.

.. math::
   w = n_i(q)\,s^i, \qquad n_j\cdot(M\dot w + h) = 0 \ \Rightarrow\ \dot s, \qquad X_b\cdot(M\dot w + h) = 0 \ \ \forall b

The last equations, for all admissible directions, say that motions do not leave the set: then d'Alembert's principle holds along the curves in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.analysis.vakonomic.exceptional.planes import InvariantPlane, entry_of
from anholonomy.analysis.vakonomic.multiplier_equations import MultiplierEquations, of_constraint
from anholonomy.formulations.euler_lagrange import VariationalDerivative, variational_derivative
from anholonomy.formulations.principles.vakonomic import Vakonomic
from anholonomy.symbolic.calculus import along, partial
from anholonomy.symbolic.display.simplify import simplify_vector
from anholonomy.symbolic.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    identity,
    matrix_vector,
    symbol,
    time,
    zero,
)
from anholonomy.symbolic.matrices.linear import nullspace, solve
from anholonomy.symbolic.orbits.short_forms import shortened
from anholonomy.symbolic.patience import check
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.model import Model

__all__ = ["SPIN", "TURN", "OnPlane", "equations_of", "on_plane"]

TURN, SPIN = symbol("_turn"), symbol("_spin")
"""Half angles of a pose, with names that nobody can write."""


@final
@dataclass(frozen=True)
class OnPlane:
    """The equations there, and what stands for coordinates and velocities of the system."""

    equations: MultiplierEquations
    put: Mapping[Symbol, Expr]


def on_plane(model: Model, plane: InvariantPlane) -> OnPlane | None:
    """The equations on a plane of a model with independent linear constraints; None where motions are not proven to stay in it."""
    on = None if plane.pose is not None else model.frame.orbit
    place = _place(model, plane)

    def here(e: Expr) -> Expr:
        return shortened(e.xreplace(place), on)

    A = tuple(tuple(map(here, row)) for row in model.matrix_na)
    n = _directions(model, plane, A, here)
    if not n:
        return None
    speeds = _speeds(model, n)
    w = tuple(dot(speeds, column) for column in zip(*n, strict=True))
    put = {**place, **dict(zip(model.velocities, w, strict=True))}
    rates = _coordinate_rates(model, plane, put)
    lagrangian = variational_derivative(model.with_words(constraints=()))
    M = tuple(tuple(map(here, row)) for row in lagrangian.mass_ab)
    h = tuple(e.xreplace(put) for e in lagrangian.bias_a)
    check()
    bent = tuple(along(e, rates) for e in w)  # with the speeds held fixed
    pushed = tuple(a + b for a, b in zip(matrix_vector(M, bent), h, strict=True))
    gram = [[dot(x, matrix_vector(M, y)) for y in n] for x in n]
    try:
        (slopes,) = solve(gram, [[-dot(x, pushed) for x in n]])
    except ZeroDivisionError:
        return None
    rates |= dict(zip(speeds, simplify_vector(slopes), strict=True))
    turned = tuple(along(e, rates) for e in w)
    force = tuple(a + b for a, b in zip(matrix_vector(M, turned), h, strict=True))
    X = nullspace(A)
    if not all(is_zero(dot(x, force), on) for x in X):
        return None
    Z = _across(A)
    bends = [_along_motion(of_constraint(model, c.expression), put, turned) for c in model.constraints]
    equations = MultiplierEquations(
        multipliers=Vakonomic.costates(model),
        N_bn=tuple(tuple(shortened(dot(x, E), on) for E in bends) for x in X),
        R_nn=tuple(tuple(shortened(-dot(z, E), on) for E in bends) for z in Z),
        nu_n=tuple(shortened(dot(z, force), on) for z in Z),
        rates={**rates, time: symengine.Integer(1)},
        speeds=speeds,
        on=on,
        model=model,
    )
    return OnPlane(equations, put)


def _speeds(model: Model, n: Matrix) -> tuple[Symbol, ...]:
    """Names of the speeds along some directions: a velocity that is such a speed, and otherwise one that nobody can write."""
    unit = identity(len(n))
    own = {column: w for w, column in reversed(list(zip(model.velocities, zip(*n, strict=True), strict=True)))}
    return tuple(own.get(row, symbol(f"_s{i}")) for i, row in enumerate(unit))


def _place(model: Model, plane: InvariantPlane) -> dict[Symbol, Expr]:
    """What stands for coordinates."""
    found = dict(plane.fixed)
    if plane.pose is not None and model.group is not None:
        turned = plane.pose.quaternion(TURN, SPIN, symengine.cos, symengine.sin, symengine.sqrt)
        found |= dict(zip(model.group.coordinates, map(symengine.sympify, turned), strict=True))
    return found


def equations_of(model: Model, plane: InvariantPlane) -> tuple[tuple[Symbol, Expr], ...] | None:
    """The plane as equations; None where more than zeros and equal rates cut it out."""
    on, place = (None if plane.pose is not None else model.frame.orbit), _place(model, plane)

    def here(e: Expr) -> Expr:
        return shortened(e.xreplace(place), on)

    A = tuple(tuple(map(here, row)) for row in model.matrix_na)
    unit = dict(zip(model.velocities, identity(len(model.velocities)), strict=True))
    rate = dict(zip(model.coordinates, (symbol(f"{q.name}'") for q in model.coordinates), strict=True))
    rows = {(w, zero): unit[w] for w in sorted(plane.zeros, key=str)}
    for q, other in plane.fixed:
        if other in rate and rate[q] in unit and rate[other] in unit and rate[q] not in plane.zeros:
            pair = unit[rate[q]], unit[rate[other]]
            rows[rate[q], rate[other]] = tuple(a - b for a, b in zip(*pair, strict=True))
    size = len(_directions(model, plane, A, here))
    if len(nullspace((*A, *rows.values()))) != size:
        return None
    posed = (
        ()
        if plane.pose is None
        else ((entry_of(model, plane.pose.k, plane.pose.j), symengine.Integer(plane.pose.value)),)
    )
    return (*rows, *plane.fixed, *posed)


def _directions(model: Model, plane: InvariantPlane, A: Matrix, here: Callable[[Expr], Expr]) -> Matrix:
    """The admissible velocities along the plane, a row each."""
    unit = identity(len(model.velocities))
    rows = [*A, *(unit[k] for k, w in enumerate(model.velocities) if w in plane.zeros)]
    anchor = {q: tuple(here(row[i]) for row in model.frame.anchor_ai) for i, q in enumerate(model.coordinates)}
    for q, value in plane.fixed:
        still = anchor.get(value, (zero,) * len(unit))
        rows.append(tuple(a - b for a, b in zip(anchor[q], still, strict=True)))
    if plane.pose is not None and model.group is not None:
        rows += _pose_rates(model, plane, here)
    return nullspace(tuple(rows))


def _pose_rates(model: Model, plane: InvariantPlane, here: Callable[[Expr], Expr]) -> list[Vector]:
    r"""$\dot R_{kj} = R_{ka}\epsilon_{abj}w^b$ of the entries that keep their values."""
    if plane.pose is None or model.group is None:
        return []
    entries = dict(zip(model.coordinates, zip(*model.frame.anchor_ai, strict=True), strict=True))
    k, j = plane.pose.k, plane.pose.j
    rows = []
    for column in (j,) if plane.pose.value == 0 else ((j + 1) % 3, (j + 2) % 3):
        R = model.named[entry_of(model, k, column)]
        slopes = {q: partial(R, q) for q in model.group.coordinates}
        row = [dot(tuple(slopes.values()), [entries[q][a] for q in slopes]) for a, _ in enumerate(model.velocities)]
        rows.append(tuple(map(here, row)))
    return rows


def _coordinate_rates(model: Model, plane: InvariantPlane, put: Mapping[Symbol, Expr]) -> dict[Symbol, Expr]:
    """The rates of what is free on the plane: coordinates, or the half angles of a pose."""
    flow = {q: e.xreplace(dict(put)) for q, e in model.frame.coordinate_rates(model.velocities).items()}
    rates = {q: e for q, e in flow.items() if q not in put}
    if plane.pose is None or model.group is None:
        return rates
    own = model.group.speeds
    level = [model.named[entry_of(model, plane.pose.k, a)].xreplace(dict(put)) for a in range(3)]
    rates[TURN] = dot(level, [put[w] for w in own]) / 2
    if plane.pose.value == 0:
        rates[SPIN] = put[own[plane.pose.j]] / 2
    return rates


def _across(A: Matrix) -> Matrix:
    r"""$Z = A^{\mathsf T}(AA^{\mathsf T})^{-1}$, so that $A^\lambda(Z_\kappa) = \delta^\lambda_\kappa$: the forces are known here, and need no inertia."""
    weights = solve([[dot(r, s) for s in A] for r in A], identity(len(A)))
    return tuple(tuple(dot(w, entries) for entries in zip(*A, strict=True)) for w in weights)


def _along_motion(E: VariationalDerivative, put: Mapping[Symbol, Expr], turned: Vector) -> Vector:
    here = dict(put)
    rows = [[e.xreplace(here) for e in row] for row in E.mass_ab]
    return tuple(dot(row, turned) + h.xreplace(here) for row, h in zip(rows, E.bias_a, strict=True))
