r"""Whether a conserved quantity is missing: an upper bound of their number by prolongation at a point, whatever functions their coefficients are.

.. math:: F = \sum_\alpha f_\alpha(q)\,u^\alpha, \qquad
   E_\beta = \sum_aX_af_{\beta-a} + X_0f_\beta + \sum_\alpha h_{\beta\alpha}f_\alpha = 0, \qquad
   \dim\{F\} \le \dim(S_{k+1}\otimes\mathbb R^\alpha) - \operatorname{rank}(S_k\circ E_\beta)

for the first $k$ with $S_{k+1} = S_k + S_k\circ E$ and all later ones: then the equations give all products of $k + 1$ fields on $f$ by shorter
ones, also around the point, so that a solution is known along every curve in the directions of the fields by finitely many numbers at one
point, and brackets of the fields reach all others. A rank modulo a prime is a proven lower bound of the generic one.

The functionals on jets at the point,

.. math:: \ell \mapsto \ell\circ X, \quad (Xf)_\delta = \sum_{i,\gamma}\gamma_i\,X^i_{\delta-\gamma+e_i}\,f_\gamma, \qquad
   S_0 = \langle\mathrm{ev}\rangle, \quad S_{s+1} = \langle\mathrm{ev}\rangle + \sum_aS_s\circ X_a ,

are spanned by $f \mapsto (X_{a_1}\cdots X_{a_r}f)(q)$ with $r \le s$. Where brackets of the fields have the growth vector $(n_1, n_2, \dots)$
at generic points, the dimension of $S_s$ is that of polynomials of weight at most $s$, in $n_w - n_{w-1}$ variables of weight $w$.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from math import comb
from typing import final

import numpy as np

from anholonomy.algebra.expressions import Expr, Vector
from anholonomy.algebra.residues.arrays import Array
from anholonomy.algebra.residues.linear_algebra import echelon, residue_rank
from anholonomy.algebra.residues.series import Monomials
from anholonomy.algebra.steps.definitions import Assign, inline
from anholonomy.base.deadlines import ASIDE, check, effort
from anholonomy.base.errors import TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Finding, Scope
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.language.answers import Part, Row
from anholonomy.laws.ansatz.candidates import degree_classes
from anholonomy.laws.ansatz.independence import products
from anholonomy.laws.ansatz.random_points import AGAIN, are_roots_independent, draw_points
from anholonomy.laws.prolongation.series_at_point import LocalMotion, Powers, is_quadratic
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = [
    "MAX_JETS",
    "falls_short",
    "growth_of",
    "is_of_lower_degree",
    "none_missing",
    "room_for_integrals",
    "weighted_dimension",
]

MAX_ORDER = 12
"""Orders of derivatives after which equations that still bring something are given up."""
MAX_JETS = 720
"""Derivatives of a function at a point, and"""
MAX_UNKNOWNS = 1_000
"""products of fields on all coefficients, up to which an order takes about a second."""
_POINTS = 400
"""Points at which the integrals that were found are compared, more than there are of them."""

_AT_MOST = "no more than"


def none_missing(
    motion: ReducedMotion,
    known: Sequence[tuple[Expr, int]],
    functions: Vector,
    steps: Sequence[Assign],
    degree: int,
    more: tuple[int, int],
) -> tuple[Finding, ...]:
    """Findings on whether the known integrals, each with its degree, are all of a degree, whatever functions the others might contain.

    ``more`` counts linear ones whose coefficients have no closed form: those independent of all known ones, and of the known linear ones.

    Where that is too large a question it is asked of lower degrees. Nothing is said where the equations are no polynomials, or have
    functions that stay unspecified, or the reach of brackets is not proven.
    """
    decidable = motion.speeds and not motion.model.functions and is_quadratic(motion)
    growth = growth_of(motion) if decidable else None
    if growth is None:
        return ()
    if growth[-1] < motion.model.frame.size + int(motion.mentions_time):
        return (
            _open(motion, degree, "functions of what the constraints keep constant multiply integrals without end"),
        )
    points = draw_points(motion, functions, _POINTS, values=motion.model.values)
    if not (points.exact and are_roots_independent(motion, functions, True)):
        return ()
    linear = [each for each in known if each[1] <= 1]
    every = [(products(some, points, steps, degree), k) for some, k in zip((known, linear), more, strict=True)]
    too_large: tuple[Finding, ...] = ()
    for d in range(degree, -1, -1):
        classes = degree_classes(motion, d)
        counted = [_counted(motion, every, points.prime, some, growth) for some in classes]
        if all(room.most is not None for room, _ in counted):
            most, found = sum(room.most or 0 for room, _ in counted), sum(have for _, have in counted)
            rooms = tuple((tuple(some), room) for some, (room, _) in zip(classes, counted, strict=True))
            sides = tuple((tuple(some), k) for some, k in zip((known, linear), more, strict=True))
            full = LittleRoom(motion, rooms, found, sides, tuple(functions), tuple(steps), degree, growth)
            return (*too_large, _claimed(motion, most - 1, found - 1, full, d))
        too_large = (
            _open(motion, degree, "the equations for the coefficients do not settle within the orders looked at"),
        )
    return too_large


@final
@dataclass(frozen=True, repr=False)
class LittleRoom(AbstractEvidence):
    """Evidence that the equations for coefficients leave room for so many integrals, of which some are found.

    ``rooms`` has what sets of degrees leave room for, ``sides`` the integrals and the linear ones among them, each with the number of those without closed form beside
    them.
    """

    motion: ReducedMotion = field(compare=False)
    rooms: tuple[tuple[tuple[int, ...], Room], ...]
    found: int
    sides: tuple[tuple[tuple[tuple[Expr, int], ...], int], ...]
    functions: Vector
    steps: tuple[Assign, ...]
    degree: int
    growth: tuple[int, ...]

    @property
    def most(self) -> int:
        """The number that the equations leave room for, the constants among them."""
        return sum(room.most or 0 for _, room in self.rooms)

    def check(self) -> Verdict:
        surroundings.cache_clear()
        found = 0
        points = draw_points(self.motion, self.functions, _POINTS, values=self.motion.model.values, seed=AGAIN)
        every = [(products(some, points, self.steps, self.degree), k) for some, k in self.sides]
        for degrees, room in self.rooms:
            have = max(_known(some, k, points.prime, degrees) for some, k in every)
            search = _Orders(self.motion, powers_of(len(self.motion.speeds), degrees), self.growth, have)
            search.run(room.order + 1)
            if search.best.most is None or room.most is None or search.best.most > room.most:
                return Verdict.UNKNOWN
            found += have
        return Verdict.of(True if found >= self.found else None)

    def as_rows(self) -> Iterable[Part]:
        orders, left = max(room.order for _, room in self.rooms), self.most - 1
        often = {0: "as they stand", 1: "differentiated once", 2: "differentiated twice"}.get(
            orders, f"differentiated {orders} times"
        )
        why = f"the equations for the coefficients, {often} at a generic point, leave room for {left}"
        so_many = self.found - 1
        some = f", of which {so_many} {'is' if so_many == 1 else 'are'} found"
        yield Row(why + (", and so many are found" if so_many == left else some))


def _counted(
    motion: ReducedMotion,
    every: Sequence[tuple[Sequence[tuple[Array, int]], int]],
    prime: int,
    degrees: Sequence[int],
    growth: Sequence[int],
) -> tuple[Room, int]:
    """The room for integrals of some degrees, and how many of them are known."""
    have = max(_known(some, more, prime, degrees) for some, more in every)
    return room_for_integrals(motion, degrees, growth, have), have


def _known(some: Sequence[tuple[Array, int]], more: int, prime: int, degrees: Sequence[int]) -> int:
    r"""The number of independent products: those of known integrals, times powers of so many linear ones that depend on no others.

    .. math:: \sum_e \binom{k + e - 1}{e}\,\operatorname{rank}_{d - e}
    """
    total = 0
    for e in range(max(degrees) + 1 if more else 1):
        own = [value for value, d in some if d + e in degrees]
        total += comb(max(more, 1) + e - 1, e) * residue_rank(np.stack(own), prime) if own else 0
    return total


def growth_of(motion: ReducedMotion) -> tuple[int, ...] | None:
    """The dimensions that brackets of the fields, and of the drift, reach at generic points; None where that is not proven."""
    model, n = motion.model, motion.model.frame.size
    moving = int(motion.mentions_time)
    if len(motion.speeds) == n:
        return (n + moving,)
    D = Distribution.of(model)
    if D.on_spacetime and not moving:
        offset = inline(motion.frame.offset_a, motion.frame.definitions)
        D = Distribution.from_vectors([*motion.span_ba, offset], model.frame_at_values)
    found = D.growth_vector(time_limit=None)
    if found.evidence != "exact":
        return None
    return tuple(found) if D.on_spacetime or not moving else tuple(k + 1 for k in found)


def _claimed(motion: ReducedMotion, most: int, found: int, why: LittleRoom, degree: int) -> Finding:
    if most == found:
        claim = f"every integral that is {_polynomial(degree)}, with any {_functions(motion)} for coefficients, is a combination of products of these"
    else:
        claim = f"{_AT_MOST} {most} integrals that are {_polynomial(degree)}, with any {_functions(motion)} for coefficients, are independent over the constants"
    return Finding(claim, Verdict.PROVEN, (why,), Scope(points="at generic points"))


def falls_short(findings: Sequence[Finding]) -> bool:
    """True if fewer integrals are found than there is proven room for."""
    return any(bool(each) and each.claim.startswith(_AT_MOST) for each in findings)


def is_of_lower_degree(finding: Finding) -> bool:
    """True if a claim is about lower degrees than were asked, for which alone the equations settle."""
    rooms = (each for each in finding.evidence if isinstance(each, LittleRoom))
    return any(max(max(degrees) for degrees, _ in each.rooms) < each.degree for each in rooms)


def _open(motion: ReducedMotion, degree: int, why: str) -> Finding:
    claim = f"every integral that is {_polynomial(degree)}, with any {_functions(motion)} for coefficients, is found"
    return Finding.unknown(claim, why)


def _functions(motion: ReducedMotion) -> str:
    """The arguments of coefficients, in words; integrals with time are counted where the equations have it."""
    return "functions of the configuration" + " and of time" * motion.mentions_time


def _polynomial(degree: int) -> str:
    return f"polynomial of degree at most {degree} in the speeds"


@final
@dataclass(frozen=True)
class Room:
    """The most integrals of some degrees that are independent over the constants; None where no order settles that.

    ``order`` is how often the equations were differentiated.
    """

    most: int | None
    order: int


def room_for_integrals(motion: ReducedMotion, degrees: Sequence[int], growth: Sequence[int], known: int) -> Room:
    """An upper bound of the number of integrals of these degrees; orders are raised until it is what is ``known``, or settles.

    ``growth`` are the dimensions that brackets of the fields, and of the drift, reach at generic points.
    """
    search = _Orders(motion, powers_of(len(motion.speeds), degrees), growth, known)
    try:
        with effort(ASIDE):
            search.run()
    except TimeLimitError:
        check()
    return search.best


@final
@dataclass
class _Orders:
    """Higher and higher orders, and the best that is known."""

    motion: ReducedMotion
    unknowns: Sequence[Powers]
    growth: Sequence[int]
    known: int
    best: Room = field(default_factory=lambda: Room(None, 0))

    def run(self, last: int = MAX_ORDER) -> None:
        steady = 0
        for order in range(1, last + 1):
            if self._is_large(order) or (most := self._most(order)) is None:
                continue
            steady = steady + 1 if most == self.best.most else 0
            self.best = Room(most, order - 1)
            if most <= self.known or steady == len(self.growth):  # a bracket of so many fields has had its say
                return

    def _is_large(self, order: int) -> bool:
        jets = comb(len(LocalMotion(self.motion, order).variables) + order, order)
        return jets > MAX_JETS or len(self.unknowns) * weighted_dimension(self.growth, order) > MAX_UNKNOWNS

    def _most(self, order: int) -> int | None:
        here = surroundings(self.motion, order)
        if not here.local.exists or len(here.long) != weighted_dimension(self.growth, order):
            return None  # an unlucky point, where something has no value or brackets reach less than elsewhere
        return _left(here, self.unknowns, closed=self.best.most is not None)


def powers_of(speeds: int, degrees: Sequence[int]) -> list[Powers]:
    """The exponents of the monomials of some degrees."""
    chosen = (c for d in sorted(degrees) for c in combinations_with_replacement(range(speeds), d))
    return [tuple(c.count(a) for a in range(speeds)) for c in chosen]


@final
@dataclass(frozen=True)
class Surroundings:
    """The functionals of products of fields at a point.

    ``short`` is a basis of those with one field less than the order, ``moved`` are these after each field (the drift last), ``long``
    is a basis of all up to the order.
    """

    local: LocalMotion
    short: Array
    moved: tuple[Array, ...]
    long: Array


@lru_cache(maxsize=MAX_ORDER)
def surroundings(motion: ReducedMotion, order: int) -> Surroundings:
    """The functionals up to an order, made from those of the order before: points are the same."""
    here = LocalMotion(motion, order)
    table, prime = here.do.table, here.do.prime
    short = surroundings(motion, order - 1).long if order > 1 else np.ones((1, 1), dtype=np.int64)
    every = [*here.fields, *([here.drift] if here.drift is not None else [])]
    moved = tuple(along(table, short, field, prime) for field in every)
    check()
    return Surroundings(here, short, moved, echelon(np.concatenate([_padded(short, len(table)), *moved]), prime)[0])


def _left(here: Surroundings, unknowns: Sequence[Powers], closed: bool) -> int | None:
    """The dimension that is left; None where longer products of fields are not given by shorter ones, unless they are ``closed``."""
    prime, count, long = here.local.do.prime, len(unknowns), here.long
    columns = [int(np.flatnonzero(row)[0]) for row in long]
    rows = _equations(here, unknowns, columns)
    check()
    if not closed:
        given = np.kron(np.eye(count, dtype=np.int64), _padded(here.short, long.shape[1])[:, columns])
        if residue_rank(np.concatenate([rows, given]), prime) < count * len(long):
            return None
    return count * len(long) - residue_rank(rows, prime)


def _equations(here: Surroundings, unknowns: Sequence[Powers], columns: Sequence[int]) -> Array:
    """The functionals of the differentiated equations, in terms of the columns that tell functionals apart."""
    width = len(columns)
    moved = [each[:, columns] for each in here.moved]
    blocks: dict[Powers, Array] = {}
    for k, alpha in enumerate(unknowns):
        check()
        raised = [_raised(alpha, a) for a in range(len(alpha))]
        slopes = zip((*raised, alpha), moved, strict=False)
        for beta, value in (*slopes, *_values(here, alpha, columns)):
            empty = np.zeros((len(here.short), width * len(unknowns)), dtype=np.int64)
            block = blocks.setdefault(beta, empty)
            block[:, k * width : (k + 1) * width] += value
    return np.concatenate(list(blocks.values())) % here.local.do.prime


def _values(here: Surroundings, alpha: Powers, columns: Sequence[int]) -> list[tuple[Powers, Array]]:
    r"""$f_\alpha\,\dot u^b\,\partial u^\alpha/\partial u^b$."""
    do = here.local.do
    total: dict[Powers, Array] = {}
    for b, push in enumerate(here.local.pushes):
        if alpha[b]:
            for powers, h in push.items():
                beta = tuple(i + j - int(c == b) for c, (i, j) in enumerate(zip(alpha, powers, strict=True)))
                total[beta] = (total.get(beta, 0) + alpha[b] * h) % do.prime
    after = ((beta, multiplied(do.table, here.short, h, do.prime)) for beta, h in total.items())
    return [(beta, _padded(value, len(do.table))[:, columns]) for beta, value in after]


def _padded(rows: Array, width: int) -> Array:
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))


def _raised(alpha: Powers, a: int) -> Powers:
    return (*alpha[:a], alpha[a] + 1, *alpha[a + 1 :])


def along(table: Monomials, rows: Array, field: Sequence[Array], prime: int) -> Array:
    r"""$\ell \circ X$ for functionals on jets of one order less than that of the table, a row each."""
    found = np.zeros((len(rows), len(table)), dtype=np.int64)
    for i, component in enumerate(field):
        for left in np.flatnonzero(component[: rows.shape[1]]):
            right, target = table.shifted(int(left), table.order - 1)
            raised = table.raised(i)[right]
            factor = component[left] * table.exponents[raised, i] % prime
            found[:, raised] += rows[:, target] * factor % prime
    return found % prime


def multiplied(table: Monomials, rows: Array, factor: Array, prime: int) -> Array:
    r"""$\ell \circ h$ for the same functionals."""
    found = np.zeros_like(rows)
    for left in np.flatnonzero(factor[: rows.shape[1]]):
        right, target = table.shifted(int(left), table.order - 1)
        found[:, right] += rows[:, target] * factor[left] % prime
    return found % prime


def weighted_dimension(growth: Sequence[int], weight: int) -> int:
    """The number of monomials of at most a weight.

    >>> weighted_dimension((2, 3), 2), weighted_dimension((3,), 2)
    (7, 10)
    """
    variables = [w for w, (before, after) in enumerate(pairwise((0, *growth)), 1) for _ in range(after - before)]
    count = [1] + [0] * weight
    for w in variables:
        for k in range(w, weight + 1):
            count[k] += count[k - w]
    return sum(count)
