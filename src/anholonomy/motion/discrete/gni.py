r"""The geometric nonholonomic integrator: at a node, what the constraint forbids of the momentum is reflected.

.. math::
   \mathcal P^*\bigl(D_1L_d(q_1, q_2)\bigr) + \mathcal P^*\bigl(D_2L_d(q_0, q_1)\bigr) = 0, \qquad
   \mathcal Q^*\bigl(D_1L_d(q_1, q_2)\bigr) - \mathcal Q^*\bigl(D_2L_d(q_0, q_1)\bigr) = 0

$\mathcal P$ and $\mathcal Q$ project onto the admissible velocities and along them, orthogonally in the kinetic metric. So the same
multiplier acts before and after a node and makes the mean of both momenta admissible, as in RATTLE; no constraint on $q_1$ is
discretised. It begins with the multiplier of the motion itself. Here $L_d$ is the trapezoidal one.
"""

from __future__ import annotations

from typing import final

import numpy as np

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.motion.charts.one_motion import RunnableEquations
from anholonomy.motion.discrete.base import Between, InCoordinates, added, mean, scaled
from anholonomy.programs.backends.base import Array

__all__ = ["Gni"]


@final
class Gni(InCoordinates):
    """Ferraro, Iglesias and Martín de Diego's integrator, with the trapezoidal Lagrangian."""

    name = "gni"
    title = "geometric nonholonomic integrator, trapezoidal"
    keeps = (
        "the constraint at nodes; reversibility, with the multiplier it carries; momenta along admissible translations"
    )
    loses = "energy, which oscillates; the invariant measure; where a motion contracts, the reflected part grows and takes over"
    reference = (
        "S. Ferraro, D. Iglesias and D. Martín de Diego, Momentum and energy preserving integrators for nonholonomic dynamics, "
        "Nonlinearity 21 (2008)"
    )
    carries = True

    def equations(self, s: Between) -> tuple[list[Expr], tuple[Symbol, ...]]:
        begin, end = s.begin(), s.end()
        first, last = s.at(s.q0, s.velocity, s.t), s.at(s.q1, s.velocity, s.t + s.h)
        between = mean(first.p, last.p)
        return [
            *added(begin.p, begin.reaction(s.multipliers("0")), scaled(s.h / 2, first.f), scaled(-1, between)),
            *added(between, scaled(s.h / 2, last.f), end.reaction(s.multipliers("1")), scaled(-1, end.p)),
            *end.phi,
        ], ()

    def node(self, runnable: RunnableEquations, t: float, x: Array, p: Array, h: float) -> Array:
        return np.concatenate([x, h / 2 * runnable.observe_one("multiplier", t, x, p)])
