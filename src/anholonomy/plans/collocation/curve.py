"""A motion in pieces: states and controls as polynomials on intervals of a mesh."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.base import Array
from anholonomy.displays.shown import Shown
from anholonomy.plans.collocation.radau import lagrange, radau

__all__ = ["DEGREE", "Curve", "even"]

DEGREE = 3
"""Points of collocation in an interval: of order five at its ends, and stiff enough for controls that jump."""


def even(count: int) -> Array:
    """A mesh of equal intervals."""
    return np.full(count, 1.0 / count)


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


def places(shares: Array) -> Array:
    """The points of collocation as parts of the whole time."""
    edges = np.concatenate([[0.0], np.cumsum(shares)[:-1]])
    return np.asarray((edges[:, None] + shares[:, None] * radau(DEGREE).points).ravel())
