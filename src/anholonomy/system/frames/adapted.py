"""A system's adapted frame: the span or the speeds that the user gave, or the software's choice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

import symengine

from anholonomy.geometry.frames.adapted import AdaptedFrame, name_speeds, particular_solution
from anholonomy.symbolic.expressions import Matrix, Symbol, identity, symbol, zero
from anholonomy.symbolic.matrices.elimination_in_steps import Recorder
from anholonomy.symbolic.steps.sharing import share
from anholonomy.symbolic.steps.straight_line import Assign, inline
from anholonomy.system.frames.choice import chosen_frame, generic_point, solved_for
from anholonomy.system.frames.of_speeds import frame_of_values
from anholonomy.system.model import Model

__all__ = ["adapted_frame", "full_frame", "solved_frame"]

_READABLE = 150
"""Operations up to which a span is used as it is written."""


def adapted_frame(model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False) -> AdaptedFrame:
    """Directions that span the admissible velocities of ``model``: the user's, or a choice made at the point ``at``.

    The default point is a generic one. ``strict`` disregards what the user gave and makes the choice that is farthest
    from singular at the point.
    """
    if at is None and not strict:
        return _default_frame(model)
    return _frame(model, at if at is not None else generic_point(model), strict)


def solved_frame(
    model: Model,
    at: Mapping[Symbol, float] | None = None,
    strict: bool = False,
    dependent: Collection[int] | None = None,
) -> AdaptedFrame:
    """The constraints solved for dependent velocities (among those given by position); the speeds are the others."""
    columns = (
        _others(model)
        if dependent is None and not strict
        else range(model.frame.size)
        if dependent is None
        else dependent
    )
    return solved_for(model, dict(at if at is not None else generic_point(model)), strict, tuple(columns))


def _others(model: Model) -> Collection[int]:
    """The velocities that are not speeds of the user's choice, by position; all of them where some speed is no velocity."""
    every = range(model.frame.size)
    if model.speed_values is None or not set(model.speed_values) <= set(model.velocities):
        return every
    return [a for a in every if model.velocities[a] not in model.speed_values]


def full_frame(model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False) -> AdaptedFrame:
    """The base frame itself: every velocity is a speed, admissible or not."""
    size = model.frame.size
    return AdaptedFrame(model.frame, identity(size), (zero,) * size, model.velocities)


@lru_cache(maxsize=64)
def _default_frame(model: Model) -> AdaptedFrame:
    return _frame(model, None, False)


def _frame(model: Model, at: Mapping[Symbol, float] | None, strict: bool) -> AdaptedFrame:
    if model.span_ba is not None and not strict:
        return _given_frame(model, model.span_ba)
    if model.speed_values is not None and model.speed_names is not None and not strict:
        return frame_of_values(model, tuple(map(symbol, model.speed_names)), model.speed_values, at)
    return chosen_frame(model, dict(at if at is not None else generic_point(model)), strict)


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
