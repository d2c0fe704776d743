r"""Hamilton's equations on the constraint submanifold: the momenta of an adapted frame instead of its speeds.

.. math::
   \pi_a = \frac{\partial l}{\partial u^a}, \qquad h(q, \pi, t) = \pi_au^a - l, \qquad
   \dot q = \frac{\partial h}{\partial\pi_a}\,e_a + e_0, \qquad
   \dot\pi_a = -e_a(h) + (u^b c_{ba}{}^d + c_{0a}{}^d)\,p_d + Q_a
   :label: hamiltonian

with $l(q, u, t) = L(q, uS + s, t)$ and $p_d = \partial L/\partial w^d$ on the constraint: the coordinates $(q, \pi, t)$ are those of the
image of the admissible velocities in the extended phase space. A Legendre transformation leaves the other derivatives alone,
$-e_a(h)|_\pi = e_a(l)|_u$ and $u^a = \partial h/\partial\pi_a$, so that $h$ itself need not be written out. For a Lagrangian
quadratic in the velocities $\pi_a = M_{ab}u^b + b_a$, and the speeds follow by dividing out $M$ in steps.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import Symbol, dot, identity, matrix_vector, unused
from anholonomy.algebra.steps.definitions import Assign, Recorder
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import divide, quadratic_parts, values_of
from anholonomy.equations.principles.base import QUADRATIC, AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model

__all__ = ["Hamiltonian"]


@final
class Hamiltonian(AbstractPrinciple):
    """Momenta along the admissible directions; one equation for each, solved for its rate."""

    name = "hamiltonian"
    title = "Hamilton's equations on the constraint submanifold"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.POSITION
    needs = (QUADRATIC,)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        momenta, size = name_momenta(model, frame), len(frame.speeds)
        given = dict(zip(model.velocities, frame.velocities, strict=True))
        l = model.lagrangian.xreplace(given)
        parts = quadratic_parts(l, frame.speeds)
        legendre = Recorder("$m")
        values = values_of(model, parts.mass_ab, frame.definitions)
        inverse_ab = divide(model, parts.mass_ab, values, identity(size), legendre)
        shifted = [p - b for p, b in zip(momenta, parts.linear_a, strict=True)]
        speeds = map(Assign, frame.speeds, matrix_vector(inverse_ab, shifted))
        named = [Assign(w, value) for w, value in given.items() if w != value]

        record = Recorder("$r")
        flow, fields = frame.flow(record), frame.fields(record)
        momenta_w = gradient(model.lagrangian, model.velocities)
        right = tuple(
            along(l, field) + dot(transported, momenta_w) + dot(row, model.forces_a)
            for field, row, transported in zip(fields, frame.span_ba, frame.transport(flow, fields), strict=True)
        )
        coasting = matrix_vector(inverse_ab, [record(along(p, flow)) for p in gradient(l, frame.speeds)])
        columns_ab = tuple(zip(*frame.span_ba, strict=True)) if size else ((),) * len(given)
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=momenta,
            speed_values=tuple(dot(row, momenta_w) for row in frame.span_ba),
            definitions=(*frame.definitions, *legendre.assignments, *speeds, *named, *record.assignments),
            K=identity(size),
            rhs=right,
            is_definite=True,
            acceleration_matrix=tuple(matrix_vector(inverse_ab, column) for column in columns_ab),
            acceleration_bias=tuple(
                along(value, flow) - dot(column, coasting)
                for value, column in zip(given.values(), columns_ab, strict=True)
            ),
            frame=frame,
        )


def name_momenta(model: Model, frame: AdaptedFrame) -> tuple[Symbol, ...]:
    """p1, p2, …, one for each speed of the frame, with names that nobody else has."""
    taken = {*model.names, *(u.name for u in frame.speeds)}
    return tuple(unused(f"p{a}", taken.__contains__) for a, _ in enumerate(frame.speeds, start=1))
