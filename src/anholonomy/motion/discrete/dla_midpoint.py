r"""Discrete Lagrange–d'Alembert, midpoint rule.

.. math::
   L_d(q_0, q_1) = h\,L\bigl(\tfrac{q_0 + q_1}2, \tfrac{q_1 - q_0}h\bigr), \qquad
   D_1L_d(q_1, q_2) + D_2L_d(q_0, q_1) + A(q_1)^{\mathsf T}\lambda = 0, \qquad
   \varphi\bigl(\tfrac{q_1 + q_2}2, \tfrac{q_2 - q_1}h\bigr) = 0

The velocities of a node are those of the momentum $D_2L_d$ put on the constraint there, which the multiplier absorbs.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.motion.discrete.base import Between, InCoordinates, added, mean, scaled

__all__ = ["DlaMidpoint"]


@final
class DlaMidpoint(InCoordinates):
    """Cortés and Martínez's principle with the Lagrangian and the constraint at the middle of a step."""

    name = "dla-midpoint"
    title = "discrete Lagrange–d'Alembert, midpoint"
    keeps = "the constraint at nodes and at midpoints; reversibility; momenta along admissible translations"
    loses = "energy, which oscillates; the invariant measure"
    reference = "J. Cortés and S. Martínez, Nonholonomic integrators, Nonlinearity 14 (2001)"

    def equations(self, s: Between) -> tuple[list[Expr], tuple[Symbol, ...]]:
        left, right = s.multipliers("a"), s.multipliers("b")
        begin, end = s.begin(), s.end()
        middle = s.at(mean(s.q0, s.q1), s.velocity, s.t + s.h / 2)
        pushed, back = scaled(s.h / 2, middle.f), scaled(-1, middle.p)
        return [
            *added(begin.p, begin.reaction(left), pushed, back),
            *middle.phi,
            *added(middle.p, pushed, end.reaction(right), scaled(-1, end.p)),
            *end.phi,
        ], (*left, *right)
