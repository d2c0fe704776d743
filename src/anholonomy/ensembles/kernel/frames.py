r"""Vectors of a frame for many members: how far they are from failing, and the speeds that velocities have in them, $u = S^{+}(w - s)$.

Numba compiles this file once per machine and keeps the result on disk. Nothing here holds Python's lock.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

__all__ = ["frame_quality", "speeds"]


@numba.njit(cache=True, nogil=True)
def frame_quality(rows: Any, lane: int, first: int, vectors: int, width: int, square: Any) -> float:
    r"""A lower bound of how far vectors are from failing, $\min(\operatorname{tr}(G^{-1})^{-1/2}, \operatorname{tr}(G)^{-1/2})$ of their Gram matrix."""
    trace, inverse = 0.0, 0.0
    for a in range(vectors):
        for b in range(a + 1):
            total = 0.0
            for i in range(width):
                total += rows[first + a * width + i, lane] * rows[first + b * width + i, lane]
            square[a, b] = total
        trace += square[a, a]
    # The factor L of G, and then the sum of the squares of its inverse.
    for a in range(vectors):
        for b in range(a + 1):
            total = square[a, b]
            for c in range(b):
                total -= square[a, c] * square[b, c]
            if a == b:
                if not total > 0.0:
                    return 0.0
                square[a, a] = np.sqrt(total)
            else:
                square[a, b] = total / square[b, b]
    for column in range(vectors):
        for a in range(column, vectors):
            total = 1.0 if a == column else 0.0
            for c in range(column, a):
                total -= square[a, c] * square[c, vectors]
            square[a, vectors] = total / square[a, a]
            inverse += square[a, vectors] ** 2
    if not inverse > 0.0 or not trace > 0.0:
        return 0.0
    quality: float = min(1.0 / np.sqrt(inverse), 1.0 / np.sqrt(trace))
    return quality


@numba.njit(cache=True, nogil=True)
def speeds(values: Any, w: Any, vectors: int, x: Any, quality: Any) -> None:
    """Write the speeds of members at the end of their rows ``x``, and the quality of their frames, 0 where it fails.

    ``values`` are the vectors and the shift of the frame, a column for each member, ``w`` the velocities, a row each.
    """
    count, width = w.shape
    first = x.shape[1] - vectors
    square, part, rest = np.zeros((vectors + 1, vectors + 2)), np.zeros(vectors), np.zeros(width)
    for k in range(count):
        quality[k] = frame_quality(values, k, 0, vectors, width, square) if vectors else 1.0
        for a in range(vectors):
            x[k, first + a] = 0.0 if quality[k] > 0.0 else np.nan
        if not quality[k] > 0.0:
            continue
        for i in range(width):
            rest[i] = w[k, i] - values[vectors * width + i, k]
        for _ in range(2):  # the second time for what rounding left
            for a in range(vectors):
                total = 0.0
                for i in range(width):
                    total += values[a * width + i, k] * rest[i]
                for b in range(a):
                    total -= square[a, b] * part[b]
                part[a] = total / square[a, a]
            for a in range(vectors - 1, -1, -1):
                for b in range(a + 1, vectors):
                    part[a] -= square[b, a] * part[b]
                part[a] /= square[a, a]
                x[k, first + a] += part[a]
            for i in range(width):
                for a in range(vectors):
                    rest[i] -= values[a * width + i, k] * part[a]
        for a in range(vectors):
            if not np.isfinite(x[k, first + a]):
                quality[k] = 0.0
