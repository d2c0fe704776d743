"""Numbers along a motion: integrals between its samples, and claims that were checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from anholonomy.findings import Bound, Finding
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.system.model import Model
from anholonomy.tolerances import ROUNDING
from anholonomy.verdict import Verdict

__all__ = ["NODES", "distance", "expect_motion", "fine_times", "gauss", "integral_along", "settled", "within"]

NODES = 8
"""Of Gauss's quadrature on a step: of order 16."""
RELATIVE, ABSOLUTE = 3e-14, 1e-15
"""Errors of a step of what a motion is compared with, as small as doubles allow."""
_FINEST = 16
"""Parts between two samples, after which no digits are gained."""


def expect_motion(run: Any, model: Model) -> None:
    """Refuse what is no motion of a system with the names of this one."""
    own = getattr(run, "model", None)
    if not isinstance(own, Model):
        raise IllPosedSystem(
            f"{run!r:.60} is no motion; give one, such as {model.name}'s `system.simulate(…)` returns."
        )
    theirs = {s.name for s in (*own.coordinates, *own.velocities)}
    if strange := sorted({s.name for s in (*model.coordinates, *model.velocities)} - theirs):
        raise UnknownName(f"{strange[0]!r} is nothing in this motion of {own.name}; give a motion of {model.name}.")


def distance(run: Any, other: Mapping[str, np.ndarray]) -> float:
    """The largest distance of a motion from another, by coordinate, relative to its size where that is larger than one."""
    size = max(1.0, *(float(abs(run[name]).max()) for name in other))
    return max(float(np.abs(values - run[name].values).max()) for name, values in other.items()) / size


def within(claim: str, what: str, size: float, limit: float) -> Finding:
    """The finding that a number of a motion is within a limit.

    >>> print(within("energy is constant along the motion", "its largest change", 3e-15, 1e-11))
    energy is constant along the motion: proven, its largest change is at most 3.0e-15, the limit 1.0e-11
    """
    good = size <= limit
    least = Decimal(0) if good else Decimal(size)
    return Finding(claim, Verdict.of(good), (Bound(what, least, Decimal(size), Decimal(repr(limit))),))


def integral_along(run: Any, rate: Callable[[Any], np.ndarray]) -> np.ndarray:
    """The integral of a rate from the start of a motion to each of its samples, by Gauss's quadrature.

    ``rate`` gives the values at the samples of a motion, which are taken closer until the last digits stay.
    """
    times = np.asarray(run.time.values, dtype=float)
    nodes, weights, _ = gauss(NODES)

    def integral(parts: int) -> np.ndarray:
        fine, steps, at = fine_times(times, parts, nodes)
        values = rate(run.at(at.ravel().tolist())).reshape(at.shape)
        return np.concatenate([[0.0], np.cumsum(steps * (values @ weights))])[np.searchsorted(fine, times)]

    return settled(integral)


def settled(values: Callable[[int], np.ndarray]) -> np.ndarray:
    """Values in so many parts between two samples, these halved until the last digits stay."""
    parts, before = 1, np.array([np.inf])
    while True:
        after = values(parts)
        if parts >= _FINEST or np.abs(after - before).max() <= ROUNDING * max(1.0, np.abs(after).max()):
            return after
        parts, before = 2 * parts, after


def fine_times(times: np.ndarray, parts: int, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times with so many parts between two of them, the steps between these, and the nodes inside each step."""
    fine = np.unique(np.concatenate([np.linspace(a, b, parts + 1) for a, b in pairwise(times)]))
    steps = np.diff(fine)
    return fine, steps, fine[:-1, None] + steps[:, None] * nodes[None, :]


@lru_cache(maxsize=4)
def gauss(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes and weights on [0, 1], and the weights of the integrals up to each node."""
    x, b = np.polynomial.legendre.leggauss(count)
    nodes, weights = (x + 1) / 2, b / 2
    powers = np.arange(count)
    vandermonde = nodes[:, None] ** powers
    upto = nodes[:, None] ** (powers + 1) / (powers + 1)
    return nodes, weights, upto @ np.linalg.inv(vandermonde)
