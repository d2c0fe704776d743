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
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Samples", "hermite", "instants"]

MOST_PICTURES = 20_000
"""Of one animation; beyond, somebody mistook the unit."""
_ROUNDS = 12
"""Enough for the six invariants of a rotation matrix, each of which disturbs the others a little."""


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


def instants(name: str, data: xr.Dataset) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The times of a motion, increasing, and where they are; refused where there is nothing to play."""
    # Pieces of a motion share their ends, and a motion may run backwards.
    grid, first = np.unique(np.asarray(data["time"].values, dtype=float), return_index=True)
    if not np.isfinite(grid).all():
        raise NotCovered(f"{name}: a time of the motion is no number; drop it.")
    if len(grid) < 2:
        many = "a single time" if len(grid) else "no time"
        raise NotCovered(f"{name}: the motion has {many}; an animation needs at least two.")
    return grid, first


@final
class Samples:
    """States (coordinates and velocities, frame) of a motion at ``count`` times, and any expression along them."""

    def __init__(self, model: Model, data: xr.Dataset, count: int) -> None:
        self.model, self._data = model, data
        found = json.loads(str(data.attrs.get("parameters", "{}")))
        # No shape depends on inputs.
        self.parameters = [0.0 if s.name in model.inputs else found[s.name] for s in model.parameter_symbols]
        grid, first = instants(model.name, data)
        q, w, a = (np.asarray(data[name].values, dtype=float).T[:, first] for name in ("q", "velocity", "acceleration"))
        if bad := np.flatnonzero(~np.isfinite(np.vstack([q, w, a])).all(axis=0)).tolist():
            raise NotCovered(
                f"{model.name}: the motion has a value that is no number at t = {grid[bad[0]]:.6g}; end it earlier."
            )
        self.times = grid
        self.states = np.vstack([q, w])
        rates = model.frame.coordinate_rates(model.velocities)
        q_dot = self.evaluate([rates[c] for c in model.coordinates])
        self.times = np.linspace(grid[0], grid[-1], count)
        self.states = hermite(grid, self.states, np.vstack([q_dot, a]), self.times)
        self._keep_invariants()

    def _keep_invariants(self) -> None:
        r"""Between the times of the dataset a quaternion loses its length: $x \leftarrow x - \Phi\,\nabla\Phi/|\nabla\Phi|^2$ in turn."""
        held = [c.declared if c.position is None else c.position for c in self.model.invariants]
        for _ in range(_ROUNDS if len(held) > 1 else 4):
            for each in held:
                value, *slope = self.evaluate([each, *gradient(each, self.model.coordinates)])
                g = np.array(slope)
                self.states[: len(g)] -= value * g / (g * g).sum(axis=0)

    def finer(self, parts: int) -> Samples:
        """The same motion with ``parts`` times as many steps."""
        return Samples(self.model, self._data, parts * (len(self.times) - 1) + 1)

    @property
    def values(self) -> dict[Symbol, float]:
        """The parameters."""
        return dict(zip(self.model.parameter_symbols, self.parameters, strict=True))

    def evaluate(self, expressions: Sequence[Expr]) -> NDArray[np.float64]:
        """Shape (expression, frame)."""
        if not expressions:
            return np.zeros((0, len(self.times)))
        symbols = (*self.model.coordinates, *self.model.velocities)
        program = lower(symbols, self.model.parameter_symbols, [], expressions)
        return NumpyBackend().compile(program)(self.times, self.states, self.parameters)
