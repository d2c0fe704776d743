r"""When a value counts as zero: beside the size of its terms, and for all numbers that round to those given.

$\pi/2$ in doubles is no right angle, and nobody means the difference. A residual is compared with the terms that should cancel in it
(`sizes_at`); what divides or determines must differ from zero for every number that rounds to the one a user gave (`blurred_at`); and a
constraint is violated where its residual exceeds both (`violated`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, final

import flint
import numpy as np

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.numbers.balls import Ball, BallArithmetic
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.base.tolerances import ROUNDING, TYPED
from anholonomy.system.constraints import Constraint
from anholonomy.system.states.newton import Point, evaluate_at, largest, rows_at

__all__ = ["blurred_at", "certain_rows", "excess", "sized_at", "sizes_at", "violated"]


# How large the terms of an expression are.
#
# A sum is as large as its terms together, a product as its factors multiplied, so that $\varphi$ and $10^{12}\varphi$
# vanish at the same states, and a change of units changes nothing.


_Sized: TypeAlias = tuple[Ball, Ball]
"""A value and the size of its terms."""


def sizes_at(expressions: Iterable[Expr], point: Mapping[Symbol, Ball], amplitude: bool = False) -> list[Ball]:
    """The sizes of several expressions at one point, at the current precision; with ``amplitude``, sin, cos and tan count 1.

    >>> import symengine
    >>> x, y = symengine.symbols("x y")
    >>> [float(size) for size in sizes_at([3 * (x - y) ** 2], {x: flint.arb(2), y: flint.arb(2)})]
    [48.0]
    """
    return [size for _, size in sized_at(expressions, point, amplitude)]


def sized_at(expressions: Iterable[Expr], point: Mapping[Symbol, Ball], amplitude: bool = False) -> list[_Sized]:
    """The values of several expressions with their sizes, both in one walk."""
    known: dict[Expr, _Sized] = {s: (value, abs(value)) for s, value in point.items()}
    found = (evaluate(expression, _SizedArithmetic(amplitude), known) for expression in expressions)
    return [(value, size.mid()) for value, size in found]


@final
class _SizedArithmetic:
    """Every node of an expression with the size of its terms."""

    def __init__(self, amplitude: bool) -> None:
        self.balls, self.amplitude = BallArithmetic(), amplitude

    def number(self, value: Fraction | float) -> _Sized:
        return _sized(self.balls.number(value))

    def pi(self) -> _Sized:
        return _sized(self.balls.pi())

    def add(self, terms: Sequence[_Sized]) -> _Sized:
        return self.balls.add([v for v, _ in terms]), self.balls.add([s for _, s in terms])

    def multiply(self, factors: Sequence[_Sized]) -> _Sized:
        return self.balls.multiply([v for v, _ in factors]), self.balls.multiply([s for _, s in factors])

    def power(self, base: _Sized, exponent: int | Fraction) -> _Sized:
        value = self.balls.power(base[0], exponent)
        if exponent.denominator == 1 and exponent > 0:
            return value, self.balls.power(base[1], exponent)
        return _sized(value)

    def general_power(self, base: _Sized, exponent: _Sized) -> _Sized:
        return _sized(self.balls.general_power(base[0], exponent[0]))

    def function(self, name: str, arguments: Sequence[_Sized]) -> _Sized:
        value = self.balls.function(name, [v for v, _ in arguments])
        return (value, flint.arb(1)) if self.amplitude and name in ("sin", "cos", "tan") else _sized(value)


def _sized(value: flint.arb) -> _Sized:
    return value, abs(value)


# What survives the rounding in a user's numbers.
#
# Every number is taken to be known up to a few roundings of a double, $x\,(1 \pm \varepsilon)$, and a sine or cosine to
# $\varepsilon$ of its amplitude. Balls of that size run through an expression; what they do not tell from zero is zero.


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


# Whether numbers that a user typed satisfy constraints, up to the rounding in them.


def violated(
    constraints: Sequence[Constraint],
    functions: Sequence[Expr],
    values: Point,
    unknowns: Sequence[Symbol],
    coarse: float = TYPED,
) -> Constraint | None:
    r"""The constraint that is violated most, by more than the rounding in what a user gave; None if there is none.

    The residual of $f$ is compared with the size of its terms and with $\sum|u\,\partial f/\partial u|$ over the unknowns;
    what is not an unknown is taken to be as exact as a double, and an unknown as exact as a double of the largest
    one's size: where a row says 0, the sine of pi is 0.
    """
    over = excess(functions, values, unknowns, coarse)
    worst = int(np.argmax(over))
    return constraints[worst] if over[worst] > 0 else None


def excess(functions: Sequence[Expr], values: Point, unknowns: Sequence[Symbol], coarse: float = TYPED) -> list[float]:
    """Each residual over what is allowed; 0 where it is within."""
    others = [s for s in values if s not in set(unknowns)]
    top = largest(values[u] for u in unknowns)
    found = []
    for f, (value, size) in zip(functions, sized_at(functions, values), strict=True):
        known = [s for s in others if s in f.free_symbols]
        own, other = (_lower(gradient(f, symbols), values) for symbols in (unknowns, known))
        terms = size + sum((abs(a * values[u]) for a, u in zip(own, unknowns, strict=True)), start=flint.arb(0))
        exact = sum((abs(a * values[s]) for a, s in zip(other, known, strict=True)), start=flint.arb(0))
        allowed = coarse * terms + ROUNDING * (terms + exact + top * largest(own))
        residual = abs(value.mid())
        found.append(0.0 if residual <= allowed else float((residual / allowed).mid()) if allowed > 0 else math.inf)
    return found


def _lower(row: Sequence[Expr], values: Point) -> list[Ball]:
    """The midpoints, with 0 for entries that no digit tells from it: times a large number they would allow everything."""
    return [flint.arb(0) if value.contains(0) else value.mid() for value in evaluate_at(row, values)]
