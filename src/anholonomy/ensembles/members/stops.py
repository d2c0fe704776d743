"""Where the steps of members must end, and how long they may be: what the user allows and the declaration's own functions of time demand."""

from __future__ import annotations

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.ensembles.question import Question
from anholonomy.simulate.pieces.integrate import declared_limits, timed

__all__ = ["between", "bounds"]


def bounds(question: Question, p: Array) -> tuple[Array, Array]:
    """The longest steps and the stops of members, a row each or one for all; ``p`` are their parameters."""
    if not timed(question.model.with_free_parameters) and not question.limits.breaks.size:
        return np.array([question.limits.longest]), question.grid[None, -1:]
    found = [declared_limits(question.model, row, question.grid, question.limits) for row in _distinct(question, p)]
    rows = [_stops(question.grid, each.breaks) for each in found]
    width = max(row.size for row in rows)
    padded = np.array([np.append(row, np.full(width - row.size, row[-1])) for row in rows])
    return np.array([each.longest for each in found]), padded


def between(stops: Array, begins: Array, ends: Array, forward: float) -> Array:
    """Those of the stops, a row for each member or one for all, that lie between two times of each, and the second of these.

    >>> between(np.array([[1.0, 2.0, 3.0]]), np.array([0.0, 1.5]), np.array([1.0, 2.5]), 1.0)
    array([[1. , 1. ],
           [2. , 2.5]])
    """
    inside = (forward * (stops - begins[:, None]) > 0) & (forward * (ends[:, None] - stops) > 0)
    places = inside.cumsum(axis=1)
    found = np.repeat(ends[:, None], places[:, -1].max(initial=0) + 1, axis=1)
    rows, columns = np.nonzero(inside)
    found[rows, places[rows, columns] - 1] = np.broadcast_to(stops, inside.shape)[rows, columns]
    return found


def _distinct(question: Question, p: Array) -> Array:
    """One row of parameters where steps do not depend on them."""
    model = question.model
    names = {s for part in timed(model.with_free_parameters) for s in part.free_symbols}
    used = [k for k, s in enumerate(model.parameter_symbols) if s in names]
    return p if used and np.ptp(p[:, used], axis=0).any() else p[:1]


def _stops(grid: Array, breaks: Array) -> Array:
    """Where steps must end, in the order in which they come."""
    direction = 1.0 if grid[-1] >= grid[0] else -1.0
    begin, end = direction * grid[0], direction * grid[-1]
    along = np.unique(direction * breaks)
    return np.asarray(direction * np.append(along[(along > begin) & (along < end)], end))
