r"""Groups of matrices, from a basis of the algebra: the coordinates are the entries.

.. math::
   \dot g = g\,w^aE_a, \qquad [E_a, E_b] = E_aE_b - E_bE_a = c_{ab}{}^dE_d, \qquad
   (\mathrm{Ad}_g)^a{}_b\,E_a = g\,E_b\,g^{-1}

The entries that every element has in common are no coordinates. The others are redundant; the invariants that hold them
together are found from the basis alone,

.. math::
   g - 1 \in \operatorname{alg}(E_a), \qquad g^{\mathsf T}\beta g = \beta \iff E_a^{\mathsf T}\beta + \beta E_a = 0, \qquad
   g\gamma g^{\mathsf T} = \gamma \iff E_a\gamma + \gamma E_a^{\mathsf T} = 0, \qquad
   \prod_k(\det g_k)^{n_k} = 1 \iff \sum_kn_k\operatorname{tr}(E_a)_k = 0 ,

as linear relations between entries, forms, and determinants of the diagonal blocks $g_k$ that all elements share up to an order
of the axes; only those are kept that are independent at the identity.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, matrix_product, symbol, zero
from anholonomy.algebra.linear_algebra.rational import Rows, extend, kernel, number, product, span, total
from anholonomy.algebra.linear_algebra.symbolic import determinant, inverse
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import StateError
from anholonomy.base.tolerances import HALF, NOTHING, ROUNDING
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.algebras.structure_constants import as_number, exact, exact_rows, matrices, matrix_structure
from anholonomy.geometry.groups.base import AbstractGroup, Array, prefixed, refuse_large, titled

__all__ = ["MatrixGroup"]

_NEAR, _NODES = 0.25, 12
"""Distances from the identity at which Gauss' rule of so many nodes is exact to rounding."""
_MOST_POWERS = 32
"""Relations between determinants with more factors than this are not looked at."""


