"""Accelerations from multipliers, for identities that hold along every motion."""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from anholonomy.algebra.numbers.balls import Ball, precision
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles.lagrange_dalembert import LagrangeDAlembert
from anholonomy.system.model import Model
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.random_states import admissible_points

__all__ = ["vanishes_on_motions", "values_on_motions"]


def values_on_motions(model: Model, residuals: Sequence, push: float = 0.0, seed: int = 5) -> list[Ball]:
    """Expressions in states and accelerations (``x''``) at a random state of a motion; ``push`` spoils the accelerations."""
    with precision(45):
        point = next(admissible_points(model.model, 40, seed))
        seen = evaluate_equations(LagrangeDAlembert().derive(model), point)
        names = [symengine.Symbol(f"{w.name}'") for w in model.velocities]
        return evaluate_at(residuals, point | {s: a + push for s, a in zip(names, seen.accelerations, strict=True)})


def vanishes_on_motions(model: Model, residuals: Sequence) -> bool:
    """To 25 digits on a motion, and not where the accelerations are others."""
    on = [float(abs(value).abs_upper()) for value in values_on_motions(model, residuals)]
    off = [float(abs(value).abs_lower()) for value in values_on_motions(model, residuals, push=1.0)]
    return max(on) < 1e-25 * (1 + max(off)) and max(off) > 1e-6
