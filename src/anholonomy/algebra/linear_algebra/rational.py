r"""Subspaces of $\mathbb Q^n$: spans, kernels, coordinates, and the signature of a form, all exact.

.. math:: \operatorname{span}(v_1, \dots, v_k), \qquad \{v : A v = 0\}, \qquad v = \sum_k x^k b_k
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import flint

from anholonomy.algebra.elimination import kernel_of_echelon

__all__ = [
    "Rows", "combine", "coordinates", "extend", "inside", "intersection", "kernel", "number", "product",
    "signature", "span", "total", "unit",
]  # fmt: skip

Rows: TypeAlias = list[list[Any]]
"""Vectors of rational numbers that span a subspace."""


def number(p: int, q: int = 1) -> Any:
    """A rational number."""
    return flint.fmpq(p, q)


def total(terms: Any) -> Any:
    """The sum, 0 of nothing."""
    return sum(terms, flint.fmpq(0))


def unit(n: int) -> Rows:
    """The unit vectors."""
    return [[flint.fmpq(int(a == b)) for b in range(n)] for a in range(n)]


def span(vectors: Rows, n: int) -> Rows:
    """A basis of the span, in echelon form, so that equal subspaces have equal bases."""
    if not vectors or not n:
        return []
    reduced, rank = flint.fmpq_mat(len(vectors), n, [q for v in vectors for q in v]).rref()
    return [[reduced[i, a] for a in range(n)] for i in range(rank)]


def inside(vectors: Rows, space: Rows, n: int) -> bool:
    """Whether every vector lies in the span of the others."""
    return len(span([*space, *vectors], n)) == len(span(space, n))


def kernel(rows: Rows, width: int) -> Rows:
    """A basis of what all rows send to zero."""
    reduced = span(rows, width)
    pivots = [next(a for a, q in enumerate(row) if q != 0) for row in reduced]
    return kernel_of_echelon(dict(zip(pivots, reduced, strict=True)), width, flint.fmpq(1))


def combine(weights: Sequence[Any], vectors: Rows) -> list[Any]:
    """The linear combination."""
    return [total(w * q for w, q in zip(weights, column, strict=True)) for column in zip(*vectors, strict=True)]


def product(left: Rows, right: Rows) -> Rows:
    """The product of two matrices."""
    return [combine(row, right) for row in left]


def coordinates(vector: Sequence[Any], basis: Rows) -> list[Any] | None:
    """The coordinates of a vector in an independent list; None where the list does not span it."""
    columns = [list(entries) for entries in zip(*basis, vector, strict=True)]
    relation = next((each for each in kernel(columns, len(basis) + 1) if each[-1] != 0), None)
    return None if relation is None else [-q / relation[-1] for q in relation[:-1]]


def intersection(left: Rows, right: Rows, n: int) -> Rows:
    """A basis of the intersection of two spans of independent vectors."""
    if not left or not right:
        return []
    columns = [list(entries) for entries in zip(*left, *right, strict=True)]
    relations = kernel(columns, len(left) + len(right))
    return span([combine(relation[: len(left)], left) for relation in relations], n)


def extend(space: Rows, candidates: Rows, n: int) -> Rows:
    """Those candidates that, one after another, enlarge the space."""
    added: Rows = []
    for vector in candidates:
        if not inside([vector], [*space, *added], n):
            added.append(vector)
    return added


def signature(form: Rows) -> tuple[int, int]:
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
