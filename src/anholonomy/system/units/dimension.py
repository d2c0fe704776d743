"""A physical dimension as exponents of the seven base units of the SI. An angle is a number, its unit the radian."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from anholonomy.base.notebook import Shown

__all__ = ["LENGTH", "NUMBER", "TIME", "Dimension"]

_BASE = {
    "m": "length",
    "kg": "mass",
    "s": "time",
    "A": "electric current",
    "K": "temperature",
    "mol": "amount",
    "cd": "luminous intensity",
}
"""The base units with what they measure."""

_FACTOR = re.compile(r"(kg|mol|cd|rad|[msAK1])(?:\^(-?\d+|\(-?\d+/\d+\)))?")


@final
@dataclass(frozen=True)
class Dimension(Shown):
    """Exponents of the base units, zeros left out.

    >>> force = Dimension.of({"kg": 1, "m": 1, "s": -2})
    >>> str(force), force.words, str(force / Dimension.of({"m": 1})), Dimension.read("kg*m/s^2") == force
    ('kg*m/s^2', 'a force (N)', 'kg/s^2', True)
    """

    exponents: tuple[tuple[str, Fraction], ...] = ()

    @classmethod
    def of(cls, exponents: Mapping[str, int | Fraction]) -> Dimension:
        return cls(tuple((unit, Fraction(exponents[unit])) for unit in _BASE if exponents.get(unit, 0)))

    @classmethod
    def read(cls, text: str) -> Dimension | None:
        """The dimension of a text of base units such as ``kg*m^2/s^2``, as `str` writes it; None for any other text."""
        found = NUMBER
        for sign, part in re.findall(r"(^|[*/])([^*/]+(?:/\d+\)[^*/]*)?)", text):
            if not (factor := _FACTOR.fullmatch(part.strip())):
                return None
            unit, power = factor.groups()
            exponent = Fraction((power or "1").strip("()")) * (-1 if sign == "/" else 1)
            found *= Dimension.of({unit: exponent})
        return found if text.strip() else None

    def __mul__(self, other: Dimension) -> Dimension:
        mine, theirs = dict(self.exponents), dict(other.exponents)
        return Dimension.of({unit: mine.get(unit, Fraction(0)) + theirs.get(unit, Fraction(0)) for unit in _BASE})

    def __pow__(self, power: int | Fraction) -> Dimension:
        return Dimension.of({unit: exponent * power for unit, exponent in self.exponents})

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other**-1

    def __str__(self) -> str:
        """The coherent unit, ``1`` for a number."""
        order = ("kg", "m", "s", "A", "K", "mol", "cd")
        exponents = dict(self.exponents)
        above = [_power(unit, exponents[unit]) for unit in order if exponents.get(unit, 0) > 0]
        below = [_power(unit, -exponents[unit]) for unit in order if exponents.get(unit, 0) < 0]
        return "/".join(["*".join(above) or "1", *below])

    @property
    def symbol(self) -> str:
        """A unit as it is written beside an axis: its name where it has one; nothing for a number.

        >>> Dimension.of({"kg": 1, "m": 2, "s": -2}).symbol, Dimension.of({"m": 1, "s": -1}).symbol
        ('J', 'm/s')
        """
        if not self.exponents:
            return ""
        named = _NAMED.get(str(self), ("", ""))[1]
        return named or re.sub(r"\^(-?\d+)", lambda power: power[1].translate(_RAISED), str(self)).replace("*", " ")

    @property
    def words(self) -> str:
        """What it is, with its unit: ``a length (m)``, ``a mass times length (kg*m)``."""
        if not self.exponents:
            return "a number"
        if named := _NAMED.get(str(self)):
            return f"{named[0]} ({named[1] or self})"
        above = [_worded(unit, e) for unit, e in sorted(self.exponents, key=_rank) if e > 0]
        below = [_worded(unit, -e) for unit, e in sorted(self.exponents, key=_rank) if e < 0]
        said = " per ".join([" times ".join(above) or "number", *below])
        return f"a {said} ({self})"


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NAMED = {
    "m": ("a length", "m"),
    "kg": ("a mass", "kg"),
    "s": ("a time", "s"),
    "m/s": ("a velocity", "m/s"),
    "m/s^2": ("an acceleration", ""),
    "kg*m/s^2": ("a force", "N"),
    "kg*m^2/s^2": ("an energy", "J"),
    "kg*m^2/s^3": ("a power", "W"),
    "kg*m^2": ("a moment of inertia", ""),
    "kg*m/s": ("a momentum", ""),
    "kg*m^2/s": ("an angular momentum", ""),
    "kg/s^2": ("a stiffness", "N/m"),
    "1/s": ("a rate", "1/s"),
    "m^2": ("an area", ""),
}
"""What some are called, and the unit's own name."""


def _power(unit: str, exponent: Fraction) -> str:
    if exponent == 1:
        return unit
    return f"{unit}^{exponent}" if exponent.denominator == 1 else f"{unit}^({exponent})"


def _rank(item: tuple[str, Fraction]) -> int:
    return ("kg", *_BASE).index(item[0])


def _worded(unit: str, exponent: Fraction) -> str:
    powers = {Fraction(1): "", Fraction(2): " squared", Fraction(3): " cubed"}
    return _BASE[unit] + powers.get(exponent, f" to the power {exponent}")


NUMBER = Dimension()
LENGTH = Dimension.of({"m": 1})
TIME = Dimension.of({"s": 1})
