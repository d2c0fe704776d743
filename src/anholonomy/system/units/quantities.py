"""Quantities with units as users give them: ``"5 km/h"``, ``12*ureg.kg``. Text is read by pint, never evaluated, and bounded before.

Units become coherent SI by exact fractions, so that ``"30 deg"`` is pi/6 and ``"5 km/h"`` is 25/18.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np

from anholonomy.base.errors import DeclarationError, NotSupportedError, quoted
from anholonomy.system.units.dimension import Dimension

__all__ = ["is_quantity", "quantity", "unit_dimension", "value_in"]

_LONGEST = 80
"""Letters of a quantity with its unit; what is longer is an expression."""
_MOST_DIGITS = 400
"""Powers of ten of a quantity, beyond what doubles hold either way."""
_PI = Fraction("3.1415926535897932384626433832795028841971693993751")
"""What pint has for it."""
_TEXT = re.compile(
    r"\s*((?>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))\s*((?:[^\W\d]|[°%(]|1\s*/\s*[^\W\d])[^=<>'\"]*)"
)
"""A number, and a unit after it without a sign between them: what the language of expressions has not."""
_TOKEN = re.compile(
    r"\s*(?:(?P<name>[^\W\d_]\w*|°[CF]?|%)|(?P<one>1)(?!\d)|(?P<power>(?:\*\*|\^)\s*(?:-?\d{1,2}|\(\s*-?\d{1,2}\s*(?:/\s*\d{1,2}\s*)?\)))"
    r"|(?P<sign>\*|/|·)|(?P<open>\()|(?P<close>\)))\s*"
)
_ROOTS = {
    "meter": "m",
    "kilogram": "kg",
    "gram": "kg",
    "second": "s",
    "ampere": "A",
    "kelvin": "K",
    "mole": "mol",
    "candela": "cd",
    "radian": "",
}


@final
@dataclass(frozen=True)
class Quantity:
    """A number in coherent SI units: a fraction of a text, else a double or an array of them."""

    value: Any
    dimension: Dimension

    @property
    def number(self) -> Any:
        """The number, or the array, in doubles."""
        return float(self.value) if isinstance(self.value, Fraction) else self.value

    @property
    def exact(self) -> Any:
        """The number; a text such as ``"1*pi/6"`` where it is a rational part of pi, which no double is.

        >>> quantity("30 deg", "theta").exact, quantity("5 km/h", "x'").exact
        ('1*pi/6', 1.3888888888888888)
        """
        turns = self.value / _PI if isinstance(self.value, Fraction) and self.value else Fraction(0)
        if turns and turns.denominator < 10**9:
            return f"{turns.numerator}*pi/{turns.denominator}"
        return self.number


def is_quantity(value: object) -> bool:
    """Whether something is a quantity of pint's, or a text of a number with a unit after it.

    >>> [is_quantity(each) for each in ("5 km/h", "30deg", "2 1/s", "1/sqrt(2)", "1e-6", "2*pi", "-4*x", 12.0)]
    [True, True, True, False, False, False, False, False]
    """
    if isinstance(value, str):
        return _TEXT.fullmatch(value) is not None
    return not isinstance(value, float | int) and hasattr(value, "to_base_units") and hasattr(value, "dimensionality")


def quantity(value: Any, what: str) -> Quantity:
    """A quantity in SI units; ``what`` names it where it is refused."""
    if isinstance(value, str):
        return _of_text(value, what)
    try:
        base = value.to_base_units()
    except Exception as problem:  # of a user's own registry, whatever it raises
        raise DeclarationError(
            f"{what} is {value!s:.60}, which has no SI value ({_first(problem)}); convert it."
        ) from None
    dimension, scale = _dimension(base, f"{what} is {value!s:.60}")
    magnitude = np.asarray(base.magnitude, dtype=float) * float(scale)
    return Quantity(magnitude.item() if magnitude.ndim == 0 else magnitude, dimension)


def value_in(value: Any, what: str, units: Sequence[str]) -> Any:
    """The number of a quantity that has the dimension of one of these coherent units; refused where it has none of them."""
    read = quantity(value, what)
    wanted = [unit_dimension(unit, what) if unit else Dimension() for unit in units]
    if read.dimension not in wanted:
        words = " or ".join(each.words for each in wanted)
        raise DeclarationError(
            f"{what} is {value!s:.60}, {read.dimension.words}, where {words} belongs; correct its unit."
        )
    return read.exact


def unit_dimension(text: object, what: str) -> Dimension:
    """The dimension of a coherent SI unit such as ``"kg*m^2"`` or ``"N/m"``; base units need no pint.

    >>> str(unit_dimension("kg*m^2", "the unit of I")), str(unit_dimension("N/m", "the unit of k"))
    ('kg*m^2', 'kg/s^2')
    """
    if not isinstance(text, str):
        raise DeclarationError(f"{what} is {quoted(text)}; give a text such as 'kg*m^2'.")
    if (found := Dimension.read(text)) is not None:
        return found
    read = _of_text(f"1 {text}", what)
    if read.value != 1:
        raise DeclarationError(
            f"{what} is {text:.60}, and numbers here are in SI units; declare {read.dimension}, and give a value with its unit, "
            f"such as '5 {text:.20}'."
        )
    return read.dimension


def _of_text(text: str, what: str) -> Quantity:
    said = f"{what} is {quoted(text)}"
    if len(text) > _LONGEST or (found := _TEXT.fullmatch(text)) is None:
        raise DeclarationError(f"{said}, which is no number with a unit; write it as '5 km/h'.")
    digits, unit = found.groups()
    exponent = re.search(r"[eE]([+-]?\d+)", digits)
    if not _is_unit(unit) or (exponent and abs(int(exponent[1])) > _MOST_DIGITS):
        raise DeclarationError(f"{said}, which is no number with a unit; write it as '5 km/h' or '2 kg*m^2'.")
    registry = _registry(what)
    import pint

    try:
        units = registry.parse_units(unit.strip().replace("·", "*"))
        base = registry.Quantity(Fraction(digits), units).to_root_units()
    except pint.UndefinedUnitError as problem:
        missing = problem.unit_names if isinstance(problem.unit_names, str) else ", ".join(problem.unit_names)
        raise DeclarationError(f"{said}, and {missing} is no unit that pint knows; correct it.") from None
    except pint.OffsetUnitCalculusError:
        raise DeclarationError(
            f"{said}, a product with a temperature that is counted from another zero; use kelvin, or delta_degC for differences."
        ) from None
    except Exception:  # logarithmic units, unbalanced parentheses, and what else pint cannot read
        raise DeclarationError(f"{said}, which pint cannot read; write it as '5 km/h'.") from None
    dimension, scale = _dimension(base, said)
    return Quantity(Fraction(base.magnitude) * scale, dimension)


def _is_unit(text: str) -> bool:
    """Whether a text has only names, products, quotients and small powers, none of a power: what pint computes with is bounded.

    >>> [_is_unit(each) for each in ("kg*m^2", "m^(1/2)", "m**9**9**9", "m^999", "f(x)'")]
    [True, True, False, False, False]
    """
    place, last = 0, ""
    while place < len(text):
        if (token := _TOKEN.match(text, place)) is None or (last == "power" and token.lastgroup == "power"):
            return False
        # After a closed parenthesis a power would be one of powers.
        if last == "close" and token.lastgroup == "power":
            return False
        place, last = token.end(), str(token.lastgroup)
    return True


def _first(problem: Exception) -> str:
    return " ".join(str(problem).split())[:80] or type(problem).__name__


def _dimension(base: Any, said: str) -> tuple[Dimension, Fraction]:
    """The dimension of base units, and what they are in SI units."""
    found, scale = Dimension(), Fraction(1)
    for unit, power in dict(base._units).items():
        if unit not in _ROOTS:
            raise DeclarationError(f"{said}, and {unit} is none of the SI's units; give a plain number instead.")
        exponent = Fraction(power).limit_denominator(1000)
        if unit == "gram":
            scale *= Fraction(Fraction(1, 1000) ** exponent)
        found *= Dimension.of({_ROOTS[unit]: exponent}) if _ROOTS[unit] else Dimension()
    return found, scale


@lru_cache(maxsize=1)
def _made() -> Any:
    import pint

    return pint.UnitRegistry(non_int_type=Fraction)


def _registry(what: str) -> Any:
    try:
        return _made()
    except ImportError:
        raise NotSupportedError(
            f"{what} has a unit, which pint reads; install it with `pip install anholonomy[units]`, or give a plain number in SI units."
        ) from None
