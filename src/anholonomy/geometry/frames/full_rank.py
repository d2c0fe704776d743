r"""Whether vectors that someone gave stay independent, wherever a motion goes.

.. math:: S = \begin{pmatrix} C & * & * \\ 0 & S' & * \end{pmatrix}, \qquad \det\left(S' S'^{\mathsf T}\right) = \text{const} \ne 0

with $C$ diagonal and constant, in some order of the columns. This proves it; that no such $S'$ is found proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, islice

import symengine

from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, dot
from anholonomy.symbolic.matrices.elimination_in_steps import small_determinant
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["keeps_rank"]

_ROWS, _LARGE = 4, 150
"""The vectors and the operations up to which the determinant is worth a proof."""
_TRIED = 40
"""The choices of columns that are tried."""


def keeps_rank(vectors: Matrix, moving: Collection[Symbol]) -> bool:
    """Whether the vectors are independent at every value of ``moving`` where they are so at one, as far as one can prove.

    >>> theta, zero, one = symengine.Symbol("theta"), symengine.Integer(0), symengine.Integer(1)
    >>> blade = symengine.cos(theta), symengine.sin(theta), zero
    >>> turn = zero, zero, one
    >>> keeps_rank((blade, turn), {theta}), keeps_rank((tuple(theta * entry for entry in blade), turn), {theta})
    (True, False)
    """
    rows = _without_constant_columns([list(row) for row in vectors], set(moving))
    if not rows:
        return True
    entries = [entry for row in rows for entry in row]
    if len(rows) > _ROWS or symengine.count_ops(*entries) > _LARGE:
        return False
    # By Cauchy and Binet the determinant of all columns is that of some plus squares.
    sizes = range(len(rows), min(2 * len(rows), len(rows[0])) + 1)
    choices = (columns for size in sizes for columns in combinations(range(len(rows[0])), size))
    return any(
        _is_constant([[row[j] for j in chosen] for row in rows], set(moving)) for chosen in islice(choices, _TRIED)
    )


def _is_constant(rows: list[list[Expr]], moving: set[Symbol]) -> bool:
    """Whether the determinant of the products of the vectors is a constant other than 0."""
    gram = small_determinant([[dot(left, right) for right in rows] for left in rows])
    slopes = (partial(gram, s) for s in sorted(gram.free_symbols & moving, key=str))
    return all(zero_test(slope) is Verdict.PROVEN for slope in slopes) and zero_test(gram) is Verdict.REFUTED


def _without_constant_columns(rows: list[list[Expr]], moving: set[Symbol]) -> list[list[Expr]]:
    """Drop a vector and a direction that it alone has, in constant measure, as long as there is one."""
    columns = list(zip(*rows, strict=True)) if rows else []
    for j, column in enumerate(columns):
        inside = [i for i, entry in enumerate(column) if entry != 0]
        if len(inside) == 1 and not column[inside[0]].free_symbols & moving:
            rest = [[*row[:j], *row[j + 1 :]] for i, row in enumerate(rows) if i != inside[0]]
            return _without_constant_columns(rest, moving)
    return rows
