r"""Configurations modulo symmetries: functions that these leave alone, as coordinates, and everything else written in them.

.. math:: \xi(\gamma_i) = 0, \qquad \gamma = (R_{31}, R_{32}, R_{33}), \quad \gamma\cdot\gamma = 1, \qquad f(q) = F(\gamma(q))

Coordinates that no symmetry moves stay. Of the others, linear combinations of a group's named functions and of coordinates are looked for, then
quadratic ones, until there are as many independent ones as there are dimensions left. A polynomial of the configuration that is one of the $\gamma$ is found
from its values at as many exact points of the group as that has coefficients, and proven; so that what cannot be written so is refused.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import comb
from typing import Any, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import along, partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, symbol, unused
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.algebra.numeric_relations import SIMPLE, constant_combinations, numeric_rank, simple_rational
from anholonomy.algebra.simplification.simplify import READABLE, simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import DeclarationError, NotSupportedError
from anholonomy.geometry.frame import Frame
from anholonomy.language import check_name

__all__ = ["OrbitSpace", "orbit_space"]

_MOST = 8
"""The highest degree in the invariants that is tried."""
_MONOMIALS = 1_000
"""Monomials of the invariants up to which their values are compared: some seconds of numerical ranks."""


@final
@dataclass(frozen=True)
class OrbitSpace:
    """Coordinates on the configurations modulo symmetries.

    Attributes
    ----------
    kept
        Coordinates that stay.
    invariants, named
        New symbols with the functions of the configuration that they are, in coordinates and in the names of a group.
    relations
        Polynomials in the new symbols that vanish.
    """

    frame: Frame
    kept: tuple[Symbol, ...]
    invariants: Mapping[Symbol, Expr]
    named: Mapping[Symbol, Expr]
    relations: Vector
    _memo: dict[Expr, Expr] = field(default_factory=dict, compare=False, repr=False)

    @property
    def coordinates(self) -> tuple[Symbol, ...]:
        return (*self.invariants, *self.kept)

    @cached_property
    def moved(self) -> frozenset[Symbol]:
        """The coordinates that are given up."""
        return frozenset(self.frame.coordinates) - set(self.kept)

    @cached_property
    def idle(self) -> frozenset[Symbol]:
        """Those of them that no invariant contains and that take every value: what is a function of the invariants may be read where they are zero."""
        on = self.frame.orbit
        tied = set() if on is None else set(on.tied)
        return frozenset(q for q in self.moved - tied if not any(q in e.free_symbols for e in self.invariants.values()))

    def written(self, f: Expr) -> Expr:
        """A function of the configuration in the invariants, proven; refused where it is none that was found."""
        f = self.frame.in_coordinates(f)
        if f not in self._memo:
            self._memo[f] = self._written(f)
        return self._memo[f]

    def vector(self, functions: Iterable[Expr]) -> Vector:
        return tuple(map(self.written, functions))

    def _written(self, f: Expr) -> Expr:
        if f.free_symbols.isdisjoint(self.moved):
            return f
        letters: dict[Symbol, Expr] = {}
        plain = self._polynomial(f, letters)
        degree = self._degree(plain)
        if degree is None or (found := self._interpolated(plain, degree)) is None:
            if not self.invariants:
                raise NotSupportedError(f"{f!s:.80} changes along the symmetries, which leave no coordinate alone.")
            names = ", ".join(s.name for s in self.invariants)
            raise NotSupportedError(f"{f!s:.80} is no polynomial of degree {_MOST} in the invariants {names}.")
        ways = [each.xreplace(letters) for each in found]
        if min(map(symengine.count_ops, ways)) <= READABLE:
            ways = [simplify(each) for each in ways]
        return min(ways, key=symengine.count_ops)

    def _polynomial(self, f: Expr, letters: dict[Symbol, Expr]) -> Expr:
        """The expression with letters for roots, quotients and functions of invariants, and for numbers that are no simple fractions."""
        if isinstance(f, symengine.Number):
            return f if isinstance(f, symengine.Rational) and int(f.q) <= SIMPLE else self._letter(f, letters)
        if f.free_symbols.isdisjoint(self.moved - self.idle):
            return f
        if isinstance(f, symengine.Pow):
            base, exponent = f.args
            if isinstance(exponent, symengine.Integer) and exponent > 0:
                return self._polynomial(base, letters) ** exponent
            if isinstance(exponent, symengine.Rational):
                part = symengine.Rational(1, int(exponent.q))
                return self._letter(self.written(base) ** part, letters) ** int(exponent.p)
        if isinstance(f, symengine.Add | symengine.Mul | symengine.Symbol):
            return f if not f.args else f.func(*(self._polynomial(each, letters) for each in f.args))
        return self._letter(f.func(*map(self.written, f.args)), letters)

    def _letter(self, value: Expr, letters: dict[Symbol, Expr]) -> Symbol:
        for known, meaning in letters.items():
            if meaning == value:
                return known
        letters[made := symbol(f"_letter{len(letters)}")] = value
        return made

    def _degree(self, f: Expr) -> int | None:
        """The degree in the invariants that fits in doubles; None where none does."""
        rng = random.Random(5)
        values = {s: symengine.RealDouble(rng.uniform(0.6, 1.7)) for s in sorted(f.free_symbols - self.moved, key=str)}
        at = in_doubles(sorted(self.moved, key=str), [f.xreplace(values)])
        if at is None:
            return None
        for degree in range(_MOST + 1):
            if comb(len(self.invariants) + degree, degree) > _MONOMIALS:
                break
            nodes = self._nodes(degree)
            there = np.array([float(np.asarray(at(list(map(float, p.values())))).ravel()[0]) for p in nodes.points])
            if np.allclose(nodes.table @ (nodes.inverse @ there), there, rtol=1e-9, atol=1e-9):
                return degree
        return None

    def _interpolated(self, f: Expr, degree: int) -> list[Expr] | None:
        """The function in the invariants, written in two ways, if it is proven to be one."""
        nodes = self._nodes(degree)
        values = []
        for point in nodes.points:
            check()
            values.append(symengine.expand(f.xreplace(point)))
        ways = []
        for monomials, inverse in ((nodes.monomials, nodes.inverse), (nodes.other, nodes.other_inverse)):
            rows = [[symengine.RealDouble(float(e)) for e in row] for row in inverse]
            try:
                ways.append(dot([_rounded(symengine.expand(dot(row, values))) for row in rows], monomials))
            except (OverflowError, ValueError):  # infinite at a node, or no number
                return None
        back = f - ways[0].xreplace(dict(self.invariants))
        return ways if is_zero(back, self.frame.orbit) else None

    def _nodes(self, degree: int) -> _Nodes:
        if degree not in self._tables:
            self._tables[degree] = self._made_nodes(degree)
        return self._tables[degree]

    @cached_property
    def _tables(self) -> dict[int, _Nodes]:
        return {}

    def _made_nodes(self, degree: int) -> _Nodes:
        names = list(self.invariants)
        every = [symengine.Mul(*each) for d in range(degree + 1) for each in combinations_with_replacement(names, d)]
        points = [self._point(random.Random(100 * degree + k)) for k in range(2 * len(every) + 2)]
        at = [{s: value.xreplace(p) for s, value in self.invariants.items()} for p in points]
        table = np.array([[float(m.xreplace(values)) for m in every] for values in at])
        low, high = _independent(table), [len(every) - 1 - k for k in _independent(table[:, ::-1])]
        count = len(low) + 2
        first = table[:count]
        return _Nodes(points[:count], [every[k] for k in low], first[:, low], np.linalg.pinv(first[:, low]),
                      [every[k] for k in high], np.linalg.pinv(first[:, high]))  # fmt: skip

    def _point(self, rng: random.Random) -> dict[Symbol, Expr]:
        """A point of the configurations in doubles, of the coordinates that are given up."""
        on, names = self.frame.orbit, sorted(self.moved, key=str)
        found: dict[Symbol, Any] = {q: 0 if q in self.idle else rng.uniform(-2, 2) for q in names}
        if on is not None:
            with precision(30):
                found |= {q: v for q, v in on.point(names, rng, rng.randrange(4), 30).items() if q in self.moved}
        return {q: symengine.RealDouble(float(found[q])) for q in names}


@final
@dataclass(frozen=True)
class _Nodes:
    """Points, independent monomials with their values there, and the inverse of that matrix; and other monomials that span the same, high ones first."""

    points: list[dict[Symbol, Expr]]
    monomials: list[Expr]
    table: np.ndarray
    inverse: np.ndarray
    other: list[Expr]
    other_inverse: np.ndarray


def _independent(table: np.ndarray) -> list[int]:
    """The columns of a matrix that are independent of those before them."""
    chosen: list[int] = []
    for k in range(table.shape[1]):
        check()
        if np.linalg.matrix_rank(table[:, [*chosen, k]], tol=1e-7) > len(chosen):
            chosen.append(k)
    return chosen


def _rounded(value: Expr) -> Expr:
    """A polynomial of parameters with its coefficients made simple fractions."""
    terms = value.args if isinstance(value, symengine.Add) else (value,)
    return symengine.Add(*map(_rounded_term, terms))


def _rounded_term(term: Expr) -> Expr:
    factors = term.args if isinstance(term, symengine.Mul) else (term,)
    number = symengine.Mul(*(e for e in factors if isinstance(e, symengine.Number)))
    return simple_rational(float(number)) * symengine.Mul(*(e for e in factors if not isinstance(e, symengine.Number)))


def orbit_space(
    frame: Frame, symmetries: Matrix, taken: Iterable[str], names: Sequence[str] | None = None
) -> OrbitSpace:
    """The functions that symmetries leave alone; refused where too few are found."""
    fields = [frame.direction(row) for row in symmetries]
    moved = [q for q in frame.coordinates if any(not is_zero(rates[q], frame.orbit) for rates in fields)]
    tied = [block.coordinates for block in frame.orbit.blocks] if frame.orbit is not None else []
    moved = [
        q for q in frame.coordinates if q in moved or any(q in block and set(block) & set(moved) for block in tied)
    ]
    kept = tuple(q for q in frame.coordinates if q not in moved)
    letters = _letters(frame, moved)
    room = frame.size - numeric_rank(symmetries, frame.orbit) - _dimension(frame, kept)
    found: dict[Expr, Expr] = {}
    for degree in (1, 2):
        if room <= _dimension(frame, [*found]):
            break
        products = [symengine.Mul(*each) for each in combinations_with_replacement(letters, degree)]
        written = [frame.in_coordinates(e) for e in products]
        for weights in constant_combinations([[along(e, rates) for rates in fields] for e in written], frame.orbit):
            value = dot(weights, written)
            if degree == 1 or _dimension(frame, [*found, value]) > _dimension(frame, [*found]):
                found[value] = dot(weights, products)
    if _dimension(frame, [*found]) < room:
        raise NotSupportedError(
            "the functions that the symmetries leave alone are no polynomials of degree two in what the system is written with."
        )
    symbols = _named(len(found), taken, names)
    invariants = dict(zip(symbols, found, strict=True))
    named = dict(zip(symbols, found.values(), strict=True))
    return OrbitSpace(frame, kept, invariants, named, tuple(_relations(frame, invariants, room)))


def _letters(frame: Frame, moved: Sequence[Symbol]) -> list[Expr]:
    """Named functions of what is moved, and the coordinates that no name stands for."""
    named = [name for name, value in frame.named.items() if value.free_symbols <= set(moved)]
    covered = {q for name in named for q in frame.named[name].free_symbols}
    return [*named, *(q for q in moved if q not in covered)]


def _dimension(frame: Frame, functions: Sequence[Expr]) -> int:
    """How many functions of the configuration are independent, as doubles see it."""
    return numeric_rank([[along(f, each) for each in frame.fields] for f in functions], frame.orbit) if functions else 0


def _named(count: int, taken: Iterable[str], names: Sequence[str] | None) -> list[Symbol]:
    known = set(taken)
    if names is None:
        return [unused(f"gamma{k}" if count > 1 else "gamma", known.__contains__) for k in range(1, count + 1)]
    if len(names) != count:
        raise DeclarationError(f"there are {count} invariants, and {len(names)} names for them; give {count}.")
    for k, name in enumerate(names):
        check_name(name, "the invariant")
        if name in known or name in names[:k]:
            raise DeclarationError(f"the name {name} is taken; give the invariant another.")
    return [symbol(name) for name in names]


def _relations(frame: Frame, invariants: Mapping[Symbol, Expr], room: int) -> Iterator[Expr]:
    """Quadratic relations between the invariants, as many as these are too many."""
    names, one = list(invariants), symengine.Integer(1)
    missing = len(names) - room
    if missing <= 0:
        return
    products = [one, *names, *(a * b for a, b in combinations_with_replacement(names, 2))]
    written = [e.xreplace(dict(invariants)) for e in products]
    rows: list[Vector] = []
    for weights in constant_combinations([[e] for e in written], frame.orbit):
        relation = dot(weights, products) * (-1 if weights[0] > 0 else 1)
        slopes = tuple(partial(relation, s).xreplace(dict(invariants)) for s in names)
        if numeric_rank([*rows, slopes], frame.orbit) > len(rows):
            rows.append(slopes)
            yield relation
    if len(rows) < missing:
        raise NotSupportedError(
            "the invariants of the symmetries obey relations that are not quadratic, which are not looked for."
        )
