"""The expression that each rule of the grammar builds: a part with its exact form, its place, its size and its value.

The parser calls the methods of `Builder` bottom-up; sums and products are formed from whole lists at once, so neither depth nor length
of a text can exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, final

import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS
from anholonomy.algebra.expressions import Expr, symbol, time
from anholonomy.language import limits
from anholonomy.language.functions import (
    Unreal,
    add,
    apply_function,
    apply_power,
    bits,
    exact_value,
    function_value,
    power_value,
)
from anholonomy.language.names import PI, PRIME, TIME
from anholonomy.language.syntax_errors import Trouble, advise_call

__all__ = ["Builder", "Part"]


@final
class Part(NamedTuple):
    """A piece of text that has been read."""

    expr: Expr
    at: int
    """Where it starts in the text."""
    depth: int = 0
    """Operations inside operations."""
    bits: int = 0
    """An upper bound on the bits of the numbers in it."""
    value: float | None = None
    """Its value, where it mentions no name."""
    angles: int = 0
    """What the sines, cosines and tangents in it have cost."""


@final
class Condition(NamedTuple):
    """A comparison: it holds where ``excess`` is positive, or, if ``weak``, where it is not."""

    excess: Part
    weak: bool
    at: int


def _settle(expr: Expr, at: int, parts: Sequence[Part], size: int, value: float | None) -> Part:
    """The part that an operation on others makes, once its depth and its realness are checked."""
    depth = 1 + max(part.depth for part in parts)
    if depth > limits.DEPTH:
        raise Trouble(at, f"more than {limits.DEPTH} operations are nested here; name the inner ones apart.")
    if isinstance(expr, symengine.Number):
        value = _guard(at, lambda: exact_value(expr))
    return Part(expr, at, depth, size, value, sum(part.angles for part in parts))


def _guard(at: int, compute: Any) -> float:
    """A constant's value, a refusal located where it stands."""
    try:
        return float(compute())
    except Unreal as problem:
        raise Trouble(at, str(problem)) from None


def _check_length(token: Any) -> None:
    """Refuse a name of absurd length."""
    if len(token.rstrip(PRIME)) > limits.NAME:
        raise Trouble(token.start_pos, f"this name has more than {limits.NAME} characters; shorten it.")


# Calls: functions of the language, the choice ``if(x > 0, a, b)``, and functions that stay unspecified.


_WANTED = {
    "atan2": "two arguments, `atan2(y, x)`",
    "max": "two arguments or more, `max(a, b)`",
    "min": "two arguments or more, `min(a, b)`",
}


def _call(token: Any, arguments: Sequence[Part | Condition], unspecified: Collection[str]) -> Part:
    """What a name with arguments in parentheses denotes."""
    _check_length(token)
    if token == "if":
        return _choice(token, arguments)
    plain: list[Part] = []
    for argument in arguments:
        if isinstance(argument, Condition):
            raise Trouble(argument.at, "a comparison stands only as a condition, as in `if(x > 0, a, b)`.")
        plain.append(argument)
    if token in unspecified:
        expr = symengine.Function(str(token))(*(a.expr for a in plain))
        return _settle(expr, token.start_pos, plain, max(a.bits for a in plain), None)
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
        value = _guard(at, lambda: function_value(name, values, exact=exact))
    expr = apply_function(name, exprs, values)
    return _settle(expr, at, arguments, max(a.bits for a in arguments), value)._replace(angles=angles)


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
        result = _settle(expr, at, parts, max(part.bits for part in parts), value)
    return result


def _value(argument: Part | Condition) -> Part:
    if isinstance(argument, Condition):
        raise Trouble(
            argument.at, "here `if` wants a value; conditions and values take turns, and a value ends the list."
        )
    return argument


# The rules of the grammar.


