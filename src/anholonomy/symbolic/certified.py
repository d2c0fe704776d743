"""Steps run in ball arithmetic: every number comes with a proven error bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import flint

from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.balls import Ball, BallArithmetic
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.steps import Assign, Step

__all__ = ["run_steps"]


def run_steps(steps: Iterable[Step], values: Mapping[Symbol, Ball]) -> dict[Expr, Ball]:
    """Everything the steps define, at the current precision, added to ``values``.

    Raises `ZeroDivisionError` where a matrix cannot be proven invertible.
    """
    known: dict[Expr, Ball] = dict(values)
    arithmetic = BallArithmetic()
    for step in steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(step.value, arithmetic, known)
            continue
        size = len(step.unknowns)
        matrix = flint.arb_mat([[evaluate(entry, arithmetic, known) for entry in row] for row in step.matrix])
        right = flint.arb_mat(size, 1, [evaluate(entry, arithmetic, known) for entry in step.right])
        solution = matrix.solve(right)
        known |= {unknown: solution[i, 0] for i, unknown in enumerate(step.unknowns)}
    return known
