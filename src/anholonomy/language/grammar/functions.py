"""Functions and powers in the form that SymEngine keeps: applying them again changes nothing more.

SymEngine simplifies on the way in, but not always to the end, and not always to functions of the language.
What is written must be read back equal, so the loose ends are tied here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import symengine

from anholonomy.symbolic.arithmetic import FUNCTIONS, function_name
from anholonomy.symbolic.corners import CORNERS
from anholonomy.symbolic.expressions import Expr

__all__ = ["add", "apply_function", "apply_power"]

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
