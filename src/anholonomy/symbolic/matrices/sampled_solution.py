"""Linear systems whose entries have no normal form: pivots are chosen at a random point.

The results are exact wherever the pivots do not vanish; that a matrix is singular is only sampled.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import symengine

from anholonomy.symbolic.expressions import Expr, Matrix, Vector, as_expression, zero
from anholonomy.symbolic.matrices.elimination_in_steps import choose_pivots
from anholonomy.symbolic.matrices.sampled_rank import sampled_values

__all__ = ["nullspace_by_sampling", "solve_by_sampling"]


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
    values = sampled_values(matrix)
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
