"""Rank and solution of a matrix of functions by pivots at a random point.

Rows whose balls eliminate with pivots that exclude zero are independent there, and so over the field of
functions: a certified lower bound of the generic rank. That no other row is independent is only sampled.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, as_expression, free_symbols, symbol, zero
from anholonomy.algebra.numbers.ball_matrices import pivot_rows
from anholonomy.algebra.numbers.balls import DIGITS, Ball, evaluate_balls, excludes_zero, precision
from anholonomy.algebra.numbers.random_points import Ground, draw
from anholonomy.algebra.steps.linear_systems import choose_pivots
from anholonomy.algebra.unknown_functions import with_jets

__all__ = ["certified_rows", "nullspace_by_sampling", "solve_by_sampling"]


TRIES = 24
"""Points at which all entries may fail to be finite."""


def certified_rows(matrix: Sequence[Sequence[Expr]], points: int = 2, on: Ground | None = None) -> tuple[int, ...]:
    """Rows proven independent at one of a few random points, of a group where one is given, as many and as early as were met.

    >>> x, one = symengine.Symbol("x"), symengine.Integer(1)
    >>> certified_rows([[x, one], [2 * x, 2 * one], [one, x]])
    (0, 2)
    """
    if not matrix or not matrix[0]:
        return ()
    best: tuple[int, ...] = ()
    for values in islice(_samples(matrix, on), points):
        with precision(DIGITS):
            best = max(best, tuple(pivot.number for pivot in pivot_rows(values)), key=len)
        if len(best) == min(len(matrix), len(matrix[0])):
            break
    return best


def _sampled_values(matrix: Sequence[Sequence[Expr]]) -> list[list[float]] | None:
    """The entries at a random point, unknown functions taking random values too."""
    for values in _samples(matrix):
        return [[float(value) for value in row] for row in values]
    return None


def _samples(matrix: Sequence[Sequence[Expr]], on: Ground | None = None) -> Iterator[list[list[Ball]]]:
    """The entries as balls, at random points where they are all finite."""
    try:
        yield from _finite_samples(matrix, (), on)
    except KeyError:
        # A function without an arithmetic; unknown functions take random values.
        if (known := _without_unknown_functions(matrix)) is not None:
            with suppress(KeyError):
                yield from _finite_samples(*known, on)


def _finite_samples(
    entries: Sequence[Sequence[Expr]], differences: Sequence[Vector], on: Ground | None
) -> Iterator[list[list[Ball]]]:
    flat = [entry for row in entries for entry in row]
    every = [*flat, *(d for group in differences for d in group)]
    names, rng, width = free_symbols(every), random.Random(len(flat)), len(entries[0])
    for attempt in range(TRIES):
        try:
            values = evaluate_balls(every, draw(names, rng, attempt, DIGITS, on), DIGITS)
        except (ValueError, OverflowError):
            # An imaginary number or an infinity.
            return
        if all(value.is_finite() for value in values) and _are_apart(values[len(flat) :], differences):
            yield [list(values[i : i + width]) for i in range(0, len(flat), width)]


def _without_unknown_functions(matrix: Sequence[Sequence[Expr]]) -> tuple[Matrix, tuple[Vector, ...]] | None:
    """The matrix with symbols for unknown functions, and the differences that keep those independent."""
    flat = [entry for row in matrix for entry in row]
    # One linear form holds all entries, so that equal functions get equal symbols.
    marks = [symbol(f"_entry{k}") for k in range(len(flat))]
    jets = with_jets(symengine.Add(*(mark * entry for mark, entry in zip(marks, flat, strict=True))))
    if jets is None:
        return None
    entries = [jets.expression.diff(mark) for mark in marks]
    width = len(matrix[0])
    return tuple(tuple(entries[i : i + width]) for i in range(0, len(flat), width)), jets.differences


def _are_apart(values: Sequence[Ball], differences: Sequence[Vector]) -> bool:
    start = 0
    for group in differences:
        if not any(map(excludes_zero, values[start : start + len(group)])):
            return False
        start += len(group)
    return True


# Linear systems whose entries have no normal form: pivots are chosen at a random point.
#
# The results are exact wherever the pivots do not vanish; that a matrix is singular is only sampled.


def solve_by_sampling(matrix: Matrix, rights: Sequence[Sequence[Expr]]) -> list[Vector]:
    r"""For every right-hand side $b$ the solution of $A x = b$, not simplified.

    >>> x, one = symengine.Symbol("x"), symengine.Integer(1)
    >>> solve_by_sampling(((0 * x, x), (one, x)), [[x, one]])
    [(1 - x, 1)]
    """
    pivots = _pivots(matrix)
    if not len(pivots) == len(matrix) == len(matrix[0]):
        raise ZeroDivisionError("the matrix is singular at a random point")
    return _solved(matrix, rights, pivots)


def nullspace_by_sampling(matrix: Matrix) -> Matrix:
    """Rows that span the kernel, the free unknowns being 0 or 1.

    >>> x, one = symengine.Symbol("x"), symengine.Integer(1)
    >>> nullspace_by_sampling(((one, 2 * one), (x, 2 * x)))
    ((1, -1/2),)
    """
    pivots, width = _pivots(matrix), len(matrix[0])
    free = [j for j in range(width) if j not in {column for _, column in pivots}]
    solutions = _solved(matrix, [[-row[j] for row in matrix] for j in free], pivots)
    one = as_expression(1)
    return tuple(
        tuple(one if k == j else value for k, value in enumerate(solution))
        for j, solution in zip(free, solutions, strict=True)
    )


def _pivots(matrix: Matrix) -> list[tuple[int, int]]:
    values = _sampled_values(matrix)
    if values is None:
        raise ValueError("no point was met where all entries of the matrix are finite real numbers")
    return choose_pivots(np.array(values), np.array([[entry != 0 for entry in row] for row in matrix]))


def _solved(matrix: Matrix, rights: Sequence[Sequence[Expr]], pivots: Sequence[tuple[int, int]]) -> list[Vector]:
    """The pivots' unknowns from the pivots' rows, all others zero."""
    width = len(matrix[0])
    if not pivots or not rights:
        return [(zero,) * width for _ in rights]
    # Permuted so that SymEngine, which does not look for pivots, meets these on the diagonal.
    square = symengine.DenseMatrix([[matrix[i][j] for _, j in pivots] for i, _ in pivots])
    solution = square.LUsolve(symengine.DenseMatrix([[b[i] for b in rights] for i, _ in pivots]))
    places = {column: k for k, (_, column) in enumerate(pivots)}
    return [tuple(solution[places[j], s] if j in places else zero for j in range(width)) for s in range(len(rights))]
