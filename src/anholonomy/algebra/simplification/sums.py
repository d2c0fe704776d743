r"""Rewritings of sums in linear time: unit circles, common factors outside, and signs.

.. math:: A \sin^2 + A \cos^2 = A, \qquad m a x + m b y = m\,(a x + b y), \qquad -c\,(a - b^2) = c\,(b^2 - a)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import TypeAlias

import symengine

from anholonomy.algebra.expressions import Expr

__all__ = ["oriented", "signed", "with_factors_outside", "with_unit_circles"]


def _rewritten_sums(expression: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with every sum changed, innermost first, inside powers and functions too.

    >>> x, y = symengine.symbols("x y")
    >>> _rewritten_sums(y * symengine.sin(x + 1), lambda total: total - 1)
    y*sin(x)
    """
    done: dict[Expr, Expr] = {}
    stack = [(expression, False)]
    # An explicit stack: derived expressions can be deeper than Python's own.
    while stack:
        node, ready = stack.pop()
        if node in done:
            continue
        if not node.args or isinstance(node, symengine.Derivative | symengine.Subs):
            done[node] = node
        elif ready:
            parts = [done[part] for part in node.args]
            rebuilt = node if parts == list(node.args) else _with_parts(node, parts)
            done[node] = change(rebuilt) if isinstance(rebuilt, symengine.Add) else rebuilt
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in node.args)
    return done[expression]


def _with_parts(node: Expr, parts: list[Expr]) -> Expr:
    if isinstance(node, symengine.FunctionSymbol):
        return symengine.Function(node.get_name())(*parts)
    return node.func(*parts)


# Unit circles, where the two terms stand side by side.


def with_unit_circles(expression: Expr) -> Expr:
    """The expression with every sum of matching squares replaced; anything else stays as it is.

    >>> x, m = symengine.symbols("x m")
    >>> with_unit_circles(m * (2 * symengine.cos(x) ** 2 + 2 * symengine.sin(x) ** 2) / 2)
    m
    """
    if not (expression.atoms(symengine.sin) and expression.atoms(symengine.cos)):
        return expression
    return _rewritten_sums(expression, _merged)


def _merged(total: Expr) -> Expr:
    """Pairs of terms of one sum that differ only in having the square of a sine or of a cosine."""
    waiting: dict[tuple[Expr, Expr], tuple[type, Expr]] = {}
    kept = list(total.args)
    found = False
    for term in total.args:
        for square in _squares(term):
            function, angle = type(square.args[0]), square.args[0].args[0]
            rest = term / square
            other = waiting.pop((rest, angle), None)
            if other is None:
                waiting[rest, angle] = function, term
            elif other[0] is not function and other[1] in kept and term in kept:
                kept.remove(other[1])
                kept.remove(term)
                kept.append(rest)
                found = True
                break
    if not found:
        return total
    result = symengine.Add(*kept)
    return _merged(result) if isinstance(result, symengine.Add) else result


def _squares(term: Expr) -> list[Expr]:
    factors = term.args if isinstance(term, symengine.Mul) else (term,)
    return [
        f
        for f in factors
        if isinstance(f, symengine.Pow) and f.args[1] == 2 and isinstance(f.args[0], symengine.sin | symengine.cos)
    ]


# What all terms of a sum share stands before it.


Powers: TypeAlias = dict[Expr, Fraction]
"""Bases of a product, each with its exponent."""


def with_factors_outside(expression: Expr) -> Expr:
    """Every sum inside the expression with the factors that all its terms share before it.

    >>> x, y, m, r = symengine.symbols("x y m r")
    >>> with_factors_outside((2 * m * x / r + 4 * m**2 * y / r) / 2)
    m*(x + 2*m*y)/r
    """
    return _rewritten_sums(expression, _outside)


def _outside(total: Expr) -> Expr:
    terms = [_powers(term) for term in total.args]
    numbers = [number for number, _ in terms]
    shared = symengine.Mul(_content(numbers), *(_power(b, e) for b, e in _shared([powers for _, powers in terms])))
    return total if shared == 1 else shared * symengine.Add(*(term / shared for term in total.args))


