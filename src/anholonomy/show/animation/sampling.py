r"""A motion at evenly spaced times, by cubic Hermite interpolation in each step $h$ of the dataset,

.. math:: x(t_k + sh) = h_{00}x_k + h_{10}h\dot x_k + h_{01}x_{k+1} + h_{11}h\dot x_{k+1},

with $h_{00} = (1 + 2s)(1-s)^2$, $h_{10} = s(1-s)^2$, $h_{01} = s^2(3-2s)$, $h_{11} = s^2(s-1)$. Coordinates take their rates from
the velocities, velocities from the accelerations, so that a coarse grid of times still plays smoothly.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.numpy import NumpyBackend
from anholonomy.compile.program import lower
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import Expr
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Samples", "hermite"]


def hermite(
    grid: NDArray[np.float64], values: NDArray[np.float64], rates: NDArray[np.float64], times: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Values (row, time) with their rates on an increasing grid, at other times inside it."""
    k = np.clip(np.searchsorted(grid, times, side="right") - 1, 0, len(grid) - 2)
    h = grid[k + 1] - grid[k]
    s = (times - grid[k]) / h
    left = (1 - s) ** 2 * ((1 + 2 * s) * values[:, k] + s * h * rates[:, k])
    right = s**2 * ((3 - 2 * s) * values[:, k + 1] + (s - 1) * h * rates[:, k + 1])
    return np.asarray(left + right)


@final
class Samples:
    """States (coordinates and velocities, frame) of a motion at ``count`` times, and any expression along them."""

    def __init__(self, model: Model, data: xr.Dataset, count: int) -> None:
        self.model = model
        found = json.loads(str(data.attrs.get("parameters", "{}")))
        self.parameters = [found[s.name] for s in model.parameter_symbols]
        # Pieces of a motion share their ends, and a motion may run backwards.
        grid, first = np.unique(np.asarray(data["time"].values, dtype=float), return_index=True)
        if len(grid) < 2:
            raise NotCovered(f"{model.name}: the motion has a single time; an animation needs at least two.")
        q, w, a = (np.asarray(data[name].values, dtype=float).T[:, first] for name in ("q", "velocity", "acceleration"))
        self.times = grid
        self.states = np.vstack([q, w])
        rates = model.frame.coordinate_rates(model.velocities)
        q_dot = self.evaluate([rates[c] for c in model.coordinates])
        self.times = np.linspace(grid[0], grid[-1], count)
        self.states = hermite(grid, self.states, np.vstack([q_dot, a]), self.times)

    def evaluate(self, expressions: Sequence[Expr]) -> NDArray[np.float64]:
        """Shape (expression, frame)."""
        if not expressions:
            return np.zeros((0, len(self.times)))
        symbols = (*self.model.coordinates, *self.model.velocities)
        program = lower(symbols, self.model.parameter_symbols, [], expressions)
        return NumpyBackend().compile(program)(self.times, self.states, self.parameters)
