r"""The momentum equation: how the momentum of a field changes, and which part of that vanishes.

.. math:: J = \langle p, \xi\rangle, \qquad \frac{dJ}{dt} = \hat\xi(L) + Q_a\xi^a + R_a\xi^a, \qquad
   \hat\xi(L) = p_a\,\dot\xi^a + \xi(L) + \xi^a\,(w^bc_{ba}{}^d + c_{0a}{}^d)\,p_d

$\hat\xi(L)$ is the derivative of the Lagrangian along the lifted flow of $\xi$, zero for a symmetry; $R$ are the reactions, which do no work
on a field in $D$, or for nonlinear constraints on one with $\xi^a\,\partial\varphi^\nu/\partial w^a = 0$.
"""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, dot
from anholonomy.symbolic.steps.straight_line import inline
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta

__all__ = ["lift"]


def lift(model: Model, field: Sequence[Expr]) -> Expr:
    r"""$\hat\xi(L)$, the derivative of the Lagrangian along the lift of a field with these components in the system's frame."""
    p = momenta(model)
    moving = model.frame.drift_direction(model.velocities)
    changed = [along(component, moving) for component in field]
    return inline([dot(p.momentum_a, changed) + p.pull(tuple(field))], p.definitions)[0]
