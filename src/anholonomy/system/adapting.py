"""A system's adapted frame: the span the user gave, or one chosen by pivoting at a reference point."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

import numpy as np
import symengine

from anholonomy.geometry.adapted import AdaptedFrame, adapt, name_speeds, particular_solution
from anholonomy.geometry.groups import as_group
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.balls import evaluate_ball, precision
from anholonomy.symbolic.elimination import Recorder
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, identity, symbol, zero
from anholonomy.symbolic.sharing import share
from anholonomy.symbolic.steps import Assign, inline
from anholonomy.system.model import Model
from anholonomy.system.sampling import admissible_points

__all__ = ["adapted_frame", "full_frame", "generic_point", "pole_hint", "solved_frame"]

_REGULAR = 0.05
"""The least singular value of rows of length one that can well be solved."""
_READABLE = 150
"""Operations up to which a span is used as it is written."""


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


def solved_frame(
    model: Model,
    at: Mapping[Symbol, float] | None = None,
    strict: bool = False,
    dependent: Collection[int] | None = None,
) -> AdaptedFrame:
    """The constraints solved for dependent velocities (among those given by position); the speeds are the others."""
    columns = range(model.frame.size) if dependent is None else dependent
    return _chosen(model, dict(at if at is not None else generic_point(model)), strict, tuple(columns))


def full_frame(model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False) -> AdaptedFrame:
    """The base frame itself: every velocity is a speed, admissible or not."""
    size = model.frame.size
    return AdaptedFrame(model.frame, identity(size), (zero,) * size, model.velocities)


@lru_cache(maxsize=64)
def _default_frame(model: Model) -> AdaptedFrame:
    return _chosen_frame(model, None, False)


def _chosen_frame(model: Model, at: Mapping[Symbol, float] | None, strict: bool) -> AdaptedFrame:
    if model.span_ba is not None and not strict:
        return _given_frame(model, model.span_ba)
    point = dict(at if at is not None else generic_point(model))
    return _chosen(model, point, strict, _beside_group(model, point))


def _beside_group(model: Model, point: Mapping[Symbol, float]) -> tuple[int, ...] | None:
    """The velocities beside a group, where the constraints can well be solved for them; None where they cannot be.

    The speeds of a group are regular everywhere, so a frame of these lasts: a body that rolls is known by its rotation.
    """
    count = len(as_group(model.group).speeds) if model.group else 0
    columns = tuple(range(count, len(model.velocities)))
    if not count or not 0 < len(model.matrix_na) <= len(columns):
        return None
    A = np.array([[float(evaluate_ball(entry, point, 16)) for entry in row[count:]] for row in model.matrix_na])
    if not np.isfinite(A).all():
        return None
    sizes = np.linalg.norm(A, axis=1, keepdims=True)
    return columns if sizes.all() and np.linalg.svd(A / sizes, compute_uv=False).min() > _REGULAR else None


def _chosen(
    model: Model, point: Mapping[Symbol, float], strict: bool, dependent: Collection[int] | None
) -> AdaptedFrame:
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
        raise InadmissibleState(f"{model.name}: {problem} ({where}); {cure}{pole_hint(model)}.") from None


def pole_hint(model: Model) -> str:
    """The end of a sentence about a frame that fails: the tangents of a contact may be what does."""
    return ", or, where a body touches at the pole of its support, give that another `pole`" if model.one_sided else ""


def _given_frame(model: Model, span_ba: Matrix) -> AdaptedFrame:
    """The user's span; a long one gets its common parts and its entries named, so that their derivatives stay short."""
    record = Recorder("$s")
    offset = particular_solution(model.matrix_na, model.offset_n, record) or (zero,) * len(model.velocities)
    offset = inline(offset, record.steps)
    if model.speed_names is not None:
        speeds = tuple(symbol(name) for name in model.speed_names)
    else:
        speeds = name_speeds(span_ba, offset, model.velocities, model.names.__contains__)
    entries = [entry for row in span_ba for entry in row]
    if symengine.count_ops(*entries) <= _READABLE:
        return AdaptedFrame(model.frame, span_ba, offset, speeds, is_given=True)
    shared, reduced = share(entries, "$c")
    record = Recorder("$s", [Assign(target, value) for target, value in shared])
    named = [record(entry) for entry in reduced]
    width = len(model.velocities)
    rows = tuple(tuple(named[b * width : (b + 1) * width]) for b in range(len(span_ba)))
    return AdaptedFrame(model.frame, rows, offset, speeds, tuple(record.steps), is_given=True)
