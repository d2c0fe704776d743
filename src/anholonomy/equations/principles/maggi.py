r"""Maggi's equations: pair the motion only with virtual displacements, and no multiplier is left.

.. math::
   S_b{}^a\,\bigl(E_a(q, w, \dot w, t) - Q_a\bigr) = 0, \qquad \dot\varphi^\nu = 0, \qquad A S^{\mathsf T} = 0
   :label: maggi

The basis $S$ is never differentiated, so it may depend on the velocities: with Chetaev's virtual displacements
$\partial\varphi/\partial w\cdot\delta = 0$ the equations hold for nonlinear constraints too.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.expressions import dot, identity, zero
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model

__all__ = ["Maggi"]


@final
class Maggi(AbstractPrinciple):
    r"""Velocities only, $\begin{pmatrix} S M\\ A\end{pmatrix}\dot w = \begin{pmatrix} S(Q - h)\\ -b\end{pmatrix}$."""

    name = "maggi"
    title = "Maggi's equations"
    handles = ~Kind.REDUNDANT

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        E, size = variational_derivative(model), model.frame.size
        columns = tuple(zip(*E.mass_ab, strict=True))
        forced = [Q - h for Q, h in zip(model.forces_a, E.bias_a, strict=True)]
        projected = [tuple(dot(row, column) for column in columns) for row in frame.span_ba]
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=model.velocities,
            definitions=frame.definitions,
            K=(*projected, *model.matrix_na),
            rhs=(*(dot(row, forced) for row in frame.span_ba), *(-b for b in model.bias_n)),
            acceleration_matrix=identity(size),
            acceleration_bias=(zero,) * size,
            frame=frame,
        )
