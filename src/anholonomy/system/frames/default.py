"""The adapted frame that the software chooses at a reference point where the user gives none."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.numbers.balls import evaluate_ball, precision
from anholonomy.base.errors import StateError
from anholonomy.geometry.adapted_frame import AdaptedFrame, adapt
from anholonomy.system.model import Model
from anholonomy.system.states.random_states import admissible_points

__all__ = ["chosen_frame", "generic_point", "pole_hint", "solved_for"]

_REGULAR = 0.05
"""The least singular value of rows of length one that can well be solved."""


def chosen_frame(model: Model, point: Mapping[Symbol, float], strict: bool = False) -> AdaptedFrame:
    """Directions that span the admissible velocities; ``strict`` chooses those farthest from singular at the point."""
    beside = _beside_group(model, point)
    if beside is None:
        return solved_for(model, point, strict, None)
    # The speeds of a group are regular everywhere: a body that rolls is known by its rotation, unless that divides by what varies.
    frame = solved_for(model, point, strict, beside)
    other = solved_for(model, point, strict, None) if frame.pivots else frame
    return frame if other.pivots else other


def _beside_group(model: Model, point: Mapping[Symbol, float]) -> tuple[int, ...] | None:
    """The velocities beside a group, where the constraints can well be solved for them; None where they cannot be."""
    count = len(model.group.speeds) if model.group else 0
    columns = tuple(range(count, len(model.velocities)))
    if not count or not 0 < len(model.matrix_na) <= len(columns):
        return None
    A = np.array([[float(evaluate_ball(entry, point, 16)) for entry in row[count:]] for row in model.matrix_na])
    if not np.isfinite(A).all():
        return None
    # Beside one another only: what stands with the speeds of a group has other units.
    sizes = np.linalg.norm(A, axis=1, keepdims=True)
    return columns if sizes.all() and np.linalg.svd(A / sizes, compute_uv=False).min() > _REGULAR else None


def solved_for(
    model: Model, point: Mapping[Symbol, float], strict: bool, dependent: Collection[int] | None
) -> AdaptedFrame:
    """The constraints solved for velocities among ``dependent``, given by position, or in the best way where that is None."""

    def value(expression: Expr) -> float:
        return float(evaluate_ball(expression, point, 16))

    try:
        return adapt(
            model.frame,
            model.matrix_na,
            model.offset_n,
            value,
            model.velocities,
            model.names.__contains__,
            strict,
            dependent,
        )
    except ZeroDivisionError as problem:
        where = ", ".join(f"{q.name}={point[q]:.6g}" for q in model.coordinates)
        cure = (
            "take by='gauss', which passes there" if model.keeps_redundant else "start elsewhere or drop a constraint"
        )
        raise StateError(f"{model.name}: {problem} ({where}); {cure}{pole_hint(model)}.") from None


def pole_hint(model: Model) -> str:
    """The end of a sentence about a frame that fails: the tangents of a contact may be what does."""
    return ", or, where a body touches at the pole of its support, give that another `pole`" if model.one_sided else ""


def generic_point(model: Model) -> dict[Symbol, float]:
    """A random admissible state in floats, the same every time."""
    with precision(30):
        point = next(admissible_points(model, 20, seed=20))
        return {s: float(value) for s, value in point.items()}
