"""Elimination with many digits where a rank has to be decided: balls' midpoints, full pivoting, and a size below which nothing is left."""

from __future__ import annotations

from collections.abc import Collection

import flint

from anholonomy.symbolic.numbers.balls import Ball

__all__ = ["full_pivots"]


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
