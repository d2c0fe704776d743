r"""Hamel's equations: the motion in the quasi-velocities of a frame adapted to the constraints.

.. math::
   \frac{d}{dt}\frac{\partial l}{\partial u^a} - e_a(l)
   = (u^b c_{ba}{}^d + c_{0a}{}^d)\,p_d + Q_a, \qquad l(q, u, t) = L(q,\, uS + s,\, t)
   :label: hamel

The momenta $p_d = \partial L/\partial w^d$ and the bracket $[u^b e_b + e_0 + \partial_t,\, e_a]$ are taken in the base
frame, where they need neither a complement of the admissible directions nor a coframe. There are as many
equations as admissible directions, the constraints hold by construction, and nothing drifts off them.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.calculus import along, gradient, jacobian
from anholonomy.algebra.expressions import dot
from anholonomy.algebra.steps.definitions import Assign, Recorder
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model

__all__ = ["Hamel"]


@final
class Hamel(AbstractPrinciple):
    """Quasi-velocities along the admissible directions; one equation for each."""

    name = "hamel"
    title = "Hamel's equations"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.POSITION

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        velocities = frame.velocities
        given = dict(zip(model.velocities, velocities, strict=True))
        record = Recorder("$r")
        flow, fields = frame.flow(record), frame.fields(record)

        l = model.lagrangian.xreplace(given)
        momenta_u = gradient(l, frame.speeds)
        momenta_w = gradient(model.lagrangian, model.velocities)
        right = []
        for a, transported in enumerate(frame.transport(flow, fields)):
            coasting = along(momenta_u[a], flow)
            pull = along(l, fields[a])
            structure = dot(transported, momenta_w)
            applied = dot(frame.span_ba[a], model.forces_a)
            right.append(pull - coasting + structure + applied)
        named = [Assign(w, value) for w, value in given.items() if w != value]
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=frame.speeds,
            definitions=(*frame.definitions, *record.assignments, *named),
            K=jacobian(momenta_u, frame.speeds),
            rhs=tuple(right),
            is_definite=True,
            acceleration_matrix=tuple(zip(*frame.span_ba, strict=True)) if frame.span_ba else ((),) * len(velocities),
            acceleration_bias=tuple(along(value, flow) for value in velocities),
            frame=frame,
        )
