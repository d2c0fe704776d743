r"""The equation of Udwadia and Kalaba: the free acceleration, corrected by a pseudo-inverse.

.. math::
   \dot w = a + M^{-1/2}(A M^{-1/2})^+(-b - A a) = a + M^{-1}A^{\mathsf T}\lambda, \qquad
   a = M^{-1}(Q - h), \qquad \lambda = (A M^{-1}A^{\mathsf T})^+(-b - A a)
   :label: udwadia-kalaba

The second form needs no square root: $B^+ = B^{\mathsf T}(B B^{\mathsf T})^+$. Dependent constraints and constraints whose
rank changes are allowed (``redundant="keep"``); contradictory ones on accelerations are met as nearly as can be.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.expressions import dot, identity, zero
from anholonomy.algebra.steps.definitions import Recorder
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import divide, values_of, variational_derivative
from anholonomy.equations.principles.base import INERTIA, AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import full_frame
from anholonomy.system.model import Model

__all__ = ["UdwadiaKalaba"]


@final
class UdwadiaKalaba(AbstractPrinciple):
    """Velocities; the free acceleration and a correction, without pairing with virtual displacements."""

    name = "udwadia-kalaba"
    title = "Udwadia–Kalaba"
    handles = ~Kind.FORCE_MOMENTUM
    needs = (INERTIA,)
    choose_frame = staticmethod(full_frame)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        E, A, size = variational_derivative(model), model.matrix_na, model.frame.size
        record = Recorder("$i")
        forced = [Q - h for Q, h in zip(model.forces_a, E.bias_a, strict=True)]
        # Row n of `lifted` is M⁻¹Aₙ, the acceleration that a unit of the n-th multiplier causes.
        *lifted, free = divide(model, E.mass_ab, values_of(model, E.mass_ab), [*A, forced], record)
        free, lifted = tuple(map(record, free)), [tuple(map(record, row)) for row in lifted]
        top = [(*row, *(-L[a] for L in lifted)) for a, row in enumerate(identity(size))]
        bottom = [((zero,) * size + tuple(dot(row, L) for L in lifted)) for row in A]
        gap = [-b - dot(row, free) for row, b in zip(A, model.bias_n, strict=True)]
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=model.velocities,
            multipliers=model.multipliers,
            definitions=tuple(record.assignments),
            K=(*top, *bottom),
            rhs=(*free, *gap),
            acceleration_matrix=identity(size),
            acceleration_bias=(zero,) * size,
            needs_least_squares=model.keeps_redundant,
        )