@final
class Builder:
    """What each rule of the grammar builds; its methods are called by the parser with the rule's children."""

    def __init__(self, functions: Sequence[str] = ()) -> None:
        self.functions = frozenset(functions)

    def expression(self, children: list[Part]) -> Part:
        return children[0]

    def equation(self, children: list[Part]) -> tuple[Part, Part]:
        return children[0], children[1]

    def assignment(self, children: list[Any]) -> tuple[str, Part]:
        name, part = children
        return str(_symbol(name).name), part

    def inequality(self, children: list[Any]) -> Part:
        left, comparison, right = children
        first, second = (left, right) if comparison in (">", ">=") else (right, left)
        return self.sum([first, "-", second])._replace(at=left.at)

    def number(self, children: list[Any]) -> Part:
        (token,) = children
        mantissa, _, exponent = token.lower().partition("e")
        if len(mantissa) > limits.DIGITS:
            raise Trouble(token.start_pos, f"this number has more than {limits.DIGITS} digits; round it.")
        # The length comes first: int() of a long text is itself slow.
        if len(exponent) > 6 or abs(int(exponent or 0)) > limits.EXPONENT:
            raise Trouble(token.start_pos, f"this number has an exponent beyond ±{limits.EXPONENT}; rescale the units.")
        fraction = Fraction(int(token)) if token.isdigit() else Fraction(str(token))
        expr = symengine.Integer(fraction.numerator)
        if fraction.denominator != 1:
            expr = symengine.Rational(fraction.numerator, fraction.denominator)
        try:
            value = float(fraction)
        except OverflowError:
            value = float("inf")  # harmless as the denominator of a long fraction; else refused at the end
        return Part(expr, token.start_pos, bits=bits(expr), value=value)

    def name(self, children: list[Any]) -> Part:
        (token,) = children
        if token in PI:
            return Part(symengine.pi, token.start_pos, value=function_value("acos", [-1.0]))
        return Part(time if token == TIME else _symbol(token), token.start_pos)

    def call(self, children: list[Any]) -> Part:
        token, *arguments = children
        return _call(token, arguments, self.functions)

    def condition(self, children: list[Any]) -> Condition:
        left, comparison, right = children
        # x <= y is what x > y is not, so that one strict comparison serves all four.
        first, second = (left, right) if comparison in (">", "<=") else (right, left)
        excess = self.sum([first, "-", second])
        return Condition(excess._replace(at=left.at), comparison.endswith("="), left.at)

    def sum(self, children: list[Any]) -> Part:
        parts: list[Part] = children[0::2]
        signs = [1, *(-1 if sign == "-" else 1 for sign in children[1::2])]
        expr = add(*(p.expr if s > 0 else -p.expr for s, p in zip(signs, parts, strict=True)))
        size = sum(p.bits + 1 for p in parts)
        if size > limits.NUMBER_BITS:
            size = _measured(expr, parts[0].at)
        return _settle(expr, parts[0].at, parts, size, _total(signs, parts))

    def product(self, children: list[Any]) -> Part:
        parts: list[Part] = children[0::2]
        over = [False, *(sign == "/" for sign in children[1::2])]
        for part, divides in zip(parts, over, strict=True):
            if divides and part.expr == 0:
                raise Trouble(part.at, "this divides by zero.")
        size = sum(p.bits for p in parts)
        if size > limits.PRODUCT_BITS:
            raise Trouble(parts[0].at, "the numbers of this product grow too long; multiply them out.")
        expr = symengine.Mul(*(1 / p.expr if d else p.expr for d, p in zip(over, parts, strict=True)))
        if size > limits.NUMBER_BITS:
            size = _measured(expr, parts[0].at)
        return _settle(expr, parts[0].at, parts, size, _ratio(over, parts))

    def signed(self, children: list[Any]) -> Part:
        *signs, part = children
        if sum(sign == "-" for sign in signs) % 2 == 0:
            return part._replace(at=signs[0].start_pos)  # type: ignore[no-any-return]
        return _negative(part, signs[0].start_pos)

    def power(self, children: list[Any]) -> Part:
        # From the right: each operand is the base of what has been built so far.
        result: Part = children[-1]
        for child in reversed(children[:-1]):
            if isinstance(child, Part):
                result = _power(child, result)
            elif child == "-":
                result = _negative(result, child.start_pos)
        return result


