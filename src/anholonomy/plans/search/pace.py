r"""Plans that may be carried out at any pace: the way is found first, and then how fast it may be gone.

Where nothing moves by itself, time does not matter, and the cost is homogeneous in the speeds, $L(q, s u) = s^k L(q, u)$, a plan that
takes $s$ times as long costs $s^{1-k}$ times as much. Its way does not depend on that; with free time it is found for the time 1,
without the bounds of the speeds, and gone as fast as these allow.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.plans.asked.task import Limit, Task
from anholonomy.plans.collocation.curve import Curve
from anholonomy.plans.collocation.measures import function_of
from anholonomy.plans.collocation.radau import bernstein

__all__ = ["fastest", "unhurried"]

_PARTS = np.linspace(0.0, 1.0, 11)


def unhurried(task: Task) -> Task:
    """The same way to be found in the time 1 without bounds of the speeds; the task itself where the pace matters."""
    pairs = [*zip(task.limits.low[task.width :], task.limits.high[task.width :], strict=True)]
    pairs += [(row.low, row.high) for row in task.limits.rows if _is_speed(task, row)]
    if task.horizon is not None or not task.cost.degree or not all(low <= 0 <= high for low, high in pairs):
        return task
    low, high = task.limits.low.copy(), task.limits.high.copy()
    low[task.width :] = [_open(b) for b in low[task.width :]]
    high[task.width :] = [_open(b) for b in high[task.width :]]
    rows = tuple(
        replace(row, low=_open(row.low), high=_open(row.high)) if _is_speed(task, row) else row
        for row in task.limits.rows
    )
    return replace(task, horizon=1.0, limits=replace(task.limits, low=low, high=high, rows=rows))


def _is_speed(task: Task, row: Limit) -> bool:
    return row.label in {w.name for w in task.controlled.model.velocities}


def _open(bound: float) -> float:
    """Without its size, of which only the sign counts."""
    return bound if bound == 0 else bound * np.inf


def fastest(task: Task, curve: Curve) -> Curve:
    """The way of a curve gone in the shortest time in which the speeds keep their bounds; in the time 1 where these have none."""
    coefficients = np.linalg.solve(bernstein(curve.points.shape[1]), curve.points[:, :, curve.width :])
    flat: Array = np.asarray(coefficients.reshape(-1, coefficients.shape[2]))
    ratios = [_ratio(flat.T, task.limits.low[task.width :], task.limits.high[task.width :])]
    speeds = [k for k, row in enumerate(task.limits.rows) if _is_speed(task, row)]
    if speeds:
        K = curve.shares.size
        k, s = np.repeat(np.arange(K), _PARTS.size), np.tile(_PARTS, K)
        inputs = np.hstack([curve.states(k, s), curve.controls(k, s)])
        values = function_of(task.program)(0.0, inputs.T, task.controlled.values)[task.width + 1 :][speeds]
        bounds = (np.array([getattr(task.limits.rows[r], end) for r in speeds]) for end in ("low", "high"))
        ratios.append(_ratio(values, *bounds))
    stretch = max(ratios)
    return curve.lasting(curve.duration * (stretch or 1.0), flat.shape[1])


def _ratio(values: Array, low: Array, high: Array) -> float:
    """How many times larger than their bounds values become, a row for each bound."""
    above, below = values.max(axis=1, initial=0.0), values.min(axis=1, initial=0.0)
    bounded = [*zip(above, high, strict=True), *zip(-below, -low, strict=True)]
    return max((v / b for v, b in bounded if np.isfinite(b) and b > 0), default=0.0)
