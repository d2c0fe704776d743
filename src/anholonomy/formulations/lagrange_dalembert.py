r"""Lagrange–d'Alembert with multipliers; Chetaev's rule when a constraint is nonlinear.

.. math::
   E_a(q, w, \dot w, t) = Q_a + \lambda_\nu \frac{\partial\varphi^\nu}{\partial w^a}, \qquad \dot\varphi^\nu = 0
   :label: lagrange-dalembert
"""

from __future__ import annotations

from typing import final

import symengine

from anholonomy.formulations.base import AbstractFormulation
from anholonomy.formulations.equations import EquationsOfMotion
from anholonomy.formulations.euler_lagrange import constraint_bias, variational_derivative
from anholonomy.geometry.adapted import AdaptedFrame
from anholonomy.symbolic.expressions import unused, zero
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["LagrangeDAlembert"]


@final
class LagrangeDAlembert(AbstractFormulation):
    r"""Velocities and multipliers, $\begin{pmatrix} M & -A^{\mathsf T}\\ A & 0\end{pmatrix}\begin{pmatrix}\dot w\\ \lambda\end{pmatrix} = \begin{pmatrix} Q - h\\ -b\end{pmatrix}$."""

    name = "lagrange-dalembert"
    title = "Lagrange–d'Alembert"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.NONLINEAR | Kind.POSITION

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
            multipliers=tuple(unused(f"lambda{n}", model.names.__contains__) for n, _ in enumerate(A, start=1)),
            K=(*top, *bottom),
            right=(*forced, *(-b for b in constraint_bias(model))),
            acceleration_matrix=tuple(tuple(symengine.Integer(int(a == b)) for b in range(size)) for a in range(size)),
            acceleration_bias=(zero,) * size,
        )
