r"""Starts of many members decided in doubles, all at once, as `anholonomy.system.states.in_doubles` decides one.

Members for which doubles leave a doubt are told, and are for more digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Function
from anholonomy.compile.program import lower
from anholonomy.symbolic.expressions import Symbol, time
from anholonomy.system.model import Model
from anholonomy.system.states.in_doubles import EPS, NOISE, Array, entries_of, roundings, rows_of
from anholonomy.system.warnings import warn_of_degrees
from anholonomy.tolerances import CLEAR, EXACT

__all__ = ["quick_states"]


def quick_states(
    model: Model, given: Mapping[Symbol, Array], parameters: Array, t: float
) -> tuple[Array, Array, NDArray[np.bool_]] | None:
    """Coordinates and velocities, a row for each member, and which of them are certain; None where doubles decide none.

    ``given`` are columns of one length for coordinates and velocities; ``parameters`` has a row for each member, or one for all.
    """
    shape = model.with_free_parameters
    if (
        rows_of(shape) is None
        or not given.keys() >= set(model.coordinates)
        or not given.keys() <= {*model.coordinates, *model.velocities}
    ):
        return None
    from anholonomy.ensembles.kernel.rows import settle

    count = next(iter(given.values())).size
    q, w, certain = (
        np.empty((count, len(model.coordinates))),
        np.zeros((count, len(model.velocities))),
        np.ones(count, dtype=bool),
    )
    for k, s in enumerate(model.coordinates):
        q[:, k] = given[s]
    for k, s in enumerate(model.velocities):
        if s in given:
            w[:, k] = given[s]
    missing = np.array([k for k, s in enumerate(model.velocities) if s not in given], dtype=np.int64)
    if (evaluate := _function(shape)) is not None:
        noisy = bool(missing.size or shape.independent.on_positions)
        with np.errstate(all="ignore"):
            values = _rows(evaluate, q, t, parameters, noisy)
        settle(values, len(shape.velocity_constraints), missing, (NOISE * EPS, CLEAR**-2, EXACT), w, certain)
    elif missing.size:
        return None
    if model.group and model.group.signs(q[0, : len(model.group.coordinates)]):
        size = len(model.group.coordinates)
        certain &= np.array([all(v > 0 for v in model.group.signs(row[:size]).values()) for row in q])
    if certain.any():
        first = int(np.argmax(certain))
        warn_of_degrees(model, {s: float(column[first]) for s, column in given.items()} | {time: t})
    return q, w, certain


def _rows(evaluate: Function, q: Array, t: float, p: Array, noisy: bool) -> Array:
    """$A$, $a$ and $g$ (way of rounding, entry, member); as given only where no noise counts."""
    n = q.shape[1]
    given = evaluate(t, q.T, p.T)
    if not noisy:
        return given[None]
    ways = roundings(n + 1 + p.shape[1])[1:]
    return np.stack([given, *(evaluate(t * k[n], (q * k[:n]).T, (p * k[n + 1 :]).T) for k in ways)])


@lru_cache(maxsize=64)
def _function(shape: Model) -> Function | None:
    """The rows as machine code for many members; None where there is nothing to compute."""
    entries = entries_of(shape)
    return fast_function(lower(shape.coordinates, shape.parameter_symbols, (), entries)) if entries else None
