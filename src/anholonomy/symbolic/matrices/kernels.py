r"""Rank and kernel over the field of functions, $\operatorname{rank} A = n - \dim \ker A$.

Rows are independent if balls say so at one point. Another row depends on them if their kernel annihilates it, which
is decided by normal forms: together that proves the rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import symengine

from anholonomy.symbolic.expressions import Expr, Matrix, zero
from anholonomy.symbolic.matrices.factored import Factored, Factors
from anholonomy.symbolic.matrices.forms import MatrixForms, as_matrix
from anholonomy.symbolic.matrices.fraction_free import Row, eliminate
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.matrices.sampled_solution import nullspace_by_sampling
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.normal_forms.divisibility import without_content
from anholonomy.symbolic.normal_forms.quotients import Polynomial, Ring

__all__ = ["independent_rows", "nullspace", "rank"]

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
