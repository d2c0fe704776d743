r"""Lagrange–d'Alembert with multipliers; Chetaev's rule when a constraint is nonlinear.

.. math::
   E_a(q, w, \dot w, t) = Q_a + \lambda_\nu \frac{\partial\varphi^\nu}{\partial w^a}, \qquad \dot\varphi^\nu = 0
   :label: lagrange-dalembert

A constraint on accelerations, $A_{\nu a}\dot w^a + b_\nu = 0$, takes the place of $\dot\varphi^\nu = 0$ and is ideal in the sense of
Gauss: its reaction is $\lambda_\nu A_{\nu a}$.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.expressions import identity, zero
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import full_frame
from anholonomy.system.model import Model

__all__ = ["LagrangeDAlembert"]


@final
class LagrangeDAlembert(AbstractPrinciple):
    r"""Velocities and multipliers, $\begin{pmatrix} M & -A^{\mathsf T}\\ A & 0\end{pmatrix}\begin{pmatrix}\dot w\\ \lambda\end{pmatrix} = \begin{pmatrix} Q - h\\ -b\end{pmatrix}$."""

    name = "lagrange-dalembert"
    title = "Lagrange–d'Alembert"
    handles = ~Kind.REDUNDANT
    choose_frame = staticmethod(full_frame)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        E, A = variational_derivative(model), model.matrix_na
        count, size = len(A), model.frame.size
        top = [(*E.mass_ab[a], *(-A[n][a] for n in range(count))) for a in range(size)]
        bottom = [(*row, *(zero,) * count) for row in A]
        forced = [Q - h for Q, h in zip(model.forces_a, E.bias_a, strict=True)]
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=model.velocities,
            multipliers=model.multipliers,
            K=(*top, *bottom),
            rhs=(*forced, *(-b for b in model.bias_n)),
            acceleration_matrix=identity(size),
            acceleration_bias=(zero,) * size,
        )
