r"""Power series in time with balls for coefficients, $x(t) = \sum_j x_j t^j$ modulo $t^n$.

Every node of an expression is a series; a function that jumps or kinks is one of its branches, by the sign of what decides. Where that
sign is not known the coefficients are not finite.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from typing import TypeAlias, final

import flint

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.elimination import gauss_jordan
from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.numbers.balls import Ball, ball, excludes_zero, precision
from anholonomy.algebra.steps.definitions import Assign, Step

__all__ = ["Series", "SeriesArithmetic", "coefficients", "run_series", "truncated"]

Series: TypeAlias = flint.arb_series


@contextmanager
def truncated(terms: int, digits: int) -> Iterator[None]:
    """Work with so many coefficients, each of so many digits; flint has one setting of both for the whole process.

    >>> with truncated(3, 30):
    ...     [float(c) for c in coefficients(flint.arb_series([0, 1]).exp(), 3)]
    [1.0, 1.0, 0.5]
    """
    with precision(digits):
        before = flint.ctx.cap
        flint.ctx.cap = terms
        try:
            yield
        finally:
            flint.ctx.cap = before


def coefficients(series: Series, terms: int) -> list[Ball]:
    """The first coefficients, zeros included."""
    found = series.coeffs()[:terms]
    return [*found, *(flint.arb(0) for _ in range(terms - len(found)))]


def _first(series: Series) -> Ball:
    return coefficients(series, 1)[0]


def _nowhere() -> Series:
    return flint.arb_series([flint.arb.nan()])


def _if(u: Series, a: Series, b: Series) -> Series:
    value = _first(u)
    if not excludes_zero(value):
        return _nowhere()
    return a if value > 0 else b


def _atan2(y: Series, x: Series) -> Series:
    """The angle: its slope is that of an arctangent, its value that of the quadrant."""
    slope = (x * y.derivative() - y * x.derivative()) / (x * x + y * y)
    return slope.integral() + flint.arb_series([flint.arb.atan2(_first(y), _first(x))])


_FUNCTIONS: dict[str, Callable[..., Series]] = {
    **{
        n: getattr(flint.arb_series, n)
        for n in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt", "erf")
    },
    "sinh": lambda x: (x.exp() - (-x).exp()) / 2,
    "cosh": lambda x: (x.exp() + (-x).exp()) / 2,
    "tanh": lambda x: 1 - 2 / ((2 * x).exp() + 1),
    "asinh": lambda x: (x + (x * x + 1).sqrt()).log(),
    "acosh": lambda x: (x + (x * x - 1).sqrt()).log(),
    "atanh": lambda x: ((1 + x) / (1 - x)).log() / 2,
    "if": _if,
    "atan2": _atan2,
    "abs": lambda x: _if(x, x, -x),
    "sign": lambda x: _if(x, flint.arb_series([1]), flint.arb_series([-1])),
}


@final
class SeriesArithmetic:
    """Every node of an expression as a series at the current precision and length."""

    def number(self, value: Fraction | float) -> Series:
        return flint.arb_series([ball(value)])

    def pi(self) -> Series:
        return flint.arb_series([flint.arb.pi()])

    def add(self, terms: Sequence[Series]) -> Series:
        return reduce(operator.add, terms)

    def multiply(self, factors: Sequence[Series]) -> Series:
        return reduce(operator.mul, factors)

    def power(self, base: Series, exponent: int | Fraction) -> Series:
        fraction = Fraction(exponent)
        if fraction < 0:
            return self._inverse(self.power(base, -fraction))
        if fraction.denominator == 1:
            return reduce(operator.mul, [base] * int(fraction)) if fraction else self.number(1)
        if fraction.denominator == 2:
            return self.power(base.sqrt(), fraction.numerator)
        return (base.log() * flint.arb_series([ball(fraction)])).exp()

    def general_power(self, base: Series, exponent: Series) -> Series:
        return (base.log() * exponent).exp()

    def function(self, name: str, arguments: Sequence[Series]) -> Series:
        return _FUNCTIONS[name](*arguments)

    def _inverse(self, series: Series) -> Series:
        return series.inv() if excludes_zero(_first(series)) else _nowhere()


def run_series(steps: Iterable[Step], values: Mapping[Expr, Series]) -> dict[Expr, Series]:
    """Everything the steps define, added to ``values``; `ZeroDivisionError` where a matrix is not proven invertible."""
    known, do = dict(values), SeriesArithmetic()
    for step in steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(step.value, do, known)
            continue
        matrix = [[evaluate(entry, do, known) for entry in row] for row in step.matrix]
        right = [evaluate(entry, do, known) for entry in step.right]
        known |= dict(zip(step.unknowns, _solved(matrix, right), strict=True))
    return known


def _solved(matrix: list[list[Series]], right: list[Series]) -> list[Series]:
    """Gauss and Jordan, with pivots whose first coefficients are far from zero."""

    def inverse(pivot: Series) -> Series:
        if not excludes_zero(_first(pivot)):
            raise ZeroDivisionError("no pivot excludes zero")
        return pivot.inv()

    return gauss_jordan(
        matrix, right, size=lambda a: float(abs(_first(a)).lower()), present=Series.coeffs, inverse=inverse,
        times=operator.mul, less=lambda a, b, c: a - b * c,
    )  # fmt: skip
