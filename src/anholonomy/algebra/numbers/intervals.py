r"""Interval arithmetic over arrays: between which bounds an expression stays while its symbols stay between theirs.

.. math:: f([a, b]) \subseteq [\ell, h]

Bounds are those of doubles, right to a few roundings: for looking at functions, not for proofs (`anholonomy.algebra.numbers.balls`). An
interval that leaves the domain has bounds that are not numbers; division by an interval around zero leaves none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np

__all__ = ["EnclosureArithmetic"]

Interval: TypeAlias = tuple[Any, Any]
"""Lower and upper bounds, arrays or numbers."""
Function: TypeAlias = Callable[[str, Sequence[Any]], Any]


@final
class EnclosureArithmetic:
    """Every node of an expression as an interval; ``function`` gives the functions of the language over arrays.

    >>> import symengine
    >>> from anholonomy.algebra.arithmetic import evaluate
    >>> x = symengine.Symbol("x")
    >>> arithmetic = EnclosureArithmetic(lambda name, arguments: getattr(np, name)(*arguments))
    >>> [bounds.tolist() for bounds in evaluate(symengine.exp(-x**2), arithmetic, {x: (np.array([-1.0, 3.0]), np.array([0.5, 9.0]))})]
    [[0.36787944117144233, 6.639677199580735e-36], [1.0, 0.00012340980408667956]]
    """

    def __init__(self, function: Function) -> None:
        self.plain = function

    def number(self, value: Fraction | float) -> Interval:
        return np.float64(float(value)), np.float64(float(value))

    def pi(self) -> Interval:
        return self.number(np.pi)

    def add(self, terms: Sequence[Interval]) -> Interval:
        return sum(low for low, _ in terms), sum(high for _, high in terms)

    def multiply(self, factors: Sequence[Interval]) -> Interval:
        result = factors[0]
        for factor in factors[1:]:
            result = _product(result, factor)
        return result

    def power(self, base: Interval, exponent: int | Fraction) -> Interval:
        fraction = Fraction(exponent)
        if fraction < 0:
            return _reciprocal(self.power(base, -fraction))
        ends = [np.power(end, float(fraction)) for end in base]
        is_even = fraction.denominator == 1 and fraction.numerator % 2 == 0
        return _even(base, ends, 0.0) if is_even else _hull(ends)

    def general_power(self, base: Interval, exponent: Interval) -> Interval:
        return self.function("exp", [_product(exponent, self.function("log", [base]))])

    def function(self, name: str, arguments: Sequence[Interval]) -> Interval:
        """Functions that are neither even nor periodic are monotone."""
        if name == "atan2":
            return self._angle(*arguments)
        if name == "if":
            return _choice(*arguments)
        ends = [self.plain(name, [end]) for end in arguments[0]]
        if name in ("abs", "cosh"):
            return _even(arguments[0], ends, 1.0 if name == "cosh" else 0.0)
        if name in ("sin", "cos"):
            return _wave(arguments[0], ends, 0.0 if name == "cos" else np.pi / 2)
        if name == "tan":
            # A pole lies between two ends that are not in one branch.
            one = np.floor(arguments[0][0] / np.pi + 0.5) == np.floor(arguments[0][1] / np.pi + 0.5)
            return np.where(one, ends[0], -np.inf), np.where(one, ends[1], np.inf)
        return _hull(ends)

    def _angle(self, y: Interval, x: Interval) -> Interval:
        low, high = _hull([self.plain("atan2", [v, u]) for v in y for u in x])
        apart = (y[0] > 0) | (y[1] < 0) | (x[0] > 0)
        return np.where(apart, low, -np.pi), np.where(apart, high, np.pi)


def _choice(u: Interval, a: Interval, b: Interval) -> Interval:
    low, high = _hull([a[0], b[0]])[0], _hull([a[1], b[1]])[1]
    return tuple(
        np.where(u[0] > 0, x, np.where(u[1] <= 0, y, both)) for x, y, both in zip(a, b, (low, high), strict=True)
    )


def _hull(values: Sequence[Any]) -> Interval:
    beside = np.broadcast_arrays(*values)  # numbers may stand beside arrays
    return np.minimum.reduce(beside), np.maximum.reduce(beside)


def _product(u: Interval, v: Interval) -> Interval:
    unknown = np.isnan(u[0]) | np.isnan(u[1]) | np.isnan(v[0]) | np.isnan(v[1])
    ends = [a * b for a in u for b in v]
    # Nothing times something unbounded is nothing.
    return _hull([np.where(np.isnan(end) & ~unknown, 0.0, end) for end in ends])


def _reciprocal(u: Interval) -> Interval:
    low, high = u
    through = (low < 0) & (high > 0)
    # One over an end that is zero is infinite, on the side where the interval lies.
    least = np.where(high == 0, -np.inf, 1.0 / np.where(high == 0, 1.0, high))
    most = np.where(low == 0, np.inf, 1.0 / np.where(low == 0, 1.0, low))
    return np.where(through, -np.inf, least), np.where(through, np.inf, most)


def _even(u: Interval, ends: Sequence[Any], least: float) -> Interval:
    """A function that grows on both sides of zero, where it is ``least``, from its values at the ends."""
    low, high = _hull(ends)
    return np.where((u[0] < 0) & (u[1] > 0), least, low), high


def _wave(u: Interval, ends: Sequence[Any], peak: float) -> Interval:
    """A sine or cosine, which is 1 at ``peak`` and every full turn further."""
    low, high = _hull(ends)

    def meets(place: float) -> Any:
        return np.floor((u[1] - place) / (2 * np.pi)) >= np.ceil((u[0] - place) / (2 * np.pi))

    return np.where(meets(peak + np.pi), -1.0, low), np.where(meets(peak), 1.0, high)
