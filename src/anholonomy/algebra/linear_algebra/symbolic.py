r"""Determinant, inverse, solution, rank and kernel of a matrix of functions, everywhere or on a group.

.. math:: A^{-1} = \operatorname{adj} A / \det A, \qquad \operatorname{rank} A = n - \dim \ker A

Entries are normal forms (`anholonomy.algebra.normal_forms.canonical`), rows are cleared of denominators and eliminated as
polynomials (`anholonomy.algebra.linear_algebra.fraction_free`). *Generic* is meant throughout: a matrix is singular if its
determinant is the function zero, which says nothing about points where a determinant happens to vanish.
Where no normal form exists within the bounds, pivots are chosen at a random point instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import NamedTuple, final

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, as_expression, dot, matrix_vector, zero
from anholonomy.algebra.linear_algebra.fraction_free import (
    Factored,
    Factors,
    Row,
    adjugate,
    cleared,
    components,
    determinant_of,
    eliminate,
)
from anholonomy.algebra.linear_algebra.sampled import certified_rows, nullspace_by_sampling, solve_by_sampling
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Quotient, Ring, lowest, without_content
from anholonomy.algebra.numbers.random_points import Ground
from anholonomy.algebra.simplification.polynomials import short_form
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.verdict import Verdict

__all__ = [
    "MatrixForms", "as_matrix", "determinant", "independent_rows", "independent_rows_on", "inverse", "joined",
    "kernel_on", "nullspace", "nullspace_on", "rank", "row_echelon", "solve", "solved_kernel",
]  # fmt: skip


# A matrix as polynomials: every row times the factor that clears it, $P_i = f_i A_i$.
#
# Its entries share one ring of generators, so that rows can be combined without another thought about sines and roots.


MAX_JOINED_TERMS = 100
"""Terms up to which a product of factors is multiplied out."""
MAX_WORK = 4_000_000
"""Term products spent on one matrix; a second or two."""


@final
class MatrixForms:
    """The rows of a matrix as polynomials, each times the factor that cleared it."""

    def __init__(self, matrix: Matrix, work: int = MAX_WORK) -> None:
        self.forms = Canonical((entry for row in matrix for entry in row), work=work)
        self.ring: Ring = self.forms.ring
        quotients = [[self.forms.quotient(entry) for entry in row] for row in matrix]
        self.rows: list[Row] = []
        self.factors: list[Quotient] = []
        for values in quotients:
            # The ring may have grown since the first entries were read.
            row, below = cleared(self.ring, [self.ring.lifted(value) for value in values])
            entries, above = without_content(self.ring, list(row.values()))
            self.rows.append(dict(zip(row, entries, strict=True)))
            self.factors.append(self.ring.cancelled(below, above))

    def write(self, value: Quotient) -> Expr:
        return short_form(self.forms, value)

    def write_polynomial(self, value: Polynomial) -> Expr:
        written = self.write(Quotient(value, self.ring.context.constant(1)))
        # Two terms may be the cosine of a difference.
        return simplify(written) if len(value) == 2 and self.forms.pairs else written

    def write_factored(self, factors: Factors, value: Factored) -> Expr:
        """Multiplied out where that is short, else over a product."""
        if prod(len(factors.known[f]) ** power for f, power in value.below.items()) <= MAX_JOINED_TERMS:
            return self.write(joined(factors, value))
        below = (self.write_polynomial(factors.known[f]) ** power for f, power in value.below.items())
        return self.write_polynomial(value.num) / symengine.Mul(*below)


def as_matrix(matrix: Sequence[Sequence[Expr]]) -> Matrix:
    rows = tuple(tuple(as_expression(entry) for entry in row) for row in matrix)
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the rows of a matrix have equal lengths")
    return rows


def _as_square(matrix: Sequence[Sequence[Expr]]) -> Matrix:
    rows = as_matrix(matrix)
    if rows and len(rows) != len(rows[0]):
        raise ValueError(f"a square matrix was expected, not one of {len(rows)} × {len(rows[0])}")
    return rows


def joined(factors: Factors, value: Factored) -> Quotient:
    return lowest(factors.ring, value.num, factors.times(factors.ring.context.constant(1), value.below))


# Rank and kernel over the field of functions.
#
# Rows are independent if balls say so at one point. Another row depends on them if their kernel annihilates it, which
# is decided by normal forms: together that proves the rank.


MAX_PROOF_WORK = 250_000
"""Term products spent on that proof; a tenth of a second."""
MAX_PROOF_NODES = 4_000
"""Up to this size of the matrix it is tried to prove that the other rows are dependent."""


def rank(matrix: Sequence[Sequence[Expr]]) -> int:
    """The generic rank.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> c, s = symengine.cos(x), symengine.sin(x)
    >>> rank([[1 - c**2, s * c], [s, c]])
    1
    """
    return len(independent_rows(matrix))


def independent_rows(matrix: Sequence[Sequence[Expr]]) -> tuple[int, ...]:
    """Rows that form a basis of the row space, early ones preferred.

    Their independence is certified by balls at a point, that the others depend on them by normal forms; where
    there are none, or the matrix is huge, the second half is only sampled.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> independent_rows([[1, x], [x, x**2], [0, 1]])
    (0, 2)
    """
    entries = as_matrix(matrix)
    if not entries or not entries[0]:
        return ()
    chosen = certified_rows(entries)
    if len(chosen) == min(len(entries), len(entries[0])) or _is_huge(entries):
        return chosen
    try:
        return _completed(entries, chosen)
    except NoNormalForm:
        return chosen


def _is_huge(entries: Matrix) -> bool:
    stack = [entry for row in entries for entry in row]
    seen = set(stack)
    while stack and len(seen) <= MAX_PROOF_NODES:
        fresh = set(stack.pop().args) - seen
        seen |= fresh
        stack += fresh
    return len(seen) > MAX_PROOF_NODES


def _completed(entries: Matrix, chosen: Sequence[int]) -> tuple[int, ...]:
    """The chosen rows and every other one that their kernel does not annihilate."""
    space, width = MatrixForms(entries, MAX_PROOF_WORK), len(entries[0])
    found = list(chosen)
    kernel = _expanded_kernel(space.ring, [space.rows[i] for i in found], width)
    for i, row in enumerate(space.rows):
        if i in found:
            continue
        if not all(_pairing(space.ring, row, vector).is_zero() for vector in kernel):
            found.append(i)
            kernel = _expanded_kernel(space.ring, [space.rows[k] for k in found], width)
    return tuple(sorted(found))


def _expanded_kernel(ring: Ring, rows: Sequence[Row], width: int) -> list[Row]:
    factors, vectors = _kernel(ring, rows, width)
    return [{j: factors.times(*value) for j, value in vector.items()} for vector in vectors]


def _pairing(ring: Ring, row: Row, vector: Row) -> Polynomial:
    total = ring.context.constant(0)
    for j in row.keys() & vector.keys():
        total += ring.times(row[j], vector[j])
    return total


def nullspace(matrix: Sequence[Sequence[Expr]]) -> Matrix:
    r"""Rows that span $\{v : A v = 0\}$, entries without denominators or common factors.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> nullspace([[symengine.tan(x), -1, 0]])
    ((cos(x), sin(x), 0), (0, 0, 1))
    """
    entries = as_matrix(matrix)
    if not entries:
        return ()
    width = len(entries[0])
    try:
        space = MatrixForms(entries)
        factors, kernel = _kernel(space.ring, space.rows, width)
    except NoNormalForm:
        return nullspace_by_sampling(entries)
    written = [space.write_polynomial(factor) for factor in factors.known]

    def write(value: Factored) -> Expr:
        return space.write_polynomial(value.num) * symengine.Mul(*(written[f] ** p for f, p in value.below.items()))

    return tuple(tuple(write(v[j]) if j in v else zero for j in range(width)) for v in kernel)


def _kernel(ring: Ring, rows: Sequence[Row], width: int) -> tuple[Factors, list[dict[int, Factored]]]:
    """Vectors that span the kernel; factors stand *above*, next to the numerators."""
    work = [dict(row) for row in rows]
    pivots = eliminate(ring, work, range(width))
    used = {j for _, j in pivots}
    factors, vectors = Factors(ring), []
    for free in (j for j in range(width) if j not in used):
        values = factors.back_substituted(work, pivots, free)
        common = factors.common(values.values())
        nums, _ = without_content(ring, [*(-value.num for value in values.values()), ring.context.constant(1)])
        above = [*(common - Counter(value.below) for value in values.values()), common]
        vectors.append(dict(zip([*values, free], map(Factored, nums, above), strict=True)))
    return factors, vectors


# Determinant, inverse, solution and echelon form.


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
    entries = _as_square(matrix)
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
    entries = _as_square(matrix)
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


# Rank and kernel at the generic points of a group.
#
# Rows independent at a point of the group are so generically, and the kernel of those that were found annihilates every other
# row: the first is certified in balls, the second decided by the zero test on the group. Without redundant coordinates
# this is the linear algebra above.


@final
class NullSpace(NamedTuple):
    """Vectors that the rows annihilate, and whether it is proven that they all do."""

    vectors: Matrix
    proven: bool


def nullspace_on(matrix: Sequence[Sequence[Expr]], on: Ground | None) -> Matrix:
    """Rows that span the kernel at generic points of a group; everywhere for None.

    >>> from anholonomy.geometry.groups import SO3
    >>> q0, q1, q2, q3 = SO3().coordinates
    >>> rows = [[q0**2 + q1**2, -1], [1, q2**2 + q3**2 - 1 - 1 / (q0**2 + q1**2) + q0**2 + q1**2]]
    >>> len(nullspace_on(rows, None)), len(nullspace_on(rows, SO3().frame.orbit))
    (0, 1)
    """
    return kernel_on(matrix, on).vectors


def independent_rows_on(matrix: Sequence[Sequence[Expr]], on: Ground | None) -> tuple[int, ...]:
    """Rows that form a basis of the row space at generic points of a group, early ones preferred."""
    if on is None or not on.touches(entry for row in matrix for entry in row):
        return independent_rows(matrix)
    entries = as_matrix(matrix)
    chosen = certified_rows(entries, on=on)
    return chosen if len(chosen) == min(len(entries), len(entries[0])) else _eliminated(entries, on)[1]


def kernel_on(matrix: Sequence[Sequence[Expr]], on: Ground | None) -> NullSpace:
    """The kernel at generic points of a group with what is known of it."""
    entries = as_matrix(matrix)
    if on is None or not on.touches(entry for row in entries for entry in row):
        return NullSpace(nullspace(entries), True)
    return _eliminated(entries, on)[0]


def _eliminated(entries: Matrix, on: Ground) -> tuple[NullSpace, tuple[int, ...]]:
    """The kernel, and rows that suffice for it."""
    chosen = list(certified_rows(entries, on=on))
    while True:
        vectors = _annihilated([entries[k] for k in chosen], len(entries[0]), on)
        rest = [k for k in range(len(entries)) if k not in chosen]
        verdicts = {k: [zero_test(dot(entries[k], v), on) for v in vectors] for k in rest}
        more = next((k for k in rest if Verdict.REFUTED in verdicts[k]), None)
        if more is None:
            proven = all(verdict is Verdict.PROVEN for k in rest for verdict in verdicts[k])
            return NullSpace(vectors, proven), tuple(chosen)
        chosen = sorted([*chosen, more])


def _annihilated(rows: Sequence[Vector], width: int, on: Ground) -> Matrix:
    """The kernel of rows that are independent on the group, by vectors that are independent there."""
    if not rows:
        return tuple(tuple(symengine.Integer(int(i == j)) for j in range(width)) for i in range(width))
    vectors = nullspace(rows)
    if len(certified_rows(vectors, on=on)) == width - len(rows):
        return vectors
    pivots = certified_rows(tuple(zip(*rows, strict=True)), on=on)
    scale = determinant([[row[j] for j in pivots] for row in rows])
    return tuple(simplify_vector(scale * entry for entry in v) for v in solved_kernel(rows, pivots))


def solved_kernel(rows: Sequence[Vector], pivots: Sequence[int]) -> Matrix:
    """Vectors of the kernel with the other components free, regular where the pivots' block is."""
    width = len(rows[0])
    block = inverse([[row[j] for j in pivots] for row in rows])
    vectors = []
    for free in (j for j in range(width) if j not in pivots):
        values = matrix_vector(block, [-row[free] for row in rows])
        known = dict(zip(pivots, values, strict=True)) | {free: symengine.Integer(1)}
        vectors.append(tuple(known.get(j, zero) for j in range(width)))
    return tuple(vectors)
