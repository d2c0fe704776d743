r"""Ball arithmetic: values of expressions with proven error bounds.

.. math:: x \in [m - r,\, m + r]

A ball that excludes zero proves that an expression is not identically zero. Where an expression is not real (logarithm of a negative number, division by a ball around zero) the
result is a ball that is not finite, never an exception. The arithmetic is Arb's, through python-flint.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from threading import RLock
from typing import TypeAlias, final

import flint

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.base.deadlines import check

__all__ = [
    "DIGITS", "FEW_DIGITS", "GUARD_DIGITS", "MANY_DIGITS", "RAISED_DIGITS", "Ball", "BallArithmetic", "ball", "digits_carried",
    "evaluate_ball", "evaluate_balls", "excludes_zero", "is_real", "precision",
]  # fmt: skip


Ball: TypeAlias = flint.arb
Value: TypeAlias = "flint.arb | Fraction | int | float | str"

FEW_DIGITS = 30
"""Digits of a value whose sign or size is asked for, or that becomes a double."""
DIGITS = 40
"""Digits in which ranks are decided at random points."""
MANY_DIGITS = 120
"""Far from where a system lives its terms may differ by many orders of magnitude, and series lose digits with every term."""
RAISED_DIGITS = 200
"""At which a deficiency must show again: masses may differ by the powers of ten that doubles have."""
GUARD_DIGITS = 10
"""Digits carried beyond those asked for, so that rounding in short expressions stays below them."""


_TURN = RLock()
"""Held by the thread whose precision is in force; flint has one for the whole process."""


@contextmanager
def precision(digits: int) -> Iterator[None]:
    """Work at ``digits`` decimal digits plus a guard, one thread at a time; the precision before is put back.

    >>> with precision(30):
    ...     third = ball(Fraction(1, 3))
    >>> bool(third.rad() < 1e-30)
    True
    """
    with _TURN:
        before = flint.ctx.prec
        flint.ctx.dps = digits + GUARD_DIGITS
        try:
            yield
        finally:
            flint.ctx.prec = before


def digits_carried() -> int:
    """The digits that the `precision` in force was asked for; a handful outside of any."""
    return int(flint.ctx.dps) - GUARD_DIGITS


def ball(value: Value) -> Ball:
    """A tight ball around a number at the current precision; text is read as decimal digits.

    >>> ball("0.1").overlaps(ball(Fraction(1, 10)))
    True
    """
    if isinstance(value, Fraction):
        return flint.arb(flint.fmpq(value.numerator, value.denominator))
    return flint.arb(value)


def _atan2(y: Ball, x: Ball) -> Ball:
    # Arb defines atan2(0, 0) = 0; the angle of the origin is not a number.
    if y.contains(0) and x.contains(0):
        return flint.arb.nan()
    return flint.arb.atan2(y, x)


def _if(u: Ball, a: Ball, b: Ball) -> Ball:
    """One of two balls, or what contains both where the condition is not decided."""
    if u > 0:
        return a
    if u <= 0:
        return b
    return a.union(b) if u.is_finite() else flint.arb.nan()


_FUNCTIONS: dict[str, Callable[..., Ball]] = {
    **{name: getattr(flint.arb, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt")},
    **{name: getattr(flint.arb, name) for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf")},
    "if": _if,
    "atan2": _atan2,
    "abs": abs,
    "sign": flint.arb.sgn,
}


@final
class BallArithmetic:
    """Every node of an expression as a ball at the current precision of flint."""

    def number(self, value: Fraction | float) -> Ball:
        return ball(value)

    def pi(self) -> Ball:
        return flint.arb.pi()

    def add(self, terms: Sequence[Ball]) -> Ball:
        return sum(terms, start=flint.arb(0))

    def multiply(self, factors: Sequence[Ball]) -> Ball:
        product = flint.arb(1)
        for factor in factors:
            product = product * factor
        return product

    def power(self, base: Ball, exponent: int | Fraction) -> Ball:
        if exponent.denominator == 1:
            return _whole_power(base, int(exponent))
        root = base.sqrt() if exponent.denominator == 2 else base.root(exponent.denominator)
        return _whole_power(root, exponent.numerator)

    def general_power(self, base: Ball, exponent: Ball) -> Ball:
        return base**exponent

    def function(self, name: str, arguments: Sequence[Ball]) -> Ball:
        return _FUNCTIONS[name](*arguments)


def _whole_power(base: Ball, exponent: int) -> Ball:
    """FLINT's power, which is not a number for a ball around an inexact zero, and products there."""
    if exponent > 0 and base.mid() == 0:
        return reduce(operator.mul, [base] * exponent)
    return base**exponent


def evaluate_balls(expressions: Iterable[Expr], values: Mapping[Symbol, Value], digits: int) -> tuple[Ball, ...]:
    """Several expressions at one point; what they share is evaluated once. See `evaluate_ball`."""
    check()
    with precision(digits):
        known: MutableMapping[Expr, Ball] = {name: ball(value) for name, value in values.items()}
        return tuple(evaluate(expression, BallArithmetic(), known) for expression in expressions)


def evaluate_ball(expression: Expr, values: Mapping[Symbol, Value], digits: int) -> Ball:
    """A ball that contains the value of ``expression``, not finite where that value is not real.

    ``digits`` sets the working precision, not the accuracy: cancellation shows as a wider ball. A symbol
    without a value raises `KeyError`.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> one = evaluate_ball(symengine.sin(x) ** 2 + symengine.cos(x) ** 2, {x: Fraction(1, 3)}, 30)
    >>> one.contains(1), bool(one.rad() < 1e-30)
    (True, True)
    >>> evaluate_ball(symengine.log(x), {x: -1}, 30).is_finite()
    False
    """
    return evaluate_balls((expression,), values, digits)[0]


def excludes_zero(value: Ball) -> bool:
    """Whether the ball proves its number different from zero."""
    return bool(value.is_finite()) and not value.contains(0)


def is_real(value: Expr) -> bool:
    """Whether a constant is a finite real number; what has symbols left in it may be one.

    >>> import symengine
    >>> [is_real(symengine.sympify(text)) for text in ("sqrt(2)", "sqrt(-2)", "asin(2)", "zoo", "sqrt(x)")]
    [True, False, False, False, True]
    """
    if value.free_symbols:
        return True
    try:
        return bool(evaluate_ball(value, {}, FEW_DIGITS).is_finite())
    except KeyError:  # an infinity, or an imaginary number
        return False
