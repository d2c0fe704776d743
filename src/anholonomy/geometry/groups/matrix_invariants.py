r"""What a group of matrices leaves alone, from a basis of its algebra alone.

.. math::
   g - 1 \in \operatorname{alg}(E_a), \qquad g^{\mathsf T}\beta g = \beta \iff E_a^{\mathsf T}\beta + \beta E_a = 0, \qquad
   g\gamma g^{\mathsf T} = \gamma \iff E_a\gamma + \gamma E_a^{\mathsf T} = 0, \qquad
   \prod_k(\det g_k)^{n_k} = 1 \iff \sum_kn_k\operatorname{tr}(E_a)_k = 0

Linear relations between entries, forms, and determinants of the diagonal blocks $g_k$ that all elements share up to an order
of the axes; only those are kept that are independent at the identity.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import symengine

from anholonomy.geometry.algebras.rational import Rows, extend, kernel, number, product, span, total
from anholonomy.geometry.algebras.structure_constants import exact
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot
from anholonomy.symbolic.matrices.linear import determinant

__all__ = ["adjugate", "blocks", "enveloping", "forms", "invariants"]

_MOST_POWERS = 32
"""Relations between determinants with more factors than this are not looked at."""


def transposed(matrix: Any) -> list[list[Any]]:
    return [list(column) for column in zip(*matrix, strict=True)]


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


def adjugate(matrix: Matrix) -> Matrix:
    """The transposed cofactors: the inverse of a matrix whose determinant is 1."""
    n = range(len(matrix))
    if len(matrix) == 1:
        return ((symengine.Integer(1),),)

    def cofactor(i: int, j: int) -> Expr:
        minor = [[matrix[a][b] for b in n if b != j] for a in n if a != i]
        return (-1) ** (i + j) * determinant(minor)

    return tuple(tuple(cofactor(j, i) for j in n) for i in n)


def invariants(basis: list[Rows], matrix: Matrix, coordinates: tuple[Symbol, ...]) -> dict[str, Expr]:
    """Functions of the entries that vanish on the group, with independent gradients at the identity."""
    size = len(matrix)
    here = {entry: symengine.Integer(int(i == j)) for i, row in enumerate(matrix) for j, entry in enumerate(row)}
    origin = {q: here[q] for q in coordinates}
    kept: dict[str, Expr] = {}
    slopes: Rows = []
    for label, value in _candidates(basis, matrix, coordinates, size):
        slope = [_number(each.xreplace(origin)) for each in gradient(value, coordinates)]
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
    for word, algebra, g in (("form", basis, matrix), ("coform", turned, _expressions(transposed(matrix)))):
        for k, beta in enumerate([*forms(algebra, True), *forms(algebra, False)], 1):
            for i in range(size):
                for j in range(i + 1):
                    value = _pairing(g, beta, i, j) - exact(beta[i][j])
                    if value.free_symbols:
                        yield f"{word} {k} ({j + 1}, {i + 1})", value
    yield from _determinants(basis, matrix)


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


def _expressions(rows: list[list[Any]]) -> Matrix:
    return tuple(tuple(row) for row in rows)


def _pairing(g: Matrix, beta: Rows, i: int, j: int) -> Expr:
    r"""$(g^{\mathsf T}\beta g)_{ij}$, written out."""
    n = range(len(g))
    terms: Vector = tuple(g[k][i] * exact(beta[k][m]) * g[m][j] for k in n for m in n if beta[k][m] != 0)
    return symengine.Add(*terms).expand()


def _number(value: Expr) -> Any:
    return number(int(value.p), int(value.q))
