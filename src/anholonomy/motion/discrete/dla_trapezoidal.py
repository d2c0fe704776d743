r"""Discrete Lagrange–d'Alembert, trapezoidal rule.

.. math::
   L_d(q_0, q_1) = \tfrac h2\,L(q_0, v) + \tfrac h2\,L(q_1, v), \qquad
   \tfrac12\varphi(q_0, v) + \tfrac12\varphi(q_1, v) = 0, \qquad v = \tfrac{q_1 - q_0}h
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.motion.discrete.base import Between, InCoordinates, added, mean, scaled

__all__ = ["DlaTrapezoidal"]


@final
class DlaTrapezoidal(InCoordinates):
    """Cortés and Martínez's principle with the Lagrangian and the constraint at both ends of a step."""

    name = "dla-trapezoidal"
    title = "discrete Lagrange–d'Alembert, trapezoidal"
    keeps = "the constraint at nodes, and its mean over the ends of a step; reversibility; momenta along admissible translations"
    loses = "energy, which oscillates; the invariant measure"
    reference = "J. Cortés and S. Martínez, Nonholonomic integrators, Nonlinearity 14 (2001)"

    def equations(self, s: Between) -> tuple[list[Expr], tuple[Symbol, ...]]:
        left, right = s.multipliers("a"), s.multipliers("b")
        begin, end = s.begin(), s.end()
        first, last = s.at(s.q0, s.velocity, s.t), s.at(s.q1, s.velocity, s.t + s.h)
        between = mean(first.p, last.p)
        return [
            *added(begin.p, begin.reaction(left), scaled(s.h / 2, first.f), scaled(-1, between)),
            *mean(first.phi, last.phi),
            *added(between, scaled(s.h / 2, last.f), end.reaction(right), scaled(-1, end.p)),
            *end.phi,
        ], (*left, *right)
