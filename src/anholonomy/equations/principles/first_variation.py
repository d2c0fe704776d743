r"""The first variation: motion from a force and a momentum, with or without a Lagrangian behind them.

.. math::
   \phi = F_a\,dq^a + \Pi_a\,d\dot q^a, \qquad
   \bar F_b - \nabla_t\bar\Pi_b = 0, \qquad
   \nabla_t\bar\Pi_b = \frac{d}{dt}(S_b{}^a\,\Pi_a) - \dot S_b{}^a\,\Pi_a, \qquad \bar F_b = S_b{}^a F_a
   :label: first-variation

in the speeds of a frame adapted to the constraints. The mass matrix $\partial\Pi_a/\partial\dot q^b$ need not be symmetric. Where
there is a Lagrangian, $\Pi = \partial L/\partial\dot q$ and $F = \partial L/\partial q + Q$.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.calculus import along, jacobian
from anholonomy.algebra.expressions import dot
from anholonomy.algebra.steps.definitions import Assign, Recorder
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model

__all__ = ["FirstVariation"]


@final
class FirstVariation(AbstractPrinciple):
    """Speeds along the admissible directions; force and momentum are all it knows."""

    name = "first-variation"
    title = "First variation of force and momentum"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.POSITION | Kind.FORCE_MOMENTUM

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        E = variational_derivative(model)
        given = dict(zip(model.velocities, frame.velocities, strict=True))
        record = Recorder("$r")
        flow = frame.flow(record)
        force = [f + Q for f, Q in zip(E.force_a, model.forces_a, strict=True)]
        momenta = [dot(row, E.momentum_a).xreplace(given) for row in frame.span_ba]
        right = []
        for row, momentum in zip(frame.span_ba, momenta, strict=True):
            turning = [along(entry, flow) for entry in row]
            right.append(dot(row, force) + dot(turning, E.momentum_a) - along(momentum, flow))
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=frame.speeds,
            definitions=(*frame.definitions, *record.assignments, *(Assign(w, v) for w, v in given.items() if w != v)),
            K=jacobian(momenta, frame.speeds),
            rhs=tuple(right),
            is_definite=model.momenta_a is None,
            acceleration_matrix=jacobian(frame.velocities, frame.speeds),
            acceleration_bias=tuple(along(value, flow) for value in frame.velocities),
            frame=frame,
        )
