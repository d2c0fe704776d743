r"""The linear problem for conserved quantities: one unknown constant for each product of functions and speeds, and the degrees that are tried.

.. math:: F = \sum_{k, \alpha} c_{k\alpha}\,\varphi_k(q, t)\,\ell^\alpha, \qquad
   \frac{d}{dt}\prod_jg_j^{e_j} = \prod_jg_j^{e_j}\,\sum_je_j\,\frac{\dot g_j}{g_j}

The letters $\ell$ are the momenta of the system's frame and the speeds, which say simply what either would say at length. At each point of
the constraint submanifold, modulo a prime, $\dot F = 0$ is one equation for the $c$; products that are dependent as functions there are
left out. A rank modulo a prime is a lower bound of the true one, so that the kernel found has at least the dimension of the true one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from types import MappingProxyType
from typing import TypeAlias, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot
from anholonomy.algebra.poles import has_poles
from anholonomy.algebra.residues.arrays import Array, ResidueArrays
from anholonomy.algebra.residues.linear_algebra import independent_columns
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import check
from anholonomy.language.writing import to_text
from anholonomy.laws.ansatz.functions import FunctionSpace, Generator
from anholonomy.laws.ansatz.random_points import SPARE, Points, draw_points
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta

__all__ = [
    "MAX_COLUMNS",
    "Ansatz",
    "Column",
    "Letters",
    "letters_of",
    "product_of",
    "degree_at_rest",
    "degree_classes",
    "functions_at_rest",
]


MAX_COLUMNS = 600
"""Products up to which a stage is a matter of a second or two."""
_MOST = 2_000
"""Products beyond which none is written down, and"""
_TERMS = 6
"""terms of a potential beyond which these are not multiplied."""

Column: TypeAlias = tuple[int, ...]
"""The exponents of generators, then of letters."""


@final
@dataclass(frozen=True)
class Letters:
    """The letters of integrals, which are polynomials in them: expressions, after some steps, of coordinates and speeds."""

    values: Vector
    steps: tuple[Assign, ...]

    def powers(self, degree: int) -> list[tuple[int, ...]]:
        """The exponents of all products of exactly so many letters."""
        return _exponents(len(self.values), degree)


def _exponents(size: int, degree: int) -> list[tuple[int, ...]]:
    chosen = combinations_with_replacement(range(size), degree)
    return [tuple(each.count(i) for i in range(size)) for each in chosen]


def letters_of(motion: ReducedMotion, points: Points) -> Letters:
    """Momenta, and speeds or velocities, without those that are constant multiples of earlier ones."""
    p = momenta(motion.model)
    # Speeds that are quotients of velocities would make quotients of laws.
    meant = motion.speeds_of_velocities if motion.has_frame else {}
    plain = not any(has_poles(value, motion.coordinates) for value in meant.values())
    every = (*p.momentum_a, *(motion.speeds if plain else motion.model.velocities))
    found = [value for value, _ in points.at(every, p.definitions)]
    kept: list[int] = []
    for k, value in enumerate(found):
        if value.any() and not any(_is_multiple(value, found[j], points.prime) for j in kept):
            kept.append(k)
    return Letters(tuple(every[k] for k in kept), p.definitions)


def _is_multiple(left: Array, right: Array, prime: int) -> bool:
    return bool(((left * int(right[0]) - right * int(left[0])) % prime == 0).all())


@final
@dataclass(frozen=True)
class Ansatz:
    """Products of generators and letters, simple ones first."""

    space: FunctionSpace
    letters: Letters
    columns: tuple[Column, ...]

    @classmethod
    def of(cls, space: FunctionSpace, letters: Letters, weight: int, degrees: Iterable[int]) -> Ansatz:
        """All products of at most ``weight`` generators with as many letters as some of the ``degrees`` say."""
        functions = space.powers(weight)
        columns = [(*f, *l) for d in sorted(degrees) for f in functions for l in letters.powers(d)]
        return cls(space, letters, tuple(columns))

    @classmethod
    def independent(
        cls,
        motion: ReducedMotion,
        space: FunctionSpace,
        letters: Letters,
        weight: int,
        degrees: Sequence[int],
        most: int = MAX_COLUMNS,
    ) -> Ansatz | None:
        """The same with independent functions alone; None where there are more than ``most`` products."""
        check()
        functions = cls.of(space, letters, weight, (0,))
        powers = [each for d in sorted(degrees) for each in letters.powers(d)]
        if len(functions.columns) * len(powers) > 4 * most:
            return None
        some = draw_points(motion, space.values, len(functions.columns) + SPARE)
        kept = independent_columns(functions.matrices(some, functions.columns)[0], some.prime)
        if len(kept) * len(powers) > most:
            return None
        split = len(space.generators)
        return cls(space, letters, tuple((*functions.columns[k][:split], *each) for each in powers for k in kept))

    @classmethod
    def graded(
        cls, space: FunctionSpace, letters: Letters, degrees: Sequence[int], potential: int, terms: Vector
    ) -> Ansatz | None:
        r"""Polynomials in the coordinates that are as long as a potential of some degree $v$ may make them, and products with its other ``terms``.

        An integral of degree $d$ begins with $K(q)\,p^d$, and in flat space $K$ is of degree $d$ at most. Where $q$ scales as $\lambda$ and $p$ as
        $\lambda^{v/2}$, no term exceeds that one: what stands before $p^b$ is of degree $d + (d - b)\,v/2$, or of degree $d$ times $(d - b)/2$ terms.
        None where the potential is linear, degrees do not mix, or the products are too many.
        """
        top, plain = max(degrees), [g for g in space.generators if isinstance(g.value, symengine.Symbol)]
        if len(degrees) < 2 or not plain or (potential < 2 and not terms) or len(terms) > _TERMS:
            return None
        own = FunctionSpace(tuple(Generator(g.value, 0, 99) for g in plain))
        weights = {b: top + -(-(top - b) * potential // 2) for b in sorted(degrees)}
        count = sum(comb(len(plain) + w, w) * comb(len(letters.values) + b - 1, b) for b, w in weights.items())
        if count > _MOST:
            return None
        columns = []
        for b, w in weights.items():
            alone = [(*f, *(0,) * len(terms)) for f in own.powers(w)]
            factors = [e for k in range(1, (top - b) // 2 + 1) for e in _exponents(len(terms), k)]
            alone += [(*f, *e) for f in own.powers(top) for e in factors]
            columns += [(*f, *l) for f in alone for l in letters.powers(b)]
        return cls(FunctionSpace((*own.generators, *map(Generator, terms))), letters, tuple(columns))

    @classmethod
    def weighted(cls, space: FunctionSpace, letters: Letters, degrees: Sequence[int]) -> Ansatz:
        r"""All products in which functions weigh as much as two letters, $\varphi^k\ell^b$ with $b + 2k$ up to the highest degree and one function more.

        Where momenta scale as $\lambda$ and a potential that is linear in the functions as $\lambda^2$, no integral of that degree is longer.
        """
        top = max(degrees)
        columns = [
            (*f, *l) for b in sorted(degrees) for f in space.powers((top - b) // 2 + 1) for l in letters.powers(b)
        ]
        return cls(space, letters, tuple(columns))

    def sum_of(self, constants: Mapping[Column, Expr], names: Mapping[Expr, Expr] = MappingProxyType({})) -> Expr:
        """The sum of the products with their constants; functions that have ``names`` by these."""
        values = (*(names.get(value, value) for value in self.space.values), *self.letters.values)
        return symengine.Add(*(c * product_of(values, column) for column, c in constants.items()))

    def written(self, column: Column) -> tuple[Expr, Expr]:
        """The function of the configuration and the product of letters."""
        split = len(self.space.generators)
        f = product_of(self.space.values, column[:split])
        return f, product_of(self.letters.values, column[split:])

    @property
    def words(self) -> str:
        """The degrees of its functions before each power of the letters, in words."""
        split, most = len(self.space.generators), dict[int, int]()
        for column in self.columns:
            b = sum(column[split:])
            most[b] = max(most.get(b, 0), sum(column[:split]))
        names = ", ".join(to_text(value) for value in self.space.values)
        parts = (f"{w} before {b} speed{'s' * (b > 1)}" if b else f"{w} without speeds" for b, w in most.items())
        return f"products of {names}, at most {', '.join(parts)}"

    def matrices(self, points: Points, columns: Sequence[Column]) -> tuple[Array, Array]:
        """Values and rates of the products, a row for each point."""
        prime = points.prime
        pairs = points.at((*self.space.values, *self.letters.values), self.letters.steps)
        do = ResidueArrays(prime, points.count)
        # What vanishes everywhere, perhaps for the declared values alone, makes columns of zeros.
        inverses = [do.inverse(value) if value.any() else value for value, _ in pairs]
        ratio = np.stack([rate * inv % prime for (_, rate), inv in zip(pairs, inverses, strict=True)] or [do.number(0)])
        tables = [_Powers(value, inv, prime) for (value, _), inv in zip(pairs, inverses, strict=True)]
        values = np.empty((len(columns), points.count), dtype=np.int64)
        rates = np.empty_like(values)
        for k, column in enumerate(columns):
            total, slope = do.number(1), np.zeros(points.count, dtype=np.int64)
            for j, e in enumerate(column):
                if e:
                    total = total * tables[j][e] % prime
                    slope = slope + e * ratio[j]
            values[k], rates[k] = total, slope % prime * total % prime
        # Where a factor happens to vanish the point says nothing.
        return (values * do.good).T, (rates * do.good).T


@final
class _Powers(dict[int, Array]):
    """Powers of an array, made when they are asked for."""

    def __init__(self, value: Array, inverse: Array, prime: int) -> None:
        super().__init__({1: value, -1: inverse})
        self.prime = prime

    def __missing__(self, e: int) -> Array:
        sign = 1 if e > 0 else -1
        self[e] = self[e - sign] * self[sign] % self.prime
        return self[e]


def product_of(values: Sequence[Expr], exponents: Sequence[int]) -> Expr:
    """A product of powers."""
    total: Expr = 1
    for value, e in zip(values, exponents, strict=True):
        if e:
            total = total * value**e
    return total


# Which degrees in the speeds an integral may mix: none without potential and forces, those of one parity where motions can be reversed.
#
# .. math:: L(q, -w) = L(q, w), \quad Q(q, -w) = Q(q, w), \quad \varphi(q, -w) = \pm\varphi(q, w)
#    \quad\Longrightarrow\quad F = F_+ + F_-, \quad \dot F_+ = \dot F_- = 0


def degree_classes(motion: ReducedMotion, degree: int) -> list[tuple[int, ...]]:
    """Sets of degrees, up to the given one, that can be looked at one after the other."""
    every = tuple(range(degree + 1))
    if not _is_reversible(motion) or not all(_has_parity(I, motion.speeds) for I in motion.level_functions):
        return [every]
    if _is_free(motion) and all(
        any(_scales(I, motion.speeds, k) for k in (1, 2, 3, 4)) for I in motion.level_functions
    ):
        return [(d,) for d in every]
    return [some for some in (every[1::2], every[0::2]) if some]


def _is_reversible(motion: ReducedMotion) -> bool:
    model = motion.model
    back = {w: -w for w in model.velocities}
    even = [model.lagrangian, *model.forces_a]
    if motion.mentions_time or model.momenta_a is not None or any(e != 0 for e in model.frame.drift_i):
        return False
    phi = [c.expression for c in model.constraints]
    if any(not is_zero(e.xreplace(back) + e) and not is_zero(e.xreplace(back) - e) for e in phi):
        return False
    return all(is_zero(e.xreplace(back) - e) for e in even)


def _has_parity(f: Expr, u: tuple[Symbol, ...]) -> bool:
    back = f.xreplace({s: -s for s in u})
    return is_zero(f - back) or is_zero(f + back)


def _is_free(motion: ReducedMotion) -> bool:
    """True if kinetic energy and constraints that scale with the velocities are all there is."""
    model = motion.model
    w = model.velocities
    if any(e != 0 for e in model.forces_a) or not _scales(model.lagrangian, w, 2):
        return False
    return all(any(_scales(c.expression, w, k) for k in (1, 2)) for c in model.constraints)


def _scales(f: Expr, w: tuple[Symbol, ...], degree: int) -> bool:
    """Euler's relation for homogeneous functions."""
    return is_zero(dot(gradient(f, w), w) - degree * f)


