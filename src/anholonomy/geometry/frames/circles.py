r"""Pairs of coefficients that cannot vanish together: $(m\,a, n\,b)$ with $a^2 + b^2$, $m$ and $n$ constant, as of a heading."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import symengine

from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, Vector
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["CosineSinePair", "find_circle", "without_common_factors"]

PAIRED = 60
"""Operations up to which a pair is looked at."""
_ALIKE = 1e-3
"""How far apart the constants of a pair may be."""


class CosineSinePair(NamedTuple):
    r"""The pair $(m\,a, n\,b)$ of coefficients with $a^2 + b^2$, $m$ and $n$ constant."""

    a: Expr
    b: Expr
    m: Expr
    n: Expr

    @property
    def angles(self) -> set[Symbol]:
        return {*self.a.free_symbols, *self.b.free_symbols}


def find_circle(a: Expr, b: Expr, moving: Collection[Symbol], at: Callable[[Expr], float]) -> CosineSinePair | None:
    """The circle of two coefficients, or None; ``moving`` symbols vary, and ``at`` evaluates at a reference point.

    >>> theta, r, l = symengine.symbols("theta r l")
    >>> find_circle(r * symengine.cos(theta), -l * symengine.sin(theta), {theta}, lambda value: 1.0)
    CosineSinePair(a=cos(theta), b=sin(theta), m=r, n=-l)
    """
    varying = frozenset(moving)
    a, b, common = without_common_factors(a, b)
    if common.free_symbols & varying or not a.free_symbols & varying or not a.atoms(symengine.Function):
        return None
    if a.free_symbols & varying != b.free_symbols & varying or symengine.count_ops(a, b) > PAIRED:
        return None
    one = symengine.Integer(1)
    (m, a0), (n, b0) = (_without_constants(value, varying) for value in (a, b))
    sizes = sorted(abs(at(each)) for each in (m, n))
    choices = [
        CosineSinePair(a, b, one, one),
        *([CosineSinePair(a0, b0, m, n)] if sizes[0] > _ALIKE * sizes[1] else []),
    ]
    return next((circle for circle in choices if _closes(circle, varying)), None)


def _closes(circle: CosineSinePair, moving: frozenset[Symbol]) -> bool:
    size = simplify(circle.a**2 + circle.b**2)
    return not size.free_symbols & moving and zero_test(size) is Verdict.REFUTED


def _without_constants(value: Expr, moving: frozenset[Symbol]) -> tuple[Expr, Expr]:
    """The product of the factors that are constant, and that of the others."""
    constant = symengine.Mul(*(factor for factor in _factors(value) if not factor.free_symbols & moving))
    return constant, value / constant


def without_common_factors(a: Expr, b: Expr) -> tuple[Expr, Expr, Expr]:
    """Two expressions without the factors that both are written with, and these.

    >>> r, theta = symengine.symbols("r theta")
    >>> without_common_factors(r * symengine.cos(theta), -r * symengine.sin(theta))
    (cos(theta), -sin(theta), r)
    """
    common = symengine.Mul(*(f for f in _factors(a) if f in _factors(b)))
    return a / common, b / common, common


def _factors(value: Expr) -> Vector:
    return tuple(value.args) if isinstance(value, symengine.Mul) else (value,)
