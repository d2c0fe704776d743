r"""Constraints without common factors: $c(q)\,\varphi$ and $\varphi$ admit the same velocities, and their multipliers differ by $c$.

.. math:: \mu_{c\varphi} = \frac{\mu_\varphi}{c}
"""

from __future__ import annotations

import symengine

from anholonomy.symbolic.expressions import Expr, Vector, dot, zero
from anholonomy.symbolic.matrices.forms import MatrixForms
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.system.constraints import Constraint, classify
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["without_factors"]

one = symengine.Integer(1)
_PLAIN = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT


def without_factors(model: Model) -> tuple[Model, Vector]:
    """The model with the factors of its constraints divided out, and these.

    >>> from anholonomy import System
    >>> rolling = System(coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["(x^2 + 2)*z' = (x^2 + 2)*y*x'"])
    >>> plain, factors = without_factors(rolling.model)
    >>> print(plain.constraints[0].expression, factors)
    z' - y*x' (2 + x**2,)
    """
    plain = model.independent
    found = [_divided(plain, c) for c in plain.constraints]
    return plain.with_words(constraints=tuple(c for c, _ in found)), tuple(factor for _, factor in found)


def _divided(model: Model, c: Constraint) -> tuple[Constraint, Expr]:
    if c.kind & ~_PLAIN:
        return c, one
    row = (*c.coefficients, c.offset)
    try:
        space = MatrixForms((row,))
        entries = [space.write_polynomial(space.rows[0][k]) if k in space.rows[0] else zero for k in range(len(row))]
        factor = space.write(space.ring.invert(space.factors[0]))
    except NoNormalForm:
        return c, one
    return classify(c.label, dot(entries, (*model.velocities, one)), model.frame, model.velocities), factor
