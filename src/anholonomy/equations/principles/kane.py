r"""Kane's equations: generalized active and inertia forces along the partial velocities balance.

.. math::
   w = u^r\,\frac{\partial w}{\partial u^r} + s, \qquad
   \mathcal F_r + \mathcal F_r^* = 0, \qquad
   \mathcal F_r = \frac{\partial w^a}{\partial u^r}\,Q_a, \qquad
   \mathcal F_r^* = -\frac{\partial w^a}{\partial u^r}\,(M_{ab}\,\dot w^b + h_a)
   :label: kane

The generalized speeds $u$ are the user's (``speeds=``), or those of the adapted frame; the accelerations $\dot w$ are
differentiated from them, as Kane does, and no Lagrangian of the speeds is formed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from anholonomy.algebra.calculus import along, jacobian
from anholonomy.algebra.expressions import Expr, Symbol, dot
from anholonomy.algebra.steps.definitions import Assign, Recorder
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta

__all__ = ["Kane"]


@final
class Kane(AbstractPrinciple):
    """Generalized speeds and partial velocities; one equation for each speed."""

    name = "kane"
    title = "Kane's equations"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.POSITION | Kind.FORCE_MOMENTUM

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        velocities, record = frame.velocities, Recorder("$r")
        flow = frame.flow(record)
        partial_ar = jacobian(velocities, frame.speeds)
        partial_ra = tuple(zip(*partial_ar, strict=True))
        coasting_a = [record(along(value, flow)) for value in velocities]
        p = momenta(model)
        moving = {**model.frame.drift_direction(model.velocities), **_moved(model, coasting_a)}
        steps, (carried_a, *inertia_ra) = p.rates([moving, *(_moved(model, row) for row in partial_ra)], "$k")
        active = [dot(row, model.forces_a) for row in partial_ra]
        inert = [p.pull(row) - dot(row, carried_a) for row in partial_ra]
        given = zip(model.velocities, velocities, strict=True)
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=frame.speeds,
            definitions=(
                *frame.definitions,
                *(Assign(w, value) for w, value in given if w != value),
                *record.assignments,
                *p.definitions,
                *steps,
            ),
            K=tuple(tuple(dot(row, column) for column in inertia_ra) for row in partial_ra),
            rhs=tuple(f + f_star for f, f_star in zip(active, inert, strict=True)),
            is_definite=model.momenta_a is None,
            acceleration_matrix=partial_ar,
            acceleration_bias=tuple(coasting_a),
            frame=frame,
        )


def _moved(model: Model, rates: Sequence[Expr]) -> dict[Symbol, Expr]:
    """The direction in which the velocities change at these rates."""
    return dict(zip(model.velocities, rates, strict=True))
