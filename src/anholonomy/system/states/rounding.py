r"""What survives the rounding in a user's numbers: :math:`\pi/2` in doubles is no right angle, and nobody means the difference.

Every number is taken to be known up to a few roundings of a double, $x\,(1 \pm \varepsilon)$, and a sine or cosine to
$\varepsilon$ of its amplitude. Balls of that size run through an expression; what they do not tell from zero is zero.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import final

import flint

from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.balls import Ball, BallArithmetic
from anholonomy.symbolic.steps.straight_line import Assign
from anholonomy.system.states.newton import rows_at

__all__ = ["blurred_at", "certain_rows"]

_ROUNDING = 2.0**-50
"""Four units in the last place: ``5*math.pi/2`` is rounded more than once on its way."""


def blurred_at(
    expressions: Iterable[Expr],
    point: Mapping[Symbol, Ball],
    exact: Collection[Symbol] = (),
    steps: Iterable[Assign] = (),
) -> list[Ball]:
    """Several expressions at one point, as balls that hold their values for all numbers that round to those given.

    The ``steps`` define what else stands in the expressions.

    >>> import math, symengine
    >>> theta = symengine.Symbol("theta")
    >>> [cosine] = blurred_at([symengine.cos(theta)], {theta: flint.arb(math.pi / 2)})
    >>> bool(cosine.contains(0))
    True
    """
    known: dict[Expr, Ball] = {s: value.mid() if s in exact else _blurred(value) for s, value in point.items()}
    for step in steps:
        known[step.target] = evaluate(step.value, _RoundedArithmetic(), known)
    return [evaluate(expression, _RoundedArithmetic(), known) for expression in expressions]


def certain_rows(matrix: Sequence[Sequence[Expr]], point: Mapping[Symbol, Ball]) -> list[list[Ball]]:
    """The midpoints of a matrix at one point, with 0 for entries that only rounding tells from it."""
    doubtful = iter(blurred_at([entry for row in matrix for entry in row], point))
    return [[flint.arb(0) if next(doubtful).contains(0) else entry for entry in row] for row in rows_at(matrix, point)]


def _blurred(value: Ball) -> Ball:
    return flint.arb(value.mid(), _ROUNDING * abs(value).mid())


@final
class _RoundedArithmetic:
    """Balls, with the sine and cosine of an angle that was rounded somewhere between 0 and a full turn."""

    def __init__(self) -> None:
        balls = self.balls = BallArithmetic()
        self.pi, self.add, self.multiply = balls.pi, balls.add, balls.multiply
        self.power, self.general_power = balls.power, balls.general_power

    def number(self, value: Fraction | float) -> Ball:
        return self.balls.number(value)

    def function(self, name: str, arguments: Sequence[Ball]) -> Ball:
        if name == "tan":
            return self.function("sin", arguments) / self.function("cos", arguments)
        value = self.balls.function(name, arguments)
        return value + flint.arb(0, _ROUNDING) if name in ("sin", "cos") else value
