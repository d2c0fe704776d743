"""The adapted frame of a system: of its span or speeds, of speeds chosen for one derivation, orthonormal, or the software's choice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import symengine

from anholonomy.algebra.calculus import gradient, jacobian, partial
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    identity,
    matrix_vector,
    symbol,
    unused,
    zero,
)
from anholonomy.algebra.simplification.simplify import is_readable, simplify_vector
from anholonomy.algebra.steps.definitions import Assign, Recorder, inline, share
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.adapted_frame import AdaptedFrame, name_speeds, particular_solution
from anholonomy.system.frames.default import chosen_frame, generic_point, solved_for
from anholonomy.system.frames.speeds import frame_of_values, read_speeds
from anholonomy.system.model import Model

__all__ = ["ORTHONORMAL", "adapted_frame", "frame_of_speeds", "full_frame", "solved_frame"]

ORTHONORMAL = "orthonormal"
"""The word for speeds that make the kinetic energy a sum of squares."""


def adapted_frame(model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False) -> AdaptedFrame:
    """Directions that span the admissible velocities of ``model``: the user's, or a choice made at the point ``at``.

    The default point is a generic one. ``strict`` disregards what the user gave and makes the choice that is farthest
    from singular at the point.
    """
    if at is None and not strict:
        return _default_frame(model)
    return _frame(model, at if at is not None else generic_point(model), strict)


@lru_cache(maxsize=64)
def _default_frame(model: Model) -> AdaptedFrame:
    return _frame(model, None, False)


def _frame(model: Model, at: Mapping[Symbol, float] | None, strict: bool) -> AdaptedFrame:
    if model.span_ba is not None and not strict:
        return _given_frame(model, model.span_ba)
    if model.speed_values is not None and model.speed_names is not None and not strict:
        return frame_of_values(model, tuple(map(symbol, model.speed_names)), model.speed_values, at)
    return chosen_frame(model, dict(at if at is not None else generic_point(model)), strict)


_READABLE = 150
"""Operations up to which a span is used as it is written."""


def _given_frame(model: Model, span_ba: Matrix) -> AdaptedFrame:
    """The user's span; a long one gets its common parts and its entries named, so that their derivatives stay short."""
    record = Recorder("$s")
    offset = particular_solution(model.matrix_na, model.offset_n, record) or (zero,) * len(model.velocities)
    offset = inline(offset, record.assignments)
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
    return AdaptedFrame(model.frame, rows, offset, speeds, tuple(record.assignments), is_given=True)


def frame_of_speeds(
    model: Model, speeds: Mapping[Any, Any] | Sequence[Any] | str, at: Mapping[Symbol, float] | None = None
) -> AdaptedFrame:
    """The adapted frame of speeds given as a dict from name to expression, or as a list of velocities or expressions.

    There is one speed for each admissible direction; together with the constraints they must determine every velocity.
    ``"orthonormal"`` makes the kinetic energy a sum of squares. ``at`` is where what must be divided by is large (default: a
    generic point).
    """
    if isinstance(speeds, str) and speeds == ORTHONORMAL:
        return orthonormal_frame(model, at)
    return frame_of_values(model, *read_speeds(model, speeds), at)


def solved_frame(
    model: Model,
    at: Mapping[Symbol, float] | None = None,
    strict: bool = False,
    dependent: Collection[int] | None = None,
) -> AdaptedFrame:
    """The constraints solved for dependent velocities (among those given by position); the speeds are the others."""
    if dependent is None:
        dependent = range(model.frame.size) if strict else _others(model)
    return solved_for(model, dict(at if at is not None else generic_point(model)), strict, tuple(dependent))


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


# Speeds in which the kinetic energy is a sum of squares: the adapted frame made orthonormal in the kinetic metric.
#
# .. math:: e_b \leftarrow \frac{v_b}{\sqrt{g(v_b, v_b)}}, \qquad v_b = S_b - \sum_{c<b} g(S_b, e_c)\,e_c,
#    \qquad g = \partial^2L/\partial w\,\partial w
#
# In them $p_b = \partial l/\partial u^b = u^b$ for $L = \tfrac12g(w, w) - V$, so that the equations of motion are equations for momenta.


def orthonormal_frame(model: Model, at: Mapping[Symbol, float] | None = None) -> AdaptedFrame:
    """Orthonormal directions that span the admissible velocities, by Gram and Schmidt from the adapted frame."""
    metric_ab = _metric(model)
    frame = adapted_frame(model, at)
    record = Recorder("$o", list(frame.definitions))
    done: list[Vector] = []
    for row in frame.span_ba:
        lowered = matrix_vector(metric_ab, row)
        parts = [record(dot(lowered, e)) for e in done]
        rest = tuple(record(entry - dot(parts, [e[a] for e in done])) for a, entry in enumerate(row))
        size = record(1 / symengine.sqrt(dot(rest, matrix_vector(metric_ab, rest))))
        done.append(tuple(record(size * entry) for entry in rest))
    speeds = tuple(unused(f"u{b}", model.names.__contains__) for b, _ in enumerate(done, start=1))
    return _short(replace(frame, span_ba=tuple(done), speeds=speeds, definitions=tuple(record.assignments)))


def _metric(model: Model) -> Matrix:
    if model.momenta_a is not None:
        raise NotSupportedError(f"{model.name}: orthonormal speeds need a kinetic energy, and there is no Lagrangian.")
    w = model.velocities
    metric_ab = jacobian(gradient(model.lagrangian, w), w)
    for entry in (entry for row in metric_ab for entry in row):
        for each in sorted(entry.free_symbols & set(w), key=str):
            if zero_test(partial(entry, each)) is not Verdict.PROVEN:
                raise NotSupportedError(
                    f"{model.name}: orthonormal speeds need a kinetic energy quadratic in the velocities, and the inertia "
                    f"depends on {each}."
                )
    return metric_ab


def _short(frame: AdaptedFrame) -> AdaptedFrame:
    """Written out and in short forms where that can be read."""
    entries: list[Expr] = [entry for row in frame.span_ba for entry in row]
    if not is_readable([*entries, *(step.value for step in frame.definitions)]):
        return frame
    width = len(frame.offset_a)
    flat = simplify_vector(inline(entries, frame.definitions))
    rows = tuple(flat[k : k + width] for k in range(0, len(flat), width))
    return replace(frame, span_ba=rows, offset_a=inline(frame.offset_a, frame.definitions), definitions=())
