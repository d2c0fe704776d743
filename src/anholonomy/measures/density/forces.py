r"""Routes: what applied forces decide before any bracket is taken.

Forces add $s(q, u) = G^{ab}\,\partial Q_a/\partial u^b$ to the divergence of the motion, and a density $N(q)$ must make up for all of it:

.. math:: X_a(\ln N)\,u^a + (X_0 + \partial_t)(\ln N) = -\theta_au^a - \theta_0 - s(q, u) .

The left side is affine in the speeds, and so $s$ must be. Without time and inhomogeneous constraints the left side vanishes at rest, and so
must $s(q, 0)$. A force that jumps with the velocities has no divergence where it jumps.
"""

from __future__ import annotations

from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.switching import has_jumps
from anholonomy.algebra.zero_test import zero_test
from anholonomy.findings import Finding, Quantity
from anholonomy.measures.density.problem import Decision, DensityProblem

__all__ = ["force_jumps", "forces_at_rest", "forces_not_affine"]


def force_jumps(problem: DensityProblem) -> Decision | None:
    """Unknown, if a force jumps with the velocities."""
    model = problem.motion.model
    if not any(has_jumps(simplify(Q), model.velocities) for Q in model.forces_a):
        return None
    return Decision(
        Finding.unknown(problem.claim, "a force jumps with the velocities, and at jumps volumes may be lost")
    )


def forces_not_affine(problem: DensityProblem) -> Decision | None:
    """Refuted, if the divergence of the forces is proven not to be affine in the speeds; unknown, if it is not seen to be."""
    divergence = problem.divergence
    if divergence.seen_affine:
        return None
    what = "how the divergence of the forces departs from one that is affine in the speeds"
    found = problem.by_misfits([Quantity(what, e, r"\partial^2s/\partial u\,\partial u") for e in divergence.bends])
    if found.is_refuted:
        return Decision(found)
    return Decision(
        Finding.unknown(problem.claim, "the divergence of the forces is not seen to be affine in the speeds")
    )


def forces_at_rest(problem: DensityProblem) -> Decision | None:
    """Refuted, if the divergence at rest is not zero."""
    divergence, motion = problem.divergence, problem.motion
    if motion.mentions_time or divergence.has_offset or not zero_test(divergence.spreading, motion.on).is_refuted:
        return None
    return Decision(problem.by_misfits([Quantity("the divergence at rest", divergence.spreading, r"\theta_0")]))
