r"""How large the terms of an expression are: what its value is to be compared with before it is called zero.

A sum is as large as its terms together, a product as its factors multiplied, so that $\varphi$ and $10^{12}\varphi$
vanish at the same states, and a change of units changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, final

import flint

from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.balls import Ball, BallArithmetic

__all__ = ["sizes_at"]

_Sized: TypeAlias = tuple[Ball, Ball]
"""A value and the size of its terms."""


def sizes_at(expressions: Iterable[Expr], point: Mapping[Symbol, Ball], amplitude: bool = False) -> list[Ball]:
    """The sizes of several expressions at one point, at the current precision; with ``amplitude``, sin, cos and tan count 1.

    >>> import symengine
    >>> x, y = symengine.symbols("x y")
    >>> [float(size) for size in sizes_at([3 * (x - y) ** 2], {x: flint.arb(2), y: flint.arb(2)})]
    [48.0]
    """
    known: dict[Expr, _Sized] = {s: (value, abs(value)) for s, value in point.items()}
    return [evaluate(expression, _SizedArithmetic(amplitude), known)[1].mid() for expression in expressions]


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
