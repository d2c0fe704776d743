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
from typing import Any, TypeAlias, final

import flint
import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, symbol, zero
from anholonomy.algebra.linear_algebra.symbolic import rank, solve
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Quotient, TooLarge
from anholonomy.algebra.numbers.balls import Ball, precision
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.base.caching import cached_property, fields_only

__all__ = ["Block", "Orbit", "cayley", "orbit_of", "square_in", "without_square"]


Coordinate: TypeAlias = "Fraction | Ball"

MAX_DEGREE = 60
"""The degree in redundant coordinates, and"""
MAX_COMPOSED = 40_000
"""the terms to be expected, up to which a polynomial is written in the parameters."""

one = symengine.Integer(1)


@final
@dataclass(frozen=True, eq=False)
class Block:
    r"""Coordinates that are tied together, the fields that move them, where they start, and what vanishes there.

    ``fields`` has a row for each direction, in the order of ``coordinates``.
    """

    coordinates: tuple[Symbol, ...]
    fields: Matrix
    origin: Vector
    invariants: Vector

    __getstate__ = fields_only

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        r"""The $\xi$, with names that the language cannot write."""
        return tuple(symbol(f"_xi_{self.coordinates[0].name}_{a}") for a in self._spanning)

    @cached_property
    def _spanning(self) -> tuple[int, ...]:
        """Directions that are independent at the origin, as many as there are; where a group acts on a sphere, not all are."""
        start = dict(zip(self.coordinates, self.origin, strict=True))
        chosen: list[int] = []
        for a, row in enumerate(self.fields):
            if _rank_at([*(self.fields[b] for b in chosen), row], start) > len(chosen):
                chosen.append(a)
        return tuple(chosen)

    @cached_property
    def generators(self) -> list[list[list[Fraction]]] | None:
        r"""$\hat A_a$ for each direction; None where a field is not affine with rational coefficients."""
        still = dict.fromkeys(self.coordinates, zero)
        found = []
        for row in self.fields:
            slopes = [[symengine.expand(rate.diff(q)) for q in self.coordinates] for rate in row]
            whole = [[*each, rate.xreplace(still)] for each, rate in zip(slopes, row, strict=True)]
            if not all(isinstance(entry, symengine.Rational) for each in whole for entry in each):
                return None
            found.append([[Fraction(str(entry)) for entry in each] for each in whole])
        return found

    @cached_property
    def chart(self) -> dict[Symbol, Expr] | None:
        r"""The coordinates as rational functions of $\xi$, proven to parametrise the group around its identity, or None."""
        return self._solved_chart if self.by_cayley is None else self.by_cayley

    @cached_property
    def _solved_chart(self) -> dict[Symbol, Expr] | None:
        r"""Some coordinates are free and invariants determine the others: $g_{22} = g_{11}^2$ of the diagonal matrices $(e^s, e^{2s})$."""
        if not self.invariants or not self._is_cut_out:
            return None
        solved: dict[Symbol, Expr] = {}
        for value in self.invariants:
            rest = symengine.expand(value.xreplace(solved))
            found = next((q for q in self.coordinates if q not in solved and _stands_alone(rest, q)), None)
            if found is None:
                return None
            answer = {found: symengine.expand(found - rest / rest.diff(found))}
            solved = {q: symengine.expand(e.xreplace(answer)) for q, e in solved.items()} | answer
        free = [q for q in self.coordinates if q not in solved]
        if len(free) != len(self.parameters):
            return None
        start = dict(zip(self.coordinates, self.origin, strict=True))
        own = {q: start[q] + xi for q, xi in zip(free, self.parameters, strict=True)}
        return {q: own[q] if q in own else solved[q].xreplace(own) for q in self.coordinates}

    @cached_property
    def by_cayley(self) -> dict[Symbol, Expr] | None:
        r"""The chart by Cayley's map, where the invariants are left alone by it."""
        if self.generators is None or not self._is_cut_out:
            return None
        size = len(self.coordinates) + 1
        left, start = _matrix(size), [*self.origin, one]
        for xi, a in zip(self.parameters, self._spanning, strict=True):
            for i, row in enumerate(self.generators[a]):
                for j, value in enumerate(row):
                    left[i][j] += xi * symengine.Rational(value.numerator, value.denominator) / 2
        (found,) = solve(_minus(left), [[dot(row, start) for row in left]])
        chart = dict(zip(self.coordinates, found, strict=False))
        try:
            vanish = all(_vanishes(value.xreplace(chart)) for value in self.invariants)
        except NoNormalForm:
            return None
        return chart if vanish else None

    @cached_property
    def _is_cut_out(self) -> bool:
        """Whether the invariants leave no directions but these, to first order at the origin."""
        start, size = dict(zip(self.coordinates, self.origin, strict=True)), len(self.coordinates)
        if len(self.invariants) < size - len(self._spanning):
            return False
        slopes = [[value.diff(q).xreplace(start) for q in self.coordinates] for value in self.invariants]
        return len(self._spanning) + (rank(slopes) if slopes else 0) == size

    def point(self, rng: random.Random, factors: int, digits: int) -> dict[Symbol, Coordinate] | None:
        """A random point of the group, a product of a few elements near the identity; None where no flow is known."""
        if self.generators is None:
            return None
        # Without invariants nothing proves that Cayley's curve stays in the orbit.
        if self.by_cayley is None and self._solved_chart is not None:
            near = {xi: symengine.Rational(rng.choice((-1, 1)) * rng.randint(1, 9), 10) for xi in self.parameters}
            return {q: Fraction(str(e.xreplace(near))) for q, e in self._solved_chart.items()}
        exact = bool(self.invariants) and self.by_cayley is not None
        with precision(digits):
            here: Any = _column([Fraction(str(value)) for value in self.origin], exact)
            for _ in range(factors):
                here = _step(_small(self.generators, rng), exact, here)
            values = [here[i, 0] for i in range(len(self.coordinates))]
        return {q: Fraction(int(v.p), int(v.q)) if exact else v for q, v in zip(self.coordinates, values, strict=True)}


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
            if _vanishes_with_squares(expression, self._squares):
                return True
            forms = Canonical([expression])
            above = forms.quotient(expression).num
            if above.is_zero():
                return True
            meaning = forms.ring.meaning
            if self.chart is not None and self.touches(each for each in meaning if each not in self.chart):
                return _vanishes(expression.xreplace(self.chart))
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
                    rates[start + i] = {e: _rational(c) for e, c in zip(monomials, row, strict=True) if c}
                fields.append(rates)
            start += size
        origin = [_rational(Fraction(str(value))) for block in self.blocks for value in block.origin]
        return _vanishes_on_orbit(polynomial, fields, origin)


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
    for each in _independent_sets(rates, start, invariants):
        tied = tuple(q for q in coordinates if q in each)
        rows = (tuple(rates[q][a] for q in tied) for a in range(len(anchor_ai)))
        fields = tuple(row for row in rows if any(rate != 0 for rate in row))
        own = tuple(value for value in invariants if value.free_symbols & each)
        block = Block(tied, fields, tuple(start[q] for q in tied), own)
        if _rank_at(fields, start) < len(tied):
            blocks.append(block)
        elif block.generators is not None:
            loose.append(block)
    return Orbit(tuple(blocks), tuple(loose), values) if blocks or loose or values else None


