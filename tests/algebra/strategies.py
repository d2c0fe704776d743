"""Random expressions, true identities to rewrite them by, and an independent arithmetic to judge with."""

from collections.abc import Sequence
from fractions import Fraction

import mpmath
import symengine
from hypothesis import strategies as st
from symengine import cos, cosh, exp, sin, sinh, sqrt, tan

from anholonomy.algebra.piecewise import choose, maximum, sign

x, y, a = symengine.symbols("x y' a")
LEAVES = st.sampled_from([x, y, a, *map(symengine.Integer, (-2, -1, 1, 2, 3)), symengine.Rational(1, 2)])


def _grow(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: p[0] + p[1]),
        pair.map(lambda p: p[0] * p[1]),
        pair.map(lambda p: p[0] / (2 + p[1] ** 2)),
        inner.map(lambda e: sin(e)),
        inner.map(lambda e: cos(e)),
        inner.map(lambda e: sqrt(1 + e**2)),
        inner.map(lambda e: e**2),
    )


smooth = st.recursive(LEAVES, _grow, max_leaves=6)
"""Defined everywhere, whatever the values of the symbols."""


BRANCHES = (
    lambda e: sqrt(e**2),
    sqrt,
    symengine.Abs,
    sign,
    lambda e: maximum(e, x),
    lambda e: choose(e, a, y),
    lambda e: symengine.log(e**2),
    lambda e: (e**2) ** symengine.Rational(1, 4),
    lambda e: symengine.atan(tan(e)),
    exp,
)


def _grow_with_traps(inner):
    trapped = st.tuples(st.sampled_from(BRANCHES), inner.filter(lambda e: e != 0))
    return st.one_of(_grow(inner), trapped.map(lambda chosen: chosen[0](chosen[1]))).filter(_is_finite)


def _is_finite(expression):
    return not any(expression.has(value) for value in (symengine.zoo, symengine.oo, symengine.nan))


treacherous = st.recursive(LEAVES, _grow_with_traps, max_leaves=5)
"""With branches: a root of a square, the sign of what may change sign."""

ANGLE = st.sampled_from([x, y, x + y, x - 2 * y, x / 2, a * x, x + symengine.pi / 3])
UNITS = (
    lambda u: sin(u) ** 2 + cos(u) ** 2,
    lambda u: cosh(u) ** 2 - sinh(u) ** 2,
    lambda u: exp(u) * exp(-u / 2) ** 2,
    lambda u: 1 / cos(u) ** 2 - tan(u) ** 2,
    lambda u: (1 + u**2) / sqrt(1 + u**2) ** 2,
    lambda u: (u**2 - 4) / ((u - 2) * (u + 2)),
    lambda u: cos(2 * u) + 2 * sin(u) ** 2,
)
ones = st.tuples(st.sampled_from(UNITS), ANGLE).map(lambda chosen: chosen[0](chosen[1]))
"""Complicated ways to write 1."""


@st.composite
def rewritten(draw, expressions):
    """An expression and the same one in disguise."""
    expression = draw(expressions)
    same = expression.subs({draw(st.sampled_from([x, y, a])): symengine.Symbol("_s")})
    original = (expression.free_symbols - same.free_symbols) or {x}
    other = original.pop() * draw(ones)
    same = same.subs({symengine.Symbol("_s"): other})
    if draw(st.booleans()):
        same = symengine.expand(same)
    return expression, same * draw(ones)


class HighPrecision:
    """The nodes of an expression in mpmath, complex where they are not real."""

    def number(self, value: Fraction | float):
        return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mpmath.mpf(value)

    def pi(self):
        return +mpmath.pi

    def add(self, terms: Sequence):
        return mpmath.fsum(terms)

    def multiply(self, factors: Sequence):
        return mpmath.fprod(factors)

    def power(self, base, exponent: int | Fraction):
        return mpmath.power(base, self.number(Fraction(exponent)))

    def general_power(self, base, exponent):
        return mpmath.power(base, exponent)

    def function(self, name: str, arguments: Sequence):
        own = {"abs": abs, "if": lambda u, a, b: a if u > 0 else b}
        return own.get(name, getattr(mpmath, name, None))(*arguments)
