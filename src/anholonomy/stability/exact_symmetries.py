r"""Symmetries and conserved functions that were found in doubles, tried again at random points in exact numbers.

.. math:: [f, \Xi](x) = 0, \qquad \Xi(E)(x) = 0, \qquad \dot F(x) = 0 \qquad \text{at rational } x

Doubles take 1e-11 for zero; here it is not. Where positions are constrained the points are on the constraints to many digits.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import flint
import numpy as np

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    LocalArithmetic,
    LocalSeries,
    NoSeries,
    ball_of,
    is_zero,
    rational,
)
from anholonomy.motion.vector_field import VectorField
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry
from anholonomy.stability.exact_linear import inverse, kernel, times_vector
from anholonomy.stability.exact_roots import product
from anholonomy.stability.exact_state import (
    DIGITS,
    exact_matrix,
    local_positions,
    local_rates,
    parameters_of,
    symmetry_at,
    values_and_speed_rates,
)
from anholonomy.stability.linear_part import independent_rows

__all__ = ["is_conserved", "proven_symmetries"]

_POINTS, _TRIES = 2, 10
"""At so many points an identity is tried, of so many that may have no value."""
_LEFT = 120
"""Digits after which what is left of an identity is the distance of the point from its constraint."""
_SPREAD = 0.4
"""How far these points are from the steady motion."""

_FAILURES = (NoSeries, ArithmeticError, KeyError, ValueError)


def proven_symmetries(
    field: VectorField, found: Sequence[Symmetry], x: Array, p: Array, inputs: Sequence[int] = ()
) -> tuple[Symmetry, ...]:
    """Return those that are symmetries in exact numbers, too; what has no simple numbers is not tried."""
    kept = list(found)
    if not kept:
        return ()
    with precision(DIGITS):
        tried = 0
        for point, values in _points(field, x, p, inputs):
            try:
                kept = _remaining(field, kept, point, values)
            except _FAILURES:
                continue
            tried += 1
            if tried == _POINTS:
                break
    return tuple(kept)


def _points(
    field: VectorField, x: Array, p: Array, inputs: Sequence[int] = ()
) -> Iterator[tuple[list[Coefficient], list[Coefficient]]]:
    rng = random.Random(5)
    spread = _SPREAD
    for attempt in range(_TRIES):
        away = [rng.uniform(-spread, spread) for _ in x]
        near = field.on_positions((x + np.array(away))[None], p)[0]
        values = list(parameters_of(field, p))
        for k in inputs:
            values[k] = values[k] + rational(Fraction(rng.randrange(1, 1000), 997))
        point: list[Coefficient] = [rational(Fraction(float(v)).limit_denominator(9973)) for v in near]
        if attempt % 2:
            spread /= 2
        if field.equations.observables.positions:
            try:
                point = _on_positions(field, point, values)
            except _FAILURES:
                continue
        yield point, values


def _on_positions(field: VectorField, x: list[Coefficient], p: Sequence[Coefficient]) -> list[Coefficient]:
    """Return a point on the constraints of positions to the digits in force, by Newton's method."""
    do = LocalArithmetic(1)
    n = len(field.model.coordinates)
    for _ in range(14):
        held = local_positions(field, [do.variable(v, k) for k, v in enumerate(x)], p, do)
        G = np.array([[float(ball_of(g.coefficient(k))) for k in range(n)] for g in held])
        back = np.linalg.pinv(G)
        step = flint.arb_mat(back.tolist()) * flint.arb_mat(len(held), 1, [ball_of(g.constant) for g in held])
        for k in range(n):
            x[k] = (ball_of(x[k]) - step[k, 0]).mid()
    return x


def _remaining(
    field: VectorField, found: Sequence[Symmetry], point: Sequence[Coefficient], p: Sequence[Coefficient]
) -> list[Symmetry]:
    do, d = LocalArithmetic(1), len(point)
    x = [do.variable(v, k) for k, v in enumerate(point)]
    z, rates, held, energy = local_rates(field, x, p, do, field.equations.observables.energy)

    def slopes(series: Sequence[LocalSeries]) -> list[list[Coefficient]]:
        return [[each.coefficient(k) for k in range(d)] for each in series]

    V = [list(column) for column in zip(*kernel(slopes(held), d), strict=True)]
    H, R, E = product(slopes(z), V), product(slopes(rates), V), product(slopes(energy), V)
    rows = independent_rows(np.array([[float(ball_of(c)) for c in row] for row in H]), len(V[0]))
    back = inverse([H[k] for k in rows])
    kept = []
    for each in found:
        exact = exact_matrix(each)
        if exact is None:
            kept.append(each)
            continue
        fields = [value.constant for value in symmetry_at(each, z, do)]
        v = times_vector(back, [fields[k] for k in rows])
        turned = times_vector(exact[1], [r.constant for r in rates])
        off = [a - b for a, b in zip(times_vector(H, v), fields, strict=True)]
        off += [a - b for a, b in zip(times_vector(R, v), turned, strict=True)]
        off += times_vector(E, v)
        if all(map(_vanishes, off)):
            kept.append(each)
    return kept


def _vanishes(value: Coefficient) -> bool:
    return is_zero(value) or (not isinstance(value, flint.fmpq) and bool(abs(value) < flint.arb(10) ** -_LEFT))


def is_conserved(field: VectorField, function: Expr, x: Array, p: Array) -> bool:
    """True if the rate of a function vanishes at random points in exact numbers."""
    tried = 0
    with precision(DIGITS):
        for point, values in _points(field, x, p):
            try:
                still = [LocalSeries({(): c}) for c in point]
                rates = values_and_speed_rates(field, still, values, LocalArithmetic(0))[1]
                along = [LocalSeries({(): c, (0,): r.constant}) for c, r in zip(point, rates, strict=True)]
                moved = values_and_speed_rates(field, along, values, LocalArithmetic(1), (function,))[0][0]
            except _FAILURES:
                continue
            if not _vanishes(moved.coefficient(0)):
                return False
            tried += 1
            if tried == _POINTS:
                return True
    return False
