"""Programs in certified ball arithmetic: every value comes with a proven error bound.

The judge of the other backends, and of claims that two programs agree. Linear systems are solved by Arb,
whose solution contains the exact one for every matrix in the ball.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.numbers.ball_matrices import pseudo_solve
from anholonomy.algebra.numbers.balls import Ball, BallArithmetic, ball, precision
from anholonomy.algebra.steps.definitions import Assign, Solve
from anholonomy.programs.program import Program

__all__ = ["evaluate_program"]

Value = Ball | Fraction | int | float | str


def evaluate_program(program: Program, t: Value, x: Sequence[Value], p: Sequence[Value], digits: int) -> list[Ball]:
    """Balls that contain the program's outputs, computed with ``digits`` digits.

    A singular linear system gives balls that are not finite, as any other undefined operation does.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x = symbol("x")
    >>> (third,) = evaluate_program(lower([x], [], [], [x / 3]), 0, [1], [], digits=40)
    >>> third.overlaps(ball(Fraction(1, 3))), bool(third.rad() < 1e-40)
    (True, True)
    """
    with precision(digits):
        known: dict[Expr, Ball] = {time: ball(t)}
        known.update((s, ball(v)) for s, v in zip(program.states, x, strict=True))
        known.update((s, ball(v)) for s, v in zip(program.parameters, p, strict=True))
        arithmetic = BallArithmetic()
        for step in program.steps:
            if isinstance(step, Assign):
                known[step.target] = evaluate(step.value, arithmetic, known)
            else:
                known.update(zip(step.unknowns, _solve(step, known), strict=True))
        return [evaluate(output, arithmetic, known) for output in program.outputs]


def _solve(step: Solve, known: dict[Expr, Ball]) -> list[Ball]:
    import flint

    arithmetic, size = BallArithmetic(), len(step.unknowns)
    matrix, right = (
        [evaluate(entry, arithmetic, known) for entry in entries]
        for entries in ([entry for row in step.matrix for entry in row], step.right)
    )
    try:
        A, b = flint.arb_mat(len(right), size, matrix), flint.arb_mat(len(right), 1, right)
        solution = pseudo_solve(A, b) if step.least else A.solve(b)
    except ZeroDivisionError:
        return [flint.arb.nan()] * size
    return [solution[i, 0] for i in range(size)]
