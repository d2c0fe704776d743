"""Linear systems with symbolic entries, eliminated into steps instead of nested fractions.

Which entries to divide by is decided at a *reference point*, where the entries are numbers: among those
not too small the one that creates the least fill-in (Markowitz). The resulting steps are exact wherever
the pivots stay away from zero, and the pivots are part of the result, so that callers know where that is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Vector, is_naught
from anholonomy.algebra.steps.definitions import Assign, Recorder, Solve

__all__ = ["choose_pivots", "small_determinant", "solve_steps", "unroll"]

_SAFE = 0.1
"""A constant may be divided by when it is this large beside the rest of its row."""


def choose_pivots(
    values: np.ndarray, occupied: np.ndarray, preferred: np.ndarray | None = None, threshold: float = 0.1
) -> list[tuple[int, int]]:
    """The order of elimination for a wide matrix: one (row, column) for each row it can eliminate.

    ``values`` are the entries at the reference point and ``occupied`` marks those not identically zero.
    A pivot is at least ``threshold`` times the largest remaining entry; ``preferred`` entries (constants,
    which cannot vanish elsewhere) go first while they are still untouched and not small in their row. The list is
    shorter than the number of rows where the matrix is rank deficient at the point.
    """
    work, pattern = np.array(values, dtype=float), np.array(occupied, dtype=bool)
    liked = np.zeros(work.shape, dtype=bool) if preferred is None else np.array(preferred, dtype=bool)
    scale = np.abs(work).max(initial=0.0)
    rows, columns = list(range(work.shape[0])), list(range(work.shape[1]))
    order: list[tuple[int, int]] = []
    known = np.zeros(work.shape[1], dtype=bool)
    while rows and columns:
        block = np.abs(work[np.ix_(rows, columns)]) * pattern[np.ix_(rows, columns)]
        largest = block.max(initial=0.0)
        if largest <= 1e-12 * scale:
            break
        used = pattern[np.ix_(rows, columns)]
        cost = np.outer(used.sum(axis=1) - 1, used.sum(axis=0) - 1).astype(float)
        lasting = liked[np.ix_(rows, columns)] & (block >= _SAFE * block.max(axis=1, keepdims=True))
        cost[~liked[np.ix_(rows, columns)]] += work.size**2
        cost[(block < threshold * largest) & ~lasting] = np.inf
        # Ties go to what nothing depends on yet, then to the larger pivot.
        i, j = np.unravel_index(np.argmin(cost + known[columns] / 2 - block / (1e3 * largest)), cost.shape)
        row, column = rows.pop(int(i)), columns.pop(int(j))
        known |= pattern[row]
        order.append((row, column))
        for other in rows:
            if pattern[other, column]:
                work[other] -= work[other, column] / work[row, column] * work[row]
                liked[other, pattern[row]] = False
                pattern[other] |= pattern[row]
                pattern[other, column] = False
    return order


def solve_steps(
    matrix: Sequence[Sequence[Expr]],
    rights: Sequence[Sequence[Expr]],
    order: Sequence[tuple[int, int]],
    record: Recorder,
    at_once: int = 1,
) -> tuple[list[Vector], Vector]:
    r"""Solve $M x = b$ for every right-hand side $b$, dividing by the pivots in ``order``.

    Where the next pivot may vanish and at most ``at_once`` unknowns are left, these are found by Cramer's rule: a
    determinant vanishes more rarely than an entry. Returns the solutions, each a vector over the columns of ``matrix``,
    and the pivots.
    """
    work = [list(row) for row in matrix]
    right = [[b[i] for b in rights] for i in range(len(work))]
    inverses: list[Expr] = []
    pivots: list[Expr] = []
    solutions: list[dict[int, Expr]] = [{} for _ in rights]
    for k, (row, column) in enumerate(order):
        if len(order) - k <= at_once and not isinstance(work[row][column], symengine.Number):
            pivots.append(_cramer(work, right, order[k:], solutions, record))
            break
        pivots.append(work[row][column])
        inverses.append(record(1 / work[row][column]))
        for below, _ in order[k + 1 :]:
            if is_naught(work[below][column]):
                continue
            factor = record(work[below][column] * inverses[k])
            for _, j in order[k + 1 :]:
                if not is_naught(work[row][j]):
                    work[below][j] = record(work[below][j] - factor * work[row][j])
            for s, value in enumerate(right[row]):
                if not is_naught(value):
                    right[below][s] = record(right[below][s] - factor * value)
    for s, x in enumerate(solutions):
        for k in reversed(range(len(inverses))):
            row, column = order[k]
            known = [work[row][j] * x[j] for _, j in order[k + 1 :] if not (is_naught(work[row][j]) or is_naught(x[j]))]
            x[column] = record(inverses[k] * symengine.Add(right[row][s], *(-term for term in known)))
    return [tuple(x[j] for j in range(len(order))) for x in solutions], tuple(pivots)


def _cramer(
    work: Sequence[Sequence[Expr]],
    right: Sequence[Sequence[Expr]],
    order: Sequence[tuple[int, int]],
    solutions: Sequence[dict[int, Expr]],
    record: Recorder,
) -> Expr:
    r"""The unknowns that are left, $x_j = \sum_i C_{ij} b_i / \det M$ with cofactors $C_{ij}$.

    Returns $|\det M|^{1/k}$ for $k$ unknowns, which shrinks as a single pivot does.
    """
    rows, columns = [i for i, _ in order], [j for _, j in order]

    def minor(rows: Sequence[int], columns: Sequence[int]) -> Expr:
        return small_determinant([[work[i][j] for j in columns] for i in rows])

    cofactors = {
        (i, j): record((-1) ** (a + b) * minor([r for r in rows if r != i], [c for c in columns if c != j]))
        for a, i in enumerate(rows)
        for b, j in enumerate(columns)
    }
    determinant = record(symengine.Add(*(work[rows[0]][j] * cofactors[rows[0], j] for j in columns)))
    inverse = record(1 / determinant)
    for s, x in enumerate(solutions):
        for j in columns:
            x[j] = record(inverse * symengine.Add(*(cofactors[i, j] * right[i][s] for i in rows)))
    return symengine.Abs(determinant) ** symengine.Rational(1, len(rows))


def small_determinant(rows: Sequence[Sequence[Expr]]) -> Expr:
    """The determinant of a small matrix, by expansion along its first row."""
    if not rows:
        return symengine.Integer(1)
    return symengine.Add(
        *(
            (-1) ** j * head * small_determinant([[*row[:j], *row[j + 1 :]] for row in rows[1:]])
            for j, head in enumerate(rows[0])
            if head != 0
        )
    )


def unroll(step: Solve, values: np.ndarray | None = None) -> tuple[list[Assign], Vector]:
    """A `Solve` as assignments, and the pivots they divide by.

    ``values`` are its matrix at a reference point; without them the diagonal is divided by.
    """
    size = len(step.unknowns)
    if values is None:
        order = [(k, k) for k in range(size)]
    else:
        occupied = np.array([[not is_naught(entry) for entry in row] for row in step.matrix])
        order = choose_pivots(values, occupied)
        if len(order) < size:
            raise ZeroDivisionError("the matrix is singular at the reference point")
    record = Recorder(f"{step.unknowns[0].name}_")
    (solution,), pivots = solve_steps(step.matrix, [step.right], order, record)
    return [*record.assignments, *(Assign(u, value) for u, value in zip(step.unknowns, solution, strict=True))], pivots