def degree_at_rest(model: Model) -> int:
    """The degree of the potential in the coordinates that stand bare in it."""
    return max((_degree(term, set(model.coordinates)) for term in _at_rest(model)), default=0)


def functions_at_rest(model: Model) -> tuple[Expr, ...]:
    """The terms of the potential that are no polynomials, without their constants."""
    q, found = set(model.coordinates), dict[Expr, None]()
    for term in _at_rest(model):
        factors = term.args if isinstance(term, symengine.Mul) else (term,)
        moving = symengine.Mul(*(f for f in factors if not f.free_symbols.isdisjoint(q)))
        if not _is_monomial(moving, q):
            found[moving] = None
    return tuple(found)


def _at_rest(model: Model) -> tuple[Expr, ...]:
    V = symengine.expand(model.lagrangian.xreplace(dict.fromkeys(model.velocities, symengine.Integer(0))))
    return tuple(V.args) if isinstance(V, symengine.Add) else (V,)


def _is_monomial(term: Expr, coordinates: set[Symbol]) -> bool:
    for factor in term.args if isinstance(term, symengine.Mul) else (term,):
        base, power = factor.args if isinstance(factor, symengine.Pow) else (factor, symengine.Integer(1))
        if base.free_symbols & coordinates and base not in coordinates:
            return False
        if not isinstance(power, symengine.Integer) or int(power) < 0:
            return False
    return True


def _degree(term: Expr, coordinates: set[Symbol]) -> int:
    """The degree of a product in coordinates that stand bare."""
    total = 0
    for factor in term.args if isinstance(term, symengine.Mul) else (term,):
        base, power = factor.args if isinstance(factor, symengine.Pow) else (factor, 1)
        if base in coordinates and isinstance(power, int | symengine.Integer):
            total += max(int(power), 0)
    return total
