r"""Elimination over any field: Gauss and Jordan, and kernels read off echelon forms.

Elimination over any field: kernels read off echelon forms, and linear systems by Gauss and Jordan.

.. math:: v_{\text{free}} = 1, \quad v_{\text{pivot of } i} = -R_{i,\text{free}}

Numbers, residues, balls and series differ in what a good pivot is and in how they are multiplied, not in this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

__all__ = ["gauss_jordan", "kernel_of_echelon"]

T = TypeVar("T")


def kernel_of_echelon(reduced: Mapping[int, Sequence[Any]], width: int, one: Any = 1) -> list[list[Any]]:
    """A basis of what reduced rows annihilate, the rows given by the columns of their pivots, which are ones.

    Each vector has a one in a free column of its own, and nothing in the others.

    >>> kernel_of_echelon({0: [1, 2, 0], 2: [0, 0, 1]}, 3)
    [[-2, 1, 0]]
    """
    nothing = one * 0
    found = []
    for free in (j for j in range(width) if j not in reduced):
        vector = [-reduced[j][free] if j in reduced else nothing for j in range(width)]
        vector[free] = one
        found.append(vector)
    return found


def gauss_jordan(
    matrix: Sequence[Sequence[T]],
    right: Sequence[T],
    *,
    size: Callable[[T], float],
    present: Callable[[T], Any],
    inverse: Callable[[T], T],
    times: Callable[[T, T], T],
    less: Callable[[T, T, T], T],
) -> list[T]:
    """The unknowns of a square system; ``less(a, b, c)`` is a - b c, and of pivots the one of the largest size is taken.

    >>> from fractions import Fraction as F
    >>> do = {"size": abs, "present": bool, "inverse": lambda a: 1 / a, "times": lambda a, b: a * b}
    >>> z = gauss_jordan([[F(0), F(2)], [F(1), F(1)]], [F(4), F(5)], less=lambda a, b, c: a - b * c, **do)
    >>> [str(value) for value in z]
    ['3', '2']
    """
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: size(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        pivot = inverse(rows[k][k])
        rows[k] = [times(pivot, entry) for entry in rows[k]]
        for i, row in enumerate(rows):
            if i != k and present(row[k]):
                rows[i] = [less(a, row[k], b) for a, b in zip(row, rows[k], strict=True)]
    return [row[-1] for row in rows]
