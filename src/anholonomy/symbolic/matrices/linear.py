r"""Exact linear algebra over the field of functions.

.. math:: A^{-1} = \operatorname{adj} A / \det A

Entries are normal forms (`anholonomy.symbolic.normal_forms.canonical`), rows are cleared of denominators and eliminated as
polynomials (`anholonomy.symbolic.matrices.fraction_free`). *Generic* is meant throughout: a matrix is singular if its
determinant is the function zero, which says nothing about points where a determinant happens to vanish.
Where no normal form exists within the bounds, pivots are chosen at a random point instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from anholonomy.symbolic.expressions import Expr, Matrix, Vector, as_expression, zero
from anholonomy.symbolic.matrices.factored import Factors
from anholonomy.symbolic.matrices.forms import MatrixForms, as_matrix, as_square, joined
from anholonomy.symbolic.matrices.fraction_free import Row, adjugate, components, determinant_of, eliminate
from anholonomy.symbolic.matrices.kernels import independent_rows, nullspace, rank
from anholonomy.symbolic.matrices.sampled_solution import solve_by_sampling
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.normal_forms.divisibility import lowest
from anholonomy.symbolic.normal_forms.quotients import Quotient, Ring

__all__ = ["determinant", "independent_rows", "inverse", "nullspace", "rank", "row_echelon", "solve"]

Rows = Sequence[Sequence[Expr]]

MAX_ADJUGATE = 4
"""Up to this size cofactors cost less than elimination, and they never divide."""


def determinant(matrix: Rows) -> Expr:
    """The determinant, in a short form.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> c, s = symengine.cos(x), symengine.sin(x)
    >>> determinant([[c, -s], [s, c]])
    1
    """
    entries = as_square(matrix)
    try:
        space = MatrixForms(entries)
        ring = space.ring
        value = Quotient(determinant_of(ring, space.rows), ring.context.constant(1))
        for factor in space.factors:
            value = ring.multiply([value, ring.invert(factor)])
        return space.write(lowest(ring, *value))
    except NoNormalForm:
        return symengine.DenseMatrix(entries).det()


def inverse(matrix: Rows) -> Matrix:
    """The inverse; a matrix proven singular raises `ZeroDivisionError`.

    >>> import symengine
    >>> m, x = symengine.symbols("m x")
    >>> c, s = symengine.cos(x), symengine.sin(x)
    >>> inverse([[m * c, -s], [m * s, c]])
    ((cos(x)/m, sin(x)/m), (-sin(x), cos(x)))
    """
    entries = as_square(matrix)
    size = len(entries)
    try:
        return _inverse(MatrixForms(entries), size)
    except NoNormalForm:
        identity = [[as_expression(int(i == j)) for i in range(size)] for j in range(size)]
        return tuple(zip(*solve_by_sampling(entries, identity), strict=True))


def _inverse(space: MatrixForms, size: int) -> Matrix:
    result = [[zero] * size for _ in range(size)]
    ring = space.ring
    for rows, columns in components(space.rows, size):
        if len(rows) != len(columns):
            raise ZeroDivisionError("the matrix is singular by its pattern of zeros")
        block = [{columns.index(j): p for j, p in space.rows[i].items()} for i in rows]
        values = _by_cofactors(ring, block) if len(rows) <= MAX_ADJUGATE else _by_elimination(ring, block)
        for (a, b), value in values.items():
            scaled = ring.multiply([value, space.factors[rows[b]]])
            result[columns[a]][rows[b]] = space.write(lowest(ring, *scaled))
    return tuple(map(tuple, result))


def _by_cofactors(ring: Ring, rows: Sequence[Row]) -> dict[tuple[int, int], Quotient]:
    cofactors, below = adjugate(ring, rows)
    if below.is_zero():
        raise ZeroDivisionError("the matrix is singular: its determinant is zero")
    return {place: lowest(ring, p, below) for place, p in cofactors.items() if not p.is_zero()}


def _by_elimination(ring: Ring, rows: Sequence[Row]) -> dict[tuple[int, int], Quotient]:
    size, one = len(rows), ring.context.constant(1)
    work = [{**row, size + i: one} for i, row in enumerate(rows)]
    pivots = eliminate(ring, work, range(size))
    if len(pivots) < size:
        raise ZeroDivisionError(f"the matrix is singular: its rank is {len(pivots)}, not {size}")
    factors = Factors(ring)
    solutions = [factors.back_substituted(work, pivots, size + i) for i in range(size)]
    return {(j, i): joined(factors, value) for i, solution in enumerate(solutions) for j, value in solution.items()}


def solve(matrix: Rows, rights: Sequence[Sequence[Expr]]) -> list[Vector]:
    r"""For every right-hand side $b$ a solution of $A x = b$, unknowns that are left free being zero.

    A system without a solution raises `ZeroDivisionError`.

    >>> import symengine
    >>> a, b = symengine.symbols("a b")
    >>> solve([[a, b], [b, a]], [[1, 0], [a + b, a + b]])
    [(a/(a**2 - b**2), -b/(a**2 - b**2)), (1, 1)]
    """
    entries, columns = as_matrix(matrix), as_matrix(rights)
    if not entries:
        return [() for _ in columns]
    width = len(entries[0])
    try:
        space = MatrixForms(tuple((*row, *(b[i] for b in columns)) for i, row in enumerate(entries)))
        pivots = eliminate(space.ring, space.rows, range(width))
        if any(row and min(row) >= width for row in space.rows):
            raise ZeroDivisionError("the linear system has no solution: its equations contradict each other")
        factors, solutions = Factors(space.ring), []
        for k in range(len(columns)):
            known = factors.back_substituted(space.rows, pivots, width + k)
            solutions.append(
                tuple(space.write_factored(factors, known[j]) if j in known else zero for j in range(width))
            )
        return solutions
    except NoNormalForm:
        return solve_by_sampling(entries, columns)


def row_echelon(matrix: Rows) -> tuple[Matrix, tuple[int, ...]]:
    """The reduced echelon form, its rows cleared of denominators and common factors, and the pivots' columns.

    Raises `NoNormalForm` where entries have no normal form within the bounds.

    >>> row_echelon([[2, 4, 1], [1, 2, 3]])
    (((1, 2, 0), (0, 0, 1)), (0, 2))
    """
    entries = as_matrix(matrix)
    if not entries:
        return (), ()
    space, width = MatrixForms(entries), len(entries[0])
    pivots = eliminate(space.ring, space.rows, range(width), above=True, ordered=True)
    rows = [space.rows[i] for i, _ in pivots] + [{}] * (len(entries) - len(pivots))
    written = (tuple(space.write_polynomial(row[j]) if j in row else zero for j in range(width)) for row in rows)
    return tuple(written), tuple(j for _, j in pivots)
