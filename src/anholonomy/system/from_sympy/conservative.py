r"""Loads with a potential: gravity and springs, which belong to the Lagrangian, so that the energy counts them.

.. math:: \partial_i Q_j = \partial_j Q_i \quad\Longrightarrow\quad Q_i = -\partial_i V

Each load is asked by itself; then, of those without a potential, neighbours, since a spring pulls at both its ends; then
the rest together. What is found is proven by differentiation, and what is not found stays a force.
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from anholonomy.geometry.calculus.potentials import is_closed, potential
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, free_symbols, zero

__all__ = ["conservative"]

_LONG = 3000
"""Operations beyond which proofs about a load take longer than its energy is worth."""


def conservative(coordinates: Sequence[Symbol], loads: Sequence[Vector]) -> tuple[Expr, list[Vector]]:
    """The potential energy of loads, and the loads that have none."""
    total, left = zero, [load for load in loads if any(Q != 0 for Q in load)]
    for size in (1, 2, len(left)):
        place = 0
        while size and place + size <= len(left):
            found = _potential(coordinates, left[place : place + size])
            if found is None:
                place += 1
            else:
                total, left = total + found, left[:place] + left[place + size :]
    return total, left


def _potential(coordinates: Sequence[Symbol], loads: Sequence[Vector]) -> Expr | None:
    r"""$V$ of the sum of some loads, where it is found."""
    form = {q: -symengine.Add(*entries) for q, *entries in zip(coordinates, *loads, strict=True)}
    if int(symengine.count_ops(*form.values())) > _LONG:
        return None
    used = [q for q in coordinates if form[q] != 0 or q in free_symbols(form.values())]
    rows = [form[q] for q in used]
    return potential(used, rows) if is_closed(used, rows) else None