class AbstractMatrixGroup(AbstractGroup):
    """Matrices whose entries are the coordinates ``g11, g12, …``, with body velocities ``w1, w2, …``."""

    def __init__(self, name: str, basis: list[Rows], prefix: str) -> None:
        self.name = name
        self.basis: list[Rows] = basis
        refuse_large("a group of matrices", len(self.basis))
        self.algebra = LieAlgebra(matrix_structure(self.basis))
        size = self.size = len(self.basis[0])
        moving = {k for v in enveloping(self.basis) for k, entry in enumerate(v) if entry != 0}
        between = "" if size < 10 else "_"
        self.matrix: Matrix = tuple(
            tuple(
                symbol(f"{prefix}g{i + 1}{between}{j + 1}")
                if i * size + j in moving
                else symengine.Integer(int(i == j))
                for j in range(size)
            )
            for i in range(size)
        )
        """The element as a matrix of coordinates and of what all elements have in common."""
        self.coordinates = tuple(entry for row in self.matrix for entry in row if entry.free_symbols)
        self.speeds = prefixed(prefix, (f"w{a}" for a in range(1, len(self.basis) + 1)))
        self.spots = sorted(moving)
        self._numbers = np.array([[[float(q.p) / float(q.q) for q in row] for row in E] for E in self.basis])
        self._prefix = prefix

    @cached_property
    def anchor_ai(self) -> Matrix:
        rows = []
        for E in self.basis:
            columns = [[exact(q) for q in column] for column in zip(*E, strict=True)]
            entries = [dot(row, column) for row in self.matrix for column in columns]
            rows.append(tuple(entries[spot] for spot in self.spots))
        return tuple(rows)

    @cached_property
    def invariants(self) -> Mapping[str, Expr]:
        found = invariants(self.basis, self.matrix, self.coordinates)
        return {f"{self._prefix}{label}": value for label, value in found.items()}

    def signs(self, g: Array) -> Mapping[str, float]:
        element = self.element(g)
        parts = {label: element[np.ix_(rows, rows)] for label, rows in self._blocks.items()}
        parts |= {label: V.T @ element @ V for label, V in self._halves.items()}
        of = f" of {self._prefix}g" if self._prefix else ""
        return {f"{label}{of}": _lean(part) for label, part in parts.items()}

    @property
    def named(self) -> Mapping[str, Expr]:
        return {}

    @property
    def identity(self) -> Array:
        return self._coordinates(np.eye(self.size))

    def _multiply(self, g: Array, h: Array) -> Array:
        return self._coordinates(self.element(g) @ self.element(h))

    def _inverse(self, g: Array) -> Array:
        return self._coordinates(np.linalg.inv(self.element(g)))

    def _exp(self, xi: Array) -> Array:
        from scipy.linalg import expm

        return self._coordinates(np.asarray(expm(np.tensordot(np.asarray(xi, dtype=float), self._numbers, 1))))

    def _log(self, g: Array) -> Array:
        from scipy.linalg import logm

        element = self.element(g)
        np.linalg.inv(element)  # what has no inverse is refused, and no logarithm is tried
        away = element - np.eye(self.size)
        near = float(np.linalg.norm(away)) < _NEAR
        found = _log_one_plus(away) if near else np.asarray(logm(element))
        xi = self._components(found.real)
        size = float(abs(found).max()) + (0.0 if near else 1.0)
        gap = float(abs(found - np.tensordot(xi, self._numbers, 1)).max())
        # Near the identity the entries are rounded as numbers of size one.
        if not gap <= HALF * size + (ROUNDING if near else 0.0):
            raise StateError(
                f"{self.name}: this element has no principal logarithm in the algebra; give one nearer to the identity."
            )
        return xi

    @cached_property
    def adjoint_ab(self) -> Matrix:
        inverse_ij = self._inverse_ij
        columns = []
        for E in self.basis:
            right = [[dot([exact(q) for q in row], column) for column in zip(*inverse_ij, strict=True)] for row in E]
            image = [dot(row, column) for row in self.matrix for column in zip(*right, strict=True)]
            columns.append([dot(weights, image).expand() for weights in self._dual])
        return tuple(tuple(row) for row in zip(*columns, strict=True))

    @property
    def inverse_i(self) -> Vector:
        entries = [entry for row in self._inverse_ij for entry in row]
        return tuple(entries[spot] for spot in self.spots)

    def _adjoint(self, g: Array) -> Array:
        element = self.element(g)
        images = element @ self._numbers @ np.linalg.inv(element)
        return np.array([self._components(image) for image in images]).T

    def element(self, g: Array) -> Array:
        """The matrix with the coordinates ``g``."""
        flat = np.eye(self.size).ravel()
        flat[self.spots] = np.asarray(g, dtype=float)
        return flat.reshape(self.size, self.size)

    def _coordinates(self, element: Any) -> Array:
        return np.asarray(np.asarray(element, dtype=float).ravel()[self.spots])

    def _components(self, matrix: Array) -> Array:
        flat = self._numbers.reshape(self.dimension, -1)
        return np.asarray(np.linalg.lstsq(flat.T, matrix.ravel(), rcond=None)[0])

    @cached_property
    def _blocks(self) -> Mapping[str, list[int]]:
        found = blocks(self.basis)
        if len(found) == 1 and len(found[0]) == self.size:
            return {"the determinant": found[0]}
        return {f"the determinant of block ({', '.join(str(i + 1) for i in rows)})": rows for rows in found}

    @cached_property
    def _halves(self) -> Mapping[str, Array]:
        """Orthonormal columns along which an invariant form is positive, for every one that is indefinite and regular.

        An element maps them to where the form is positive again, so that it never flattens them.
        """
        found = {}
        for k, beta in enumerate(forms(self.basis, True), 1):
            values, vectors = np.linalg.eigh(np.array([[float(q.p) / float(q.q) for q in row] for row in beta]))
            if abs(values).min() > NOTHING * abs(values).max() and values.min() < 0 < values.max():
                found[f"the determinant along the positive directions of form {k}"] = vectors[:, values > 0]
        return found

    @cached_property
    def _dual(self) -> list[Vector]:
        """Rows that read the components of a matrix of the algebra from a few of its entries."""
        flat = [[entry for row in E for entry in row] for E in self.basis]
        columns, width = transposed(flat), self.size**2
        chosen: list[int] = []
        for spot in range(width):
            if extend([columns[k] for k in chosen], [columns[spot]], len(flat)):
                chosen.append(spot)
        inverted = inverse([[exact(flat[a][spot]) for a in range(len(flat))] for spot in chosen])
        return [tuple(row[chosen.index(s)] if s in chosen else zero for s in range(width)) for row in inverted]

    @cached_property
    def _inverse_ij(self) -> Matrix:
        r"""The inverse in the coordinates: $\beta^{-1}g^{\mathsf T}\beta$ with an invariant form, else cofactors."""
        for beta in (*forms(self.basis, True), *forms(self.basis, False)):
            B = exact_rows(beta)
            try:
                back = inverse(B)
            except ZeroDivisionError:
                continue
            return matrix_product(matrix_product(back, tuple(zip(*self.matrix, strict=True))), B)
        traceless = all(sum((E[i][i] for i in range(self.size)), number(0)) == 0 for E in self.basis)
        return adjugate(self.matrix) if traceless else inverse(self.matrix)


