r"""Multiple shooting: the states at a few times, corrected until the extremals between them join and end where they must.

.. math::
   F_k = \Phi_k(q_k, p_k) - (q_{k+1}, p_{k+1}), \qquad F_K = q(T) - q_{\mathrm{end}}, \qquad
   \delta = -(\partial F)^+ F

The derivatives of the flow $\Phi_k$ are integrated with it. With one piece it is simple shooting, the unknowns being the momenta
at the start alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.paths.hamiltonian_flow import HamiltonianFlow
from anholonomy.tolerances import GATHERED

__all__ = ["Shot", "shoot"]

_MOST = 30
"""Corrections after which shooting is given up."""
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.03)
_WINDOW = 6
"""Corrections in which what does not fit must be halved."""


@final
@dataclass(frozen=True)
class Shot:
    """States $(q, p)$ at the beginning of each piece, and the largest entry of what does not fit."""

    times: Array
    states: Array
    miss: float
    iterations: int


def shoot(flow: HamiltonianFlow, times: Array, states: Array, last: Array, goal: float, tolerance: float) -> Shot:
    """Correct ``states``, one for each piece between ``times``; the configuration of the first stays.

    It ends when what does not fit is below ``goal`` or does not become less.
    """
    shooting = _Shooting(flow, times, last, tolerance)
    F, slope = shooting.defects(states)
    size = float(np.abs(F).max())
    sizes = [size]
    for iteration in range(_MOST):
        if not np.isfinite(size) or size <= goal:
            return Shot(times, states, size, iteration)
        change = shooting.correction(F, slope)
        for share in _SHARES:
            tried = states + share * change
            F_tried, slope_tried = shooting.defects(tried)
            new = float(np.abs(F_tried).max())
            if new < size:
                break
        else:
            return Shot(times, states, size, iteration)
        states, F, slope, size = tried, F_tried, slope_tried, new
        sizes.append(size)
        if iteration >= _WINDOW and size > sizes[-_WINDOW] / 2:
            return Shot(times, states, size, iteration)
    return Shot(times, states, size, _MOST)


@final
class _Shooting:
    """The equations of the pieces."""

    def __init__(self, flow: HamiltonianFlow, times: Array, last: Array, tolerance: float) -> None:
        self.flow, self.times, self.last, self.tolerance = flow, times, last, tolerance
        self.width = len(flow.model.coordinates)
        self.size = len(flow.rates.states)

    def defects(self, states: Array) -> tuple[Array, Array]:
        """What does not fit, and its derivatives by all states."""
        pieces, n = len(states), self.size
        F, slope = np.zeros(pieces * n), np.zeros((pieces * n, pieces * n))
        start = np.concatenate([np.zeros(n), np.eye(n).ravel()])
        for k, state in enumerate(states):
            start[:n] = state
            end = self.flow.along(self.flow.varied, start, self.times[k : k + 2], self.tolerance)[-1]
            rows = slice(k * n, (k + 1) * n)
            F[rows] = end[:n] - (states[k + 1] if k + 1 < pieces else np.append(self.last, end[self.width : n]))
            slope[rows, rows] = end[n:].reshape(n, n).T
            if k + 1 < pieces:
                slope[rows, (k + 1) * n : (k + 2) * n] = -np.eye(n)
        used = pieces * n - (n - self.width)  # no momentum is asked for at the end
        return F[:used], slope[:used]

    def correction(self, F: Array, slope: Array) -> Array:
        """The shortest change of the states that makes them fit, to first order."""
        free = slope[:, self.width :]
        if not np.isfinite(free).all():
            return np.full((slope.shape[1] // self.size, self.size), np.nan)
        scale = np.linalg.norm(free, axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        found = -np.linalg.lstsq(free / scale, F, rcond=GATHERED)[0] / scale
        return np.concatenate([np.zeros(self.width), found]).reshape(-1, self.size)
