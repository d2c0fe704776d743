r"""The nonholonomic connection: a constrained motion is a geodesic, pushed by the admissible part of the force.

.. math::
   \bar\nabla_{\dot c}\dot c = P F^\sharp, \qquad
   \bar\nabla_XY = \nabla^g_XY + (\nabla^g_XQ)(Y), \qquad
   \nabla^g_{\dot c}\dot c = F^\sharp + \lambda, \quad \lambda = -(\nabla^g_{\dot c}Q)(\dot c) - QF^\sharp
   :label: connection

with $g$ the kinetic metric, $P$ and $Q = 1 - P$ the $g$-orthogonal projectors onto the admissible directions and their complement.
With constraint forms $\theta^\nu$, their normals $n^\nu = (\theta^\nu)^\sharp$ and $K^{\nu\mu} = \theta^\nu(n^\mu)$ the projector is
$Q = n^\nu (K^{-1})_{\nu\mu}\theta^\mu$, and of its derivative only that of the last factor meets an admissible velocity and stays:

.. math::
   (\nabla_wQ)(w) = n^\nu (K^{-1})_{\nu\mu}\,(\nabla_w\theta^\mu)(w), \qquad
   (\nabla_w\theta^\mu)(w) = w(\theta^\mu_a)\,w^a - \theta^\mu_a\Gamma^a{}_{bc}w^bw^c .

The forces are $F = Q - dV$ and, for terms $b_aw^a$ of the Lagrangian, the gyroscopic force of the one-form $b$.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.calculus import along, total_derivative
from anholonomy.algebra.expressions import Vector, dot, identity, matrix_vector, zero
from anholonomy.algebra.steps.definitions import Recorder
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import QuadraticParts, divide, quadratic_parts, values_of
from anholonomy.equations.principles.base import INERTIA, QUADRATIC, STILL, AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.geometry.brackets import contract
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import full_frame
from anholonomy.system.model import Model

__all__ = ["Connection"]


@final
class Connection(AbstractPrinciple):
    r"""All velocities, each with its acceleration $-\Gamma(w, w) + F^\sharp + \lambda$, and the multipliers explicitly."""

    name = "connection"
    title = "The nonholonomic connection"
    handles = Kind.LINEAR | Kind.POSITION
    needs = (QUADRATIC, STILL, INERTIA)
    choose_frame = staticmethod(full_frame)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        w, theta_na = model.velocities, model.matrix_na
        parts = quadratic_parts(model.lagrangian, w)
        record = Recorder("$m")
        G = values_of(model, parts.mass_ab)
        sides = [turning(model, parts), force(model, parts), *theta_na]
        turn, push, *normals_na = divide(model, parts.mass_ab, G, sides, record)
        held_n: Vector = ()
        if theta_na:
            gram_nm = tuple(tuple(dot(theta, normal) for normal in normals_na) for theta in theta_na)
            flow = model.frame.direction(w)
            bend_n = [dot([along(entry, flow) for entry in theta], w) - dot(theta, turn) for theta in theta_na]
            sides = [tuple(-bend - dot(theta, push) for bend, theta in zip(bend_n, theta_na, strict=True))]
            (held_n,) = divide(model, gram_nm, values_of(model, gram_nm, record.assignments), sides, record)
        reaction = matrix_vector(tuple(zip(*normals_na, strict=True)), held_n) if theta_na else (zero,) * len(w)
        right = (*(f - g + r for f, g, r in zip(push, turn, reaction, strict=True)), *held_n)
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=w,
            multipliers=model.multipliers,
            definitions=tuple(record.assignments),
            K=identity(len(right)),
            rhs=right,
            is_definite=True,
            acceleration_matrix=identity(len(w)),
            acceleration_bias=(zero,) * len(w),
        )


def turning(model: Model, parts: QuadraticParts) -> Vector:
    r"""$G_{ad}\Gamma^d{}_{bc}w^bw^c = w(G_{ac})w^c - \tfrac12 e_a(G_{bc})w^bw^c + c_{ac}{}^dw^c\,G_{db}w^b$, Koszul's formula on one vector."""
    frame, w = model.frame, model.velocities
    p = matrix_vector(parts.mass_ab, w)
    energy, flow = dot(w, p) / 2, frame.direction(w)
    rows = identity(frame.size)
    return tuple(
        along(p[a], flow) - frame.derivative(a, energy) + dot(contract(frame.structure_abd, rows[a], w), p)
        for a in range(frame.size)
    )


def force(model: Model, parts: QuadraticParts) -> Vector:
    r"""$F_a = Q_a - e_a(V) + e_a(b_c)w^c - w(b_a) - \partial_tb_a + w^cc_{ca}{}^db_d$: applied, of the potential, gyroscopic."""
    frame, w, b = model.frame, model.velocities, parts.linear_a
    rest = dot(b, w) - parts.potential
    rates = frame.coordinate_rates(w)
    rows = identity(frame.size)
    return tuple(
        Q
        + frame.derivative(a, rest)
        - total_derivative(b[a], rates)
        + dot(contract(frame.structure_abd, w, rows[a]), b)
        for a, Q in enumerate(model.forces_a)
    )
