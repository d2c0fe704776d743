r"""A path in numbers, at Gauss's nodes between some times: configurations, velocities and accelerations.

It comes from a computed motion, from functions of time, or from points that a smooth curve is laid through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.analysis.along_motions import NODES, gauss
from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import lower
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, time
from anholonomy.system.model import Model

__all__ = ["Course", "course_of_functions", "course_of_motion", "course_of_points"]

SHORTER = 1e-7
"""A share of its length by which another path must be shorter to count."""
_STEPS = 48
"""Steps into which the interval of functions is divided."""


@final
@dataclass(frozen=True, eq=False)
class Course:
    """Rows of ``q``, ``w`` and ``a`` belong to the nodes of one step after the other; ``values`` are the parameters."""

    times: Array
    q: Array
    w: Array
    a: Array
    values: Array

    @property
    def steps(self) -> Array:
        return np.diff(self.times)

    @property
    def at(self) -> Array:
        """The times of the nodes."""
        return _nodes(self.times)

    def functions(self, model: Model, functions: Vector) -> Array:
        """Functions of configuration, velocities, accelerations and time at the nodes, a row each."""
        if not functions:
            return np.zeros((len(self.q), 0))
        states = (*model.coordinates, *model.velocities, *model.accelerations)
        program = fast_function(lower(states, model.parameter_symbols, [], functions))
        return program(self.at, np.concatenate([self.q, self.w, self.a], axis=1).T, self.values).T

    @property
    def weights(self) -> Array:
        """Those of the nodes in an integral over time."""
        _, weights, _ = gauss(NODES)
        found: Array = (self.steps[:, None] * weights).ravel()
        return found


def _nodes(times: Array) -> Array:
    nodes, _, _ = gauss(NODES)
    found: Array = (times[:-1, None] + np.diff(times)[:, None] * nodes).ravel()
    return found


def course_of_motion(run: Any, model: Model | None = None, first: float | None = None) -> Course:
    """The course of a computed motion, integrated again between its samples, as one of a model with values of its own.

    ``first`` asks for a share of its first step alone.
    """
    every = np.asarray(run.time.values, dtype=float)
    times = np.linspace(every[0], every[-1], _STEPS + 1)
    if first is not None:
        times = every[0] + np.array([0.0, first * (times[1] - times[0])])
    dense = run.at(_nodes(times).tolist()).data
    values = {**run.model.parameters, **{p: v for p, v in (model or run.model).parameters.items() if v is not None}}
    used = np.array([values[p] for p in (model or run.model).parameters], dtype=float)
    q, w, a = (np.asarray(dense[name].values, dtype=float) for name in ("q", "velocity", "acceleration"))
    return Course(times, q, w, a, used)


def course_of_functions(
    model: Model, place: Mapping[Symbol, Expr], velocities: Vector, interval: tuple[float, float]
) -> Course:
    """The course of coordinates and velocities that are functions of time."""
    times = np.linspace(*interval, _STEPS + 1)
    at = _nodes(times)
    rows = (*(place[q] for q in model.coordinates), *velocities, *(partial(w, time) for w in velocities))
    found = fast_function(lower([], model.parameter_symbols, [], rows))(at, np.zeros((0, at.size)), _values(model)).T
    n, m = len(model.coordinates), len(velocities)
    return Course(times, found[:, :n], found[:, n : n + m], found[:, n + m :], _values(model))


def course_of_points(model: Model, times: Array, points: Array) -> Course:
    """The course of the smooth curve through points."""
    from scipy.interpolate import CubicSpline

    curve = CubicSpline(times, points)
    at = _nodes(times)
    entries = (*(entry for row in model.frame.anchor_ai for entry in row), *model.frame.drift_i)
    rows = fast_function(lower(model.coordinates, model.parameter_symbols, [], entries))(
        at, curve(at).T, _values(model)
    ).T
    size = model.frame.size * len(model.coordinates)
    anchors = rows[:, :size].reshape(len(at), model.frame.size, -1)
    back = np.linalg.pinv(anchors.transpose(0, 2, 1))
    w = np.einsum("kai,ki->ka", back, curve(at, 1) - rows[:, size:])
    return Course(times, curve(at), w, np.einsum("kai,ki->ka", back, curve(at, 2)), _values(model))


def _values(model: Model) -> Array:
    return np.array([value for _, value in model.parameter_items], dtype=float)
