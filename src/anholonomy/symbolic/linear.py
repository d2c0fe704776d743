"""Exact linear algebra (first version)."""

from __future__ import annotations

import symengine

from anholonomy.symbolic.expressions import Matrix
from anholonomy.symbolic.simplify import simplify

__all__ = ["inverse"]


def inverse(matrix: Matrix) -> Matrix:
    n = len(matrix)
    result = symengine.DenseMatrix(n, n, [entry for row in matrix for entry in row]).inv()
    return tuple(tuple(simplify(result[i, j]) for j in range(n)) for i in range(n))
