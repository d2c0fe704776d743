r"""Rank and kernel of matrices of functions on a group, $\operatorname{rank} A = n - \dim\ker A$ at its generic points.

Rows independent at a point of the group are so generically, and the kernel of those that were found annihilates every other
row: the first is certified in balls, the second decided by the zero test on the group. Without redundant coordinates
this is the linear algebra of `anholonomy.symbolic.matrices.linear`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import symengine

from anholonomy.symbolic.display.simplify import simplify_vector
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot, matrix_vector, zero
from anholonomy.symbolic.matrices.forms import as_matrix
from anholonomy.symbolic.matrices.linear import determinant, independent_rows, inverse, nullspace
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.numbers.balls import Ground
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["NullSpace", "independent_rows_on", "kernel_on", "nullspace_on", "solved_kernel"]


class NullSpace(NamedTuple):
    """Vectors that the rows annihilate, and whether it is proven that they all do."""

    vectors: Matrix
    proven: bool


def nullspace_on(matrix: Sequence[Sequence[Expr]], on: Ground | None) -> Matrix:
    """Rows that span the kernel at generic points of a group; everywhere for None.

    >>> from anholonomy.geometry.groups import SO3
    >>> q0, q1, q2, q3 = SO3().coordinates
    >>> rows = [[q0**2 + q1**2, -1], [1, q2**2 + q3**2 - 1 - 1 / (q0**2 + q1**2) + q0**2 + q1**2]]
    >>> len(nullspace_on(rows, None)), len(nullspace_on(rows, SO3().frame.orbit))
    (0, 1)
    """
    return kernel_on(matrix, on).vectors


def independent_rows_on(matrix: Sequence[Sequence[Expr]], on: Ground | None) -> tuple[int, ...]:
    """Rows that form a basis of the row space at generic points of a group, early ones preferred."""
    if on is None or not on.touches(entry for row in matrix for entry in row):
        return independent_rows(matrix)
    entries = as_matrix(matrix)
    chosen = certified_rows(entries, on=on)
    return chosen if len(chosen) == min(len(entries), len(entries[0])) else _eliminated(entries, on)[1]


def kernel_on(matrix: Sequence[Sequence[Expr]], on: Ground | None) -> NullSpace:
    """The kernel at generic points of a group with what is known of it."""
    entries = as_matrix(matrix)
    if on is None or not on.touches(entry for row in entries for entry in row):
        return NullSpace(nullspace(entries), True)
    return _eliminated(entries, on)[0]


def _eliminated(entries: Matrix, on: Ground) -> tuple[NullSpace, tuple[int, ...]]:
    """The kernel, and rows that suffice for it."""
    chosen = list(certified_rows(entries, on=on))
    while True:
        vectors = _annihilated([entries[k] for k in chosen], len(entries[0]), on)
        rest = [k for k in range(len(entries)) if k not in chosen]
        verdicts = {k: [zero_test(dot(entries[k], v), on) for v in vectors] for k in rest}
        more = next((k for k in rest if Verdict.REFUTED in verdicts[k]), None)
        if more is None:
            proven = all(verdict is Verdict.PROVEN for k in rest for verdict in verdicts[k])
            return NullSpace(vectors, proven), tuple(chosen)
        chosen = sorted([*chosen, more])


def _annihilated(rows: Sequence[Vector], width: int, on: Ground) -> Matrix:
    """The kernel of rows that are independent on the group, by vectors that are independent there."""
    if not rows:
        return tuple(tuple(symengine.Integer(int(i == j)) for j in range(width)) for i in range(width))
    vectors = nullspace(rows)
    if len(certified_rows(vectors, on=on)) == width - len(rows):
        return vectors
    pivots = certified_rows(tuple(zip(*rows, strict=True)), on=on)
    scale = determinant([[row[j] for j in pivots] for row in rows])
    return tuple(simplify_vector(scale * entry for entry in v) for v in solved_kernel(rows, pivots))


def solved_kernel(rows: Sequence[Vector], pivots: Sequence[int]) -> Matrix:
    """Vectors of the kernel with the other components free, regular where the pivots' block is."""
    width = len(rows[0])
    block = inverse([[row[j] for j in pivots] for row in rows])
    vectors = []
    for free in (j for j in range(width) if j not in pivots):
        values = matrix_vector(block, [-row[free] for row in rows])
        known = dict(zip(pivots, values, strict=True)) | {free: symengine.Integer(1)}
        vectors.append(tuple(known.get(j, zero) for j in range(width)))
    return tuple(vectors)
