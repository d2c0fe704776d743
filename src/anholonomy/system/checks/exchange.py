r"""Which constraints to use at a state, where some follow from others: those whose rows $\partial\varphi_\nu/\partial w^a$ are farthest from dependent.

Of the four components of two wheels' velocities on one axle three are independent, but which three depends on the heading.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anholonomy.symbolic.expressions import Symbol, free_symbols
from anholonomy.symbolic.numbers.balls import ball, precision
from anholonomy.system.model import Model
from anholonomy.system.states.newton import largest, rows_at
from anholonomy.system.states.sizes import sizes_at

__all__ = ["best_rows"]

_FAIR = 0.3
"""Rows that are at least this part as far from dependent as the best are not exchanged."""


def best_rows(model: Model, point: Mapping[Symbol, Any]) -> Model:
    """The model with as many of its own and its stand-ins as before; itself where its own do well, or velocities are lacking.

    >>> from anholonomy import System
    >>> from anholonomy.symbolic.expressions import symbol
    >>> twice = System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", redundant="drop",
    ...                constraints={"first": "sin(x)*(x' + y') = 0", "second": "cos(x)*(x' + y') = 0"})
    >>> [[c.label for c in best_rows(twice, {symbol("x"): place}).constraints] for place in (0, 1.5)]
    [['second'], ['first']]
    """
    everything = (*model.constraints, *model.stand_ins)
    if not model.stand_ins or not free_symbols([a for c in everything for a in c.coefficients]) <= point.keys():
        return model
    from scipy.linalg import qr  # only where constraints follow from others

    with precision(30):
        known = {s: value if hasattr(value, "mid") else ball(value) for s, value in point.items()}
        rows = np.array([[float(a) for a in row] for row in rows_at([c.coefficients for c in everything], known)])
        # A row whose terms cancel is small beside them, and what is left of it may be rounding.
        sizes = [float(largest(sizes_at(c.coefficients, known, amplitude=True))) for c in everything]
    if not np.isfinite(rows).all():
        return model
    rows /= np.maximum(sizes, 1e-300)[:, None]
    count = len(model.constraints)
    best = qr(rows.T, mode="r", pivoting=True)[1][:count].tolist()
    if _least(rows[:count]) >= _FAIR * _least(rows[best]):
        return model
    taken = iter([k for k in best if k >= count])
    chosen = [k if k in best else next(taken) for k in range(count)]
    spare = [k for k in range(len(everything)) if k not in chosen]
    return model.with_words(
        constraints=tuple(everything[k] for k in chosen), stand_ins=tuple(everything[k] for k in spare)
    )


def _least(rows: np.ndarray) -> float:
    """How far rows are from dependent: the least singular value."""
    return float(np.linalg.svd(rows, compute_uv=False).min(initial=np.inf))
