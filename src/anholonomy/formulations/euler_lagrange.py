r"""The variational derivative in a base frame, the one expression every multiplier principle pairs with.

.. math::
   E_a = \frac{d}{dt}\frac{\partial L}{\partial w^a} - e_a(L)
         - (w^b c_{ba}{}^d + c_{0a}{}^d)\frac{\partial L}{\partial w^d}
       = M_{ab}\,\dot w^b + h_a

On a chart this is $\frac{d}{dt}\partial_{\dot q}L - \partial_q L$. The reaction forces are $R = E - Q$.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import symengine

from anholonomy.geometry.frame import contract
from anholonomy.symbolic.calculus import along, gradient, jacobian, total_derivative
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot
from anholonomy.system.model import Model

__all__ = ["VariationalDerivative", "constraint_bias", "energy", "variational_derivative"]


@final
@dataclass(frozen=True)
class VariationalDerivative:
    r"""$E_a = M_{ab}\dot w^b + h_a$, in coordinates, velocities, time and parameters."""

    mass_ab: Matrix
    bias_a: Vector
    momentum_a: Vector


@lru_cache(maxsize=64)
def variational_derivative(model: Model) -> VariationalDerivative:
    """Differentiate the Lagrangian once for everything that needs it."""
    frame, w = model.frame, model.velocities
    p = gradient(model.lagrangian, w)
    rates = frame.coordinate_rates(w)
    bias = []
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
        bias.append(total_derivative(p[a], rates) - along(model.lagrangian, unit) - dot(structure, p))
    return VariationalDerivative(jacobian(p, w), tuple(bias), p)


def constraint_bias(model: Model) -> Vector:
    r"""$b_\nu$ of $\dot\varphi_\nu = A_{\nu a}\dot w^a + b_\nu$."""
    rates = model.frame.coordinate_rates(model.velocities)
    return tuple(total_derivative(constraint.expression, rates) for constraint in model.constraints)


def energy(model: Model) -> Expr:
    r"""$w^a\,\partial L/\partial w^a - L$."""
    return dot(model.velocities, gradient(model.lagrangian, model.velocities)) - model.lagrangian
