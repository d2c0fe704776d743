"""Reductions build expressions: each part carries its exact form, its place, its size and its value.

The parser calls these methods bottom-up and never recurses, so neither depth nor length of a text can
exhaust the stack; sums and products are formed from whole lists at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import symengine

from anholonomy.language import limits
from anholonomy.language.grammar.calls import call
from anholonomy.language.grammar.functions import add, apply_power
from anholonomy.language.grammar.parts import Condition, Part, check_length, guard, settle
from anholonomy.language.grammar.reality import bits, function_value, power_value
from anholonomy.language.mistakes.place import Trouble
from anholonomy.language.names import PI, PRIME, TIME
from anholonomy.symbolic.arithmetic import FUNCTIONS
from anholonomy.symbolic.expressions import Expr, symbol, time

__all__ = ["Builder"]


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
        return call(token, arguments, self.functions)

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
        return settle(expr, parts[0].at, parts, size, _total(signs, parts))

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
        return settle(expr, parts[0].at, parts, size, _ratio(over, parts))

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
    check_length(token)
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
        value = guard(base.at, lambda: power_value(b, e))
    return settle(apply_power(base.expr, exponent.expr), base.at, (base, exponent), size, value)


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
        ratio *= guard(part.at, lambda v=factor: power_value(v, -1.0)) if divides else factor
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
