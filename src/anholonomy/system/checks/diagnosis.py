"""Why no admissible state is found: a gradient that vanishes where its constraint holds, rows that become dependent, or
constraints that contradict each other.

Newton's method halves its distance to a double root at each step, and never gets to where the rows are dependent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import flint
import numpy as np

from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.balls import FEW_DIGITS
from anholonomy.system.model import Model
from anholonomy.system.states.newton import NEWTON_STEPS, Point, evaluate_at, largest, onto, rows_at
from anholonomy.tolerances import NOTHING

__all__ = ["why_nowhere"]


def why_nowhere(model: Model, points: Sequence[Point], settle: Callable[[Model, Point], Point | None]) -> str:
    """A sentence on why ``settle`` moved none of ``points`` onto the constraints; use inside ``with precision(…)``."""
    if not model.velocity_constraints:
        return "the Lagrangian or a force is finite at no state that was tried; check roots, logarithms and parameters."
    for point in points:
        if label := _square(model, point):
            return (
                f"the gradient of the constraint {label} vanishes where it holds, as that of a square does, so it does not "
                "fix the motion there; take the root."
            )
        if labels := _dependent(model, point):
            return (
                f"the constraints {' and '.join(labels)} are dependent where they hold, though not elsewhere; "
                "drop one of them, or insert one into the other."
            )
    labels = _contradicting(model.independent, points, settle)
    if len(labels) > 1:
        return (
            f"no state was found that satisfies the constraints {', '.join(labels[:-1])} and {labels[-1]} together, so they "
            "seem to contradict each other; correct or drop one, or the parameters in them."
        )
    if labels:
        return f"no state was found that satisfies the constraint {labels[0]}; correct it, or the parameters in it."
    return (
        "no state that satisfies the constraints was found where the Lagrangian is finite; check that the parameters are in "
        "range."
    )


def _contradicting(model: Model, points: Sequence[Point], settle: Callable[[Model, Point], Point | None]) -> list[str]:
    """Constraints that cannot be met together, though they can without any one of them; none where that is no reason."""
    left = model.constraints
    for c in model.constraints:
        fewer = tuple(other for other in left if other is not c)
        rest = model.with_words(constraints=fewer)
        if all(settle(rest, point) is None for point in points):
            left = fewer
    return [c.label for c in left]


def _square(model: Model, point: Point) -> str | None:
    """The constraint that, alone, is approached with a gradient that fades away."""
    for c in model.velocity_constraints:
        f, unknowns = (c.position, model.coordinates) if c.position is not None else (c.expression, model.velocities)
        if _fades(f, unknowns, point):
            return c.label
    return None


def _fades(f: Expr, unknowns: Sequence[Symbol], point: Point) -> bool:
    row, point = gradient(f, unknowns), dict(point)
    first = None
    for _ in range(NEWTON_STEPS):
        (value,), (slope,) = evaluate_at([f], point), rows_at([row], point)
        size = sum((entry * entry for entry in slope), start=flint.arb(0))
        if not (value.is_finite() and size.is_finite()):
            return False
        first = first or (abs(value), largest(slope))
        if size == 0 or largest(slope) <= NOTHING * first[1]:
            return bool(abs(value) <= NOTHING * first[0])
        for u, entry in zip(unknowns, slope, strict=True):
            point[u] = (point[u] - value * entry / size).mid()
    return False


def _dependent(model: Model, point: Point) -> list[str]:
    """The constraints that no longer determine independent velocities once the positions are admissible."""
    held = [c.position for c in model.independent.on_positions]
    settled = onto(held, model.coordinates, point, FEW_DIGITS) if held else point
    if settled is None:
        return []
    rows = [[float(entry) for entry in row] for row in rows_at(model.velocity_matrix_na, settled)]
    A = np.array(rows)
    if not np.isfinite(A).all():
        return []
    A /= np.maximum(np.abs(A).max(axis=1, keepdims=True), 1e-300)
    left, sizes, _ = np.linalg.svd(A)
    if len(sizes) == len(A) and sizes[-1] > 1e-12:
        return []
    return [c.label for c, weight in zip(model.velocity_constraints, left[:, -1], strict=True) if abs(weight) > 1e-9]