def _symbol(token: Any) -> Expr:
    """The symbol of a name token, its primes checked and made plain."""
    _check_length(token)
    bare = token.rstrip(PRIME)
    primes = len(token) - len(bare)
    at = token.start_pos
    if bare in FUNCTIONS:
        cure = f"`{bare}(...)'` is not in the language" if primes else f"write `{bare}(...)`"
        raise Trouble(at, f"`{bare}` is a function and needs its argument in parentheses; {cure}.")
    if primes and (bare == TIME or bare in PI):
        meaning, rate = ("time", 1) if bare == TIME else ("a constant", 0)
        raise Trouble(at + len(bare), f"`{bare}` is {meaning}, whose derivative is {rate}; write `{rate}`.")
    if bare == TIME or bare in PI:
        raise Trouble(at, f"`{bare}` is reserved and cannot be given a value here.")
    if primes > 2:
        raise Trouble(
            at + len(bare),
            f"`{bare}` has {primes} primes; the language stops at the second derivative, `{bare}''`.",
        )
    return symbol(bare + "'" * primes)


def _negative(part: Part, at: int) -> Part:
    value = None if part.value is None else -part.value
    return part._replace(expr=-part.expr, at=at, value=value)


def _power(base: Part, exponent: Part) -> Part:
    """One power, refused before SymEngine would multiply it out beyond reason."""
    size = base.bits + exponent.bits
    if isinstance(exponent.expr, symengine.Number):
        reach = abs(exponent.value or 0.0)
        if reach > limits.POWER:
            raise Trouble(exponent.at, f"this exponent exceeds {limits.POWER}; that is surely not meant.")
        if _multiplies_out(base.expr):
            size = int(base.bits * max(reach, 1.0)) + 1
        if base.bits and size > limits.NUMBER_BITS:
            raise Trouble(base.at, "this power is too large for double precision; rescale the units.")
        if base.expr == 0 and exponent.expr.is_negative:
            raise Trouble(base.at, "this divides by zero: a negative power of zero.")
    value = None
    if base.value is not None and exponent.value is not None:
        b, e = base.value, exponent.value
        value = _guard(base.at, lambda: power_value(b, e))
    return _settle(apply_power(base.expr, exponent.expr), base.at, (base, exponent), size, value)


def _multiplies_out(base: Expr) -> bool:
    """Whether SymEngine computes numbers when it raises this to a power: 3, sqrt(2), 3*x, but not x + 3."""
    if isinstance(base, symengine.Pow):
        return isinstance(base.args[0], symengine.Number)
    return isinstance(base, (symengine.Number, symengine.Mul))


def _total(signs: Sequence[int], parts: Sequence[Part]) -> float | None:
    total = 0.0
    for sign, part in zip(signs, parts, strict=True):
        if part.value is None:
            return None
        total += sign * part.value
    return total


def _ratio(over: Sequence[bool], parts: Sequence[Part]) -> float | None:
    ratio = 1.0
    for divides, part in zip(over, parts, strict=True):
        if part.value is None:
            return None
        factor = part.value
        ratio *= _guard(part.at, lambda v=factor: power_value(v, -1.0)) if divides else factor
    return ratio


def _measured(expr: Expr, at: int) -> int:
    """The bits of the longest coefficient of a sum or product, refused beyond the limit."""
    longest = 0
    for term in expr.args if isinstance(expr, symengine.Add) else (expr,):
        factor = term.args[0] if isinstance(term, symengine.Mul) else term
        if isinstance(factor, symengine.Rational):
            longest = max(longest, bits(factor))
    if longest > limits.NUMBER_BITS:
        raise Trouble(at, "the numbers here grow too long; write them as decimals.")
    return longest
