r"""Poles of an expression: found, multiplied away, cancelled where they are removable.

.. math:: (\tan\theta, 1) \sim (\sin\theta, \cos\theta), \qquad \frac{u\,a + u\,b}{u} = a + b

A row of an equation may be multiplied by any function; multiplied by the least common denominator of its entries it
stays finite everywhere, which the row itself may not.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import reduce

import symengine

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import exact_quotient
from anholonomy.algebra.simplification.conditioning import keeps_digits
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.steps.definitions import Assign

__all__ = ["divisors", "has_poles", "is_pole", "without_denominators", "without_removable_poles"]


_UNBOUNDED = ("tan", "cot", "sec", "csc", "log", "atanh")
_QUOTIENTS: dict[str, tuple[Callable[..., Expr], Callable[..., Expr]]] = {
    "tan": (symengine.sin, symengine.cos),
    "cot": (symengine.cos, symengine.sin),
    "sec": (lambda _: symengine.Integer(1), symengine.cos),
    "csc": (lambda _: symengine.Integer(1), symengine.sin),
}
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

    Sums are multiplied out only where that costs no digits.

    >>> x = symengine.Symbol("x")
    >>> without_denominators([symengine.tan(x), symengine.Integer(1)])
    (sin(x), cos(x))
    >>> without_denominators([(x - 1000) ** 2 / (2 + (x - 1000) ** 2), symengine.Integer(1)])
    ((-1000 + x)**2, 2 + (-1000 + x)**2)
    """
    if symengine.count_ops(*row) > _LARGE:
        return tuple(row)
    whole = _times_denominators(row)
    try:
        lowest = _in_lowest_terms(row)
    except (NoNormalForm, IndexError):
        return tuple(row)
    names = [symengine.Symbol(f"$e{i}") for i in range(len(row))]
    moving = sorted(free_symbols(row), key=str)
    kept = keeps_digits([*map(Assign, names, whole)], [*map(Assign, names, lowest)], names, row, moving, {})
    return lowest if kept else whole


def _in_lowest_terms(row: Sequence[Expr]) -> Vector:
    forms = Canonical(row)
    quotients = [forms.quotient(entry) for entry in row]  # the ring grows while they are read
    values = [forms.ring.lifted(value) for value in quotients]
    common = forms.ring.gen(0) ** 0
    for _, den in values:
        common = common * (den / common.gcd(den))
    entries = [forms.ring.expanded(forms.ring.reduce(num * (common / den))) for num, den in values]
    return tuple(simplify(entry) for entry in entries)


def _times_denominators(row: Sequence[Expr]) -> Vector:
    """The row times everything that its entries divide by, each sum as it was written."""
    parts = [_fraction(entry) for entry in row]
    common = _common(parts)
    return tuple(num * _product(common - below) for num, below in parts)


def _fraction(expression: Expr) -> tuple[Expr, Counter[Expr]]:
    """A numerator, and the factors of the denominator with their powers."""
    name = function_name(expression)
    if name in _QUOTIENTS:
        above, under = _QUOTIENTS[name]
        return above(*expression.args), Counter([under(*expression.args)])
    if isinstance(expression, symengine.Add):
        parts = [_fraction(term) for term in expression.args]
        common = _common(parts)
        return symengine.Add(*(num * _product(common - below) for num, below in parts)), common
    if isinstance(expression, symengine.Mul):
        parts = [_fraction(factor) for factor in expression.args]
        return symengine.Mul(*(num for num, _ in parts)), sum((below for _, below in parts), Counter())
    if isinstance(expression, symengine.Pow) and isinstance(expression.args[1], symengine.Integer):
        num, below = _fraction(expression.args[0])
        power = abs(int(expression.args[1]))
        raised = Counter({factor: power * count for factor, count in below.items()})
        if int(expression.args[1]) > 0:
            return num**power, raised
        return _product(raised), Counter({num: power})
    return expression, Counter()


def _common(parts: Sequence[tuple[Expr, Counter[Expr]]]) -> Counter[Expr]:
    nothing: Counter[Expr] = Counter()
    return reduce(operator.or_, (below for _, below in parts), nothing)


def _product(powers: Counter[Expr]) -> Expr:
    return symengine.Mul(*(factor**power for factor, power in powers.items()))


# Removable poles: a product has a value and a series where its divisor is zero.


def without_removable_poles(product: Expr, divisors: Iterable[Expr]) -> Expr:
    """A product with each of the divisors cancelled if it divides what stands above it, term by term where it can be.

    >>> x, y, a = symengine.symbols("x y a")
    >>> without_removable_poles((a * x + x * (1 + y)) / x, [x]), without_removable_poles((a + x) / x, [x])
    (1 + a + y, (a + x)/x)
    >>> without_removable_poles((a * x - a * y + x - y) / (x - y), [x - y])
    1 + a
    """
    for divisor in divisors:
        product = _without(product, divisor)
    return product


def _without(product: Expr, divisor: Expr) -> Expr:
    power = _pole(product, divisor)
    if not power:
        return product
    above = product * divisor**power
    cancelled = _termwise(above, divisor, power)
    if cancelled is None:
        cancelled = _divided(above, divisor**power)
    return product if cancelled is None else cancelled


def _pole(product: Expr, divisor: Expr) -> int:
    """By which power of the divisor a product divides."""
    factors = product.args if isinstance(product, symengine.Mul) else (product,)
    return next((-int(factor.args[1]) for factor in factors if is_pole(factor, divisor)), 0)


def is_pole(factor: Expr, divisor: Expr) -> bool:
    """Whether a factor is a reciprocal of the divisor or of a power of it."""
    if not isinstance(factor, symengine.Pow) or factor.args[0] != divisor:
        return False
    return isinstance(factor.args[1], symengine.Integer) and bool(factor.args[1].is_negative)


def _termwise(above: Expr, divisor: Expr, power: int) -> Expr | None:
    """One sum of a product divided, each term having what it is divided by."""
    factors = above.args if isinstance(above, symengine.Mul) else (above,)
    for k, total in enumerate(factors):
        if isinstance(total, symengine.Add):
            terms = [_without(term * divisor**-power, divisor) for term in total.args]
            if not any(_pole(term, divisor) for term in terms):
                return symengine.Mul(*factors[:k], symengine.Add(*terms), *factors[k + 1 :])
    return None


def _divided(above: Expr, below: Expr) -> Expr | None:
    try:
        forms = Canonical([above, below])
        (over, rest), (under, _) = (forms.ring.lifted(q) for q in [forms.quotient(above), forms.quotient(below)])
        quotient = exact_quotient(forms.ring, over, under)
    except NoNormalForm:
        return None
    return None if quotient is None else forms.ring.expanded(quotient) / forms.ring.expanded(rest)
