"""A number as a user gives it, to all digits: a text such as ``"pi/2"`` and a number of SymPy's are exact, a float is what it is."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational, Real

import flint

from anholonomy.language.given import expression, single
from anholonomy.refusals import Refusal
from anholonomy.symbolic.numbers.balls import Ball, ball
from anholonomy.system.states.newton import evaluate_at

__all__ = ["finite_number"]


def finite_number(value: object) -> Ball | None:
    """The number at the current precision; None where there is none, or none that a double could hold.

    >>> float(finite_number("pi/2")), float(finite_number("5e-1")), finite_number("x"), finite_number("1e400")
    (1.5707963267948966, 0.5, None, None)
    """
    try:
        number = _read(value)
        return number if number.is_finite() and math.isfinite(float(number.mid())) else None
    except (KeyError, OverflowError, ValueError, ZeroDivisionError, Refusal):
        return None


def _read(value: object) -> Ball:
    value = single(value)
    if isinstance(value, flint.arb):
        return value
    if isinstance(value, str):
        try:
            return ball(_digits(value))
        except ValueError:  # an expression
            return evaluate_at([expression(value, "the number")], {})[0]
    if isinstance(value, Rational) and not isinstance(value, bool):
        return ball(Fraction(int(value.numerator), int(value.denominator)))
    if isinstance(value, Real) and not isinstance(value, bool):
        return ball(float(value))
    return evaluate_at([expression(value, "the number")], {})[0]


def _digits(text: str) -> Fraction:
    """The exact number that digits denote, if its exponent is that of a double."""
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > 400:
        raise OverflowError
    return Fraction(text)
