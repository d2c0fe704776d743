r"""A steady motion in exact numbers, or in balls that contain one: the state for which signs are decided.

.. math:: F(y) = f(z) - c^k\,\Xi_k(z) = 0, \qquad K(Y) = y - G F(y) + (1 - G\,F'(Y))(Y - y) \subset Y

Decimals of a declaration are exact. Simple fractions near the doubles are tried first; where they do not satisfy the equations, the
operator of Krawczyk proves that a small box contains a solution of as many equations as there are unknowns in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

import flint
import numpy as np

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, free_symbols
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    LocalArithmetic,
    LocalSeries,
    NoSeries,
    is_certain,
    is_zero,
    rational,
    run_local,
    with_moduli,
)
from anholonomy.algebra.steps.definitions import Step
from anholonomy.base.tolerances import APART, GATHERED, HALF
from anholonomy.motion.vector_field import VectorField
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry

__all__ = [
    "DIGITS",
    "ExactState",
    "exact_state",
    "exact_matrix",
    "local_positions",
    "local_rates",
    "local_values",
    "parameters_of",
    "symmetry_at",
    "values_and_speed_rates",
    "values_at",
    "residuals",
]

DIGITS = 320
"""Digits of the balls: the smallest double that a declaration may contain is 1e-308."""
_WIDTH = 200
"""Digits to which an irrational state is known."""
_MULTIPLE = 1e-4
"""How far doubles are from a triple zero whose equations they satisfy; what is tried there is verified exactly."""
_DENOMINATORS = 4096
"""The largest denominator of a fraction that is simple."""


@final
@dataclass(frozen=True, eq=False)
class ExactState:
    """Coordinates and speeds, the velocities of the symmetries and the parameters; ``rational`` if all of them are."""

    field: VectorField
    symmetries: tuple[Symmetry, ...]
    x: tuple[Coefficient, ...]
    pace: tuple[Coefficient, ...]
    p: tuple[Coefficient, ...]

    @property
    def rational(self) -> bool:
        return all(isinstance(value, flint.fmpq) for value in (*self.x, *self.pace))


def parameters_of(field: VectorField, p: Array) -> tuple[Coefficient, ...]:
    """Return the parameters as exactly the decimals that they were given as."""
    return tuple(_decimal(value) for value in p)


def _decimal(value: float) -> Coefficient:
    return rational(Fraction(repr(float(value))))


@lru_cache(maxsize=64)
def pruned(steps: tuple[Step, ...], outputs: tuple[Expr, ...]) -> tuple[Step, ...]:
    """Return the steps that the outputs need."""
    needed, kept = free_symbols(outputs), list[Step]()
    for step in reversed(steps):
        if not needed.isdisjoint(step.targets):
            kept.append(step)
            needed |= free_symbols(step.sources)
    return tuple(reversed(kept))


def local_values(
    field: VectorField, outputs: Sequence[Expr], values: Mapping[Expr, LocalSeries], do: LocalArithmetic
) -> list[LocalSeries]:
    """Return functions of the state as series, from series of coordinates, speeds and parameters."""
    steps = pruned(tuple(field.equations.observables.steps), tuple(outputs))
    known = run_local(steps, values, do)
    return [evaluate(with_moduli(each), do, known) for each in outputs]


def local_rates(
    field: VectorField,
    x: Sequence[LocalSeries],
    p: Sequence[Coefficient],
    do: LocalArithmetic,
    more: Sequence[Expr] = (),
) -> tuple[list[LocalSeries], list[LocalSeries], list[LocalSeries], list[LocalSeries]]:
    """Return $z$, its rates, what holds positions and further functions, as series."""
    e, seen, model = field.equations, field.equations.observables, field.model
    values = _series_by_name(field, x, p)
    z = (*model.coordinates, *model.velocities)
    rates = (*e.coordinate_rates, *seen.accelerations)
    out = local_values(field, (*z, *rates, *seen.positions, *more), values, do)
    n = len(z)
    return out[:n], out[n : 2 * n], out[2 * n : 2 * n + len(seen.positions)], out[2 * n + len(seen.positions) :]


def local_positions(
    field: VectorField, x: Sequence[LocalSeries], p: Sequence[Coefficient], do: LocalArithmetic
) -> list[LocalSeries]:
    """Return what holds positions as series."""
    return local_values(field, field.equations.observables.positions, _series_by_name(field, x, p), do)


def _series_by_name(field: VectorField, x: Sequence[LocalSeries], p: Sequence[Coefficient]) -> dict[Expr, LocalSeries]:
    values: dict[Expr, LocalSeries] = dict(zip(field.equations.state, x, strict=True))
    return values | {s: LocalSeries({(): v}) for s, v in zip(field.model.parameter_symbols, p, strict=True)}


def values_and_speed_rates(
    field: VectorField,
    x: Sequence[LocalSeries],
    p: Sequence[Coefficient],
    do: LocalArithmetic,
    functions: Sequence[Expr] = (),
) -> tuple[list[LocalSeries], list[LocalSeries]]:
    """Return functions of the state, and the rates of coordinates and speeds, as series."""
    e, values = field.equations, _series_by_name(field, x, p)
    out = local_values(field, (*functions, *e.coordinate_rates, *e.rates), values, do)
    return out[: len(functions)], out[len(functions) :]


@lru_cache(maxsize=256)
def exact_matrix(each: Symmetry) -> tuple[tuple[Coefficient, ...], tuple[tuple[Coefficient, ...], ...]] | None:
    """Return the shift and the matrix of a symmetry in simple fractions, or None if they are not simple."""
    rows = []
    for values in (each.shift, *each.matrix):
        row = []
        for value in values:
            near = Fraction(float(value)).limit_denominator(_DENOMINATORS)
            if abs(near - Fraction(float(value))) > GATHERED:
                return None
            row.append(rational(near))
        rows.append(tuple(row))
    return rows[0], tuple(rows[1:])


def symmetry_at(each: Symmetry, z: Sequence[LocalSeries], do: LocalArithmetic) -> list[LocalSeries]:
    """Return a symmetry's field as series."""
    exact = exact_matrix(each)
    if exact is None:
        raise NoSeries("a symmetry whose numbers are not simple")
    shift, matrix = exact
    return [
        do.add([LocalSeries({(): a}), *(do.scaled(v, c) for v, c in zip(z, row, strict=True) if not is_zero(c))])
        for a, row in zip(shift, matrix, strict=True)
    ]


