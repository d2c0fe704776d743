r"""Elimination in ball arithmetic: $\operatorname{rank} A \ge r$ is proven by $r$ pivots that exclude zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from anholonomy.symbolic.matrices.echelon import kernel_of_echelon
from anholonomy.symbolic.numbers.balls import Ball, excludes_zero
from anholonomy.symbolic.patience import check

__all__ = ["PivotRow", "echelon", "kernel", "pivot_rows"]


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

    >>> import flint
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
