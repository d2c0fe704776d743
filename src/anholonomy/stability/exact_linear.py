r"""The linear part of a steady motion in exact numbers or balls, in the quotient by the symmetries: the matrix of `linear_part`, decided.

.. math:: A = D(f - c^k\,\Xi_k)\big|_{T_{z_0}M \,/\, \langle\Xi_k(z_0)\rangle}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import flint

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    Direction,
    LocalArithmetic,
    LocalSeries,
    NoSeries,
    ball_of,
    is_certain,
    is_zero,
    rational,
    sign_of,
)
from anholonomy.stability.exact_roots import product
from anholonomy.stability.exact_state import ExactState, local_rates, symmetry_at
from anholonomy.stability.linear_part import LinearPart

__all__ = [
    "ExactLinear", "echelon", "exact_linear", "inverse", "is_exact", "is_positive", "kernel", "times_vector", "transposed",
]  # fmt: skip

Rows = list[list[Coefficient]]


@final
@dataclass(frozen=True, eq=False)
class ExactLinear:
    """``A`` on the quotient; ``rows_of`` functions: their slopes there.

    Attributes
    ----------
    A
        The matrix, in the places of the doubles' one.
    slopes
        Of further functions that the symmetries leave alone, a row each.
    """

    A: Rows
    slopes: Rows


def _size(c: Coefficient) -> float:
    value = ball_of(c)
    return float(abs(value).lower()) if is_certain(c) else 0.0


def inverse(M: Sequence[Sequence[Coefficient]]) -> Rows:
    """Return the inverse by Gauss and Jordan; `NoSeries` if it is not proven to exist."""
    n = len(M)
    rows = [[*row, *(rational(int(i == j)) for j in range(n))] for i, row in enumerate(M)]
    for column in range(n):
        best = max(range(column, n), key=lambda i: _size(rows[i][column]))
        if not is_certain(rows[best][column]):
            raise NoSeries("a matrix that may be singular")
        rows[column], rows[best] = rows[best], rows[column]
        pivot = 1 / rows[column][column]
        rows[column] = [a if is_zero(a) else a * pivot for a in rows[column]]
        for i in range(n):
            factor = rows[i][column]
            if i != column and not is_zero(factor):
                rows[i] = [a if is_zero(b) else a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
                rows[i][column] = rational(0)
    return [row[n:] for row in rows]


def echelon(M: Sequence[Sequence[Coefficient]]) -> tuple[Rows, list[int]] | None:
    """Return the reduced echelon form with its pivots' columns, or None if a rank is not decided."""
    rows, pivots = [list(row) for row in M], list[int]()
    place, width = 0, len(M[0]) if M else 0
    for column in range(width):
        if place == len(rows):
            break
        best = max(range(place, len(rows)), key=lambda i: _size(rows[i][column]))
        if not is_certain(rows[best][column]):
            if all(is_zero(rows[i][column]) for i in range(place, len(rows))):
                continue
            return None
        rows[place], rows[best] = rows[best], rows[place]
        pivot = 1 / rows[place][column]
        rows[place] = [a if is_zero(a) else a * pivot for a in rows[place]]
        for i in range(len(rows)):
            factor = rows[i][column]
            if i != place and not is_zero(factor):
                rows[i] = [a if is_zero(b) else a - factor * b for a, b in zip(rows[i], rows[place], strict=True)]
                rows[i][column] = rational(0)
        pivots.append(column)
        place += 1
    return rows[:place], pivots


