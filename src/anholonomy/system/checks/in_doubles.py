r"""Whether a system is surely well posed, in doubles: rows far from dependent, an inertia far from singular, at one state.

What holds at one state holds at generic ones, so a single state with a clear answer is enough. Everything is computed again from
numbers that differ by a rounding; where that changes an entry by more than a millionth of what decides, nothing is decided, and
`anholonomy.system.checks.well_posed` looks with as many digits as it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import Vector, free_symbols, time
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["has_surely_independent_span", "is_surely_regular"]

Array: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Callable[[Array], Array]
"""From values of the parameters to entries at a state, a row for each way of rounding the numbers they are computed from."""
_CLEAR = 1e-6
"""The least singular value, of rows or of an inertia scaled to ones, that is far from zero."""
_SMALL = 2000
"""Operations of the Lagrangian up to which its second derivatives are quick to write down."""
_NUDGES = np.finfo(float).eps * np.array([0.0, 1.0, -1.0])


@lru_cache(maxsize=64)
def is_surely_regular(model: Model) -> bool:
    """Whether constraints are surely independent and the inertia along them surely regular; False tells nothing."""
    values = [value for _, value in model.parameter_items]
    if None in values or (table := _tables(model.shape)) is None:
        return False
    entries, rows, width = table(np.array(values, dtype=float)), len(model.constraints), len(model.velocities)
    if not np.isfinite(entries).all():
        return False
    A = entries[:, : rows * width].reshape(len(entries), rows, width)
    M = entries[:, rows * width : (rows + width) * width].reshape(len(entries), width, width)
    directions = _directions(A)
    return directions is not None and _is_surely_inertia(M, directions[rows:])


def has_surely_independent_span(model: Model) -> bool:
    """Whether the declared vectors are surely independent; False tells nothing."""
    return _has_independent_span(model.shape, tuple(model.parameters[name] for name in _in_span(model.shape)))


@lru_cache(maxsize=256)
def _has_independent_span(shape: Model, used: tuple[float | None, ...]) -> bool:
    """The same with the values of those parameters that the vectors depend on."""
    if None in used or (table := _span(shape)) is None:
        return False
    values = dict(zip(_in_span(shape), used, strict=True))
    S = table(np.array([values.get(name, 1.0) for name, _ in shape.parameter_items], dtype=float))
    S = S.reshape(len(_NUDGES), -1, len(shape.velocities))
    return bool(np.isfinite(S).all()) and _directions(S) is not None


@lru_cache(maxsize=256)
def _in_span(shape: Model) -> tuple[str, ...]:
    found = free_symbols(entry for row in shape.span_ba or () for entry in row)
    return tuple(s.name for s in shape.parameter_symbols if s in found)


def _directions(A: Array) -> Array | None:
    """An orthonormal basis that begins with that of the rows; None unless these are surely independent."""
    lengths = np.sqrt((A[0] * A[0]).sum(axis=1, keepdims=True))
    if not (lengths > 0).all() or _noise(A / lengths) > _CLEAR**2:
        return None
    _, sizes, directions = np.linalg.svd(A[0] / lengths)
    return None if sizes.min(initial=1.0) < _CLEAR or len(lengths) > A.shape[2] else np.asarray(directions)


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
    return bool(noise < _CLEAR**2 and np.linalg.svd(scaled[0], compute_uv=False).min() > _CLEAR)


def _noise(tables: Array) -> float:
    return float(np.abs(tables - tables[0]).max(initial=0.0))


@lru_cache(maxsize=256)
def _span(shape: Model) -> Values | None:
    entries = tuple(entry for row in shape.span_ba or () for entry in row)
    return None if not entries or shape.held or symengine.count_ops(*entries) > _SMALL else _at_a_state(shape, entries)


@lru_cache(maxsize=256)
def _tables(shape: Model) -> Values | None:
    r"""$A$ and $\partial^2L/\partial w\,\partial w$ (or the slopes of the momenta), one after the other; None where others must look."""
    plain = not shape.held and not shape.spare and not any(Kind.NONLINEAR in c.kind for c in shape.constraints)
    if not plain or shape.functions or symengine.count_ops(shape.lagrangian, *(shape.momenta_a or ())) > _SMALL:
        return None
    momenta = gradient(shape.lagrangian, shape.velocities) if shape.momenta_a is None else shape.momenta_a
    entries = [entry for row in (*shape.matrix_na, *jacobian(momenta, shape.velocities)) for entry in row]
    # The rest must be finite.
    return _at_a_state(shape, (*entries, shape.lagrangian, *momenta, *shape.forces_a, *shape.bias_n))


def _at_a_state(shape: Model, entries: Vector) -> Values | None:
    """Entries at a state that is always the same; None where no floats do."""
    moving = [*shape.coordinates, *shape.velocities, time]
    rng, count = np.random.default_rng(11), len(moving) + len(shape.parameter_items)
    state = rng.uniform(0.2, 1.5, len(moving))
    factors = 1 + np.array([nudge * rng.choice([-1, 1], count) for nudge in _NUDGES])
    try:
        evaluate = symengine.Lambdify([*moving, *shape.parameter_symbols], list(entries), cse=True)
    except (NotImplementedError, RuntimeError):
        return None

    def values(parameters: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(evaluate(np.concatenate([state, parameters]) * factors), dtype=float).reshape(
                len(factors), -1
            )

    return values
