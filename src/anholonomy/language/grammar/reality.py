"""Constants must be real and finite: ``sqrt(-1)``, ``asin(2)`` and ``1/0`` have no place in mechanics.

SymEngine leaves ``asin(2)`` as it is and answers ``log(-1)`` with ``I*pi``, so a constant is evaluated in
real floating-point numbers beside its exact form, and what fails there is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import symengine

from anholonomy.language.limits import NUMBER_BITS, POWER, REMEMBERED
from anholonomy.symbolic.arithmetic import FUNCTIONS, function_name
from anholonomy.symbolic.expressions import Expr, walked
from anholonomy.tolerances import EXACT

__all__ = ["Unreal", "bits", "check_real", "check_walked", "exact_value", "function_value", "power_value"]


_DOMAINS = {"asin": (-1.0, 1.0), "acos": (-1.0, 1.0), "acosh": (1.0, math.inf), "sqrt": (0.0, math.inf)}
_REAL: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)},
    "abs": abs,
    "sign": lambda x: float((x > 0) - (x < 0)),
    "heaviside": lambda x: 0.5 * (1 + (x > 0) - (x < 0)),
    "max": max,
    "min": min,
    "if": lambda u, a, b: a if u > 0 else b,
}


class Unreal(Exception):
    """A constant is infinite, undefined, complex, or beyond a double; the text is a sentence."""


def exact_value(number: Expr) -> float:
    """The double nearest to an exact number, or a refusal."""
    if isinstance(number, symengine.RealDouble):
        return float(number)
    if isinstance(number, symengine.Rational):
        try:
            return int(number.p) / int(number.q)
        except OverflowError:
            raise Unreal("this number is too large for double precision; rescale the units.") from None
    if number in (symengine.nan, symengine.zoo, symengine.oo, -symengine.oo):
        raise Unreal("this is infinite or undefined, because something is divided by zero.")
    raise Unreal("this is not a real number.")


def function_value(name: str, arguments: Sequence[float], *, exact: bool = False) -> float:
    """A function of the language at real numbers; `Unreal` outside its domain.

    >>> function_value("sin", [0.0])
    0.0
    >>> function_value("asin", [2.0])
    Traceback (most recent call last):
    anholonomy.language.grammar.reality.Unreal: asin(2) is not a real number.
    """
    low, high = _DOMAINS.get(name, (-math.inf, math.inf))
    slack = 0.0 if exact else EXACT
    inside = [min(max(a, low), high) if low - slack <= a <= high + slack else a for a in arguments]
    try:
        return float(_REAL[name](*inside))
    except ValueError:
        listed = ", ".join(f"{a:g}" for a in arguments)
        raise Unreal(f"{name}({listed}) is not a real number.") from None
    except OverflowError:
        raise Unreal("this number is too large for double precision; rescale the units.") from None


def power_value(base: float, exponent: float) -> float:
    """A real power of a real number, or a refusal."""
    try:
        power = base**exponent
    except ZeroDivisionError:
        raise Unreal("this is infinite or undefined, because something is divided by zero.") from None
    except OverflowError:
        raise Unreal("this number is too large for double precision; rescale the units.") from None
    if isinstance(power, complex):
        if exponent == 0.5 and base > -EXACT:
            return 0.0
        raise Unreal(f"{base:g} to the power {exponent:g} is not a real number.")
    return float(power)


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise Unreal("this number is too large for double precision; rescale the units.")
    return value


def bits(number: Expr) -> int:
    """How many bits the exact number has, numerator and denominator together."""
    return int(number.p).bit_length() + (int(number.q) - 1).bit_length()


def check_real(*expressions: Expr, power: float = POWER) -> None:
    """Refuse expressions with a constant part that is not real, finite and of reasonable size, or with a higher ``power``.

    >>> x = symengine.Symbol("x")
    >>> check_real(x + symengine.log(symengine.Integer(-2)))
    Traceback (most recent call last):
    anholonomy.language.grammar.reality.Unreal: this is not a real number.
    """
    known = _lately() if power == POWER else [{}]
    if len(known[0]) > REMEMBERED:
        known[0] = {}
    sound = known[0]
    check_walked(walked(*expressions, known=sound), sound, power)


@lru_cache(maxsize=1)
def _lately() -> list[dict[Expr, float | None]]:
    """The nodes that were found sound lately: a declaration goes through the same ones again and again."""
    return [{}]


def check_walked(
    nodes: Iterable[tuple[Expr, Sequence[Expr]]], known: dict[Expr, float | None], power: float = POWER
) -> None:
    """The same for nodes with their arguments, which come before them or are ``known``: constants with their values, others with None."""
    for node, arguments in nodes:
        if type(node) is symengine.Symbol:
            known[node] = None
            continue
        values = [known[a] for a in arguments]
        is_power = type(node) is symengine.Pow
        known[node] = None if None in values and not is_power else _value(node, values, power)


def _value(node: Expr, arguments: Sequence[float | None], power: float) -> float | None:
    """The value of a constant node from those of its arguments; ``None`` where a symbol is involved."""
    match node:
        case symengine.Number():
            value = exact_value(node)
            if isinstance(node, symengine.Rational) and bits(node) > NUMBER_BITS:
                raise Unreal("a number here grows too long; write it as a decimal.")
            return value
        case symengine.Pow() if isinstance(node.args[1], symengine.Number):
            assert arguments[1] is not None
            if abs(arguments[1]) > power:
                raise Unreal(f"a power here exceeds {power}; that is surely not meant.")
    numbers = [a for a in arguments if a is not None]
    if len(numbers) < len(arguments):
        return None
    match node:
        case symengine.Add():
            return _finite(sum(numbers))
        case symengine.Mul():
            return _finite(math.prod(numbers))
        case symengine.Pow():
            return power_value(*numbers)
    if not numbers:
        return math.pi if node == symengine.pi else math.e if node == symengine.E else None
    if isinstance(node, symengine.FunctionSymbol) and node.get_name() not in FUNCTIONS:
        return None
    exact = all(isinstance(a, symengine.Number) for a in node.args)
    return function_value(function_name(node), numbers, exact=exact)
