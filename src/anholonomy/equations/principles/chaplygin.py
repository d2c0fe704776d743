r"""Chaplygin's equations: the motion on a base, free of the coordinates that appear nowhere.

.. math::
   \frac{d}{dt}\frac{\partial l}{\partial\dot r^i} - \frac{\partial l}{\partial r^i}
   = K_\nu\,\bigl(B^\nu{}_{ij}\,\dot r^j + B^\nu{}_{it}\bigr) + Q_i + a_{\nu i}\,Q_\nu, \qquad
   \dot q^\nu = a_{\nu i}(r, t)\,\dot r^i + a_\nu(r, t)
   :label: chaplygin

Here $l(r, \dot r, t)$ is the Lagrangian with the constraints put in, $K_\nu = \partial L/\partial\dot q^\nu$, and
$B^\nu{}_{ij} = \partial_j a_{\nu i} - \partial_i a_{\nu j}$, $B^\nu{}_{it} = \partial_t a_{\nu i} - \partial_i a_\nu$ is the curvature of the
constraints. The equations on the base are closed; the fibre follows from the second part.
"""

from __future__ import annotations

from typing import final

import symengine

from anholonomy.algebra.calculus import along, gradient, jacobian
from anholonomy.algebra.expressions import dot, time
from anholonomy.algebra.steps.definitions import Recorder
from anholonomy.algebra.steps.derivatives import rates_of_steps
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles.base import AbstractPrinciple, Need
from anholonomy.equations.reduction.cyclic import Reduction, fibre_obstacle, frame_over_fibre
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model

__all__ = ["Chaplygin"]

FIBRE = Need("fibre coordinates that appear nowhere", fibre_obstacle)


@final
class Chaplygin(AbstractPrinciple):
    """Velocities of the base; one equation for each."""

    name = "chaplygin"
    title = "Chaplygin's equations"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT
    needs = (FIBRE,)
    choose_frame = staticmethod(frame_over_fibre)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        reduced = Reduction.of(model, frame)
        frame, l = reduced.frame, reduced.lagrangian
        record, speeds = Recorder("$m"), frame.speeds
        moving = {**reduced.rates, time: symengine.Integer(1)}
        flow = rates_of_steps(frame.definitions, moving, record)

        momenta_i = gradient(l, speeds)
        right = []
        for i, direction in enumerate(reduced.directions_i):
            pull = along(l, direction)
            coasting = along(momenta_i[i], flow)
            structure = dot(reduced.transport_ik[i], momenta_i)
            right.append(pull - coasting + structure + reduced.gyroscopic_i[i] + reduced.forces_i[i])
        span = frame.span_ba
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=speeds,
            definitions=(*reduced.definitions, *record.assignments),
            K=jacobian(momenta_i, speeds),
            rhs=tuple(right),
            is_definite=True,
            acceleration_matrix=tuple(zip(*span, strict=True)) if span else ((),) * len(frame.offset_a),
            acceleration_bias=tuple(along(value, flow) for value in frame.velocities),
            frame=frame,
        )
