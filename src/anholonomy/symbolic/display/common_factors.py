r"""What all terms of a sum share stands before it: $m a x + m b y \mapsto m\,(a x + b y)$, in linear time."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TypeAlias

import symengine

from anholonomy.symbolic.display.rewriting import rewritten_sums
from anholonomy.symbolic.expressions import Expr

__all__ = ["with_factors_outside"]

Powers: TypeAlias = dict[Expr, Fraction]
"""Bases of a product, each with its exponent."""


def with_factors_outside(expression: Expr) -> Expr:
    """Every sum inside the expression with the factors that all its terms share before it.

    >>> x, y, m, r = symengine.symbols("x y m r")
    >>> with_factors_outside((2 * m * x / r + 4 * m**2 * y / r) / 2)
    m*(x + 2*m*y)/r
    """
    return rewritten_sums(expression, _outside)


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