def kernel(M: Sequence[Sequence[Coefficient]], width: int) -> Rows:
    """Return a basis of the vectors that a matrix sends to zero; `NoSeries` if its rank is not decided."""
    if not M:
        return [[rational(int(i == j)) for j in range(width)] for i in range(width)]
    found = echelon(M)
    if found is None:
        raise NoSeries("a rank that is not decided")
    rows, pivots = found
    basis = []
    for free in (k for k in range(width) if k not in pivots):
        vector = [rational(int(k == free)) for k in range(width)]
        for row, pivot in zip(rows, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def times_vector(M: Sequence[Sequence[Coefficient]], v: Sequence[Coefficient]) -> list[Coefficient]:
    """Return a matrix times a vector."""
    return [row[0] for row in product(M, [[c] for c in v])]


def exact_linear(
    state: ExactState,
    part: LinearPart,
    signs: Mapping[Direction, int] | None = None,
    functions: Sequence[Expr] = (),
) -> ExactLinear:
    """Return the linear part on the side of switches that ``signs`` tell; `SwitchHere` if one more is needed."""
    do = LocalArithmetic(1, signs)
    d = len(state.x)
    x = [do.variable(value, k) for k, value in enumerate(state.x)]
    z, rates, held, more = local_rates(state.field, x, state.p, do, functions)
    for c, each in zip(state.pace, state.symmetries, strict=True):
        along = symmetry_at(each, z, do)
        rates = [do.add([r, do.scaled(a, -c)]) for r, a in zip(rates, along, strict=True)]
    if any(is_certain(each.constant) for each in rates):
        raise NoSeries("the rates jump")

    def slopes(series: Sequence[LocalSeries]) -> Rows:
        return [[each.coefficient(k) for k in range(d)] for each in series]

    V = transposed(_tangent(slopes(held), d))
    H, R, F = product(slopes(z), V), product(slopes(rates), V), product(slopes(more), V)
    rows = sorted((*part.places, *part.carried))
    back = inverse([H[k] for k in rows])
    A, F = product([R[k] for k in rows], back), product(F, back)
    at = [[each.constant for each in symmetry_at(s, z, do)] for s in state.symmetries]
    free, fixed = [rows.index(k) for k in part.places], [rows.index(k) for k in part.carried]
    if not fixed:
        return ExactLinear(_picked(A, free, free), [[row[k] for k in free] for row in F])
    S = _spanning(at, [rows[k] for k in fixed], [rows[k] for k in free])
    slide = product(S[1], inverse(S[0])) if free else []
    lower = product(slide, _picked(A, fixed, free))
    upper = _picked(A, free, free)
    return ExactLinear(
        [[a - b for a, b in zip(p, q, strict=True)] for p, q in zip(upper, lower, strict=True)],
        [[row[k] for k in free] for row in F],
    )


def transposed(M: Rows) -> Rows:
    """Return the transposed matrix."""
    return [list(column) for column in zip(*M, strict=True)]


def _picked(M: Rows, rows: Sequence[int], columns: Sequence[int]) -> Rows:
    return [[M[i][j] for j in columns] for i in rows]


def _tangent(held: Rows, d: int) -> Rows:
    """Return directions that keep what holds positions, in echelon form by columns that are large."""
    return kernel(held, d)


def _spanning(fields: Rows, fixed: Sequence[int], free: Sequence[int]) -> tuple[Rows, Rows]:
    """Return as many independent symmetries as there are fixed places, by these and by the free places."""
    from itertools import combinations

    for some in combinations(range(len(fields)), len(fixed)):
        above = [[fields[s][k] for s in some] for k in fixed]
        try:
            inverse(above)
        except NoSeries:
            continue
        return above, [[fields[s][k] for s in some] for k in free]
    raise NoSeries("symmetries that may be dependent")


def is_positive(M: Sequence[Sequence[Coefficient]]) -> bool:
    """True if a symmetric matrix is proven positive definite, by elimination."""
    rows = [list(row) for row in M]
    for k in range(len(rows)):
        if sign_of(rows[k][k]) != 1:
            return False
        for i in range(k + 1, len(rows)):
            ratio = rows[i][k] / rows[k][k]
            rows[i] = [a - ratio * b for a, b in zip(rows[i], rows[k], strict=True)]
    return True


def is_exact(M: Rows) -> bool:
    """True if all entries are rational numbers."""
    return all(isinstance(c, flint.fmpq) for row in M for c in row)
