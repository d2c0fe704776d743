r"""The discrete principle by the rectangle rule for half a step, then by the mirrored rule for the other half.

.. math::
   p(q_0, v_a) = p_0 + \tfrac h2 f(q_0, v_a) + A(q_0)^{\mathsf T}\lambda, \quad \varphi(q_0, v_a) = 0, \quad
   \bar q = q_0 + \tfrac h2 v_a, \\
   p(q_1, v_b) = p(q_0, v_a) + A(\bar q)^{\mathsf T}\mu, \quad \varphi(q_1, v_b) = 0, \quad q_1 = \bar q + \tfrac h2 v_b, \\
   p_1 = p(q_1, v_b) + \tfrac h2 f(q_1, v_b) + A(q_1)^{\mathsf T}\nu, \quad \varphi(q_1, v_1) = 0

Each half is a discrete Lagrange–d'Alembert principle of order one; the second is the adjoint of the first, so that the whole is its
own: a step back undoes a step.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.motion.discrete.base import Between, InCoordinates, added, named, scaled

__all__ = ["Reversible"]


@final
class Reversible(InCoordinates):
    """A reversible composition of the discrete principle, as McLachlan and Perlmutter study them."""

    name = "reversible"
    title = "rectangle rule composed with its mirror image"
    keeps = "the constraint at nodes; reversibility; momenta along admissible translations"
    loses = "energy, which oscillates; the invariant measure"
    reference = (
        "R. McLachlan and M. Perlmutter, Integrators for nonholonomic mechanical systems, J. Nonlinear Sci. 16 (2006)"
    )

    def equations(self, s: Between) -> tuple[list[Expr], tuple[Symbol, ...]]:
        n = len(s.q0)
        early, late = named("$va_", n), named("$vb_", n)
        first, middle, last = (s.multipliers(name) for name in "abc")
        half = s.h / 2
        place = tuple(s.write(q) for q in added(s.q0, scaled(half, early)))
        begin, end = s.begin(), s.end()
        here, there = s.at(s.q0, early, s.t), s.at(s.q1, late, s.t + s.h)
        between = s.at(place, early, s.t + half)
        return [
            *added(begin.p, scaled(half, here.f), begin.reaction(first), scaled(-1, here.p)),
            *here.phi,
            *added(here.p, between.reaction(middle), scaled(-1, there.p)),
            *there.phi,
            *added(place, scaled(half, late), scaled(-1, s.q1)),
            *added(there.p, scaled(half, there.f), end.reaction(last), scaled(-1, end.p)),
            *end.phi,
        ], (*early, *late, *first, *middle, *last)
