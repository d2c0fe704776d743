"""Rows of constraints for many members, compiled: missing velocities, $A_m w_m = -(a + A_g w_g)$, and where all rows surely hold.

Numba compiles this file once per machine and keeps the result on disk. Nothing here holds Python's lock.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

__all__ = ["settle"]


@numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _inverted(a: Any, inverse: Any, size: int) -> float:
    """Write the inverse of a matrix, which is lost, and give the sum of its squares; infinite where there is none."""
    for i in range(size):
        for j in range(size):
            inverse[i, j] = 1.0 if i == j else 0.0
    for k in range(size):
        pivot = k
        for i in range(k + 1, size):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        if not abs(a[pivot, k]) > 0.0:
            return np.inf
        for j in range(size):
            a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            inverse[k, j], inverse[pivot, j] = inverse[pivot, j], inverse[k, j]
        for i in range(size):
            if i != k and a[i, k] != 0.0:
                factor = a[i, k] / a[k, k]
                for j in range(size):
                    a[i, j] -= factor * a[k, j]
                    inverse[i, j] -= factor * inverse[k, j]
    total = 0.0
    for i in range(size):
        for j in range(size):
            inverse[i, j] /= a[i, i]
            total += inverse[i, j] ** 2
    return total


@numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _completed(
    values: Any, way: int, m: int, rows: int, missing: Any, w: Any, row: int, room: Any, telling: Any, clear: float
) -> bool:
    """Write into a row of ``w`` what constraints say of the velocities that are missing, which are 0 there; whether they surely do.

    Arrays are handed over whole with the places to look at: a view of a part costs more than the sums.
    """
    left, copy, inverse = room
    width, size, used = w.shape[1], missing.size, 0
    for c in range(rows):
        for j in range(size):
            if values[way, c * width + missing[j], m] != 0.0:
                if used == size:
                    return False
                telling[used] = c
                used += 1
                break
    if used != size:
        return False
    for k in range(size):
        c = telling[k]
        largest, total = 0.0, values[way, rows * width + c, m]
        for i in range(width):
            largest = max(largest, abs(values[way, c * width + i, m]))
            total += values[way, c * width + i, m] * w[row, i]
        left[k, size] = -total / largest
        for j in range(size):
            left[k, j] = values[way, c * width + missing[j], m] / largest
            copy[k, j] = left[k, j]
    if not _inverted(copy, inverse, size) < clear:
        return False
    for turn in range(2):  # the second time for what rounding left
        for k in range(size):
            copy[k, size] = left[k, size]
            for j in range(size if turn else 0):
                copy[k, size] -= left[k, j] * w[row, missing[j]]
        for j in range(size):
            for k in range(size):
                w[row, missing[j]] += inverse[j, k] * copy[k, size]
    return True


@numba.njit(cache=True, nogil=True, error_model="numpy")
def settle(values: Any, rows: int, missing: Any, limits: Any, w: Any, certain: Any) -> None:
    r"""Complete velocities ``w`` (member, velocity), 0 where they are ``missing``, and say of which members all is ``certain``.

    ``values`` (way of rounding, entry, member) are $A$ row after row, $a$, and what restricts positions. ``limits`` are how much of its terms
    a row may be off, the largest sum of squares of an inverse, and how much of velocities roundings may change.
    """
    noise, clear, exact = limits
    ways, width, size = values.shape[0], w.shape[1], missing.size
    own, telling = np.zeros((1, width)), np.zeros(size, dtype=np.int64)
    room = np.zeros((size, size + 1)), np.zeros((size, size + 1)), np.zeros((size, size))
    for m in range(w.shape[0]):
        good = not size or _completed(values, 0, m, rows, missing, w, m, room, telling, clear)
        largest = 0.0
        for i in range(width):
            largest = max(largest, abs(w[m, i]))
        for way in range(1, ways if good and size else 1):
            for i in range(width):
                own[0, i] = w[m, i]
            for j in range(size):
                own[0, missing[j]] = 0.0
            good = good and _completed(values, way, m, rows, missing, own, 0, room, telling, clear)
            for j in range(size):
                good = good and abs(own[0, missing[j]] - w[m, missing[j]]) <= exact * largest
        for c in range(rows):
            total = values[0, rows * width + c, m]
            terms = abs(total)
            for i in range(width):
                term = values[0, c * width + i, m] * w[m, i]
                total += term
                terms += abs(term)
            good = good and abs(total) <= noise * terms and np.isfinite(terms)
        for c in range(rows * (width + 1), values.shape[1]):
            change = 0.0
            for way in range(1, ways):
                change = max(change, abs(values[way, c, m] - values[0, c, m]))
            good = good and abs(values[0, c, m]) <= change
        certain[m] = good
