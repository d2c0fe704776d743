"""A system's adapted frame: the span the user gave, or one chosen by pivoting at a reference point."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from anholonomy.geometry.adapted import AdaptedFrame, adapt, name_speeds, particular_solution
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.balls import evaluate_ball, precision
from anholonomy.symbolic.elimination import Recorder
from anholonomy.symbolic.expressions import Expr, Symbol, symbol
from anholonomy.symbolic.steps import inline
from anholonomy.system.model import Model
from anholonomy.system.sampling import admissible_points

__all__ = ["adapted_frame", "generic_point"]


def generic_point(model: Model) -> dict[Symbol, float]:
    """A random admissible state in floats, the same every time."""
    with precision(30):
        point = next(admissible_points(model, 20, seed=20))
        return {s: float(value) for s, value in point.items()}


def adapted_frame(model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False) -> AdaptedFrame:
    """Directions that span the admissible velocities of ``model``: the user's, or a choice made at the point ``at``.

    The default point is a generic one. ``strict`` disregards the user's span and makes the choice that is farthest
    from singular at the point.
    """
    if at is None and not strict:
        return _default_frame(model)
    return _chosen_frame(model, at if at is not None else generic_point(model), strict)


@lru_cache(maxsize=64)
def _default_frame(model: Model) -> AdaptedFrame:
    return _chosen_frame(model, None, False)


def _chosen_frame(model: Model, at: Mapping[Symbol, float] | None, strict: bool) -> AdaptedFrame:
    if model.span_ba is not None and not strict:
        record = Recorder("$s")
        offset = particular_solution(model.matrix_na, model.offset_n, record)
        offset = inline(offset or (0,) * len(model.velocities), record.steps)
        if model.speed_names is not None:
            speeds = tuple(symbol(name) for name in model.speed_names)
        else:
            speeds = name_speeds(model.span_ba, offset, model.velocities, model.names.__contains__)
        return AdaptedFrame(model.frame, model.span_ba, offset, speeds)
    point = dict(at if at is not None else generic_point(model))

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
        )
    except ZeroDivisionError as problem:
        where = ", ".join(f"{q.name}={point[q]:.6g}" for q in model.coordinates)
        raise InadmissibleState(
            f"{model.name}: {problem} ({where}); start elsewhere or drop a constraint."
        ) from None
