r"""Whether the action is stationary along a path in numbers: the residual that no multiplier meets, and the variation made of it.

.. math::
   r = \Pi\,(E + F^{\mathsf T}\mu), \qquad \xi = b\,r + A^+\zeta, \quad \dot\zeta = F\xi, \qquad
   \delta S = -\int E\cdot\xi\,dt = -\int b\,|r|^2\,dt

The weight $b$ vanishes at the ends. Where $\mu_0$ makes $\int b|r|^2$ least, $\zeta$ vanishes at the end by itself: the conditions that it does are those of
the least square. Free and nonholonomic problems have no $\mu$ and no $\zeta$, free ones $\Pi = 1$.
"""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.findings import Bound, Finding, Reason
from anholonomy.paths.course import Course
from anholonomy.paths.multipliers import CarriedCovectors, along_steps, best_multiplier, carried
from anholonomy.paths.variational.witness import BreakingVariation
from anholonomy.symbolic.calculus import gradient
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["stationary_along", "violation"]

_EXCLUDED = 100.0
"""How many times the tolerance a residual must be to refute."""


def stationary_along(model: Model, kind: str, course: Course, claim: str, tolerance: float) -> Finding:
    """The finding for a path in numbers."""
    if kind != "free" and (wrong := violation(model, course, tolerance)):
        return Finding(claim, Verdict.REFUTED, (Reason(wrong),))
    considered = model.with_words(constraints=()) if kind == "free" else model
    found = carried(considered, course)
    weight = _weight(course)
    mu = best_multiplier(found, weight) if kind == "vakonomic" else None
    r = _residual(found, mu)
    size = float(np.abs(r).max() / _force(model, course, found))
    verdict = Verdict.of(True if size <= tolerance else False if size > _EXCLUDED * tolerance else None)
    limit = Decimal(repr(tolerance))
    bound = Bound(
        "the force that no multiplier balances, as a share",
        Decimal(size) if verdict.is_refuted else Decimal(0),
        Decimal(size),
        limit,
    )
    if not verdict.is_refuted:
        return Finding(claim, verdict, (bound,))
    return Finding(claim, verdict, (bound, _witness(model, found, r, weight, kind)))


def violation(model: Model, course: Course, tolerance: float) -> str:
    """A sentence about the constraint that a path violates; empty where it violates none."""
    values = course.functions(model, tuple(c.expression for c in model.constraints))
    A = course.functions(model, tuple(x for row in model.matrix_na for x in row)).reshape(
        len(course.q), len(model.constraints), model.frame.size
    )
    scale = np.einsum("kna,ka->kn", np.abs(A), np.abs(course.w)).max(axis=0, initial=0.0)
    for c, column, size in zip(model.constraints, values.T, scale, strict=True):
        if (by := float(np.abs(column).max())) > max(tolerance, 1e-9) * max(float(size), 1e-300):
            return f"the path violates the constraint {c.label} by {by:.3g}"
    return ""


def _weight(course: Course) -> Array:
    first, last = course.times[0], course.times[-1]
    s = (course.at - first) / (last - first)
    return np.asarray(4 * s * (1 - s))


def _residual(found: CarriedCovectors, mu: Array | None) -> Array:
    if mu is not None:
        return found.residual(mu)
    return np.asarray(np.einsum("kab,kb->ka", found.projector, found.E))


def _force(model: Model, course: Course, found: CarriedCovectors) -> float:
    """The size of the forces that occur: of those of the Lagrangian, and of what would stop the motion in its time."""
    p = course.functions(model, gradient(model.lagrangian, model.velocities))
    duration = abs(float(course.times[-1] - course.times[0]))
    return float(max(np.abs(found.E).max(), np.abs(p).max() / duration)) or 1.0


def _witness(model: Model, found: CarriedCovectors, r: Array, weight: Array, kind: str) -> BreakingVariation:
    eta = weight[:, None] * r
    xi = eta
    if kind == "vakonomic":
        back = np.linalg.pinv(found.A)
        s = np.einsum("kna,ka->kn", found.F, eta)
        _, zeta = along_steps(found.course, found.F @ back, s)
        xi = eta + np.einsum("kan,kn->ka", back, zeta)
    course = found.course
    return BreakingVariation(
        tuple(model.directions),
        tuple(course.at.tolist()),
        tuple(course.weights.tolist()),
        tuple(map(tuple, xi.tolist())),
        tuple(map(tuple, (-found.E).tolist())),
    )
