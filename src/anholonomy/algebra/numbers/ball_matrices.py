r"""Linear algebra in ball arithmetic: $\operatorname{rank} A \ge r$ is proven by $r$ pivots that exclude zero.

Where a rank has to be decided all the same, midpoints are eliminated, and what is below a given size is nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import flint

from anholonomy.algebra import elimination
from anholonomy.algebra.elimination import PivotRow
from anholonomy.algebra.numbers.balls import Ball, excludes_zero

__all__ = ["echelon", "full_pivots", "kernel", "pivot_rows", "pseudo_solve"]


def pivot_rows(rows: Sequence[Sequence[Ball]]) -> list[PivotRow]:
    """Rows that are proven independent, and the entries that prove it: largest ones, which exclude zero."""
    return elimination.pivot_rows(rows, _certain_size)


def echelon(rows: Sequence[Sequence[Ball]]) -> dict[int, list[Ball]]:
    """Reduced rows by their pivots' columns, pivots made 1 and the other entries of these columns 0.

    >>> list(echelon([[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4)]]))
    [1]
    """
    return elimination.echelon(rows, _certain_size)


def _certain_size(value: Ball) -> float:
    return float(abs(value).lower()) if excludes_zero(value) else 0.0


def kernel(rows: Sequence[Sequence[Ball]]) -> list[list[Ball]]:
    r"""Vectors that span $\{v : A v = 0\}$, as far as the pivots go."""
    return elimination.kernel_of_echelon(echelon(rows), len(rows[0]), rows[0][0] * 0 + 1)


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


def pseudo_solve(matrix: flint.arb_mat, right: flint.arb_mat) -> flint.arb_mat:
    r"""$M^+ b = G^{\mathsf T}(G G^{\mathsf T})^{-1} y$ with $M = F G$, $F$ independent columns of $M$, and $F y$ nearest to $b$.

    Where the equations agree with one another, $y$ and $G$ follow from independent ones among them, which does not square
    the condition as least squares do.
    """
    pivots = _pivots(matrix)
    if not pivots:
        return flint.arb_mat(matrix.ncols(), 1)
    rows, columns = sorted(i for i, _ in pivots), sorted(j for _, j in pivots)
    F = _part(matrix, range(matrix.nrows()), columns)
    square = _part(matrix, rows, columns)
    y = square.solve(_part(right, rows, [0]))
    gap = F * y - right
    if all(gap[i, 0].contains(0) for i in range(matrix.nrows())):
        G = square.solve(_part(matrix, rows, range(matrix.ncols())))
    else:
        normal = F.transpose() * F
        G, y = normal.solve(F.transpose() * matrix), normal.solve(F.transpose() * right)
    return G.transpose() * (G * G.transpose()).solve(y)


def _part(matrix: flint.arb_mat, rows: Iterable[int], columns: Iterable[int]) -> flint.arb_mat:
    columns = list(columns)
    return flint.arb_mat([[matrix[i, j] for j in columns] for i in rows])


def _pivots(matrix: flint.arb_mat) -> list[tuple[int, int]]:
    """Rows and columns that span the others.

    Rows and columns are first brought to one size, so that neither units nor a factor before an equation matter; what is
    then below the root of the precision counts as zero.
    """
    rows = [[matrix[i, j].mid() for j in range(matrix.ncols())] for i in range(matrix.nrows())]
    for _ in range(6):
        sizes = [max((abs(value) for value in row), default=flint.arb(0)) for row in rows]
        rows = [[(v / size).mid() for v in row] if size > 0 else row for row, size in zip(rows, sizes, strict=True)]
        rows = [list(column) for column in zip(*rows, strict=True)]
    return full_pivots(rows, flint.arb(2) ** (-flint.ctx.prec // 2))
