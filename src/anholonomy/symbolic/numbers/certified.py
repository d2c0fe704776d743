"""Steps run in ball arithmetic: every number comes with a proven error bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import flint

from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.matrices.ball_elimination import full_pivots
from anholonomy.symbolic.numbers.balls import Ball, BallArithmetic
from anholonomy.symbolic.steps.straight_line import Assign, Step

__all__ = ["pseudo_solve", "run_steps"]


def run_steps(steps: Iterable[Step], values: Mapping[Symbol, Ball]) -> dict[Expr, Ball]:
    """Everything the steps define, at the current precision, added to ``values``.

    Raises `ZeroDivisionError` where a matrix cannot be proven invertible. For least squares the bounds are those of a
    matrix of the rank that shows at this precision.
    """
    known: dict[Expr, Ball] = dict(values)
    arithmetic = BallArithmetic()
    for step in steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(step.value, arithmetic, known)
            continue
        matrix = flint.arb_mat([[evaluate(entry, arithmetic, known) for entry in row] for row in step.matrix])
        right = flint.arb_mat(len(step.right), 1, [evaluate(entry, arithmetic, known) for entry in step.right])
        solution = pseudo_solve(matrix, right) if step.least else matrix.solve(right)
        known |= {unknown: solution[i, 0] for i, unknown in enumerate(step.unknowns)}
    return known


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
