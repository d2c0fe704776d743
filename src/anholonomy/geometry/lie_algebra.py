r"""Lie algebras by their structure constants, and their names where a proof is at hand.

.. math:: [E_a, E_b] = c_{ab}{}^d E_d, \qquad K_{ab} = c_{ad}{}^e\, c_{be}{}^d

The name follows from invariants that settle it: the derived series, the centre, the signature of the Killing form $K$ and,
for a solvable algebra, how it acts on its derived algebra. Where they do not settle it there is no name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias, final

import flint
import symengine

from anholonomy.geometry.frame import Structure
from anholonomy.symbolic.zero import are_all_zero

__all__ = ["LieAlgebra"]

Rows: TypeAlias = list[list[Any]]
"""Vectors of rational numbers that span a subspace."""

_SEMISIMPLE = {
    (0, 3): "so(3)",
    (2, 1): "sl(2,R)",
    (0, 6): "so(4)",
    (3, 3): "so(3,1)",
    (4, 2): "so(2,2)",
    (2, 4): "so(3) + sl(2,R)",
    (0, 8): "su(3)",
    (4, 4): "su(2,1)",
    (5, 3): "sl(3,R)",
    (0, 10): "so(5)",
    (4, 6): "so(4,1)",
    (6, 4): "so(3,2)",
}
"""Up to dimension ten the signature of a nondegenerate Killing form, (positive, negative), decides; not in dimension nine."""


@final
@dataclass(frozen=True)
class LieAlgebra:
    r"""A Lie algebra over the reals.

    Attributes
    ----------
    constants_abd
        ``c[a][b][d]`` is $c_{ab}{}^d$ with $[E_a, E_b] = c_{ab}{}^d E_d$.

    Examples
    --------
    >>> o, i = symengine.Integer(0), symengine.Integer(1)
    >>> turns = LieAlgebra((((o, o, o), (o, o, i), (o, -i, o)),
    ...                     ((o, o, -i), (o, o, o), (i, o, o)), ((o, i, o), (-i, o, o), (o, o, o))))
    >>> turns.satisfies_jacobi, turns.derived_series, turns.signature, turns.name
    (True, (3,), (0, 3), 'so(3)')
    """

    constants_abd: Structure

    @property
    def dimension(self) -> int:
        return len(self.constants_abd)

    @cached_property
    def satisfies_jacobi(self) -> bool:
        """Whether the Jacobi identity is proven."""
        c, n = self.constants_abd, range(self.dimension)
        return are_all_zero(
            sum(c[a][b][e] * c[e][d][f] + c[b][d][e] * c[e][a][f] + c[d][a][e] * c[e][b][f] for e in n)
            for a, b, d in combinations(n, 3)
            for f in n
        )

    @cached_property
    def is_rational(self) -> bool:
        """Whether all structure constants are rational numbers; invariants and names need that."""
        return all(isinstance(c, symengine.Rational) for row in self.constants_abd for each in row for c in each)

    @cached_property
    def _c(self) -> list[list[list[Any]]]:
        return [[[flint.fmpq(int(c.p), int(c.q)) for c in each] for each in row] for row in self.constants_abd]

    @cached_property
    def derived_series(self) -> tuple[int, ...]:
        """The dimensions of the algebra, its derived algebra, the derived algebra of that, until they stop falling."""
        space, sizes = _unit(self.dimension), [self.dimension]
        while len(lower := self._brackets(space, space)) < len(space):
            space = lower
            sizes.append(len(space))
        return tuple(sizes)

    @cached_property
    def centre(self) -> int:
        """The dimension of what commutes with everything."""
        return len(self._centre)

    @cached_property
    def signature(self) -> tuple[int, int]:
        """How many positive and negative squares the Killing form has."""
        return _signature(self._killing_form)

    @cached_property
    def name(self) -> str | None:
        """The name of the algebra where the invariants prove it, otherwise None."""
        if not self.is_rational or not self.satisfies_jacobi:
            return None
        n = self.dimension
        if n == 0:
            return "0"
        if self.derived_series[-1] == 0 and len(self.derived_series) <= 2 and self.centre == n:
            return "R" if n == 1 else f"R^{n}"
        if split := len(self._centre) - len(self._central_brackets):
            rest = self._without_flat_part(split)._indecomposable()
            return rest and f"{rest} + R" + (f"^{split}" if split > 1 else "")
        return self._indecomposable()

    def _indecomposable(self) -> str | None:
        """The name of an algebra whose centre lies in its derived algebra."""
        positive, negative = self.signature
        if positive + negative == self.dimension:
            return _SEMISIMPLE.get(self.signature)
        if self.derived_series[-1] == 0:
            return self._solvable()
        return self._euclidean()

    def _solvable(self) -> str | None:
        derived = self._derived
        sizes = self.derived_series
        if sizes == (2, 1, 0):
            return "aff(1)"
        if sizes == (3, 1, 0):
            return "heisenberg" if self.centre == 1 else None
        if sizes == (3, 2, 0):
            (trace, determinant) = _invariants(self._action(derived, []))
            if trace != 0:
                return None
            return "se(2)" if determinant > 0 else "e(1,1)"
        if sizes == (4, 3, 1, 0) and self.centre == 1:
            (trace, determinant) = _invariants(self._action(derived, self._centre))
            if trace == 0 and determinant != 0:
                return "oscillator" if determinant > 0 else "split oscillator"
        return None

    def _euclidean(self) -> str | None:
        """se(3) and se(2,1): three rotations acting on an abelian radical of dimension three."""
        n, radical = self.dimension, self._radical
        if n != 6 or len(radical) != 3 or self._brackets(radical, radical):
            return None
        # A quotient of dimension three that acts at all acts irreducibly: so(3) has no module of dimension two, and
        # for sl(2,R) the vanishing of fixed directions and planes is not checked, so it gets no name.
        acts = bool(self._brackets(_unit(n), radical))
        return "se(3)" if acts and self.signature == (0, 3) else None

    @cached_property
    def _killing_form(self) -> Rows:
        c, n = self._c, range(self.dimension)
        return [[sum((c[a][d][e] * c[b][e][d] for d in n for e in n), flint.fmpq(0)) for b in n] for a in n]

    @cached_property
    def _derived(self) -> Rows:
        whole = _unit(self.dimension)
        return self._brackets(whole, whole)

    @cached_property
    def _centre(self) -> Rows:
        c, n = self._c, range(self.dimension)
        return _kernel([[c[a][b][d] for a in n] for b in n for d in n], self.dimension)

    @cached_property
    def _central_brackets(self) -> Rows:
        """A basis of the centre's intersection with the derived algebra."""
        centre, derived = self._centre, self._derived
        if not centre or not derived:
            return []
        columns = [list(entries) for entries in zip(*centre, *derived, strict=True)]
        relations = _kernel(columns, len(centre) + len(derived))
        return _sum([_combine(relation[: len(centre)], centre) for relation in relations], self.dimension)

    @cached_property
    def _radical(self) -> Rows:
        """The largest solvable ideal: what the Killing form pairs to zero with the derived algebra."""
        n = self.dimension
        rows = [
            [sum((v[a] * self._killing_form[a][b] for a in range(n)), flint.fmpq(0)) for b in range(n)]
            for v in self._derived
        ]
        return _kernel(rows, n)

    def _brackets(self, left: Rows, right: Rows) -> Rows:
        return _sum([self._bracket(x, y) for x in left for y in right], self.dimension)

    def _bracket(self, x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
        c, n = self._c, range(self.dimension)
        return [sum((x[a] * y[b] * c[a][b][d] for a in n for b in n), flint.fmpq(0)) for d in n]

    def _action(self, space: Rows, modulo: Rows) -> Rows:
        """How the one direction outside ``space`` acts on it, modulo an ideal inside it."""
        outside = next(e for e in _unit(self.dimension) if len(_sum([*space, e], self.dimension)) > len(space))
        rest = [
            v
            for k, v in enumerate(space)
            if len(_sum([*modulo, *space[:k], v], self.dimension)) > len(_sum([*modulo, *space[:k]], self.dimension))
        ]
        basis = [*rest, *modulo]
        return [_coordinates(self._bracket(outside, v), basis)[: len(rest)] for v in rest]

    def _without_flat_part(self, split: int) -> LieAlgebra:
        """An ideal complement of the part of the centre that no bracket reaches."""
        n = self.dimension
        flat: Rows = []
        for v in self._centre:
            if len(flat) < split and len(_sum([*self._derived, *flat, v], n)) > len(_sum([*self._derived, *flat], n)):
                flat.append(v)
        basis = list(self._derived)
        for e in _unit(n):
            if len(_sum([*basis, *flat, e], n)) > len(basis) + len(flat):
                basis.append(e)
        table = [[_coordinates(self._bracket(x, y), basis) for y in basis] for x in basis]
        as_numbers = tuple(
            tuple(tuple(symengine.Rational(int(q.p), int(q.q)) for q in each) for each in row) for row in table
        )
        return LieAlgebra(as_numbers)

    def __repr__(self) -> str:
        return f"Lie algebra of dimension {self.dimension}" + (f", {self.name}" if self.name else "")


def _unit(n: int) -> Rows:
    return [[flint.fmpq(int(a == b)) for b in range(n)] for a in range(n)]


def _sum(vectors: Rows, n: int) -> Rows:
    """A basis of the span."""
    if not vectors:
        return []
    reduced, rank = flint.fmpq_mat(len(vectors), n, [q for v in vectors for q in v]).rref()
    return [[reduced[i, a] for a in range(n)] for i in range(rank)]


def _kernel(rows: Rows, width: int) -> Rows:
    reduced = _sum(rows, width)
    pivots = [next(a for a, q in enumerate(row) if q != 0) for row in reduced]
    kernel = []
    for free in sorted(set(range(width)) - set(pivots)):
        vector = [flint.fmpq(int(a == free)) for a in range(width)]
        for row, pivot in zip(reduced, pivots, strict=True):
            vector[pivot] = -row[free]
        kernel.append(vector)
    return kernel


def _combine(weights: Sequence[Any], vectors: Rows) -> list[Any]:
    return [
        sum((w * q for w, q in zip(weights, column, strict=True)), flint.fmpq(0))
        for column in zip(*vectors, strict=True)
    ]


def _coordinates(vector: Sequence[Any], basis: Rows) -> list[Any]:
    """The coordinates of a vector in an independent list that spans it."""
    columns = [list(entries) for entries in zip(*basis, vector, strict=True)]
    (relation,) = _kernel(columns, len(basis) + 1)
    return [-q / relation[-1] for q in relation[:-1]]


def _invariants(matrix: Rows) -> tuple[Any, Any]:
    (a, b), (c, d) = matrix
    return a + d, a * d - b * c


def _signature(form: Rows) -> tuple[int, int]:
    """Positive and negative squares, by completing squares exactly."""
    work, n, positive, negative = [list(row) for row in form], len(form), 0, 0
    left = list(range(n))
    while left:
        pivot = next((a for a in left if work[a][a] != 0), None)
        if pivot is None:
            pair = next(((a, b) for a in left for b in left if work[a][b] != 0), None)
            if pair is None:
                break
            a, b = pair
            # With both squares missing, the sum of the two directions has one.
            for d in range(n):
                work[a][d] += work[b][d]
            for d in range(n):
                work[d][a] += work[d][b]
            continue
        left.remove(pivot)
        positive, negative = positive + (work[pivot][pivot] > 0), negative + (work[pivot][pivot] < 0)
        for a in left:
            factor = work[a][pivot] / work[pivot][pivot]
            for b in left:
                work[a][b] -= factor * work[pivot][b]
    return positive, negative
