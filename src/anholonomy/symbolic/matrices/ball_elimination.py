r"""Elimination in ball arithmetic: $\operatorname{rank} A \ge r$ is proven by $r$ pivots that exclude zero.

Where a rank has to be decided all the same, midpoints are eliminated, and what is below a given size is nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import flint

from anholonomy.symbolic.matrices.echelon import kernel_of_echelon
from anholonomy.symbolic.numbers.balls import Ball, excludes_zero
from anholonomy.symbolic.patience import check

__all__ = ["PivotRow", "echelon", "full_pivots", "kernel", "pivot_rows"]


class PivotRow(NamedTuple):
    """What earlier pivots leave of a row, divided by the entry that is its own pivot."""

    number: int
    column: int
    entries: list[Ball]


def pivot_rows(rows: Sequence[Sequence[Ball]]) -> list[PivotRow]:
    """Row by row, those of which earlier pivots leave an entry that excludes zero; the largest is the pivot."""
    found: list[PivotRow] = []
    for number, given in enumerate(rows):
        check()
        row = list(given)
        for pivot in found:
            row = _without(row, pivot.column, pivot.entries)
        sizes = [float(abs(value).lower()) if excludes_zero(value) else 0.0 for value in row]
        best = max(range(len(sizes)), key=sizes.__getitem__)
        if sizes[best] > 0.0:
            row = [value / row[best] for value in row]
            row[best] = row[best] * 0 + 1
            found.append(PivotRow(number, best, row))
        if len(found) == len(row):
            break
    return found


def echelon(rows: Sequence[Sequence[Ball]]) -> dict[int, list[Ball]]:
    """Reduced rows by their pivots' columns, pivots made 1 and the other entries of these columns 0.

    >>> list(echelon([[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4)]]))
    [1]
    """
    reduced: dict[int, list[Ball]] = {}
    for _, column, row in pivot_rows(rows):
        reduced = {j: _without(other, column, row) for j, other in reduced.items()} | {column: row}
    return reduced


def _without(row: list[Ball], column: int, pivot: Sequence[Ball]) -> list[Ball]:
    factor = row[column]
    result = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    result[column] = factor * 0
    return result


def kernel(rows: Sequence[Sequence[Ball]]) -> list[list[Ball]]:
    r"""Vectors that span $\{v : A v = 0\}$, as far as the pivots go."""
    return kernel_of_echelon(echelon(rows), len(rows[0]), rows[0][0] * 0 + 1)


def full_pivots(rows: list[list[Ball]], tiny: Ball, *, above: bool = False) -> list[tuple[int, int]]:
    """Rows and columns that span the others, the largest entry first; the columns are cleared in place, with ``above`` in all rows.

    >>> rows = [[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4)]]
    >>> full_pivots(rows, flint.arb("1e-9"))
    [(1, 1)]
    """
    left, found = list(range(len(rows))), list[tuple[int, int]]()
    while left:
        i, j = max(((i, j) for i in left for j in range(len(rows[i]))), key=lambda ij: abs(rows[ij[0]][ij[1]]))
        if not abs(rows[i][j]) > tiny:
            break
        left.remove(i)
        found.append((i, j))
        others: Collection[int] = range(len(rows)) if above else left
        for k in others:
            if k != i and not rows[k][j].is_zero():
                factor = rows[k][j] / rows[i][j]
                rows[k] = [(a - factor * b).mid() for a, b in zip(rows[k], rows[i], strict=True)]
                rows[k][j] = flint.arb(0)
    return found