@final
class MatrixGroup(AbstractMatrixGroup):
    """The group that matrices generate; they are rational, independent, and close under commutators.

    >>> lorentz = MatrixGroup([[[0, 1], [1, 0]]])
    >>> lorentz, lorentz.coordinates, lorentz.speeds
    (Matrices(0 1; 1 0), (g11, g12, g21, g22), (w1,))
    >>> list(lorentz.invariants.values())
    [-g12 + g21, -g11 + g22, 1 - g11**2 + g21**2]
    """

    examples = ("Matrices(0 -1; 1 0)", "Matrices(0 1; 0 0 | 0 0; 0 1)")

    @classmethod
    def read(cls, name: str, prefix: str, inside: str | None) -> AbstractGroup | None:
        if name != "Matrices" or inside is None:
            return None
        return cls([[row.split() for row in E.split(";")] for E in inside.split("|")], prefix)

    def __init__(self, basis: Any, prefix: str = "") -> None:
        found = matrices(basis)
        written = " | ".join("; ".join(" ".join(str(exact(q)) for q in row) for row in E) for E in found)
        super().__init__(f"{titled('Matrices', prefix)}({written})", found, prefix)


def _log_one_plus(away: Array) -> Array:
    r"""$\log(1 + X) = \int_0^1 X(1 + sX)^{-1}\,ds$ by Gauss' rule, for small $X$; its error is small beside $X$, not beside 1."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    one = np.eye(len(away))
    terms = (w / 2 * np.linalg.solve(one + (1 + x) / 2 * away, away) for x, w in zip(nodes, weights, strict=True))
    return np.asarray(sum(terms))


def _lean(part: Array) -> float:
    r"""$\det P/\prod_i|P_i|$ with the rows $P_i$: the sign of the determinant, near 0 where rounding may decide it."""
    tops = abs(part).max(axis=1, keepdims=True)  # first, because the squares of large entries overflow
    if not tops.all():
        return 0.0
    rows = part / tops
    return float(np.linalg.det(rows / np.linalg.norm(rows, axis=1, keepdims=True)))


def enveloping(basis: list[Rows]) -> Rows:
    """A basis of the span of all products of the matrices, each a row of entries; the group lies in 1 plus this."""
    size = len(basis[0])
    space = span([[entry for row in matrix for entry in row] for matrix in basis], size * size)
    while True:
        products = [
            [entry for row in product([v[i * size : (i + 1) * size] for i in range(size)], matrix) for entry in row]
            for v in space
            for matrix in basis
        ]
        if len(larger := span([*space, *products], size * size)) == len(space):
            return space
        space = larger


def forms(basis: list[Rows], symmetric: bool) -> list[Rows]:
    r"""A basis of the symmetric or antisymmetric $\beta$ with $E_a^{\mathsf T}\beta + \beta E_a = 0$."""
    size, sign = len(basis[0]), 1 if symmetric else -1
    rows: Rows = []
    for i in range(size):
        for j in range(i + 1):
            row = [number(0)] * (size * size)
            row[i * size + j] += 1
            row[j * size + i] -= sign
            rows.append(row)
    for E in basis:
        for i in range(size):
            for j in range(size):
                row = [number(0)] * (size * size)
                for k in range(size):
                    row[k * size + j] += E[k][i]
                    row[i * size + k] += E[k][j]
                rows.append(row)
    return [[v[i * size : (i + 1) * size] for i in range(size)] for v in kernel(rows, size * size)]


def invariants(basis: list[Rows], matrix: Matrix, coordinates: tuple[Symbol, ...]) -> dict[str, Expr]:
    """Functions of the entries that vanish on the group, with independent gradients at the identity."""
    size = len(matrix)
    here = {entry: symengine.Integer(int(i == j)) for i, row in enumerate(matrix) for j, entry in enumerate(row)}
    origin = {q: here[q] for q in coordinates}
    kept: dict[str, Expr] = {}
    slopes: Rows = []
    for label, value in _candidates(basis, matrix, coordinates, size):
        slope = [as_number(each.xreplace(origin)) for each in gradient(value, coordinates)]
        if extend(slopes, [slope], len(coordinates)):
            kept[label] = value
            slopes.append(slope)
    return kept


def _candidates(
    basis: list[Rows], matrix: Matrix, coordinates: tuple[Symbol, ...], size: int
) -> Iterator[tuple[str, Expr]]:
    places = {q: i * size + j for i, row in enumerate(matrix) for j, q in enumerate(row) if q in set(coordinates)}
    spots = [places[q] for q in coordinates]
    products = [[v[spot] for spot in spots] for v in enveloping(basis)]
    for k, relation in enumerate(kernel(products, len(spots)), 1):
        start = total(c for c, spot in zip(relation, spots, strict=True) if spot % (size + 1) == 0)
        yield f"linear {k}", dot([exact(c) for c in relation], coordinates) - exact(start)
    turned = [transposed(matrix) for matrix in basis]
    for word, algebra, g in (("form", basis, matrix), ("coform", turned, transposed(matrix))):
        for k, beta in enumerate([*forms(algebra, True), *forms(algebra, False)], 1):
            for i in range(size):
                for j in range(i + 1):
                    value = _pairing(g, beta, i, j) - exact(beta[i][j])
                    if value.free_symbols:
                        yield f"{word} {k} ({j + 1}, {i + 1})", value
    yield from _determinants(basis, matrix)


def _pairing(g: Sequence[Sequence[Expr]], beta: Rows, i: int, j: int) -> Expr:
    r"""$(g^{\mathsf T}\beta g)_{ij}$, written out."""
    n = range(len(g))
    terms: Vector = tuple(g[k][i] * exact(beta[k][m]) * g[m][j] for k in n for m in n if beta[k][m] != 0)
    return symengine.Add(*terms).expand()


def blocks(basis: list[Rows]) -> list[list[int]]:
    """The rows of the diagonal blocks in the block-triangular form that all elements share up to an order of the axes.

    Blocks that are 1 in every element are left out.
    """
    n = range(len(basis[0]))
    moving = {divmod(k, len(n)) for v in enveloping(basis) for k, entry in enumerate(v) if entry != 0}
    reach = {i: {i, *(j for j in n if (i, j) in moving)} for i in n}
    for k in n:
        for i in n:
            reach[i] |= reach[k] if k in reach[i] else set()
    classes = {tuple(j for j in n if j in reach[i] and i in reach[j]) for i in n}
    return [list(rows) for rows in sorted(classes) if any((i, j) in moving for i in rows for j in rows)]


def _determinants(basis: list[Rows], matrix: Matrix) -> Iterator[tuple[str, Expr]]:
    """Products of powers of the determinants of the blocks that are 1 on the group."""
    parts = blocks(basis)
    traces = [[total(E[i][i] for i in rows) for rows in parts] for E in basis]
    for k, relation in enumerate(kernel(traces, len(parts)), 1):
        scale = math.lcm(*(int(q.q) for q in relation))
        powers = [int(q.p) * scale // int(q.q) for q in relation]
        powers = [n // math.gcd(*powers) for n in powers]
        if sum(map(abs, powers)) <= _MOST_POWERS:
            minors = [determinant([[matrix[i][j] for j in rows] for i in rows]) for rows in parts]
            over = symengine.Mul(*(d**n for d, n in zip(minors, powers, strict=True) if n > 0))
            under = symengine.Mul(*(d**-n for d, n in zip(minors, powers, strict=True) if n < 0))
            yield "determinant" if len(parts) == 1 else f"determinants {k}", over - under


def adjugate(matrix: Matrix) -> Matrix:
    """The transposed cofactors: the inverse of a matrix whose determinant is 1."""
    n = range(len(matrix))
    if len(matrix) == 1:
        return ((symengine.Integer(1),),)

    def cofactor(i: int, j: int) -> Expr:
        minor = [[matrix[a][b] for b in n if b != j] for a in n if a != i]
        return (-1) ** (i + j) * determinant(minor)

    return tuple(tuple(cofactor(j, i) for j in n) for i in n)


def transposed(matrix: Any) -> list[list[Any]]:
    return [list(column) for column in zip(*matrix, strict=True)]
