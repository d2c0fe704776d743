"""The functions of the language, applied exactly, and the real values of constants.

SymEngine simplifies functions and powers on the way in, but not always to the end, and not always to functions of the language. A
text that was written must be read back equal, so `apply_function` and `apply_power` give the form that SymEngine keeps.

Constants must be real and finite: ``sqrt(-1)``, ``asin(2)`` and ``1/0`` have no place in mechanics. SymEngine leaves ``asin(2)`` as
it is and answers ``log(-1)`` with ``I*pi``, so a constant is evaluated in real floating-point numbers beside its exact form, and
a constant that fails there is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS, function_name
from anholonomy.algebra.expressions import Expr, walked
from anholonomy.algebra.piecewise import CORNERS
from anholonomy.base.tolerances import EXACT
from anholonomy.language.limits import NUMBER_BITS, POWER, REMEMBERED

__all__ = [
    "Unreal", "add", "apply_function", "apply_power", "bits", "check_real", "check_walked", "exact_value",
    "function_value", "power_value",
]  # fmt: skip


_BUILT: dict[str, Callable[..., Expr]] = {
    **{name: getattr(symengine, name) for name in FUNCTIONS if name not in CORNERS},
    **CORNERS,
}

_ROUNDS = 4
"""More than were ever needed; a bound, so that no form can chase its tail."""


def add(*terms: Expr) -> Expr:
    """A sum without sums among its terms; SymEngine leaves them where their coefficients come to 1.

    >>> x, y, z = symengine.symbols("x y z")
    >>> add(z + 2 * (x + y), -(x + y)) == x + y + z != z + 2 * (x + y) - (x + y)
    True
    """
    result = symengine.Add(*terms)
    while isinstance(result, symengine.Add) and any(isinstance(term, symengine.Add) for term in result.args):
        result = symengine.Add(*result.args)
    return result


def apply_function(name: str, arguments: Sequence[Expr], values: Sequence[float]) -> Expr:
    """A function of the language applied; ``values`` are those of the arguments, where all are constants.

    >>> x = symengine.Symbol("x")
    >>> apply_function("tan", [x + symengine.pi / 2], [])
    -cos(x)/sin(x)
    >>> apply_function("atan2", [symengine.sqrt(2), -symengine.sqrt(2)], [1.4, -1.4])
    (3/4)*pi
    >>> apply_function("log", [symengine.exp(x)], [])
    x
    """
    constant = len(values) == len(arguments)
    if name == "atan2" and constant and any(values):
        return _constant_angle(*arguments, *values)
    if name == "sign" and constant and abs(values[0]) > 1e-9:
        return symengine.Integer(1 if values[0] > 0 else -1)
    if name == "sqrt":
        return apply_power(arguments[0], symengine.Rational(1, 2))
    if name == "log" and isinstance(arguments[0], symengine.Pow) and arguments[0].args[0] == symengine.E:
        return arguments[0].args[1]  # arguments are real
    result = _without_inner_sums(_BUILT[name](*arguments))
    if name == "tan" and any(isinstance(part, symengine.cot) for part in (result, *result.args)):
        # tan(x + pi/2) comes back as -cot(x), and the language has no cot.
        return apply_function("sin", arguments, values) / apply_function("cos", arguments, values)
    return result


def _without_inner_sums(result: Expr) -> Expr:
    """A function whose argument changed its sign on the way in, with no sum left inside that sum.

    SymEngine makes ``cos(-t + (x + y))`` of ``cos(t - (x + y))``, a sum inside a sum, which is not what ``cos(-t + x + y)`` is.
    """
    for _ in range(_ROUNDS):
        factors = result.args if isinstance(result, symengine.Mul) else (result,)
        again = symengine.Mul(*(_with_flat_argument(factor) for factor in factors))
        if again == result:
            break
        result = again
    return result


def _with_flat_argument(function: Expr) -> Expr:
    name = function_name(function) if isinstance(function, symengine.Function) else None
    if name not in _BUILT or not any(isinstance(a, symengine.Add) for u in function.args for a in u.args):
        return function
    return _BUILT[name](*(add(u) if isinstance(u, symengine.Add) else u for u in function.args))


def _constant_angle(y: Expr, x: Expr, y_value: float, x_value: float) -> Expr:
    """The angle of a constant vector; SymEngine's own answer mixes in unevaluated signs."""
    if x == 0 or x_value == 0:
        return symengine.pi / 2 if y_value > 0 else -symengine.pi / 2
    turn = 0 if x_value > 0 else -1 if y_value < 0 else 1
    return symengine.atan(y / x) + turn * symengine.pi


def apply_power(base: Expr, exponent: Expr) -> Expr:
    """A power, its factors raised again until they stay the same.

    SymEngine makes ``sqrt(1/x)/2`` of ``sqrt(1/(4*x))``, though it has ``1/sqrt(x)`` for ``sqrt(1/x)``.

    >>> x = symengine.Symbol("x")
    >>> apply_power(1 / (4 * x), symengine.Rational(1, 2))
    (1/2)/sqrt(x)
    """
    result = base**exponent
    if isinstance(exponent, symengine.Integer):
        return result
    for _ in range(_ROUNDS):
        again = _raised_again(result)
        if again == result:
            break
        result = again
    return result


def _raised_again(expression: Expr) -> Expr:
    if isinstance(expression, symengine.Pow):
        base, exponent = expression.args
        return base**exponent
    if isinstance(expression, symengine.Mul):
        return symengine.Mul(*(f.args[0] ** f.args[1] if isinstance(f, symengine.Pow) else f for f in expression.args))
    return expression


# Real values of constants.


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
    anholonomy.language.functions.Unreal: asin(2) is not a real number.
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
    anholonomy.language.functions.Unreal: this is not a real number.
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
