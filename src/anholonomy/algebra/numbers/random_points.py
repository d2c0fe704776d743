"""Random points: rationals of modest size, anywhere or where a ground lets symbols be, and points where expressions are finite."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Any, Protocol

from anholonomy.algebra.expressions import Expr, Symbol, free_symbols
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_balls

__all__ = ["Ground", "draw", "finite_point", "random_point"]

_REGIONS = ((True, 0.2, 2.0), (False, 0.2, 2.0), (True, 0.02, 0.5), (False, 1.0, 8.0))
"""Whether either sign is drawn, and between which sizes."""


def random_point(symbols: Iterable[Symbol], rng: random.Random, kind: int = 0) -> dict[Symbol, Fraction]:
    """Random rationals of modest size, away from zero; symbols are drawn in order of their names.

    ``kind`` cycles through regions: either sign around 1, positive around 1, small, positive and larger, and
    last a region of its own for every symbol.

    >>> import symengine
    >>> point = random_point(symengine.symbols("x y"), random.Random(1))
    >>> all(0.1 < abs(value) < 3 for value in point.values())
    True
    """
    point = {}
    kind %= len(_REGIONS) + 1
    for name in sorted(symbols, key=str):
        signed, low, high = _REGIONS[kind] if kind < len(_REGIONS) else rng.choice(_REGIONS)
        size = Fraction(round(rng.uniform(low, high) * 10_007), 10_007)
        point[name] = -size if signed and rng.random() < 0.5 else size
    return point


class Ground(Protocol):
    """Where symbols take their values, if not everywhere."""

    def __hash__(self) -> int: ...

    def point(self, symbols: Iterable[Symbol], rng: random.Random, attempt: int, digits: int) -> dict[Symbol, Any]:
        """Random values, exact or as balls of some digits."""

    def touches(self, expressions: Iterable[Expr]) -> bool:
        """Whether symbols occur that are not free."""

    def confines(self, expressions: Iterable[Expr]) -> bool:
        """Whether symbols occur that are not free, or free without taking every value."""

    def vanishes(self, expression: Expr) -> bool:
        """Whether a normal form proves that the expression is zero there, wherever it is defined."""


def draw(
    symbols: Iterable[Symbol], rng: random.Random, attempt: int, digits: int, on: Ground | None = None
) -> dict[Symbol, Any]:
    """A random point: anywhere, or where the ground lets it be."""
    return dict(random_point(symbols, rng, attempt)) if on is None else on.point(symbols, rng, attempt, digits)


def finite_point(
    expressions: Collection[Expr],
    rng: random.Random,
    digits: int = FEW_DIGITS,
    tries: int = 24,
    symbols: Iterable[Symbol] = (),
    on: Ground | None = None,
) -> dict[Symbol, Any] | None:
    """A random point where every expression is a finite real number, or None if none was met.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> point = finite_point([symengine.log(-x)], random.Random(0))
    >>> bool(point[x] < 0)
    True
    """
    names = free_symbols(expressions) | set(symbols)
    for attempt in range(tries):
        point = draw(names, rng, attempt, digits, on)
        if all(value.is_finite() for value in evaluate_balls(expressions, point, digits)):
            return point
    return None
