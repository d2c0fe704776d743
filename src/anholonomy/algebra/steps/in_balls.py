"""Steps run in ball arithmetic: every number comes with a proven error bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import flint

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.numbers.ball_matrices import pseudo_solve
from anholonomy.algebra.numbers.balls import Ball, BallArithmetic
from anholonomy.algebra.steps.definitions import Assign, Step

__all__ = ["run_steps"]


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
