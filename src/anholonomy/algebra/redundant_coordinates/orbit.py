r"""Redundant coordinates of a group: its points, its parametrisation, and the functions that vanish on it.

.. math::
   \dot q = A(\xi)\,q + b(\xi), \qquad
   \hat q(\xi) = \bigl(1 - \tfrac12\hat A(\xi)\bigr)^{-1}\bigl(1 + \tfrac12\hat A(\xi)\bigr)\,\hat q_0, \qquad
   \hat q = (q, 1)

The fields of a group in redundant coordinates (a unit quaternion, the entries of a matrix) are affine in them. An `Orbit` is what they
reach from the identity; a `Block` are coordinates of it that are tied together. Where the
invariants vanish along Cayley's curve and are as many as the coordinates that are too many, $q(\xi)$ parametrises the group
around $q_0$ by rational functions; then points of the group are exact, and a function that is analytic vanishes on the
group exactly if it vanishes as a function of $\xi$. Otherwise points are flows, $\hat q = e^{\hat A(\xi)}\hat q_0$, in balls,
and a polynomial vanishes if all its derivatives along the fields do at $q_0$.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import flint

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, free_symbols
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, TooLarge
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.redundant_coordinates.block import Block, flint_rational, normal_form_is_zero
from anholonomy.algebra.redundant_coordinates.independent_sets import independent_sets, rank_at
from anholonomy.algebra.redundant_coordinates.squares import square_in, vanishes_with_squares
from anholonomy.algebra.redundant_coordinates.vanishing_on_orbits import vanishes_on_orbit
from anholonomy.base.caching import cached_property, fields_only

__all__ = ["Orbit", "orbit_of"]

MAX_DEGREE = 60
"""The degree in redundant coordinates, and"""
MAX_COMPOSED = 40_000
"""the terms to be expected, up to which a polynomial is written in the parameters."""


@final
@dataclass(frozen=True, eq=False)
class Orbit:
    """The points that the fields of a group reach; coordinates that are in no block are free.

    ``blocks`` hold the redundant coordinates. Those in ``loose`` are as many as their directions, so that an analytic function of them vanishes
    only if it vanishes everywhere, but they do not take every value: $e^s > 0$. Symbols in ``values`` have one value each:
    parameters as they were declared.

    >>> from anholonomy.geometry.groups import SO3
    >>> turn = SO3().frame.orbit
    >>> point = turn.point(turn.tied, random.Random(0), 0, 30)
    >>> sum(value**2 for value in point.values())
    Fraction(1, 1)
    """

    blocks: tuple[Block, ...]
    loose: tuple[Block, ...] = ()
    values: tuple[tuple[Symbol, Expr], ...] = ()

    __getstate__ = fields_only

    @cached_property
    def with_free_parameters(self) -> Orbit:
        """The same with nothing known of the parameters."""
        return Orbit(self.blocks, self.loose)

    @cached_property
    def known(self) -> dict[Symbol, Expr]:
        """The symbols that have one value each."""
        return dict(self.values)

    @cached_property
    def tied(self) -> tuple[Symbol, ...]:
        return tuple(q for block in self.blocks for q in block.coordinates)

    def touches(self, expressions: Iterable[Expr]) -> bool:
        """Whether redundant coordinates occur, or symbols with one value."""
        return not free_symbols(expressions).isdisjoint({*self.tied, *self.known})

    def confines(self, expressions: Iterable[Expr]) -> bool:
        """Whether symbols occur that do not take every value."""
        return not free_symbols(expressions).isdisjoint({*self._drawn, *self.known})

    @cached_property
    def _drawn(self) -> frozenset[Symbol]:
        return frozenset(q for block in (*self.blocks, *self.loose) for q in block.coordinates)

    @cached_property
    def chart(self) -> dict[Symbol, Expr] | None:
        """Redundant coordinates as rational functions of as many parameters as the group has dimensions, or None.

        Symbols that have one value are that constant.
        """
        charts = [block.chart for block in self.blocks]
        return (
            self.known | {q: value for chart in charts for q, value in (chart or {}).items()} if all(charts) else None
        )

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        return tuple(xi for block in self.blocks for xi in block.parameters)

    def point(self, symbols: Iterable[Symbol], rng: random.Random, attempt: int, digits: int) -> dict[Symbol, Any]:
        """A random point: rationals for what is free, a point of the group for redundant coordinates.

        Those are exact where the group has rational points at hand, otherwise balls of some digits.
        """
        names = set(symbols)
        point: dict[Symbol, Any] = dict(random_point(names - self._drawn - self.known.keys(), rng, attempt))
        point |= {name: Fraction(str(value)) for name, value in self.values if name in names}
        for block in (*self.blocks, *self.loose):
            if not names.isdisjoint(block.coordinates):
                found = block.point(rng, 1 + attempt % 4, digits)
                # Without a flow nothing is known of the group: values that prove nothing.
                point |= found if found is not None else dict.fromkeys(block.coordinates, flint.arb.nan())
        return point

    def vanishes(self, expression: Expr) -> bool:
        """Whether a normal form proves that the expression is zero on the group wherever it is defined there."""
        try:
            expression = expression.xreplace(self.known)
            if vanishes_with_squares(expression, self._squares):
                return True
            forms = Canonical([expression])
            above = forms.quotient(expression).num
            if above.is_zero():
                return True
            meaning = forms.ring.meaning
            if self.chart is not None and self.touches(each for each in meaning if each not in self.chart):
                return normal_form_is_zero(expression.xreplace(self.chart))
            decide = self._flow_vanishes if self.chart is None else self._composed_vanishes
            return bool(self.blocks) and all(decide(part) for part in _parts(meaning, above, self.tied))
        except (NoNormalForm, RuntimeError):  # SymEngine refuses to divide by zero
            return False

    @cached_property
    def _squares(self) -> list[tuple[Symbol, Expr]]:
        """A coordinate and its square in the others, for each block that one equation cuts out, as of a unit quaternion."""
        single = (block for block in self.blocks if len(block.invariants) == 1)
        found = (square_in(block.invariants[0], block.coordinates) for block in single)
        return [each for each in found if each is not None]

    @cached_property
    def _homogeneous(self) -> tuple[Any, list[tuple[list[Polynomial], Polynomial]]]:
        """For each block numerators of the coordinates and their common denominator, in one ring of the parameters."""
        assert self.chart is not None
        names = flint.fmpq_mpoly_ctx.get([f"u{k}" for k in range(len(self.parameters))], flint.Ordering.degrevlex)
        place, found = {xi: k for k, xi in enumerate(self.parameters)}, []
        for block in self.blocks:
            values = [self.chart[q] for q in block.coordinates]
            forms = Canonical(values)
            quotients = [forms.quotient(value) for value in values]
            quotients = [forms.ring.lifted(each) for each in quotients]
            common = forms.ring.context.constant(1)
            for each in quotients:
                common = common * (each.den / common.gcd(each.den))
            images = [names.gen(place[xi]) for xi in forms.ring.meaning]
            above = [_at(each.num * (common / each.den), images, names) for each in quotients]
            found.append((above, _at(common, images, names)))
        return names, found

    def _composed_vanishes(self, polynomial: Mapping[tuple[int, ...], Any]) -> bool:
        """Whether a polynomial in the redundant coordinates, by exponents, is zero on the group."""
        names, blocks = self._homogeneous
        degrees, start = [], 0
        for block in self.blocks:
            stop = start + len(block.coordinates)
            degrees.append((start, stop, max(sum(e[start:stop]) for e in polynomial)))
            start = stop
        total = sum(degree for *_, degree in degrees)
        if total > MAX_DEGREE or _room(2 * total, len(self.parameters)) > MAX_COMPOSED:
            raise TooLarge
        wide = flint.fmpq_mpoly_ctx.get([f"q{k}" for k in range(start + len(blocks))], flint.Ordering.degrevlex)
        raised = {
            (*e, *(degree - sum(e[first:last]) for first, last, degree in degrees)): c for e, c in polynomial.items()
        }
        images = [each for above, _ in blocks for each in above] + [below for _, below in blocks]
        return bool(_at(wide.from_dict(raised), images, names).is_zero())

    def _flow_vanishes(self, polynomial: Mapping[tuple[int, ...], Any]) -> bool:
        """The same without a parametrisation, by the derivatives along all fields at the identity."""
        if any(block.generators is None for block in self.blocks):
            return False
        width, start, fields = len(self.tied), 0, []
        for block in self.blocks:
            size = len(block.coordinates)
            monomials = [tuple(int(k == start + j) for k in range(width)) for j in range(size)] + [(0,) * width]
            for generator in block.generators or ():
                rates: list[dict[tuple[int, ...], Any]] = [{} for _ in range(width)]
                for i, row in enumerate(generator):
                    rates[start + i] = {e: flint_rational(c) for e, c in zip(monomials, row, strict=True) if c}
                fields.append(rates)
            start += size
        origin = [flint_rational(Fraction(str(value))) for block in self.blocks for value in block.origin]
        return vanishes_on_orbit(polynomial, fields, origin)


@lru_cache(maxsize=256)
def orbit_of(
    coordinates: tuple[Symbol, ...],
    anchor_ai: Matrix,
    origin: Vector,
    invariants: Vector,
    values: tuple[tuple[Symbol, Expr], ...] = (),
) -> Orbit | None:
    """The orbit of fields through a point; None where every symbol takes every value.

    Coordinates that move together are a block. It is open where the directions move
    its coordinates one by one: those are not redundant, though they may keep their signs.
    """
    if not origin:
        return Orbit((), (), values) if values else None
    rates = {q: tuple(row[i] for row in anchor_ai) for i, q in enumerate(coordinates)}
    start = dict(zip(coordinates, origin, strict=True))
    blocks, loose = [], []
    for each in independent_sets(rates, start, invariants):
        tied = tuple(q for q in coordinates if q in each)
        rows = (tuple(rates[q][a] for q in tied) for a in range(len(anchor_ai)))
        fields = tuple(row for row in rows if any(rate != 0 for rate in row))
        own = tuple(value for value in invariants if value.free_symbols & each)
        block = Block(tied, fields, tuple(start[q] for q in tied), own)
        if rank_at(fields, start) < len(tied):
            blocks.append(block)
        elif block.generators is not None:
            loose.append(block)
    return Orbit(tuple(blocks), tuple(loose), values) if blocks or loose or values else None


def _parts(meaning: Sequence[Expr], polynomial: Polynomial, tied: Sequence[Symbol]) -> list[dict[tuple[int, ...], Any]]:
    """The coefficients of everything else: polynomials in the tied coordinates, by exponents in their order."""
    place = {each: k for k, each in enumerate(meaning)}
    spots = [place.get(q) for q in tied]
    inner = {spot for spot in spots if spot is not None}
    parts: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
    for exponents, coefficient in polynomial.to_dict().items():
        outer = tuple(0 if k in inner else int(e) for k, e in enumerate(exponents))
        own = tuple(0 if spot is None else int(exponents[spot]) for spot in spots)
        parts.setdefault(outer, {})[own] = coefficient
    return list(parts.values())


def _at(polynomial: Polynomial, images: Sequence[Polynomial], names: Any) -> Polynomial:
    return polynomial.compose(*images, ctx=names)


def _room(degree: int, variables: int) -> int:
    """The number of monomials up to a degree."""
    count = 1
    for k in range(1, variables + 1):
        count = count * (degree + k) // k
    return count
