r"""Denominators, and how to do without them: $(\tan\theta, 1) \sim (\sin\theta, \cos\theta)$.

A row of an equation may be multiplied by any function; multiplied by the least common denominator of its entries it
stays finite everywhere, which the row itself may not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import symengine

from anholonomy.symbolic.arithmetic import function_name
from anholonomy.symbolic.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.expressions import Expr, Symbol, Vector
from anholonomy.symbolic.quotients import TooLarge
from anholonomy.symbolic.simplify import simplify

__all__ = ["divisors", "has_poles", "without_denominators"]

_UNBOUNDED = ("tan", "cot", "sec", "csc", "log", "atanh")
_LARGE = 500
"""Operations above which a row is left as it is."""


def has_poles(expression: Expr, variables: Collection[Symbol]) -> bool:
    """Whether the expression divides by something that varies, or calls a function with poles.

    >>> x, m = symengine.symbols("x m")
    >>> has_poles(symengine.tan(x), {x}), has_poles(x / m, {x}), has_poles(1 / x, {x})
    (True, False, True)
    """
    stack, moving = [expression], set(variables)
    while stack:
        node = stack.pop()
        if not node.args or not node.free_symbols & moving:
            continue
        if function_name(node) in _UNBOUNDED:
            return True
        if isinstance(node, symengine.Pow):
            exponent = node.args[1]
            if not isinstance(exponent, symengine.Number) or exponent.is_negative:
                return True
        stack += node.args
    return False


def divisors(expressions: Iterable[Expr], variables: Collection[Symbol]) -> Vector:
    """What the expressions divide by that varies: where one of these changes sign, a pole was crossed.

    >>> x, m = symengine.symbols("x m")
    >>> divisors([symengine.tan(x) + x / (m + x) ** 2], {x})
    (cos(x), m + x)
    """
    found: dict[Expr, None] = {}
    stack, moving, seen = list(expressions), set(variables), set()
    while stack:
        node = stack.pop()
        if node in seen or not node.args or not node.free_symbols & moving:
            continue
        seen.add(node)
        name = function_name(node)
        if name in ("tan", "sec"):
            found[symengine.cos(node.args[0])] = None
        elif name in ("cot", "csc"):
            found[symengine.sin(node.args[0])] = None
        elif (
            isinstance(node, symengine.Pow) and isinstance(node.args[1], symengine.Number) and node.args[1].is_negative
        ):
            found[node.args[0]] = None
        stack += node.args
    return tuple(sorted((d for d in found if d.free_symbols & moving), key=str))


def without_denominators(row: Sequence[Expr]) -> Vector:
    """The row times its least common denominator; unchanged where it has none or no normal form.

    >>> x = symengine.Symbol("x")
    >>> without_denominators([symengine.tan(x), symengine.Integer(1)])
    (sin(x), cos(x))
    """
    if symengine.count_ops(*row) > _LARGE:
        return tuple(row)
    try:
        forms = Canonical(row)
        quotients = [forms.quotient(entry) for entry in row]  # the ring grows while they are read
        values = [forms.ring.lifted(value) for value in quotients]
        common = forms.ring.gen(0) ** 0
        for _, den in values:
            common = common * (den / common.gcd(den))
        entries = [forms.ring.expanded(forms.ring.reduce(num * (common / den))) for num, den in values]
    except (NoNormalForm, TooLarge, IndexError):
        return tuple(row)
    return tuple(simplify(entry) for entry in entries)