def residuals(
    field: VectorField,
    symmetries: Sequence[Symmetry],
    y: Sequence[LocalSeries],
    p: Sequence[Coefficient],
    do: LocalArithmetic,
) -> list[LocalSeries]:
    """Return what must vanish at a steady motion, from its state and the velocities of symmetries."""
    width = len(field.equations.state)
    z, rates, held, _ = local_rates(field, y[:width], p, do)
    for c, each in zip(y[width:], symmetries, strict=True):
        along = symmetry_at(each, z, do)
        rates = [do.add([r, do.scaled(do.times(c, a), rational(-1))]) for r, a in zip(rates, along, strict=True)]
    return [*rates, *held]


def exact_state(
    field: VectorField, symmetries: tuple[Symmetry, ...], y: Array, p: Array, J: Array
) -> ExactState | None:
    """Return the steady motion near doubles, or None if it is not proven to exist. ``J`` has the derivatives of the residuals."""
    with precision(DIGITS):
        values = parameters_of(field, p)
        found = _rational(field, symmetries, y, values, GATHERED)
        if found is None:
            found = _enclosed(field, symmetries, y, values, J)
        # Of a multiple zero doubles know a part of the digits only.
        for reach in (APART, _MULTIPLE):
            found = found if found is not None else _rational(field, symmetries, y, values, reach)
        return found


def _simple(value: float, reach: float) -> Fraction:
    for size in (1, 12, 1000):
        near = Fraction(value).limit_denominator(size)
        if abs(float(near) - value) <= reach * (1 + abs(value)):
            return near
    return Fraction(repr(value))


def _as_state(
    field: VectorField, symmetries: tuple[Symmetry, ...], y: Sequence[Coefficient], p: tuple[Coefficient, ...]
) -> ExactState:
    width = len(field.equations.state)
    return ExactState(field, symmetries, tuple(y[:width]), tuple(y[width:]), p)


def _rational(
    field: VectorField, symmetries: tuple[Symmetry, ...], y: Array, p: tuple[Coefficient, ...], reach: float
) -> ExactState | None:
    numbers = [rational(_simple(float(value), reach)) for value in y]
    left = values_at(field, symmetries, numbers, p)
    if left is None or not all(is_zero(each) for each in left):
        return None
    return _as_state(field, symmetries, numbers, p)


