"""What is drawn of obstacles, lines where a function of two coordinates vanishes, and of the body that keeps clear of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import lower
from anholonomy.plans.asked.task import Task
from anholonomy.plans.collocation.measures import function_of
from anholonomy.symbolic.expressions import symbol

__all__ = ["outlines", "postures"]

_FINE = 241
"""Points of the grid on each axis."""
_OUTLINE = 3
"""Points that bound an area."""
_AROUND, _NEAR = 0.6, 0.15
"""How far around the motion obstacles are filled, or drawn as lines, as a part of its extent."""


def outlines(task: Task, plane: tuple[str, str], path: Array, closed: bool) -> list[Array]:
    """The lines that bound obstacles in the plane of two coordinates, around a path (time, 2); others are left out.

    Those that leave the picture are ``closed`` along its rim.
    """
    middle, reach = (path.max(axis=0) + path.min(axis=0)) / 2, float(np.ptp(path, axis=0).max()) or 1.0
    size = (0.5 + (_AROUND if closed else _NEAR)) * reach
    return list(_lines(task, plane, middle - size, middle + size, closed))


def _lines(task: Task, plane: tuple[str, str], low: Array, high: Array, closed: bool) -> Iterator[Array]:
    from contourpy import contour_generator

    c, inputs = task.controlled, tuple(map(symbol, plane))
    x, y = (np.linspace(low[k], high[k], _FINE) for k in (0, 1))
    grid = np.stack(np.meshgrid(x, y)).reshape(2, -1)
    for outside in task.limits.obstacles:
        if outside.free_symbols <= {*inputs, *c.parameters}:
            values = function_of(lower(inputs, c.parameters, (), (outside,)))(0.0, grid, c.values).reshape(_FINE, _FINE)
            if closed:
                values[[0, -1]], values[:, [0, -1]] = np.abs(values).max(), np.abs(values).max()
            yield from map(np.asarray, contour_generator(x, y, values).lines(0.0))


def postures(task: Task, plane: tuple[str, str], times: Array, states: Array) -> list[Array]:
    """The points of the body at some states, (point, 2) each; none where the body is a point or lies in no plane."""
    c, body = task.controlled, task.limits.body
    if len(body) < _OUTLINE:
        return []
    own = tuple(map(symbol, plane))
    places = tuple(point.get(s, s) for point in body for s in own)
    used = {s for place in places for s in place.free_symbols}
    if not used <= {*c.states, *c.parameters}:
        return []
    values = function_of(lower(c.states, c.parameters, (), places))(times, states.T, c.values)
    return [column.reshape(-1, 2) for column in values.T]
