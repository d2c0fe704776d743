r"""How many integrals there can be at most, whatever functions their coefficients are.

.. math:: F = \sum_\alpha f_\alpha(q)\,u^\alpha, \qquad
   E_\beta = \sum_aX_af_{\beta-a} + X_0f_\beta + \sum_\alpha h_{\beta\alpha}f_\alpha = 0, \qquad
   \dim\{F\} \le \dim(S_{k+1}\otimes\mathbb R^\alpha) - \operatorname{rank}(S_k\circ E_\beta)

for the first $k$ with $S_{k+1} = S_k + S_k\circ E$ and all later ones: then the equations give all products of $k + 1$ fields on $f$ by shorter
ones, also around the point, so that a solution is known along every curve in the directions of the fields by finitely many numbers at one
point, and brackets of the fields reach all others. A rank modulo a prime is a proven lower bound of the generic one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import final

import numpy as np

from anholonomy.analysis.prolongation.jets import along, multiplied, weighted_dimension
from anholonomy.analysis.prolongation.local_motion import LocalMotion, Powers
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.analysis.residues.arrays import Array
from anholonomy.refusals import GaveUp
from anholonomy.symbolic.matrices.modular import echelon, residue_rank
from anholonomy.symbolic.patience import ASIDE, check, effort

__all__ = ["Room", "room_for_integrals"]

MAX_ORDER = 12
"""Orders of derivatives after which equations that still bring something are given up."""
MAX_JETS = 720
"""Derivatives of a function at a point, and"""
MAX_UNKNOWNS = 1_000
"""products of fields on all coefficients, up to which an order takes about a second."""


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
    except GaveUp:
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

    def run(self) -> None:
        steady = 0
        for order in range(1, MAX_ORDER + 1):
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