def values_at(
    field: VectorField, symmetries: tuple[Symmetry, ...], y: Sequence[Coefficient], p: Sequence[Coefficient]
) -> list[Coefficient] | None:
    """Return the residuals at a state, with the value zero for signs at zero; None if they are not defined there."""
    do = LocalArithmetic(0, values_only=True)
    try:
        return [each.constant for each in residuals(field, symmetries, [LocalSeries({(): c}) for c in y], p, do)]
    except (NoSeries, ArithmeticError, KeyError, ValueError):
        return None


def _enclosed(
    field: VectorField, symmetries: tuple[Symmetry, ...], y: Array, p: tuple[Coefficient, ...], J: Array
) -> ExactState | None:
    """Return the state in balls by the operator of Krawczyk, with simple numbers held where the rest still has a solution."""
    if not np.isfinite(J).all() or not J.size:
        return None
    simple = [_simple(float(v), GATHERED) for v in y]
    nice = [s.denominator <= 1000 for s in simple]
    every = list(range(len(y)))
    for candidates in ([k for k in every if not nice[k]], every):
        if not candidates:
            continue
        columns, rows = _independent(J, candidates)
        if candidates is not every and len(columns) < len(candidates):
            continue
        start = [rational(simple[k]) for k in every]
        found = _krawczyk(field, symmetries, start, p, J, columns, rows)
        if found is not None:
            return found
    return None


def _independent(J: Array, candidates: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return independent columns among candidates and as many rows."""
    from scipy.linalg import qr

    part = J[:, candidates]
    scale = max(float(np.abs(part).max(initial=0.0)), 1e-300)
    _, R, order = qr(part, mode="economic", pivoting=True)
    rank = int((np.abs(np.diag(R)) > HALF * scale).sum())
    columns = [candidates[k] for k in sorted(order[:rank])]
    if not columns:
        return [], []
    _, _, down = qr(J[:, columns].T, mode="economic", pivoting=True)
    return columns, sorted(int(k) for k in down[: len(columns)])


def _krawczyk(
    field: VectorField,
    symmetries: tuple[Symmetry, ...],
    start: list[Coefficient],
    p: tuple[Coefficient, ...],
    J: Array,
    columns: Sequence[int],
    rows: Sequence[int],
) -> ExactState | None:
    if not columns:
        return None
    try:
        inverse = np.linalg.inv(J[np.ix_(rows, columns)])
    except np.linalg.LinAlgError:
        return None
    G = flint.arb_mat(inverse.tolist())
    y, count = list(start), len(columns)
    small = flint.arb(10) ** -_WIDTH
    for _ in range(60):
        left = values_at(field, symmetries, y, p)
        if left is None:
            return None
        step = G * flint.arb_mat(count, 1, [flint.arb(left[k]) for k in rows])
        for i, k in enumerate(columns):
            y[k] = (flint.arb(y[k]) - step[i, 0]).mid()
        if all(abs(step[i, 0]) < small / 1000 for i in range(count)):
            break
    else:
        return None
    box = list(y)
    for k in columns:
        box[k] = flint.arb(y[k], small)
    do = LocalArithmetic(1)
    places = {k: i for i, k in enumerate(columns)}
    try:
        slopes = residuals(field, symmetries, [do.variable(v, places.get(k)) for k, v in enumerate(box)], p, do)
    except (NoSeries, ArithmeticError, KeyError, ValueError):
        return None
    here = values_at(field, symmetries, y, p)
    if here is None:
        return None
    D = flint.arb_mat([[flint.arb(slopes[k].coefficient(i)) for i in range(count)] for k in rows])
    moved = G * flint.arb_mat(count, 1, [flint.arb(here[k]) for k in rows])
    shrink = flint.arb_mat([[int(i == j) for j in range(count)] for i in range(count)]) - G * D
    spread = shrink * flint.arb_mat(count, 1, [flint.arb(0, small)] * count)
    for i, k in enumerate(columns):
        if not box[k].contains_interior(flint.arb(y[k]) - moved[i, 0] + spread[i, 0]):
            return None
    if any(is_certain(each.constant) for each in slopes):
        return None
    return _as_state(field, symmetries, box, p)
