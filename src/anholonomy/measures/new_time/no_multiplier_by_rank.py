r"""Route to a refutation: ranks modulo a prime exclude every multiplier that makes the bracket of a motion Poisson, for systems of any length.

.. math:: \bigl([X_a, X_b] - C_{ab}{}^dX_d - \psi_aX_b + \psi_bX_a\bigr)\varphi = 0, \qquad C_{ab}{}^d = G^{dc}\,\bigl(\tfrac23(K_{b;ac} - K_{a;bc}) + T_{abc}\bigr)

for every function $\varphi$ that symmetries leave alone. Whatever the symmetries are, they leave the inertia on the admissible directions and the potential alone,
and so the potential, the square of its slope there, and products of the slopes of these. The motion itself says what $K_{a;bc}u^bu^c$ is,

.. math:: \frac{d}{dt}(G_{ab}u^b) = \tfrac12X_a(G_{bc})\,u^bu^c - X_a(V) + K_{a;bc}\,u^bu^c ,

and $T$, antisymmetric in all indices, changes the bracket and not the motion. Where these equations for $\psi$ and $T$ at a point have a rank larger than the number of unknowns,
there is no multiplier, with any $T$.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import final

import numpy as np

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.residues.arrays import Array
from anholonomy.algebra.residues.linear_algebra import residue_rank
from anholonomy.algebra.residues.series import ResidueSeries
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.laws.prolongation.completeness import MAX_JETS
from anholonomy.laws.prolongation.series_at_point import LocalMotion, is_quadratic
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.measures.density.too_many_brackets import POINTS

__all__ = ["Overdetermined", "StructureAtPoint", "overdetermined", "third_of"]

_ORDER = 4
"""Two derivatives of functions that two derivatives have made."""


@final
@dataclass(frozen=True, repr=False)
class Overdetermined(AbstractEvidence):
    """Evidence that the equations for the multiplier contradict each other at points."""

    motion: ReducedMotion

    def check(self) -> Verdict:
        found = (StructureAtPoint(self.motion, seed).asks_too_much() for seed in range(POINTS))
        return Verdict.PROVEN if all(found) else Verdict.UNKNOWN

    def as_rows(self) -> Iterable[Part]:
        m = len(self.motion.speeds)
        free = f" and of the bracket's {comb(m, 3)} free parts" if m > 2 else ""
        yield (
            f"Jacobi's identity for inertia, potential and momenta asks for more than the {m} derivatives of ln f{free} can give, by ranks "
            f"modulo a prime at {POINTS} points"
        )


def overdetermined(motion: ReducedMotion) -> Overdetermined | None:
    """The contradiction; None where there is none, or where the Lagrangian is no kinetic energy less a potential."""
    if len(motion.speeds) < 2 or not is_quadratic(motion):
        return None
    try:
        here = StructureAtPoint(motion, 0)
        if comb(len(here.local.variables) + _ORDER, _ORDER) > MAX_JETS or not here.asks_too_much():
            return None
    except (NotSupportedError, KeyError):  # no point modulo a prime, or a function that has no residues
        return None
    found = Overdetermined(motion)
    return found if found.check() else None


@final
class StructureAtPoint:
    """The inertia and what bends the motion, as series around one point, and the equations there."""

    def __init__(self, motion: ReducedMotion, seed: int, order: int = _ORDER) -> None:
        self.motion, self.local = motion, LocalMotion(motion, order, 1_000 * seed, on_level=True)
        self.size = len(motion.speeds)

    @property
    def do(self) -> ResidueSeries:
        return self.local.do

    def slope(self, a: int, f: Array) -> Array:
        """$X_a(f)$."""
        parts = [self.do.multiply([v[None], self.do.partial(f, i)]) for i, v in enumerate(self.local.fields[a])]
        return self.do.add(parts)

    @cached_property
    def _lagrangian(self) -> Array:
        """At the speeds at which the rates were read off, a row each."""
        known = dict(self.local.after_steps)
        for step in self.motion.equations.definitions:
            if step.target not in known:
                known[step.target] = evaluate(step.value, self.do, known)
        return evaluate(self.motion.model.lagrangian, self.do, known)

    @cached_property
    def has_no_linear_terms(self) -> bool:
        """True if no term of the Lagrangian is linear in the speeds."""
        L, m = self._lagrangian, self.size
        return not any(((L[1 + a] - L[1 + m + a]) % self.do.prime).any() for a in range(m))

    @cached_property
    def inertia(self) -> list[list[Array]]:
        L, m, prime = self._lagrangian, self.size, self.do.prime
        G = [[np.zeros(0)] * m for _ in range(m)]
        for a in range(m):
            G[a][a] = ((L[1 + a] + L[1 + m + a] - 2 * L[0]) % prime)[None]
        for k, (a, b) in enumerate(combinations(range(m), 2)):
            G[a][b] = G[b][a] = ((L[1 + 2 * m + k] - L[1 + a] - L[1 + b] + L[0]) % prime)[None]
        return G

    @property
    def potential(self) -> Array:
        """Minus the potential."""
        return self._lagrangian[:1]

    @cached_property
    def invariants(self) -> list[Array]:
        r"""Functions of the configuration that every symmetry leaves alone: $V$ and what $\langle df, dh\rangle = G^{ab}X_a(f)X_b(h)$ makes of it."""
        V = self.potential
        first = self._product(V, V)
        return [V, first, self._product(V, first), self._product(first, first)]

    def _product(self, f: Array, h: Array) -> Array:
        slopes = [self.slope(a, f) for a in range(self.size)]
        raised = self.do.solve(self.inertia, [self.slope(a, h) for a in range(self.size)])
        return self.do.add([self.do.multiply(list(pair)) for pair in zip(slopes, raised, strict=True)])

    @cached_property
    def bent(self) -> Array:
        r"""$K_{a;bc}$ at the point."""
        n = range(self.size)
        return np.array([[[int(self.bending[a][b][c][0, 0]) for c in n] for b in n] for a in n], dtype=object)

    @cached_property
    def bending(self) -> list[list[list[Array]]]:
        r"""$K_{a;bc}$ as series."""
        n, prime, G = range(self.size), self.do.prime, self.inertia
        half = pow(2, -1, prime)
        slopes = [[[self.slope(c, G[a][b]) for c in n] for b in n] for a in n]

        def entry(a: int, b: int, c: int) -> Array:
            turned = (slopes[a][b][c] + slopes[a][c][b] - slopes[b][c][a]) % prime * half % prime
            return self.do.add([turned, *(self.do.multiply([G[a][d], self.push(d, b, c)]) for d in n)])

        return [[[entry(a, b, c) for c in n] for b in n] for a in n]

    @cached_property
    def structure(self) -> list[list[list[Array]]]:
        r"""$C_{ab}{}^d$ for $T = 0$, as series."""
        n, prime, K = range(self.size), self.do.prime, self.bending
        third = 2 * pow(3, -1, prime) % prime
        return [
            [self.do.solve(self.inertia, [third * (K[b][a][c] - K[a][b][c]) % prime for c in n]) for b in n] for a in n
        ]

    def push(self, d: int, b: int, c: int) -> Array:
        r"""The coefficient of $u^bu^c$ in $\dot u^d$, halved where that stands twice."""
        powers = tuple(int(k == b) + int(k == c) for k in range(self.size))
        found = self.local.pushes[d].get(powers)
        if found is None:
            return np.zeros((1, len(self.do.table)), dtype=np.int64)
        return found[None] if b == c else found[None] * pow(2, -1, self.do.prime) % self.do.prime

    def rows(self) -> Iterator[list[int]]:
        r"""$(\psi, T)$ and what they must give, for every pair of momenta and every function."""
        m, prime, K = self.size, self.do.prime, self.bent
        G = [[int(e[0, 0]) for e in row] for row in self.inertia]
        raised = _inverse(G, prime)
        third, triples = 2 * pow(3, -1, prime) % prime, list(combinations(range(m), 3))
        for f in self.invariants:
            check()
            along = [self.slope(a, f) for a in range(m)]
            first = [int(e[0, 0]) for e in along]
            lifted = [sum(raised[c][d] * first[d] for d in range(m)) % prime for c in range(m)]  # G^{cd} X_d f
            for a, b in combinations(range(m), 2):
                row = [0] * (m + len(triples) + 1)
                row[a], row[b] = first[b], -first[a]
                for k, triple in enumerate(triples):
                    if (found := third_of(triple, a, b)) is not None:
                        row[m + k] = found[1] * lifted[found[0]]
                own = int(self.slope(a, along[b])[0, 0]) - int(self.slope(b, along[a])[0, 0])
                known = sum(third * (K[b, a, c] - K[a, b, c]) * lifted[c] for c in range(m))
                row[-1] = own - known
                yield [int(e) % prime for e in row]

    def asks_too_much(self) -> bool:
        """True if no multiplier solves the equations."""
        if not self.local.respects_relations or not self.local.exists or not self.has_no_linear_terms:
            return False
        found = np.array(list(self.rows()), dtype=np.int64)
        return int(residue_rank(found, self.do.prime)) == int(found.shape[1])


def third_of(triple: tuple[int, int, int], a: int, b: int) -> tuple[int, int] | None:
    r"""The $c$ with $T_{abc} = \pm T$ of a component of what is antisymmetric in all indices, and the sign; None where there is none.

    >>> third_of((0, 1, 2), 0, 2), third_of((0, 1, 2), 0, 3)
    ((1, -1), None)
    """
    if a not in triple or b not in triple:
        return None
    (c,) = set(triple) - {a, b}
    return c, 1 if (triple.index(a), triple.index(b)) in ((0, 1), (1, 2), (2, 0)) else -1


def _inverse(matrix: list[list[int]], prime: int) -> list[list[int]]:
    import flint

    n = len(matrix)
    found = flint.nmod_mat(n, n, [e for row in matrix for e in row], prime).inv()
    return [[int(found[i, j]) for j in range(n)] for i in range(n)]
