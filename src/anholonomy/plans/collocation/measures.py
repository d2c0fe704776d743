r"""Numbers about a curve: what it costs, and how far it is from its own rates.

The error of an interval is what integration makes of it, $|x(t_k + h) - x_{k+1}|$, from the states where it begins and with its
controls, by Runge and Kutta's classical method in short steps.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array, Function
from anholonomy.compile.program import Program
from anholonomy.plans.asked.task import Task
from anholonomy.plans.collocation.curve import Curve
from anholonomy.plans.collocation.radau import radau

__all__ = ["function_of", "integral", "interval_violations", "local_errors", "sizes"]

_BETWEEN = np.linspace(0.05, 0.95, 10)
_SHORT = 12
"""Steps of integration in an interval."""


@lru_cache(maxsize=64)
def function_of(program: Program) -> Function:
    """A program as a function of numbers, compiled once."""
    return fast_function(program)


def integral(task: Task, curve: Curve, program: Program, output: int) -> float:
    """One output of a program of states and controls, integrated over the curve."""
    K, d, size = curve.points.shape
    rule, lengths = radau(d), np.diff(curve.edges)
    times = (curve.edges[:-1, None] + lengths[:, None] * rule.points).ravel()
    with np.errstate(all="ignore"):
        values = function_of(program)(times, curve.points.reshape(-1, size).T, task.controlled.values)[output]
    return float((lengths[:, None] * rule.weights * values.reshape(K, d)).sum())


def sizes(curve: Curve) -> Array:
    """What an error of each state is compared with: 1, or the largest value where that is larger."""
    return np.asarray(np.maximum(np.abs(curve.points[:, :, : curve.width]).max(axis=(0, 1)), 1.0))


def local_errors(task: Task, curve: Curve) -> Array:
    """The error of each interval, beside the sizes of the states."""
    n, K = curve.width, curve.shares.size
    f, p, k = function_of(task.program), task.controlled.values, np.arange(K)
    lengths = np.diff(curve.edges)

    def rates(s: float, x: Array) -> Array:
        inputs = np.hstack([x, curve.controls(k, np.full(K, s))])
        return np.asarray(f(curve.edges[:-1] + s * lengths, inputs.T, p)[:n].T) * lengths[:, None]

    x, h = curve.starts, 1.0 / _SHORT
    with np.errstate(all="ignore"):
        for step in range(_SHORT):
            s = step * h
            k1 = rates(s, x)
            k2 = rates(s + h / 2, x + h / 2 * k1)
            k3 = rates(s + h / 2, x + h / 2 * k2)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(s + h, x + h * k3))
        errors = np.abs(x - curve.points[:, -1, :n]) / sizes(curve)
    return np.asarray(np.nan_to_num(errors, nan=np.inf).max(axis=1))


def interval_violations(task: Task, curve: Curve) -> Array:
    """By how much each interval violates the limited functions and the bounds of states between its points."""
    K, n = curve.shares.size, curve.width
    k, s = np.repeat(np.arange(K), _BETWEEN.size), np.tile(_BETWEEN, K)
    times = curve.edges[:-1][k] + s * np.diff(curve.edges)[k]
    inputs = np.hstack([curve.states(k, s), curve.controls(k, s)])
    limited = function_of(task.program)(times, inputs.T, task.controlled.values)[n + 1 :]
    values = np.vstack([inputs[:, :n].T, limited])
    low, high = (np.concatenate([mine[:n], theirs])[:, None] for mine, theirs in _bounds(task))
    beyond = np.maximum(low - values, values - high).max(axis=0)
    return np.asarray(np.maximum(beyond.reshape(K, -1).max(axis=1), 0.0))


def _bounds(task: Task) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    low, high = task.bounds_of_limited
    return (task.limits.low, low), (task.limits.high, high)
