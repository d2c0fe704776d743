"""Steps run in ball arithmetic: every number comes with a proven error bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import flint

from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.balls import Ball, BallArithmetic
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.steps import Assign, Step

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
    r"""$M^+ b = G^{\mathsf T}(G G^{\mathsf T})^{-1}(F^{\mathsf T}F)^{-1}F^{\mathsf T} b$ with $M = F G$, $F$ the pivotal columns of $M$."""
    columns = _pivotal_columns(matrix)
    if not columns:
        return flint.arb_mat(matrix.ncols(), 1)
    F = flint.arb_mat([[matrix[i, j] for j in columns] for i in range(matrix.nrows())])
    normal = F.transpose() * F
    G = normal.solve(F.transpose() * matrix)
    weights = (G * G.transpose()).solve(normal.solve(F.transpose() * right))
    return G.transpose() * weights


def _pivotal_columns(matrix: flint.arb_mat) -> list[int]:
    """Columns that span the others, by elimination with full pivoting on midpoints.

    What is below the root of the precision, beside what there was at first, counts as zero.
    """
    rows = [[matrix[i, j].mid() for j in range(matrix.ncols())] for i in range(matrix.nrows())]
    left, columns = list(range(matrix.nrows())), list[int]()
    scale = max((abs(value) for row in rows for value in row), default=flint.arb(0))
    tiny = scale * flint.arb(2) ** (-flint.ctx.prec // 2)
    while left:
        i, j = max(((i, j) for i in left for j in range(matrix.ncols())), key=lambda ij: abs(rows[ij[0]][ij[1]]))
        if not abs(rows[i][j]) > tiny:
            break
        left.remove(i)
        columns.append(j)
        for k in left:
            factor = rows[k][j] / rows[i][j]
            rows[k] = [(a - factor * b).mid() for a, b in zip(rows[k], rows[i], strict=True)]
            rows[k][j] = flint.arb(0)
    return sorted(columns)