def _matrix(size: int) -> list[list[Expr]]:
    return [[one if i == j else zero for j in range(size)] for i in range(size)]


def _stands_alone(value: Expr, q: Symbol) -> bool:
    """Whether a symbol occurs to the first power with a number before it, and nowhere else."""
    slope = symengine.expand(value.diff(q))
    return isinstance(slope, symengine.Rational) and slope != 0


def _minus(left: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
    r"""$1 - \tfrac12\hat A$ from $1 + \tfrac12\hat A$."""
    return [[2 * int(i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(left)]


def _small(generators: list[list[list[Fraction]]], rng: random.Random) -> list[list[Fraction]]:
    r"""A random $\tfrac12\hat A(\xi)$ of norm below one, so that Cayley's curve leads from the identity to it."""
    n = range(len(generators[0]))
    weights = [Fraction(rng.choice((-1, 1)) * rng.randint(3, 13), 7) for _ in generators]
    half = [[Fraction(0)] * (len(n) + 1) for _ in n]
    for w, g in zip(weights, generators, strict=True):
        for i in n:
            for j, entry in enumerate(g[i]):
                if entry:  # nearly all are zero
                    half[i][j] += w * entry / 2
    size = max(sum(abs(entry) for entry in row if entry) for row in half)
    scale = Fraction(1)
    while size * scale >= 1:
        scale /= 2
    return [[scale * entry if entry else entry for entry in row] for row in half]


def _column(values: Sequence[Fraction], exact: bool) -> Any:
    kind = flint.fmpq_mat if exact else flint.arb_mat
    return kind(len(values) + 1, 1, [*map(_rational, values), 1])


def _step(half: Sequence[Sequence[Fraction]], exact: bool, here: Any) -> Any:
    """The next point: Cayley's map in rationals, or the exponential in balls."""
    if exact:
        return cayley(half, here)
    return (2 * flint.arb_mat(len(half) + 1, len(half) + 1, _entries(half))).exp() * here


def _entries(half: Sequence[Sequence[Fraction]]) -> list[Any]:
    return [_rational(entry) for row in half for entry in row] + [flint.fmpq(0)] * (len(half) + 1)


def cayley(half: Sequence[Sequence[Fraction]], here: Any) -> Any:
    r"""$(1 - \tfrac12\hat A)^{-1}(1 + \tfrac12\hat A)$ applied to a column, from the rows of $\tfrac12\hat A$ without the last."""
    size = len(half) + 1
    matrix = flint.fmpq_mat(size, size, _entries(half))
    unit = flint.fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
    return (unit - matrix).solve((unit + matrix) * here)


def _rational(value: Fraction) -> Any:
    return flint.fmpq(value.numerator, value.denominator)


def _vanishes(expression: Expr) -> bool:
    found: Quotient = Canonical([expression]).quotient(expression)
    return bool(found.num.is_zero())


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


# Which coordinates of a group depend on one another, and which take every value whatever the others are.
#
# .. math:: \dot q^i = w^a E_a{}^i(q)
#
# Sets of coordinates whose rates depend on no others, and that share no direction, move independently: the orbit is the product
# of theirs. Coordinates $x$ in whose rates nothing depends on $x$ are free over the rest, if directions that move nothing else
# move each of them: $\dot x = w^aM_a(q)$ with $M$ of full rank reaches every $x$ at every $q$.


def _independent_sets(
    rates: Mapping[Symbol, Vector], origin: Mapping[Symbol, Expr], invariants: Sequence[Expr]
) -> list[set[Symbol]]:
    """The sets that move independently, without the coordinates that are free; ``rates`` has an entry for each direction.

    >>> import symengine
    >>> a, b, x, o = *symengine.symbols("a b x"), symengine.Integer(0)
    >>> rates = {a: (-b, o), b: (a, o), x: (b, a)}
    >>> [sorted(map(str, each)) for each in _independent_sets(rates, {a: 1 + o, b: o, x: o}, [a**2 + b**2 - 1])]
    [['a', 'b']]
    """
    tied = {s for value in invariants for s in value.free_symbols}
    left = dict(rates)
    while free := _free(left, origin, tied):
        left = {q: row for q, row in left.items() if q not in free}
    return _joined([*(_closure([q], left) for q in left), *(value.free_symbols & set(left) for value in invariants)])


def _rank_at(rows: Sequence[Vector], place: Mapping[Symbol, Expr]) -> int:
    """The rank of rows of functions at a point."""
    here = dict(place)
    return rank([[entry.xreplace(here) for entry in row] for row in rows]) if rows and rows[0] else 0


def _free(rates: Mapping[Symbol, Vector], origin: Mapping[Symbol, Expr], tied: set[Symbol]) -> set[Symbol]:
    """Coordinates that take every value over the others; empty if none are found."""
    size = len(next(iter(rates.values()), ()))
    moved = [{q for q, row in rates.items() if row[a] != 0} for a in range(size)]
    own = [a for a in range(size) if moved[a] and not moved[a] & tied]
    own = [a for a in own if moved[a].isdisjoint(free_symbols(rates[q][a] for q in moved[a]))]
    single = sorted({frozenset(moved[a]) for a in own}, key=lambda each: (len(each), sorted(map(str, each))))
    for found in [*map(set, single), *_joined(map(set, single))]:
        movers = [a for a in own if moved[a] <= found]
        fields = [tuple(rates[q][a] for q in found) for a in movers]
        others = free_symbols(rate for q, row in rates.items() if q not in found for rate in row)
        within = free_symbols(rate for row in fields for rate in row)
        if found.isdisjoint(others | within) and _rank_at(fields, origin) == len(found):
            return found
    return set()


def _closure(start: Iterable[Symbol], rates: Mapping[Symbol, Vector]) -> set[Symbol]:
    """The coordinates, those that their rates depend on, and those that the same directions move."""
    found, waiting = set(), list(start)
    while waiting:
        q = waiting.pop()
        if q in found:
            continue
        found.add(q)
        along = [a for a, rate in enumerate(rates[q]) if rate != 0]
        waiting += [s for s in free_symbols(rates[q]) if s in rates]
        waiting += [s for s, row in rates.items() if any(row[a] != 0 for a in along)]
    return found


def _joined(sets: Iterable[set[Symbol]]) -> list[set[Symbol]]:
    """Sets united until no two of them meet."""
    found: list[set[Symbol]] = []
    for each in sets:
        close = [other for other in found if other & each]
        found = [other for other in found if not other & each] + [each.union(*close)]
    return found


# Polynomials that vanish on what fields reach from a point.
#
# .. math:: P = 0 \text{ on the orbit of } q_0 \iff E_{a_1}\cdots E_{a_k}P\,(q_0) = 0 \ \ \forall k
#
# Affine fields do not raise degrees, so all these polynomials lie in a space of finite dimension, and those found span it as soon
# as no field leads out of their span.


MAX_SPAN = 150
"""The dimension of the space up to which this is tried."""

Exponents = tuple[int, ...]


def _vanishes_on_orbit(
    polynomial: Mapping[Exponents, Any], rates: Sequence[Sequence[Mapping[Exponents, Any]]], origin: Sequence[Any]
) -> bool:
    """Whether a polynomial, by exponents, is zero on the orbit of a point under fields, each by its rates of the coordinates.

    >>> half, x, one = flint.fmpq(1, 2), (1, 0), flint.fmpq(1)
    >>> turn = [{(0, 1): -one}, {(1, 0): one}]
    >>> circle = {(2, 0): one, (0, 2): one, (0, 0): -one}
    >>> _vanishes_on_orbit(circle, [turn], [one, 0 * one]), _vanishes_on_orbit(circle, [turn], [half, half])
    (True, False)
    """
    names = flint.fmpq_mpoly_ctx.get([f"q{k}" for k in range(len(origin))], flint.Ordering.degrevlex)
    fields = [[names.from_dict(dict(rate)) for rate in field] for field in rates]
    span: dict[Exponents, Polynomial] = {}
    waiting = [names.from_dict(dict(polynomial))]
    while waiting:
        found = waiting.pop()
        if found(*origin) != 0:
            return False
        rest = _reduced(found, span)
        if rest.is_zero():
            continue
        if len(span) == MAX_SPAN:
            raise TooLarge
        span[_lead(rest)] = rest / rest.leading_coefficient()
        waiting += [_along(rest, field, names) for field in fields]
    return True


def _lead(polynomial: Polynomial) -> Exponents:
    return tuple(map(int, polynomial.monomial(0)))


def _reduced(polynomial: Polynomial, span: Mapping[Exponents, Polynomial]) -> Polynomial:
    """What is left without the leading monomials of the span, the highest ones first."""
    kept = polynomial * 0
    while not polynomial.is_zero():
        lead, scale = _lead(polynomial), polynomial.leading_coefficient()
        if lead in span:
            polynomial = polynomial - scale * span[lead]
        else:
            term = polynomial.context().from_dict({lead: scale})
            kept, polynomial = kept + term, polynomial - term
    return kept


def _along(polynomial: Polynomial, field: Sequence[Polynomial], names: Any) -> Polynomial:
    total = names.constant(0)
    for k, rate in enumerate(field):
        if not rate.is_zero():
            total += polynomial.derivative(k) * rate
    return total


# Normal forms of functions on spheres and other quadrics: one coordinate occurs at most to the first power.
#
# .. math:: q_0^2 = 1 - q_1^2 - q_2^2 - q_3^2
#
# Polynomials in unit quaternions are thereby as short as they can be, and so are the products that a linear system is solved with.


def square_in(invariant: Expr, coordinates: Sequence[Symbol]) -> tuple[Symbol, Expr] | None:
    """A coordinate and what its square is where an invariant vanishes; None where it is no polynomial of that kind.

    >>> x, y = symengine.symbols("x y")
    >>> square_in(2 * x**2 + y**4 - 1, [x, y])
    (x, 1/2 + (-1/2)*y**4)
    """
    for q in coordinates:
        half = symengine.expand(invariant.diff(q)).diff(q) / 2
        rest = symengine.expand(invariant - half * q**2)
        if isinstance(half, symengine.Rational) and half != 0 and q not in rest.free_symbols:
            return q, symengine.expand(-rest / half)
    return None


def without_square(value: Expr, s: Symbol, square: Expr) -> Expr:
    """A polynomial with the even powers of a symbol replaced, multiplied out.

    >>> x, y = symengine.symbols("x y")
    >>> without_square(x**3 + y, x, 1 - y)
    x + y - x*y
    """
    total = symengine.expand(value)
    while high := [n for n in total.atoms(symengine.Pow) if n.args[0] == s and int(n.args[1]) >= 2]:
        lower = {n: square ** (int(n.args[1]) // 2) * s ** (int(n.args[1]) % 2) for n in high}
        total = symengine.expand(total.xreplace(lower))
    return total


def _vanishes_with_squares(expression: Expr, squares: Sequence[tuple[Symbol, Expr]]) -> bool:
    """Whether a normal form in which these squares are replaced is zero.

    >>> x, y = symengine.symbols("x y")
    >>> _vanishes_with_squares(1 / (x**2 + y) - 1 / (1 + y - y**2), [(x, 1 - y**2)])
    True
    """
    if not squares:
        return False
    try:
        forms = Canonical([expression])
        for q, value in squares:
            known = forms.quotient(value)
            generator = forms.ring.generator(q)
            if any(forms.ring.index[s] > generator for s in value.free_symbols):
                return False  # met before its square was known, inside some function
            forms.ring.relate(generator, 2, forms.ring.lifted(known).num)
        return bool(forms.quotient(expression).num.is_zero())
    except NoNormalForm:
        return False
