"""Vectors of a frame for many members, compiled: how far they are from failing, and the speeds of velocities in them, $u = S^{+}(w - s)$.

Numba compiles this file once per machine and keeps the result on disk. Nothing here holds Python's lock.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

__all__ = ["frame_quality", "speeds"]

_SIDE = 64
"""Members whose speeds are found side by side: what they need stays in the nearest memory."""


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


@numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _factorised(values: Any, begin: int, count: int, vectors: int, width: int, factor: Any, quality: Any) -> None:
    """Write the factors $L$ of the Gram matrices of some members, and the same bound as `frame_quality`, 0 where there is none."""
    for k in range(count):
        quality[begin + k] = 0.0
        factor[vectors, vectors, k] = 0.0
    for a in range(vectors):
        for b in range(a + 1):
            for k in range(count):
                factor[a, b, k] = 0.0
            for i in range(width):
                for k in range(count):
                    factor[a, b, k] += values[a * width + i, begin + k] * values[b * width + i, begin + k]
        for k in range(count):
            quality[begin + k] += factor[a, a, k]  # the trace
    for a in range(vectors):
        for b in range(a + 1):
            for c in range(b):
                for k in range(count):
                    factor[a, b, k] -= factor[a, c, k] * factor[b, c, k]
            for k in range(count):  # what is negative or none becomes none
                factor[a, b, k] = np.sqrt(factor[a, a, k]) if a == b else factor[a, b, k] / factor[b, b, k]
    for column in range(vectors):  # the squares of the inverse of L
        for a in range(column, vectors):
            for k in range(count):
                factor[a, vectors, k] = 1.0 if a == column else 0.0
            for c in range(column, a):
                for k in range(count):
                    factor[a, vectors, k] -= factor[a, c, k] * factor[c, vectors, k]
            for k in range(count):
                factor[a, vectors, k] /= factor[a, a, k]
                factor[vectors, vectors, k] += factor[a, vectors, k] ** 2
    for k in range(count):
        quality[begin + k] = 1.0 / np.sqrt(max(quality[begin + k], factor[vectors, vectors, k]))
        if not (quality[begin + k] > 0.0 and factor[vectors, vectors, k] > 0.0):
            quality[begin + k] = 0.0


@numba.njit(cache=True, nogil=True, error_model="numpy")
def speeds(values: Any, w: Any, vectors: int, x: Any, quality: Any) -> None:
    """Write the speeds of members at the end of their rows ``x``, and the quality of their frames, 0 where it fails.

    ``values`` are the vectors and the shift of the frame, and ``w`` the velocities, a column for each member. Some members go side by
    side, the innermost loops over them, so that each becomes one vector instruction.
    """
    width, total = w.shape
    first = x.shape[1] - vectors
    factor = np.zeros((vectors + 1, vectors + 1, _SIDE))
    part, found, rest = np.zeros((vectors, _SIDE)), np.zeros((vectors, _SIDE)), np.zeros((width, _SIDE))
    for begin in range(0, total, _SIDE):
        count = min(_SIDE, total - begin)
        if not vectors:
            quality[begin : begin + count] = 1.0
            continue
        _factorised(values, begin, count, vectors, width, factor, quality)
        found[:] = 0.0
        for i in range(width):
            for k in range(count):
                rest[i, k] = w[i, begin + k] - values[vectors * width + i, begin + k]
        for _ in range(2):  # the second time for what rounding left
            for a in range(vectors):
                part[a] = 0.0
                for i in range(width):
                    for k in range(count):
                        part[a, k] += values[a * width + i, begin + k] * rest[i, k]
                for b in range(a):
                    for k in range(count):
                        part[a, k] -= factor[a, b, k] * part[b, k]
                for k in range(count):
                    part[a, k] /= factor[a, a, k]
            for a in range(vectors - 1, -1, -1):
                for b in range(a + 1, vectors):
                    for k in range(count):
                        part[a, k] -= factor[b, a, k] * part[b, k]
                for k in range(count):
                    part[a, k] /= factor[a, a, k]
                    found[a, k] += part[a, k]
            for i in range(width):
                for a in range(vectors):
                    for k in range(count):
                        rest[i, k] -= values[a * width + i, begin + k] * part[a, k]
        for k in range(count):
            for a in range(vectors):
                x[begin + k, first + a] = found[a, k] if quality[begin + k] > 0.0 else np.nan
            for a in range(vectors):
                if not np.isfinite(found[a, k]):
                    quality[begin + k] = 0.0
