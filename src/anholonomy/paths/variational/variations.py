r"""Variations of a path, and which of them count: all, those along the constraints, or those that keep them.

.. math::
   \delta w^a = \dot\xi^a + c_{bd}{}^a w^b\xi^d + c_{0d}{}^a\xi^d, \qquad
   \begin{cases} \text{none} & \text{free}\\ \partial\varphi^\nu/\partial w^a\,\xi^a = 0 & \text{nonholonomic}\\
   e_a(\varphi^\nu)\,\xi^a + \partial\varphi^\nu/\partial w^a\,\delta w^a = 0 & \text{vakonomic}\end{cases}

The first is the canonical flip in a frame: the variation of a velocity is the velocity of the variation, $\delta\gamma = \kappa(\dot\xi)$. A nonholonomic
variation has its vertical lift tangent to the constraints, a vakonomic one is tangent to them itself.
"""

from __future__ import annotations

from functools import lru_cache

from anholonomy.geometry.brackets import contract
from anholonomy.symbolic.calculus import along, gradient
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, symbol, unused
from anholonomy.system.model import Model

__all__ = ["KINDS", "conditions", "generators", "integrand", "varied_velocities"]

KINDS = ("free", "nonholonomic", "vakonomic")


@lru_cache(maxsize=64)
def generators(model: Model) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
    r"""The symbols $\xi^a$ and $\dot\xi^a$."""
    xi = tuple(unused(f"xi_{name}", model.names.__contains__) for name in model.directions)
    return xi, tuple(symbol(f"{each.name}'") for each in xi)


@lru_cache(maxsize=64)
def varied_velocities(model: Model) -> Vector:
    r"""$\delta w$ of the variation that $\xi$ generates."""
    xi, rates = generators(model)
    turned = contract(model.frame.structure_abd, model.velocities, xi)
    drift = [dot([row[a] for row in model.frame.drift_structure_ad], xi) for a in range(model.frame.size)]
    return tuple(rate + one + other for rate, one, other in zip(rates, turned, drift, strict=True))


def varied(model: Model, f: Expr) -> Expr:
    r"""The change of a function of configuration and velocities, $e_a(f)\,\xi^a + \partial f/\partial w^a\,\delta w^a$."""
    xi, _ = generators(model)
    return along(f, model.frame.direction(xi)) + dot(gradient(f, model.velocities), varied_velocities(model))


@lru_cache(maxsize=64)
def conditions(model: Model, kind: str) -> Vector:
    """What must vanish for a variation to count."""
    if kind == "free":
        return ()
    if kind == "vakonomic":
        return tuple(varied(model, c.expression) for c in model.constraints)
    xi, _ = generators(model)
    return tuple(dot(row, xi) for row in model.matrix_na)


@lru_cache(maxsize=64)
def integrand(model: Model) -> Expr:
    r"""$\langle dL, \delta\gamma\rangle$, whose integral is the first variation of the action."""
    return varied(model, model.lagrangian)
