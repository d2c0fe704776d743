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
from anholonomy.system.states.in_doubles import EPS, NOISE, Array, entries_of, parted, roundings, rows_of
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
    q = np.column_stack([given[s] for s in model.coordinates])
    missing = np.array([s not in given for s in model.velocities])
    w = np.column_stack([given.get(s, np.zeros(len(q))) for s in model.velocities])
    with np.errstate(all="ignore"):
        noisy = bool(missing.any() or shape.independent.on_positions)
        found, certain = _settled(_rows(shape, q, t, parameters, noisy), w, missing)
    if model.group:
        size = len(model.group.coordinates)
        certain &= np.array([all(v > 0 for v in model.group.signs(row[:size]).values()) for row in q])
    if certain.any():
        first = int(np.argmax(certain))
        warn_of_degrees(model, {s: float(column[first]) for s, column in given.items()} | {time: t})
    return q, found, certain


def _rows(shape: Model, q: Array, t: float, p: Array, noisy: bool) -> tuple[Array, Array, Array]:
    """$A$, $a$ and $g$ (way of rounding, member, …); as given only where no noise counts."""
    evaluate, n = _function(shape), q.shape[1]
    ways = roundings(n + 1 + p.shape[1])[1:] if noisy else ()
    given = [(t, q.T, p.T), *((t * k[n], (q * k[:n]).T, (p * k[n + 1 :]).T) for k in ways)]
    found = [
        parted(shape, np.empty((len(q), 0)) if evaluate is None else np.ascontiguousarray(evaluate(*each).T))
        for each in given
    ]
    A, a, g = (np.stack(parts) if noisy else parts[0][None] for parts in zip(*found, strict=True))
    return A, a, g


@lru_cache(maxsize=64)
def _function(shape: Model) -> Function | None:
    """The rows as machine code for many members; None where there is nothing to compute."""
    entries = entries_of(shape)
    return fast_function(lower(shape.coordinates, shape.parameter_symbols, (), entries)) if entries else None


def _settled(rows: tuple[Array, Array, Array], w: Array, missing: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """The velocities, and where every way of rounding agrees that they are determined and that all rows hold."""
    A, a, g = rows
    certain = np.isfinite(A).all(axis=(0, 2, 3)) & np.isfinite(a).all(axis=(0, 2))
    if missing.any():
        answers, determined = _completed(A, a, w, missing)
        certain &= determined
    else:
        answers = np.broadcast_to(w, (len(A), *w.shape))
    found = answers[0]
    sizes = np.abs(found)
    left = np.abs(np.einsum("mca,ma->mc", A[0], found) + a[0])
    noise = NOISE * EPS * (np.einsum("mca,ma->mc", np.abs(A[0]), sizes) + np.abs(a[0]))
    certain &= (left <= noise).all(axis=1)
    certain &= (np.abs(g[0]) <= np.abs(g - g[0]).max(axis=0)).all(axis=1)
    certain &= np.abs(answers - found).max(axis=(0, 2), initial=0.0) <= EXACT * sizes.max(axis=1, initial=0.0)
    return np.array(found), certain


def _completed(A: Array, a: Array, w: Array, missing: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """The velocities for each way of rounding, and where the rows surely determine them."""
    answers = np.repeat(w[None], len(A), axis=0)
    members = w.shape[0]
    if A.shape[2] != missing.sum():
        return answers, np.zeros(members, dtype=bool)
    sizes = np.abs(A).max(axis=3, initial=0.0)
    ok = (sizes > 0).all(axis=(0, 2)) & np.isfinite(A).all(axis=(0, 2, 3)) & np.isfinite(a).all(axis=(0, 2))
    left = np.where(ok[None, :, None, None], A[..., missing] / sizes[..., None], np.eye(int(missing.sum())))
    square = np.linalg.det(left) != 0
    ok &= square.all(axis=0)
    inverse = np.linalg.inv(np.where(ok[None, :, None, None], left, np.eye(int(missing.sum()))))
    ok &= (inverse * inverse).sum(axis=(2, 3)).max(axis=0) < CLEAR**-2  # which bounds the largest singular value
    right = (-(a + np.einsum("kmca,ma->kmc", A[..., ~missing], w[:, ~missing])) / sizes)[..., None]
    first = inverse @ right
    answers[..., missing] = (first + inverse @ (right - left @ first))[..., 0]
    return answers, ok
