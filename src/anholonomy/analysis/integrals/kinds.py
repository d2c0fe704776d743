r"""What an integral is: by its degree, and a linear one by the field whose momentum it is.

.. math:: F = \langle p, \xi\rangle, \qquad \xi = (M^{-1}\partial_uF)^bX_b \in D

It is the momentum of a symmetry where the flow of $\xi$ preserves the Lagrangian, and a gauge momentum where it preserves it along the
admissible directions only.
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from anholonomy.analysis.integrals.proofs import on_submanifold
from anholonomy.analysis.momentum import lift
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.refusals import GaveUp
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Vector, dot, zero
from anholonomy.symbolic.matrices.linear import solve
from anholonomy.symbolic.patience import GLANCE, check, effort
from anholonomy.symbolic.steps.straight_line import Assign, inline
from anholonomy.symbolic.zero import is_zero

__all__ = ["kind_of"]

_NAMES = {0: "leaf", 1: "linear", 2: "quadratic", 3: "cubic", 4: "quartic"}
_LONG = 1_500
"""Operations of a mass matrix up to which the field of a momentum is looked for."""


def kind_of(motion: ReducedMotion, F: Expr, steps: Sequence[Assign], degree: int) -> tuple[str, dict[str, Expr]]:
    """A word for the kind of an integral, and the field whose momentum it is, by direction; the degree alone where the field is not soon known."""
    try:
        with effort(GLANCE):
            return _known(motion, F, steps, degree)
    except GaveUp:
        check()
        return _by_degree(degree), {}


def _by_degree(degree: int) -> str:
    return _NAMES.get(degree, f"of degree {degree}")


def _known(motion: ReducedMotion, F: Expr, steps: Sequence[Assign], degree: int) -> tuple[str, dict[str, Expr]]:
    xi = _field(motion, inline([F], steps)[0]) if degree == 1 and not motion.levels else None
    if xi is None:
        return _by_degree(degree), {}
    symmetry = is_zero(lift(motion.model, xi), motion.model.frame.orbit)
    short = {name: simplify(value) for name, value in zip(motion.model.directions, xi, strict=True)}
    return "momentum" if symmetry else "gauge momentum", {name: value for name, value in short.items() if value != 0}


def _field(motion: ReducedMotion, F: Expr) -> Vector | None:
    """The field of a linear integral; None where there is none, or it is long."""
    entries = [e for row in motion.mass_ab for e in row] if motion.has_frame else []
    if not entries or symengine.count_ops(*entries) > _LONG or motion.model.momenta_a is not None:
        return None
    own = on_submanifold(motion, F)
    if not is_zero(own.xreplace(dict.fromkeys(motion.speeds, zero)), motion.model.frame.orbit):
        return None
    (v,) = solve(motion.mass_ab, [gradient(own, motion.speeds)])
    return tuple(dot(column, v) for column in zip(*motion.span_ba, strict=True))
