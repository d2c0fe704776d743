r"""Whether a system is surely well posed, in doubles: rows far from dependent, an inertia far from singular, at one state.

What holds at one state holds at generic ones, so a single state with a clear answer is enough. Everything is computed again from
numbers that differ by a rounding; where that changes an entry by more than a millionth of what decides, nothing is decided, and
`anholonomy.system.checks.well_posed` looks with as many digits as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import Symbol, Vector, free_symbols, time
from anholonomy.symbolic.numbers.doubles import in_doubles
from anholonomy.system.checks.sampled import NUDGES, is_plain, sampled, tables
from anholonomy.system.model import Model
from anholonomy.tolerances import CLEAR, GATHERED

__all__ = ["has_surely_independent_span", "has_surely_inertia", "is_surely_regular", "satisfies", "satisfies_at"]

Array: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Callable[[Array], Array]
"""From values of the parameters to entries at a state, a row for each way of rounding the numbers they are computed from."""
_SMALL = 800
"""Operations of the Lagrangian up to which its second derivatives are quick to write down."""
_SEEN = 16.0
"""A sum is off by at most so many times what was seen to change by rounding."""
_WRITTEN = 20_000
"""Operations of vectors up to which these are quick to evaluate in doubles."""


@lru_cache(maxsize=64)
def is_surely_regular(model: Model) -> bool:
    """Whether constraints are surely independent and the inertia along them surely regular; False tells nothing."""
    if (found := _rows_and_inertia(model)) is None:
        return False
    A, M = found
    directions = _directions(A)
    return directions is not None and _is_surely_inertia(M, directions[A.shape[1] :])


def has_surely_inertia(model: Model) -> bool:
    """Whether every velocity, the constraints forgotten, surely has its own inertia; False tells nothing."""
    found = _rows_and_inertia(model)
    return found is not None and _is_surely_inertia(found[1], np.eye(len(model.velocities)))


@lru_cache(maxsize=64)
def _rows_and_inertia(model: Model) -> tuple[Array, Array] | None:
    r"""$A$ and $\partial p_a/\partial w^b$ at a state, once for each way of rounding; None where others must look."""
    shape = model.with_free_parameters
    long = symengine.count_ops(model.lagrangian, *(model.momenta_a or ())) > _SMALL
    if long or shape.on_positions:
        found = sampled(model)
        return None if found is None else (found.rows[0], found.inertia[0])
    values = [value for _, value in model.parameter_items]
    if None in values or not is_plain(shape) or (table := _tables(shape)) is None:
        return None
    entries, rows, width = table(np.array(values, dtype=float)), len(model.constraints), len(model.velocities)
    if not np.isfinite(entries).all():
        return None
    A = entries[:, : rows * width].reshape(len(entries), rows, width)
    return A, entries[:, rows * width : (rows + width) * width].reshape(len(entries), width, width)


def has_surely_independent_span(model: Model) -> bool:
    """Whether the declared vectors are surely independent; False tells nothing."""
    if model.on_positions:
        found = sampled(model)
        return found is not None and found.span is not None and is_surely_independent(found.span[0])
    return _has_independent_span(
        model.with_free_parameters, tuple(model.parameters[name] for name in _in_span(model.with_free_parameters))
    )


@lru_cache(maxsize=256)
def _has_independent_span(shape: Model, used: tuple[float | None, ...]) -> bool:
    """The same with the values of those parameters that the vectors depend on."""
    if None in used or (table := _span(shape)) is None:
        return False
    values = dict(zip(_in_span(shape), used, strict=True))
    S = table(np.array([values.get(name, 1.0) for name, _ in shape.parameter_items], dtype=float))
    return is_surely_independent(S.reshape(len(NUDGES), -1, len(shape.velocities)))


def satisfies(S: Array, A: Array) -> bool:
    """Whether vectors satisfy rows, once for each way of rounding, as far as doubles see: False where a term is too small to be seen."""
    products = np.abs(S[0][:, None] * A[0])
    terms, found = products.sum(axis=2), S @ A.transpose(0, 2, 1)
    bound = _SEEN * (np.finfo(float).eps * terms + np.abs(found - found[0]).max(axis=0))
    # A small term that rounding does not change is no rounding.
    known = _is_known(S)[:, None] & _is_known(A)
    is_hidden = known & (products > 0) & (products <= CLEAR * terms[..., None])
    sees = not is_hidden.any() and (bound <= GATHERED * terms).all()
    return bool(np.isfinite(found).all() and sees and (np.abs(found[0]) <= bound).all())


def _is_known(tables: Array) -> NDArray[np.bool_]:
    """Which entries rounding hardly changes."""
    return np.asarray(np.abs(tables - tables[0]).max(axis=0) <= CLEAR * np.abs(tables[0]))


def satisfies_at(model: Model, points: Sequence[Mapping[Symbol, float]]) -> bool:
    """Whether the declared vectors satisfy the constraints at points, the same way."""
    symbols = list(points[0])
    rng, values = np.random.default_rng(13), np.array([[point[s] for s in symbols] for point in points])
    factors = 1 + NUDGES[:, None] * rng.choice([-1, 1], len(symbols))
    rounded = (values[:, None] * factors).reshape(-1, len(symbols))
    places = dict(zip(symbols, rounded.T, strict=True))
    A, _, S = (table.transpose(-1, *range(table.ndim - 1)) for table in tables(model, places, len(rounded)))
    return all(satisfies(*(np.split(table, len(points))[k] for table in (S, A))) for k, _ in enumerate(points))


def is_surely_independent(rows: Array) -> bool:
    """Whether rows, once for each way of rounding, are surely independent."""
    return bool(np.isfinite(rows).all()) and _directions(rows) is not None


@lru_cache(maxsize=256)
def _in_span(shape: Model) -> tuple[str, ...]:
    found = free_symbols(entry for row in shape.span_ba or () for entry in row)
    return tuple(s.name for s in shape.parameter_symbols if s in found)


def _directions(A: Array) -> Array | None:
    """An orthonormal basis that begins with that of the rows; None unless these are surely independent."""
    lengths = np.sqrt((A[0] * A[0]).sum(axis=1, keepdims=True))
    if not (lengths > 0).all() or _noise(A / lengths) > CLEAR**2:
        return None
    _, sizes, directions = np.linalg.svd(A[0] / lengths)
    return None if sizes.min(initial=1.0) < CLEAR or len(lengths) > A.shape[2] else np.asarray(directions)


def _is_surely_inertia(M: Array, basis: Array) -> bool:
    inertia = basis @ M @ basis.T
    scale = np.sqrt(np.abs(np.diagonal(inertia[0])))
    if not scale.size:
        return True
    if not (scale > 0).all():
        return False
    scales = scale[:, None] * scale
    scaled = inertia / scales
    terms = np.abs(basis) @ np.abs(M[0]) @ np.abs(basis.T) / scales  # what may have cancelled
    noise = max(_noise(scaled), np.finfo(float).eps * float(terms.max()))
    if not noise < CLEAR**2:
        return False
    try:
        inverse = np.linalg.inv(scaled[0])
    except np.linalg.LinAlgError:
        return False
    return bool((inverse * inverse).sum() < CLEAR**-2)  # which bounds the inverse of the least singular value


def _noise(tables: Array) -> float:
    return float(np.abs(tables - tables[0]).max(initial=0.0))


@lru_cache(maxsize=256)
def _span(shape: Model) -> Values | None:
    entries = tuple(entry for row in shape.span_ba or () for entry in row)
    return (
        None
        if not entries or shape.on_positions or symengine.count_ops(*entries) > _WRITTEN
        else _at_a_state(shape, entries)
    )


@lru_cache(maxsize=256)
def _tables(shape: Model) -> Values | None:
    r"""$A$ and $\partial^2L/\partial w\,\partial w$ (or the slopes of the momenta), one after the other; None where others must look."""
    momenta = gradient(shape.lagrangian, shape.velocities) if shape.momenta_a is None else shape.momenta_a
    entries = [entry for row in (*shape.matrix_na, *jacobian(momenta, shape.velocities)) for entry in row]
    # The rest must be finite.
    return _at_a_state(shape, (*entries, shape.lagrangian, *momenta, *shape.forces_a, *shape.bias_n))


def _at_a_state(shape: Model, entries: Vector) -> Values | None:
    """Entries at a state that is always the same; None where no floats do."""
    moving = [*shape.coordinates, *shape.velocities, time]
    rng, count = np.random.default_rng(11), len(moving) + len(shape.parameter_items)
    state = rng.uniform(0.2, 1.5, len(moving))
    factors = 1 + np.array([nudge * rng.choice([-1, 1], count) for nudge in NUDGES])
    if (evaluate := in_doubles([*moving, *shape.parameter_symbols], entries)) is None:
        return None

    def values(parameters: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(evaluate(np.concatenate([state, parameters]) * factors), dtype=float).reshape(
                len(factors), -1
            )

    return values
