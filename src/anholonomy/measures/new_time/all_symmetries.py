r"""The most symmetries that a motion may have: a bound by ranks modulo a prime, which shows that none is missing where so many are found.

Fields that leave $D$, the inertia on it, the potential and the motion alone are lifted to the frames $e_a = e_a{}^bX_b$ of $D$, where they commute with

.. math:: H_a = e_a{}^b\,\bigl(X_b - \Gamma_{bc}{}^d\,e_f{}^c\,\partial_{e_f{}^d}\bigr), \qquad V_a{}^b = e_a{}^c\,\partial_{e_b{}^c}, \qquad
   \Gamma_{bc}{}^d = -c^d_{bc} + \tfrac12C_{bc}{}^d, \qquad \dot u^d = c^d_{bc}\,u^bu^c + \dots,

and with the brackets of the $H_a$. Where these and the $V_a{}^b$ span everything, such a field is known by its value at one frame (Cartan), and it leaves alone the
coefficients $f$ in $[H_a, [H_b, \dots]] = f^KW_K + \varphi_c{}^dV_d{}^c$, the inertia, the potential and its derivatives. So there are at most

.. math:: n + m^2 - \operatorname{rank}\,\bigl(df, d\varphi, dG, dV, \dots\bigr)

symmetries, and the rank at a point modulo a prime is no larger than the generic one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import TypeAlias, final

import numpy as np

from anholonomy.algebra.residues.arrays import Array
from anholonomy.algebra.residues.linear_algebra import residue_rank
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.laws.prolongation.completeness import MAX_JETS
from anholonomy.laws.prolongation.series_at_point import is_quadratic
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.measures.new_time.no_multiplier_by_rank import StructureAtPoint
from anholonomy.system.solved_constraints import positions_of

__all__ = ["NoneMissing", "at_most", "none_missing"]

Word: TypeAlias = tuple[int, ...]
_LENGTHS = (2, 3, 4, 5)
"""Lengths of brackets that are tried one after the other."""
_WORDS = 400
"""Brackets beyond which no longer ones are taken."""


@final
@dataclass(frozen=True, repr=False)
class NoneMissing(AbstractEvidence):
    """Evidence that a motion has no more symmetries than so many."""

    motion: ReducedMotion
    count: int
    length: int

    def check(self) -> Verdict:
        found = _Frames(self.motion, self.length, 1).at_most()
        return Verdict.of(True if found is not None and found <= self.count else None)

    def as_rows(self) -> Iterable[Part]:
        many = f"more than {self.count} symmetries" if self.count else "a symmetry"
        yield f"it cannot have {many}, by ranks modulo a prime"


def none_missing(motion: ReducedMotion, count: int) -> NoneMissing | None:
    """Evidence that so many symmetries are all; None where there may be more, or nothing is known."""
    for length, most in _bounds(motion):
        if most <= count:
            return NoneMissing(motion, count, length)
    return None


def at_most(motion: ReducedMotion) -> int | None:
    """The least bound that was found for the number of symmetries; None where none is."""
    return min((most for _, most in _bounds(motion)), default=None)


def _bounds(motion: ReducedMotion) -> Iterator[tuple[int, int]]:
    model = motion.model
    if not motion.speeds or positions_of(model) or model.functions or not is_quadratic(motion):
        return
    m = len(motion.speeds)
    for length in _LENGTHS:
        check()
        if sum(m**k for k in range(1, length + 1)) > _WORDS:
            return
        try:
            found = _Frames(motion, length, 0).at_most()
        except (NotSupportedError, KeyError):  # no point modulo a prime, or a function that has no residues
            return
        if found is not None:
            yield length, found


@final
class _Frames:
    """Brackets of the standard fields on the frames of the admissible directions, up to a length, at one point."""

    def __init__(self, motion: ReducedMotion, length: int, seed: int) -> None:
        self.length, self.here = length, StructureAtPoint(motion, seed, length + 1)
        self.do, self.size = self.here.do, self.here.size

    @property
    def width(self) -> int:
        """The dimension of the configurations."""
        return len(self.here.local.variables)

    def _sum(self, terms: list[Array]) -> Array:
        return self.do.add(terms) if terms else self.zero

    @cached_property
    def zero(self) -> Array:
        return np.zeros((1, len(self.do.table)), dtype=np.int64)

    def _minus(self, a: Array) -> Array:
        return np.asarray(-a % self.do.prime)

    def _along(self, field: list[Array], f: Array) -> Array:
        if not f[:, 1:].any():
            return self.zero
        return self._sum([self.do.multiply([v, self.do.partial(f, i)]) for i, v in enumerate(field) if v.any()])

    @cached_property
    def fields(self) -> list[list[Array]]:
        return [[v[None] for v in field] for field in self.here.local.fields]

    @cached_property
    def connection(self) -> list[list[list[Array]]]:
        r"""$\Gamma_{bc}{}^d$."""
        n, prime = range(self.size), self.do.prime
        half, C = pow(2, -1, prime), self.here.structure
        return [[[(half * C[b][c][d] - self.here.push(d, b, c)) % prime for d in n] for c in n] for b in n]

    def _slots(self, word: Word) -> Iterator[tuple[int, Word]]:
        """The places of a word with every letter that may stand there instead."""
        for k in range(len(word)):
            for j in range(self.size):
                yield k, (*word[:k], j, *word[k + 1 :])

    @cached_property
    def words(self) -> dict[Word, tuple[list[Array], list[list[Array]]]]:
        r"""$w_J$ and $\Omega_J$ of each bracket, in which it is $w + \Omega_c{}^d$ turned."""
        n, gamma = range(self.size), self.connection
        found: dict[Word, tuple[list[Array], list[list[Array]]]] = {(a,): (self.fields[a], gamma[a]) for a in n}
        level = dict(found)
        for _ in range(self.length - 1):
            longer: dict[Word, tuple[list[Array], list[list[Array]]]] = {}
            for b, J in product(n, level):
                check()
                longer[(b, *J)] = self._bracket(b, J, level)
            found |= longer
            level = longer
        return found

    def _bracket(
        self, b: int, J: Word, level: dict[Word, tuple[list[Array], list[list[Array]]]]
    ) -> tuple[list[Array], list[list[Array]]]:
        n, gamma, X = range(self.size), self.connection, self.fields
        w, omega = level[J]
        turned = [(self._minus(gamma[b][J[k]][other[k]]), *level[other]) for k, other in self._slots(J)]
        turned += [(omega[b][c], X[c], gamma[c]) for c in n]
        turned = [each for each in turned if each[0].any()]
        field = [
            self._sum(
                [self._along(X[b], w[i]), self._minus(self._along(w, X[b][i]))]
                + [self.do.multiply([factor, own[i]]) for factor, own, _ in turned]
            )
            for i in range(self.width)
        ]
        inner = [
            [
                self._sum(
                    [self._along(X[b], omega[c][d]), self._minus(self._along(w, gamma[b][c][d]))]
                    + [self._minus(self.do.multiply([gamma[b][c][e], omega[e][d]])) for e in n]
                    + [self.do.multiply([omega[c][e], gamma[b][e][d]]) for e in n]
                    + [self.do.multiply([factor, own[c][d]]) for factor, _, own in turned]
                )
                for d in n
            ]
            for c in n
        ]
        return field, inner

    @cached_property
    def basis(self) -> list[Word] | None:
        """Brackets that are independent at the point, as many as there are dimensions; None where these are too few."""
        chosen: list[Word] = []
        rows: list[list[int]] = []
        for J, (w, _) in self.words.items():
            rows.append([int(e[0, 0]) for e in w])
            if residue_rank(np.array(rows), self.do.prime) == len(rows):
                chosen.append(J)
            else:
                rows.pop()
            if len(chosen) == self.width:
                return chosen
        return None

    @cached_property
    def expanded(self) -> dict[Word, tuple[list[Array], list[list[Array]]]]:
        r"""$f_J{}^K$ and $\varphi_J$."""
        basis, n = self.basis or [], range(self.size)
        matrix = [[self.words[K][0][i] for K in basis] for i in range(self.width)]
        found: dict[Word, tuple[list[Array], list[list[Array]]]] = {}
        for J, (w, omega) in self.words.items():
            check()
            if J in basis:
                f = [self.do.number(1) if K == J else self.zero for K in basis]
                found[J] = f, [[self.zero] * self.size for _ in n]
                continue
            f = self.do.solve(matrix, w)
            phi = [
                [
                    self._sum(
                        [omega[c][d]]
                        + [
                            self._minus(self.do.multiply([x, self.words[K][1][c][d]]))
                            for x, K in zip(f, basis, strict=True)
                        ]
                    )
                    for d in n
                ]
                for c in n
            ]
            found[J] = f, phi
        return found

    def _flat(self, f: Array) -> list[int]:
        """The slopes of a function along the coordinates."""
        return [int(self.do.partial(f, i)[0, 0]) for i in range(self.width)]

    def _moved(self, J: Word, r: int, p: int) -> list[Word]:
        return [(*J[:k], p, *J[k + 1 :]) for k, letter in enumerate(J) if letter == r]

    def rows(self) -> Iterator[list[int]]:
        """The differentials of functions that every symmetry leaves alone, at the frame $X_a$."""
        n, prime = range(self.size), self.do.prime
        turns = list(product(n, n))  # V_p^r moves e_r by e_p
        G = self.here.inertia
        at = [[int(e[0, 0]) for e in row] for row in G]
        for a, b in product(n, n):
            if a <= b:
                yield [*self._flat(G[a][b]), *(int(a == r) * at[p][b] + int(b == r) * at[a][p] for r, p in turns)]
        tensor: dict[Word, Array] = {(): self.here.potential}
        for _ in range(self.length):
            values = {J: int(t[0, 0]) for J, t in tensor.items()}
            for J, t in tensor.items():
                yield [*self._flat(t), *(sum(values[K] for K in self._moved(J, r, p)) for r, p in turns)]
            tensor = self._derived(tensor)
        basis = self.basis
        assert basis is not None
        point = {
            J: ([int(e[0, 0]) for e in f], np.array([[int(e[0, 0]) for e in row] for row in phi], dtype=object))
            for J, (f, phi) in self.expanded.items()
        }
        for J, (f, phi) in self.expanded.items():
            check()
            if J in basis:
                continue
            upright = [self._upright(J, r, p, point, basis) for r, p in turns]
            for k, e in enumerate(f):
                yield [*self._flat(e), *(df[k] for df, _ in upright)]
            for c, d in product(n, n):
                yield [*self._flat(phi[c][d]), *(int(dphi[c, d]) % prime for _, dphi in upright)]

    def _derived(self, tensor: dict[Word, Array]) -> dict[Word, Array]:
        """The covariant derivative."""
        gamma = self.connection
        return {
            (b, *J): self._sum(
                [self._along(self.fields[b], t)]
                + [
                    self._minus(self.do.multiply([gamma[b][J[k]][other[k]], tensor[other]]))
                    for k, other in self._slots(J)
                ]
            )
            for b in range(self.size)
            for J, t in tensor.items()
        }

    def _upright(
        self, J: Word, r: int, p: int, point: dict[Word, tuple[list[int], Array]], basis: list[Word]
    ) -> tuple[list[int], Array]:
        r"""How $f_J$ and $\varphi_J$ change with $V_p{}^r$."""
        prime, f, phi = self.do.prime, *point[J]
        slope = [0] * len(basis)
        inner = np.zeros((self.size, self.size), dtype=object)
        parts = [(1, K) for K in self._moved(J, r, p)]
        parts += [(-x, K) for x, own in zip(f, basis, strict=True) if x for K in self._moved(own, r, p)]
        for weight, K in parts:
            slope = [(s + weight * e) % prime for s, e in zip(slope, point[K][0], strict=True)]
            inner = (inner + weight * point[K][1]) % prime
        unit = np.zeros((self.size, self.size), dtype=object)
        unit[r, p] = 1
        return slope, (inner + unit.dot(phi) - phi.dot(unit)) % prime

    def at_most(self) -> int | None:
        """The bound; None where the point is no good, or brackets of this length do not reach everything."""
        here = self.here
        if comb(self.width + self.length + 1, self.length + 1) > MAX_JETS:
            return None
        if (
            not here.local.respects_relations
            or not here.local.exists
            or not here.has_no_linear_terms
            or self.basis is None
        ):
            return None
        rows = np.array([[int(e) % self.do.prime for e in row] for row in self.rows()], dtype=np.int64)
        return int(self.width + self.size**2 - residue_rank(rows, self.do.prime))
