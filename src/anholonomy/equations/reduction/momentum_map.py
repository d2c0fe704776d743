r"""The momentum map of left translations: spatial momentum, and what changes it.

.. math:: J = \mathrm{Ad}^*_{g^{-1}}\,p, \qquad p_a = \partial L/\partial w^a, \qquad
   \dot J = \mathrm{Ad}^*_{g^{-1}}\,\bigl(E_a(L) + Q_a + R_a\bigr)

In the left-invariant frame Hamel's equations are those of Euler and Poincaré, $\dot p_a = c_{ba}{}^d w^b p_d + E_a(L) + Q_a + R_a$,
and with a constraint on the body velocity those of Euler, Poincaré and Suslov. For a Lagrangian that does not depend on the
point, $E_a(L) = 0$, and $J$ is constant where no force and no reaction $R$ acts.
"""

from __future__ import annotations

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Vector, matrix_vector
from anholonomy.system.model import Model

__all__ = ["momentum_map", "to_space"]


def to_space(model: Model, covector_a: Vector) -> dict[str, Expr]:
    r"""$\mathrm{Ad}^*_{g^{-1}}\alpha$ of a covector on the body, by velocity; on coordinates beside the group it changes nothing."""
    if not model.group:
        return dict(zip((w.name for w in model.velocities), covector_a, strict=True))
    group = model.group
    given = dict(zip(model.velocities, covector_a, strict=True))
    turned = matrix_vector(group.coadjoint_ab, tuple(given[w] for w in group.speeds))
    given |= dict(zip(group.speeds, turned, strict=True))
    return {w.name: value for w, value in given.items()}


def momentum_map(model: Model) -> dict[str, Expr]:
    r"""$J = \mathrm{Ad}^*_{g^{-1}}p$, one component for each velocity; for a coordinate it is the momentum itself.

    >>> import symengine
    >>> from anholonomy.system.declaration.declare import declare
    >>> sled = declare(name="sled", group="SE2", kinetic=["m", "m", "I"], parameters=["m", "I"])
    >>> momentum_map(sled)["v1"].expand() == sled.lagrangian.diff("v1") * symengine.cos("theta") - (
    ...     sled.lagrangian.diff("v2") * symengine.sin("theta"))
    True
    """
    momenta = model.momenta_a if model.momenta_a is not None else gradient(model.lagrangian, model.velocities)
    return to_space(model, momenta)
