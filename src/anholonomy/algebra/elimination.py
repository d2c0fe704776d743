r"""Elimination over any field: echelon forms row by row, kernels read off them, and square systems by Gauss and Jordan.

.. math:: v_{\text{free}} = 1, \quad v_{\text{pivot of } i} = -R_{i,\text{free}}

Balls and other numbers with Python's operators differ in what a good pivot is, and not in `pivot_rows`; arrays of residues and
series, which have no operators of their own, pass theirs to `gauss_jordan`. Elsewhere the arithmetic asks for another elimination:
rationals and single residues are left to FLINT, a hundred times faster (`linear_algebra.rational`, `residues.linear_algebra`);
polynomials are combined crosswise, because a quotient of them is no polynomial (`linear_algebra.fraction_free`); symbolic entries
become steps, divided by what creates the least fill-in (`steps.linear_systems`); and doubles are decided by singular values, because a
pivot says nothing of the distance to a smaller rank (`numbers.doubles`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, final

from anholonomy.base.deadlines import check

__all__ = ["PivotRow", "echelon", "gauss_jordan", "kernel_of_echelon", "pivot_rows"]

T = TypeVar("T")


@final
class PivotRow(NamedTuple):
    """What earlier pivots leave of a row, divided by the entry that is its own pivot."""

    number: int
    column: int
    entries: list[Any]


def pivot_rows(rows: Sequence[Sequence[Any]], size: Callable[[Any], float]) -> list[PivotRow]:
    """Row by row, those of which earlier pivots leave an entry whose size is positive; the largest is the pivot.

    >>> from fractions import Fraction as F
    >>> [(pivot.number, pivot.column) for pivot in pivot_rows([[F(1), F(2)], [F(2), F(4)], [F(1), F(0)]], abs)]
    [(0, 1), (2, 0)]
    """
    found: list[PivotRow] = []
    for number, given in enumerate(rows):
        check()
        row = list(given)
        for pivot in found:
            row = _without(row, pivot.column, pivot.entries)
        sizes = list(map(size, row))
        best = max(range(len(sizes)), key=sizes.__getitem__)
        if sizes[best] > 0.0:
            row = [value / row[best] for value in row]
            row[best] = row[best] * 0 + 1
            found.append(PivotRow(number, best, row))
        if len(found) == len(row):
            break
    return found


def _without(row: list[Any], column: int, pivot: Sequence[Any]) -> list[Any]:
    factor = row[column]
    result = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    result[column] = factor * 0
    return result


def echelon(rows: Sequence[Sequence[Any]], size: Callable[[Any], float]) -> dict[int, list[Any]]:
    """Reduced rows by their pivots' columns, pivots made 1 and the other entries of these columns 0."""
    reduced: dict[int, list[Any]] = {}
    for _, column, row in pivot_rows(rows, size):
        reduced = {j: _without(other, column, row) for j, other in reduced.items()} | {column: row}
    return reduced


def kernel_of_echelon(reduced: Mapping[int, Sequence[Any]], width: int, one: Any = 1) -> list[list[Any]]:
    """A basis of what reduced rows annihilate, the rows given by the columns of their pivots, which are ones.

    Each vector has a one in a free column of its own, and nothing in the others.

    >>> kernel_of_echelon({0: [1, 2, 0], 2: [0, 0, 1]}, 3)
    [[-2, 1, 0]]
    """
    nothing = one * 0
    found = []
    for free in (j for j in range(width) if j not in reduced):
        vector = [-reduced[j][free] if j in reduced else nothing for j in range(width)]
        vector[free] = one
        found.append(vector)
    return found


def gauss_jordan(
    matrix: Sequence[Sequence[T]],
    right: Sequence[T],
    *,
    size: Callable[[T], float],
    present: Callable[[T], Any],
    inverse: Callable[[T], T],
    times: Callable[[T, T], T],
    less: Callable[[T, T, T], T],
) -> list[T]:
    """The unknowns of a square system; ``less(a, b, c)`` is a - b c, and of pivots the one of the largest size is taken.

    >>> from fractions import Fraction as F
    >>> do = {"size": abs, "present": bool, "inverse": lambda a: 1 / a, "times": lambda a, b: a * b}
    >>> z = gauss_jordan([[F(0), F(2)], [F(1), F(1)]], [F(4), F(5)], less=lambda a, b, c: a - b * c, **do)
    >>> [str(value) for value in z]
    ['3', '2']
    """
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: size(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        pivot = inverse(rows[k][k])
        rows[k] = [times(pivot, entry) for entry in rows[k]]
        for i, row in enumerate(rows):
            if i != k and present(row[k]):
                rows[i] = [less(a, row[k], b) for a, b in zip(row, rows[k], strict=True)]
    return [row[-1] for row in rows]
