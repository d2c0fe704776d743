"""What a refuted density of the configuration says about densities that depend on the velocities too."""

from __future__ import annotations

from anholonomy.analysis.measures.divergence import Divergence
from anholonomy.formulations.inertia import quadratic_parts
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol, dot, zero
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.model import Model

__all__ = ["theorem_on_refutation"]


def theorem_on_refutation(model: Model, divergence: Divergence) -> str:
    r"""What a refutation says about densities of positions and velocities.

    Where $\dot q = u^aX_a$ and $\dot u$ is homogeneous of degree two in the speeds, the motion raises the degree in them by one. Of a smooth
    density $N_0(q) + N_1(q, u) + \dots$ the terms of degree one in $Z(N) + N\operatorname{div}Z = 0$ are then $X_a(N_0)u^a + N_0\theta_au^a = 0$, so
    that $N_0$ is a density of the configuration. A gyroscopic term, of degree one in $\dot u$, would add a derivative of $N_1$. Where time enters or
    constraints are inhomogeneous, nothing rests.
    """
    motion = divergence.motion
    if not divergence.seen_affine or motion.mentions_time or divergence.has_offset:
        return "densities that depend on the velocities are not excluded"
    if not is_zero(divergence.spreading, motion.on) and _rests_anywhere(divergence):
        return "nor any that is smooth and positive: wherever it rests the divergence is not zero, and there it would have to be"
    if not _is_kinetic(model, divergence):
        return "densities that depend on the velocities are not excluded"
    return "nor any that is smooth and positive near rest: its part at rest would be one of the configuration, there being no potential"


def _is_kinetic(model: Model, divergence: Divergence) -> bool:
    """Whether what changes the speeds is homogeneous of degree two in them, the constraints being linear: no potential, nothing gyroscopic, no drag."""
    motion = divergence.motion
    w = model.velocities
    grows = all(is_zero(dot(gradient(F, w), w) - 2 * F, motion.on) for F in model.forces_a if F != 0)
    return grows and _rests_anywhere(divergence) and not _turns(model, divergence)


def _turns(model: Model, divergence: Divergence) -> bool:
    """Whether a part that is linear in the speeds changes them, such as of a magnetic field; it comes from one of the Lagrangian that is."""
    if all(entry == 0 for entry in quadratic_parts(model.lagrangian, model.velocities).linear_a):
        return False
    motion = divergence.motion
    back = {u: -u for u in motion.speeds}
    return not all(is_zero(push - push.xreplace(back), motion.on) for push in motion.force_a)


def _rests_anywhere(divergence: Divergence) -> bool:
    """Whether every configuration is an equilibrium: no force on what is at rest."""
    motion = divergence.motion
    at_rest: dict[Symbol, Expr] = dict.fromkeys(motion.speeds, zero)
    try:
        pushes = [F.xreplace(at_rest) for F in motion.force_a]
    except RuntimeError:  # SymEngine refuses to divide by zero
        return False
    return all(is_zero(push, motion.on) for push in pushes)
