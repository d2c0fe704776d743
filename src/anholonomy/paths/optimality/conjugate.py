r"""Conjugate times: where neighbouring extremals from one start meet, and after which none is a shortest path.

.. math:: \det\frac{\partial q(t)}{\partial p(0)} = 0, \qquad t > 0

The derivatives are integrated with the extremal; a configuration is compared in the directions of the frame, so that redundant
coordinates do not matter.
"""

from __future__ import annotations

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.paths.hamiltonian_flow import HamiltonianFlow
from anholonomy.refusals import NotCovered
from anholonomy.tolerances import VANISHES

__all__ = ["first_conjugate_time"]

_LOOKS = 400
"""Times at which the sign of the determinant is looked at."""


def first_conjugate_time(flow: HamiltonianFlow, state: Array, until: float) -> float | None:
    """The first conjugate time up to ``until``; None where there is none."""
    model = flow.model
    if any(c.position is not None for c in model.constraints):
        raise NotCovered(
            f"{model.name} has constraints on positions, which tie its momenta together; leave coordinates out instead, to ask for "
            "conjugate times."
        )
    n = len(state)
    times = np.linspace(0.0, until, _LOOKS + 1)
    start = np.concatenate([state, np.eye(n).ravel()])
    along = flow.along(flow.varied, start, times)
    values = _spreads(flow, times[1:], along[1:])
    for k in range(1, len(values)):
        if values[k - 1] * values[k] <= 0:
            return _between(flow, along[k], times[k], times[k + 1], values[k - 1])
    return None


def _spreads(flow: HamiltonianFlow, times: Array, rows: Array) -> Array:
    """The determinants at some times."""
    width, n = len(flow.model.coordinates), len(flow.rates.states)
    moved = rows[:, n:].reshape(-1, n, n).transpose(0, 2, 1)[:, :width, width:]
    anchors = flow.anchors(times, rows[:, :width].T)
    return np.asarray(np.linalg.det(np.linalg.pinv(anchors.transpose(0, 2, 1)) @ moved))


def _between(flow: HamiltonianFlow, row: Array, early: float, late: float, value: float) -> float:
    """The zero between two times, by halving and secants, from the state at the first."""
    from scipy.optimize import brentq

    def spread(t: float) -> float:
        if t == early:
            return value
        end = flow.along(flow.varied, row, np.array([early, t]))[1:]
        return float(_spreads(flow, np.array([t]), end)[0])

    return float(brentq(spread, early, late, xtol=VANISHES * max(1.0, late), rtol=1e-14))
