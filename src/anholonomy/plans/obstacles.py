"""Obstacles to be drawn: where a function of two coordinates vanishes, as closed lines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import lower
from anholonomy.plans.asked.task import Task
from anholonomy.plans.collocation.measures import function_of
from anholonomy.symbolic.expressions import symbol

__all__ = ["outlines"]

_FINE = 241
"""Points of the grid on each axis."""
_AROUND = 0.6
"""How far around the motion obstacles are drawn, as a part of its extent."""


def outlines(task: Task, plane: tuple[str, str], path: Array) -> list[Array]:
    """The lines that bound obstacles in the plane of two coordinates, around a path (time, 2); others are left out."""
    middle, reach = (path.max(axis=0) + path.min(axis=0)) / 2, float(np.ptp(path, axis=0).max()) or 1.0
    size = (0.5 + _AROUND) * reach
    return list(_lines(task, plane, middle - size, middle + size))


def _lines(task: Task, plane: tuple[str, str], low: Array, high: Array) -> Iterator[Array]:
    from contourpy import contour_generator

    c, inputs = task.controlled, tuple(map(symbol, plane))
    x, y = (np.linspace(low[k], high[k], _FINE) for k in (0, 1))
    grid = np.stack(np.meshgrid(x, y)).reshape(2, -1)
    for outside in task.limits.obstacles:
        if outside.free_symbols <= {*inputs, *c.parameters}:
            values = function_of(lower(inputs, c.parameters, (), (outside,)))(0.0, grid, c.values)
            inside = np.pad(values.reshape(_FINE, _FINE), 1, constant_values=np.abs(values).max())  # closed at the rim
            for line in contour_generator(_padded(x), _padded(y), inside).lines(0.0):
                yield np.asarray(line)


def _padded(axis: Array) -> Array:
    step = (axis[1] - axis[0]) * 1e-6
    return np.concatenate([[axis[0] - step], axis, [axis[-1] + step]])
