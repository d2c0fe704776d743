r"""Elimination in ball arithmetic: $\operatorname{rank} A \ge r$ is proven by $r$ pivots that exclude zero."""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.symbolic.numbers.balls import Ball, excludes_zero

__all__ = ["echelon", "kernel"]


def echelon(rows: Sequence[Sequence[Ball]]) -> list[tuple[int, list[Ball]]]:
    """Pivot columns and reduced rows, pivots made 1 and the other entries of their columns 0.

    >>> import flint
    >>> [column for column, _ in echelon([[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4)]])]
    [1]
    """
    reduced: list[tuple[int, list[Ball]]] = []
    for given in rows:
        row = list(given)
        for j, pivot in reduced:
            row = _without(row, j, pivot)
        sizes = [float(abs(value).lower()) if excludes_zero(value) else 0.0 for value in row]
        best = max(range(len(sizes)), key=sizes.__getitem__)
        if sizes[best] == 0.0:
            continue
        row = [value / row[best] for value in row]
        row[best] = row[best] * 0 + 1
        reduced = [(j, _without(pivot, best, row)) for j, pivot in reduced]
        reduced.append((best, row))
    return reduced


def _without(row: list[Ball], column: int, pivot: Sequence[Ball]) -> list[Ball]:
    factor = row[column]
    result = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    result[column] = factor * 0
    return result


def kernel(rows: Sequence[Sequence[Ball]]) -> list[list[Ball]]:
    r"""Vectors that span $\{v : A v = 0\}$, as far as the pivots go."""
    reduced = dict(echelon(rows))
    width = len(rows[0])
    vectors = []
    for free in (j for j in range(width) if j not in reduced):
        nothing = rows[0][0] * 0
        vector = [-reduced[j][free] if j in reduced else nothing for j in range(width)]
        vector[free] = nothing + 1
        vectors.append(vector)
    return vectors
