"""A polynomial condition solved for one of its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import symengine

from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, zero

__all__ = ["satisfies", "solved"]


def solved(factor: Expr, unknown: Sequence[Symbol], values: Mapping[Symbol, Expr]) -> tuple[Symbol, Expr] | None:
    """A parameter and its value where the polynomial vanishes: an unknown one if it is linear in one, else another without value.

    >>> a, I, m = symengine.symbols("a I m")
    >>> solved(3 * a**2 * m - I, [a], {})
    (I, 3*a**2*m)
    >>> solved(a**2 - 2, [a], {}) is None
    True
    """
    others = sorted(factor.free_symbols - set(unknown) - values.keys(), key=str)
    for s in (*(u for u in unknown if u in factor.free_symbols), *others):
        slope = symengine.expand(partial(factor, s))
        if s not in slope.free_symbols:
            return s, symengine.expand(-factor.xreplace({s: zero}) / slope)
    return None


def satisfies(values: Mapping[Symbol, Expr], equation: Expr) -> bool:
    """Whether an equation holds for values that are quotients of polynomials."""
    try:
        return bool(symengine.expand(equation.xreplace(dict(values))) == 0)
    except RuntimeError:
        return False
