r"""Subspaces in doubles, by singular values: what is at most `NOTHING` of the largest is zero.

.. math:: A = U\,\Sigma\,V^{\mathsf T}, \qquad \ker A = \langle v_k : \sigma_k \le \varepsilon\,\sigma_1\rangle
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from anholonomy.tolerances import NOTHING

__all__ = ["kernel", "rank_of", "split"]

Array: TypeAlias = np.ndarray[Any, Any]


def rank_of(sizes: Array, least: float = 0.0, tolerance: float = NOTHING) -> int:
    """How many singular values are not zero beside the largest, or beside ``least`` where that is larger."""
    return int((sizes > tolerance * max(float(sizes.max(initial=0.0)), least)).sum())


def kernel(matrix: Array, least: float = 0.0, tolerance: float = NOTHING) -> Array:
    """An orthonormal basis of what a matrix annihilates, as columns.

    >>> kernel(np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])).shape
    (3, 2)
    """
    if not matrix.size:
        return np.eye(matrix.shape[1])
    # Of a tall matrix the left side would be a square of its height, and is not needed.
    _, sizes, rows = np.linalg.svd(matrix, full_matrices=len(matrix) < matrix.shape[1])
    return np.asarray(rows[rank_of(sizes, least, tolerance) :].T)


def split(matrix: Array, least: float = 0.0, tolerance: float = NOTHING) -> tuple[Array, Array]:
    """Orthonormal bases, as columns, of what the columns of a matrix span and of what is left."""
    if not matrix.size:
        return np.empty((len(matrix), 0)), np.eye(len(matrix))
    left, sizes, _ = np.linalg.svd(matrix)
    rank = rank_of(sizes, least, tolerance)
    return np.asarray(left[:, :rank]), np.asarray(left[:, rank:])
