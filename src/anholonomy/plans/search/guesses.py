"""First guesses, the same every time: the straight line, detours to both sides, and a manoeuvre there and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.plans.asked.task import Task
from anholonomy.plans.collocation.curve import DEGREE, Curve, even, places
from anholonomy.plans.collocation.measures import function_of
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.simulate.trajectories.trajectory import Trajectory

__all__ = ["first_guesses", "given_guess"]

_SIDEWAYS = (0.5, -0.5)
"""How far a detour leads from the straight line, as a part of the way, to one side and the other."""


def first_guesses(task: Task, intervals: int) -> Iterator[Curve]:
    """Curves from the start to the end, of which none need be admissible."""
    s = places(even(intervals))
    line = _line(task, s)
    for waves in (0, 1, 2):
        yield _curve(task, line, waves)
    for side in _SIDEWAYS:
        yield _curve(task, line + np.outer(np.sin(np.pi * s), side * _across(task)))


def _line(task: Task, s: Array) -> Array:
    goal = np.where(np.isfinite(task.end.target), task.end.target, task.start)
    return np.asarray(task.start + np.outer(s, goal - task.start))


def _across(task: Task) -> Array:
    """A detour at right angles to the way, in the plane of the first two lengths, or of the first two coordinates."""
    kinds = task.controlled.model.coordinate_kinds
    lengths = [k for k, kind in enumerate(kinds) if kind == "length"]
    plane = lengths[:2] if len(lengths) > 1 else list(range(min(2, len(kinds))))
    way = np.nan_to_num(task.end.target - task.start)
    aside = np.zeros(task.width)
    if len(plane) == 2:
        x, y = way[plane]
        size = max(float(np.hypot(x, y)), 1e-9)
        x, y = (x, y) if np.hypot(x, y) > 1e-9 else (1.0, 0.0)
        aside[plane] = np.array([-y, x]) * (max(size, 1.0) / np.hypot(x, y))
    return aside


def _curve(task: Task, line: Array, waves: int = 0) -> Curve:
    """A curve through states, with the controls that come nearest to its rates, or with some that swing to and fro."""
    K, c = len(line) // DEGREE, task.controlled
    controls = _fitted(task, line) if not c.by_inputs else np.zeros((len(line), len(c.controls)))
    duration = task.horizon or _duration(task, controls)
    controls = controls / duration
    phase = 2 * np.pi * (waves or 0.7) * (np.arange(len(line)) + 0.5) / len(line)
    swing = 1.0 if waves else 0.1  # a little, because what is symmetric may be a saddle
    controls = controls + swing * np.column_stack([np.cos(phase + k * np.pi / 2) for k in range(len(c.controls))])
    controls = np.clip(controls, task.limits.low[task.width :], task.limits.high[task.width :])
    points = np.hstack([line, controls]).reshape(K, DEGREE, -1)
    return Curve(task.start, points, even(K), duration, task.begin)


def _fitted(task: Task, line: Array) -> Array:
    """The controls whose rates are nearest to those of the line in the time 1."""
    rates, n, m = function_of(task.program), task.width, len(task.controlled.controls)

    def f(control: Array) -> Array:
        inputs = np.hstack([line, np.broadcast_to(control, (len(line), m))])
        return np.asarray(rates(task.begin, inputs.T, task.controlled.values)[:n])

    rest = f(np.zeros(m))
    J = np.stack([f(unit) - rest for unit in np.eye(m)], axis=-1)  # (state, point, control)
    wanted = np.nan_to_num(task.end.target - task.start)[:, None] - rest
    if not (np.isfinite(J).all() and np.isfinite(wanted).all()):
        return np.zeros((len(line), m))
    return np.array([np.linalg.lstsq(J[:, k], wanted[:, k], rcond=None)[0] for k in range(len(line))])


def _duration(task: Task, controls: Array) -> float:
    """A time in which controls that are right for the time 1 keep their bounds; at least as long as the way is."""
    low, high = task.limits.low[task.width :], task.limits.high[task.width :]
    most = np.maximum(np.where(np.isfinite(high), high, 0.0), np.where(np.isfinite(low), -low, 0.0))
    bounded = most > 0
    way = float(np.abs(np.nan_to_num(task.end.target - task.start)).max())
    ratio = float((np.abs(controls[:, bounded]) / most[bounded]).max(initial=0.0))
    return max(ratio, way / float(most[bounded].max(initial=0.0) or 1.0), 1e-3)


def given_guess(task: Task, guess: Any, intervals: int) -> Curve:
    """The guess of a user: a curve, a motion, or values by name over equal times."""
    if isinstance(guess, Curve):
        return _fitting(task, guess)
    if isinstance(guess, Trajectory):
        return _filled(task, _series(task, guess), intervals, float(np.ptp(guess.time.values)))
    if isinstance(guess, Mapping):
        return _filled(task, guess, intervals, None)
    raise IllPosedSystem(
        f"{task.controlled.model.name}: `guess` is {guess!r:.60}; give a plan, a motion, or a dict from names to lists of values."
    )


def _series(task: Task, motion: Trajectory) -> dict[str, Array]:
    """What a motion knows of states and controls, over equal times."""
    own = motion.time.values
    even_times, found = np.linspace(own[0], own[-1], own.size), dict[str, Array]()
    for s in (*task.controlled.states, *task.controlled.controls):
        with suppress(UnknownName):
            found[s.name] = np.interp(even_times, own, motion[s.name].values)
    return found


def _filled(task: Task, guess: Mapping[Any, Any], intervals: int, duration: float | None) -> Curve:
    """The straight line with what is known better in its place."""
    c, name, s = task.controlled, task.controlled.model.name, places(even(intervals))
    line = _curve(task, _line(task, s))
    own = [symbol.name for symbol in (*c.states, *c.controls)]
    filled = line.points.reshape(-1, len(own)).copy()
    for key, values in guess.items():
        try:
            series = np.atleast_1d(np.asarray(values, dtype=float))
        except (TypeError, ValueError, OverflowError):
            series = np.array([np.nan])
        if key not in own or series.ndim != 1 or not np.isfinite(series).all():
            raise IllPosedSystem(
                f"{name}: `guess` has {key!r:.60}; give finite numbers over time for any of {', '.join(own)}."
            )
        filled[:, own.index(key)] = np.interp(s, np.linspace(0, 1, series.size), series)
    return replace(line, points=filled.reshape(line.points.shape), duration=task.horizon or duration or line.duration)


def _fitting(task: Task, guess: Curve) -> Curve:
    if guess.points.shape[2] != len(task.program.states) or guess.width != task.width:
        raise IllPosedSystem(
            f"{task.controlled.model.name}: `guess` is a plan of another system, or of other controls; give one of this."
        )
    return Curve(task.start, guess.points, guess.shares, task.horizon or guess.duration, task.begin)
