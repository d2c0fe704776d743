r"""The variational derivative in a base frame, the one expression every multiplier principle pairs with.

.. math::
   E_a = \frac{d}{dt}\frac{\partial L}{\partial w^a} - e_a(L)
         - (w^b c_{ba}{}^d + c_{0a}{}^d)\frac{\partial L}{\partial w^d}
       = M_{ab}\,\dot w^b + h_a

On a chart this is $\frac{d}{dt}\partial_{\dot q}L - \partial_q L$. The reaction forces are $R = E - Q$. A dynamics without
Lagrangian has given momenta $\Pi_a$ in place of $\partial L/\partial w^a$, no $e_a(L)$, and $Q$ for all of its forces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import symengine

from anholonomy.geometry.brackets import contract
from anholonomy.symbolic.calculus import along, gradient, jacobian, total_derivative
from anholonomy.symbolic.expressions import Matrix, Vector, dot
from anholonomy.system.model import Model

__all__ = ["VariationalDerivative", "energy", "variational_derivative"]


@final
@dataclass(frozen=True)
class VariationalDerivative:
    r"""$E_a = M_{ab}\dot w^b + h_a = \dot p_a - f_a$, in coordinates, velocities, time and parameters."""

    mass_ab: Matrix
    bias_a: Vector
    momentum_a: Vector
    force_a: Vector


@lru_cache(maxsize=64)
def variational_derivative(model: Model) -> VariationalDerivative:
    """Differentiate the Lagrangian once for everything that needs it."""
    frame, w = model.frame, model.velocities
    p = gradient(model.lagrangian, w) if model.momenta_a is None else model.momenta_a
    rates = frame.coordinate_rates(w)
    force = []
    for a in range(frame.size):
        unit = frame.direction([symengine.Integer(int(a == b)) for b in range(frame.size)])
        structure = [
            contract_row + drift
            for contract_row, drift in zip(
                contract(frame.structure_abd, w, [symengine.Integer(int(a == b)) for b in range(frame.size)]),
                frame.drift_structure_ad[a],
                strict=True,
            )
        ]
        force.append(along(model.lagrangian, unit) + dot(structure, p))
    bias = tuple(total_derivative(p_a, rates) - f_a for p_a, f_a in zip(p, force, strict=True))
    return VariationalDerivative(jacobian(p, w), bias, p, tuple(force))


def energy(model: Model) -> Vector:
    r"""$w^a\,\partial L/\partial w^a - L$; empty where there is no Lagrangian."""
    if model.momenta_a is not None:
        return ()
    return (dot(model.velocities, gradient(model.lagrangian, model.velocities)) - model.lagrangian,)
