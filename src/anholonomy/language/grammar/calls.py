"""Calls: functions of the language, the choice ``if(x > 0, a, b)``, and functions that stay unspecified."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import symengine

from anholonomy.language import limits
from anholonomy.language.grammar.functions import apply_function
from anholonomy.language.grammar.parts import Condition, Part, check_length, guard, settle
from anholonomy.language.grammar.reality import function_value
from anholonomy.language.mistakes.advice import advise_call
from anholonomy.language.mistakes.place import Trouble
from anholonomy.symbolic.arithmetic import FUNCTIONS

__all__ = ["call"]

_WANTED = {
    "atan2": "two arguments, `atan2(y, x)`",
    "max": "two arguments or more, `max(a, b)`",
    "min": "two arguments or more, `min(a, b)`",
}


def call(token: Any, arguments: Sequence[Part | Condition], unspecified: Collection[str]) -> Part:
    """What a name with arguments in parentheses denotes."""
    check_length(token)
    if token == "if":
        return _choice(token, arguments)
    plain: list[Part] = []
    for argument in arguments:
        if isinstance(argument, Condition):
            raise Trouble(argument.at, "a comparison stands only as a condition, as in `if(x > 0, a, b)`.")
        plain.append(argument)
    if token in unspecified:
        expr = symengine.Function(str(token))(*(a.expr for a in plain))
        return settle(expr, token.start_pos, plain, max(a.bits for a in plain), None)
    if token not in FUNCTIONS:
        raise Trouble(
            token.start_pos, advise_call(str(token), [str(a.expr) if a.expr.is_Symbol else "" for a in plain])
        )
    if not _fits(str(token), len(plain)):
        wanted = _WANTED.get(token, f"one argument, `{token}(...)`")
        raise Trouble(token.start_pos, f"`{token}` takes {wanted}, but has {len(plain)} here.")
    return _applied(token, plain)


def _fits(name: str, count: int) -> bool:
    return count >= 2 if name in ("max", "min") else count == (2 if name == "atan2" else 1)


def _applied(token: Any, arguments: Sequence[Part]) -> Part:
    """A function of the language; its value too, where the arguments have one."""
    name, at = str(token), token.start_pos
    exprs, values = [a.expr for a in arguments], [a.value for a in arguments if a.value is not None]
    angles = sum(a.angles for a in arguments)
    if name in ("sin", "cos", "tan") and isinstance(exprs[0], symengine.Add):
        angles += len(exprs[0].args) ** 2
    if angles > limits.ANGLES:
        raise Trouble(at, "the angles here have too many terms; name parts of them apart.")
    value = None
    if len(values) == len(arguments):
        exact = all(isinstance(e, symengine.Number) for e in exprs)
        value = guard(at, lambda: function_value(name, values, exact=exact))
    expr = apply_function(name, exprs, values)
    return settle(expr, at, arguments, max(a.bits for a in arguments), value)._replace(angles=angles)


def _choice(token: Any, arguments: Sequence[Part | Condition]) -> Part:
    """``if(condition, value, condition, value, …, otherwise)``, folded from its end."""
    at = token.start_pos
    if len(arguments) < 3 or len(arguments) % 2 == 0:
        raise Trouble(
            at, "`if` takes a condition and two values, `if(x > 0, a, b)`, or several conditions each with its value."
        )
    *cases, otherwise = arguments
    result = _value(otherwise)
    for condition, then in reversed(list(zip(cases[::2], map(_value, cases[1::2]), strict=True))):
        if not isinstance(condition, Condition):
            raise Trouble(condition.at, "a condition is a comparison such as `x > 0`.")
        parts = (condition.excess, result, then) if condition.weak else (condition.excess, then, result)
        known = [part.value for part in parts if part.value is not None]
        value = function_value("if", known) if len(known) == len(parts) else None
        expr = apply_function("if", [part.expr for part in parts], known)
        result = settle(expr, at, parts, max(part.bits for part in parts), value)
    return result


def _value(argument: Part | Condition) -> Part:
    if isinstance(argument, Condition):
        raise Trouble(
            argument.at, "here `if` wants a value; conditions and values take turns, and a value ends the list."
        )
    return argument