def _powers(term: Expr) -> tuple[Fraction, Powers]:
    """The rational number of a term, and the powers of its other factors."""
    number, powers = Fraction(1), Powers()
    for factor in term.args if isinstance(term, symengine.Mul) else (term,):
        if isinstance(factor, symengine.Integer | symengine.Rational):
            number *= Fraction(str(factor))
            continue
        base, exponent = factor.args if isinstance(factor, symengine.Pow) else (factor, symengine.Integer(1))
        if not isinstance(exponent, symengine.Integer | symengine.Rational):
            base, exponent = factor, symengine.Integer(1)
        powers[base] = powers.get(base, Fraction(0)) + Fraction(str(exponent))
    return number, powers


def _shared(terms: list[Powers]) -> list[tuple[Expr, Fraction]]:
    """The lowest power above the bar, or below it, of each base that every term has on the same side."""
    found = []
    for base in terms[0]:
        exponents = [powers.get(base, Fraction(0)) for powers in terms]
        if min(exponents) > 0 or max(exponents) < 0:
            found.append((base, min(exponents, key=abs)))
    return found


def _content(numbers: list[Fraction]) -> Expr:
    """The whole number that divides all, over the denominator that all have."""
    below = {number.denominator for number in numbers}
    return symengine.Rational(gcd(*(number.numerator for number in numbers)), below.pop() if len(below) == 1 else 1)


def _power(base: Expr, exponent: Fraction) -> Expr:
    return base ** symengine.Rational(exponent.numerator, exponent.denominator)


# Where minus signs go: equal expressions of which as few sums as possible begin with one.


def oriented(expression: Expr) -> Expr:
    """Every product inside the expression turned so that its sums begin with a plus.

    >>> a, b, c, d = symengine.symbols("a b c d")
    >>> oriented(d + c * (b - a**2) * (d - c**2 * b))
    d + c*(-b + a**2)*(-d + b*c**2)
    """
    if not isinstance(expression, symengine.Add | symengine.Mul):
        return expression
    parts = [oriented(part) for part in expression.args]
    if isinstance(expression, symengine.Add):
        # Within a sum a minus costs nothing: the term is subtracted instead of added.
        return symengine.Add(*(_turned(part, always=True) for part in parts))
    return _turned(symengine.Mul(*parts), always=False)


def signed(expression: Expr) -> Expr:
    """Signs moved between the factors of a product, so that as few as possible begin with a minus.

    >>> a, b, c = symengine.symbols("a b c")
    >>> signed(-c * (a - b**2))
    c*(-a + b**2)
    """
    return _turned(expression, always=False)


def _turned(expression: Expr, *, always: bool) -> Expr:
    if not isinstance(expression, symengine.Mul):
        return expression
    factors = list(expression.args)
    number = factors[0] if isinstance(factors[0], symengine.Number) else symengine.Integer(1)
    led = [i for i, f in enumerate(factors) if isinstance(f, symengine.Add) and _is_negative(_leading(f))]
    if len(led) % 2 and not (always or number.is_negative):
        led = led[1:]
    if not led and number.is_negative:
        # No sum begins with a minus; one with as many as possible may still take the sign.
        sums = [i for i, f in enumerate(factors) if isinstance(f, symengine.Add) and 2 * _minuses(f) > len(f.args)]
        led = sums[:1]
    for i in led:
        factors[i] = symengine.Add(*(-term for term in factors[i].args))
    return symengine.Mul(symengine.Integer((-1) ** len(led)), *factors)


def _leading(total: Expr) -> Expr:
    """The term of highest degree, which is written first."""
    return max(total.args, key=lambda term: (_rates(term), _degree(term)))


def _degree(term: Expr) -> int:
    match term:
        case symengine.Symbol():
            return 1
        case symengine.Mul():
            return sum(map(_degree, term.args))
        case symengine.Pow() if isinstance(term.args[1], symengine.Integer):
            return _degree(term.args[0]) * int(term.args[1])
        case symengine.Add():
            return max(map(_degree, term.args))
    return 0


def _rates(term: Expr) -> int:
    return sum(s.name.count("'") for s in term.free_symbols)


def _minuses(expression: Expr) -> int:
    """Terms that begin with a minus sign."""
    return sum(_is_negative(term) for term in expression.args)


def _is_negative(term: Expr) -> bool:
    number = term.args[0] if isinstance(term, symengine.Mul) else term
    return isinstance(number, symengine.Number) and bool(number.is_negative)
