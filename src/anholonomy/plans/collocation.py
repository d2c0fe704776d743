r"""A motion in pieces: states and controls as polynomials on a mesh, collocated at Radau's points; values, integrals, and errors.

.. math:: \sum_{j=0}^{d} D_{ij}\,x_j = h\,f(x_i), \quad i = 1, \dots, d, \qquad
   \int_0^1 f\,ds = \sum_{i=1}^{d} b_i\,f(s_i)

with $s_0 = 0$ and $0 < s_1 < \dots < s_d = 1$; exact at the right end, of order $2d - 1$ at the ends of intervals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import NamedTuple, final

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from anholonomy.base.notebook import Shown
from anholonomy.plans.task import Task
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.program import Program

__all__ = [
    "DEGREE",
    "Curve",
    "bernstein",
    "even",
    "function_of",
    "integral",
    "interval_violations",
    "local_errors",
    "monomials",
    "places",
    "radau",
    "sizes",
]

DEGREE = 3
"""Points of collocation in an interval: of order five at its ends, and stiff enough for controls that jump."""
_BETWEEN = np.linspace(0.05, 0.95, 10)
"""Parts of an interval at which limits are looked at."""
_SHORT = 12
"""Steps of integration in an interval."""


@final
@dataclass(frozen=True, eq=False)
class Curve(Shown):
    """States and controls at the points of collocation.

    Attributes
    ----------
    start
        The states where it begins.
    points
        States and controls, (interval, point, value).
    shares
        The part of the whole time that each interval takes.
    duration, begin
        How long it lasts, and when it begins.
    """

    start: Array
    points: Array
    shares: Array
    duration: float
    begin: float = 0.0

    @property
    def width(self) -> int:
        return int(self.start.size)

    @property
    def edges(self) -> Array:
        """Where intervals begin and end, as times."""
        whole = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.asarray(self.begin + self.duration * whole / whole[-1])

    @property
    def end(self) -> Array:
        """The states where it ends."""
        return np.asarray(self.points[-1, -1, : self.width])

    @property
    def starts(self) -> Array:
        """The states where each interval begins."""
        return np.vstack([self.start, self.points[:-1, -1, : self.width]])

    def states(self, k: NDArray[np.int64], s: Array) -> Array:
        """The states in intervals ``k`` at their parts ``s``, a row for each."""
        nodes = np.concatenate([[0.0], radau(self.points.shape[1]).points])
        values = np.concatenate([self.starts[:, None, :], self.points[:, :, : self.width]], axis=1)
        return np.asarray(np.einsum("rj,rjx->rx", lagrange(nodes, s), values[k]))

    def controls(self, k: NDArray[np.int64], s: Array) -> Array:
        """The controls in intervals ``k`` at their parts ``s``, a row for each."""
        values = self.points[k][:, :, self.width :]
        return np.asarray(np.einsum("rj,rjx->rx", lagrange(radau(self.points.shape[1]).points, s), values))

    def at(self, shares_of_time: Array) -> Array:
        """States and controls at parts of the whole time, a row for each."""
        edges = np.concatenate([[0.0], np.cumsum(self.shares)])
        k = np.clip(np.searchsorted(edges, shares_of_time, "left") - 1, 0, self.shares.size - 1)
        s = np.clip((shares_of_time - edges[k]) / self.shares[k], 0.0, 1.0)
        return np.hstack([self.states(k, s), self.controls(k, s)])

    def on(self, shares: Array) -> Curve:
        """The same curve on another mesh."""
        return replace(self, points=self.at(places(shares)).reshape(shares.size, DEGREE, -1), shares=shares)

    def lasting(self, duration: float, speeds: int) -> Curve:
        """The same way in another time; the last ``speeds`` values are controls that change with the pace."""
        points = self.points.copy()
        points[:, :, points.shape[2] - speeds :] *= self.duration / duration
        return replace(self, points=points, duration=duration)


def even(count: int) -> Array:
    """A mesh of equal intervals."""
    return np.full(count, 1.0 / count)


def places(shares: Array) -> Array:
    """The points of collocation as parts of the whole time."""
    edges = np.concatenate([[0.0], np.cumsum(shares)[:-1]])
    return np.asarray((edges[:, None] + shares[:, None] * radau(DEGREE).points).ravel())


# Numbers about a curve: what it costs, how far it is from its own rates, and what it violates between its points.


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
    """The error of each interval, beside the sizes of the states.

    It is what integration makes of the interval, $|x(t_k + h) - x_{k+1}|$, from the states where it begins and with its controls, by Runge and
    Kutta's classical method in short steps.
    """
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


# The rule of Radau, and bases of polynomials.


@lru_cache(maxsize=16)
def radau(degree: int) -> Radau:
    """The rule with so many points.

    >>> rule = radau(2)
    >>> rule.points.round(12).tolist(), rule.weights.round(12).tolist()
    ([0.333333333333, 1.0], [0.75, 0.25])
    """
    left = np.zeros(degree + 1)
    left[degree - 1 :] = 1.0  # P_{d-1} + P_d has -1 among its zeros; mirrored, the right end
    points = np.sort((1.0 - legendre.legroots(left)) / 2)
    points[-1] = 1.0
    nodes = np.concatenate([[0.0], points])
    powers = np.arange(degree + 1)
    slopes = np.zeros((degree, degree + 1))
    slopes[:, :] = (powers * points[:, None] ** np.maximum(powers - 1, 0)) @ np.linalg.inv(
        np.vander(nodes, increasing=True)
    )
    weights = np.linalg.solve(np.vander(points, increasing=True).T, 1.0 / np.arange(1, degree + 1))
    return Radau(points, slopes, np.asarray(weights))


@final
class Radau(NamedTuple):
    """The points $s_1 … s_d$, the matrix $D$ (row i, column j, with $s_0$) and the weights $b$."""

    points: Array
    slopes: Array
    weights: Array


def lagrange(nodes: Array, at: Array) -> Array:
    """The values of the polynomials that are 1 at one of the nodes, a row for each place.

    >>> lagrange(np.array([0.0, 1.0]), np.array([0.25])).tolist()
    [[0.75, 0.25]]
    """
    return np.asarray(np.vander(at, nodes.size, increasing=True) @ monomials(nodes))


def monomials(nodes: Array) -> Array:
    """The matrix from values at nodes to coefficients of powers, the lowest first."""
    return np.asarray(np.linalg.inv(np.vander(nodes, increasing=True)))


@lru_cache(maxsize=16)
def bernstein(degree: int) -> Array:
    r"""The values $\binom{d-1}{j} s_i^j (1 - s_i)^{d-1-j}$ of Bernstein's polynomials at the points, a row for each.

    A polynomial stays between the least and the greatest of its coefficients in them, everywhere on the interval.

    >>> bernstein(2).round(3).tolist()
    [[0.667, 0.333], [0.0, 1.0]]
    """
    s, j = radau(degree).points[:, None], np.arange(degree)
    choices = np.array([comb(degree - 1, k) for k in j])
    return np.asarray(choices * s**j * (1.0 - s) ** (degree - 1 - j))
