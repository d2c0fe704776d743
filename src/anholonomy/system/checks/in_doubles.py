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
from anholonomy.symbolic.expressions import time
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["is_surely_regular"]

Array: TypeAlias = NDArray[np.float64]
_CLEAR = 1e-6
"""The least singular value, of rows or of an inertia scaled to ones, that is far from zero."""
_SMALL = 2000
"""Operations of the Lagrangian up to which its second derivatives are quick to write down."""
_NUDGES = np.finfo(float).eps * np.array([0.0, 1.0, -1.0])


def is_surely_regular(model: Model) -> bool:
    """Whether constraints are surely independent and the inertia along them surely regular; False tells nothing."""
    values = [value for _, value in model.parameter_items]
    if any(value is None for value in values) or (tables := _tables(model.shape)) is None:
        return False
    rng = np.random.default_rng(11)
    state = rng.uniform(0.2, 1.5, len(model.coordinates) + len(model.velocities) + 1)
    numbers = np.concatenate([state, np.array(values, dtype=float)])
    with np.errstate(all="ignore"):
        seen = [tables(numbers * (1 + nudge * rng.choice([-1, 1], numbers.size))) for nudge in _NUDGES]
    A, M = (np.array(part) for part in zip(*seen, strict=True))
    if not (np.isfinite(A).all() and np.isfinite(M).all()):
        return False
    lengths = np.linalg.norm(A[0], axis=1, keepdims=True)
    if not (lengths > 0).all() or _noise(A / lengths) > _CLEAR**2:
        return False
    _, sizes, directions = np.linalg.svd(A[0] / lengths)
    if sizes.min(initial=1.0) < _CLEAR:
        return False
    basis = directions[len(lengths) :]
    inertia = basis @ M @ basis.T
    scale = np.sqrt(np.abs(np.diagonal(inertia[0])))
    if not scale.size:
        return True
    if not (scale > 0).all():
        return False
    scaled = inertia / np.outer(scale, scale)
    terms = np.abs(basis) @ np.abs(M[0]) @ np.abs(basis.T) / np.outer(scale, scale)  # what may have cancelled
    noise = max(_noise(scaled), np.finfo(float).eps * float(terms.max()))
    return bool(noise < _CLEAR**2 and np.linalg.svd(scaled[0], compute_uv=False).min() > _CLEAR)


def _noise(tables: Array) -> float:
    return float(np.abs(tables - tables[0]).max(initial=0.0))


@lru_cache(maxsize=256)
def _tables(shape: Model) -> Callable[[Array], tuple[Array, Array]] | None:
    r"""$A$ and $\partial^2L/\partial w\,\partial w$ (or the slopes of the momenta) as a function of floats; None where others must look."""
    plain = not shape.held and not shape.spare and not any(Kind.NONLINEAR in c.kind for c in shape.constraints)
    if not plain or shape.functions or symengine.count_ops(shape.lagrangian, *(shape.momenta_a or ())) > _SMALL:
        return None
    momenta = gradient(shape.lagrangian, shape.velocities) if shape.momenta_a is None else shape.momenta_a
    entries = [entry for row in (*shape.matrix_na, *jacobian(momenta, shape.velocities)) for entry in row]
    entries += [shape.lagrangian, *momenta, *shape.forces_a, *shape.bias_n]  # which must be finite
    inputs = [*shape.coordinates, *shape.velocities, time, *shape.parameter_symbols]
    rows, width = len(shape.constraints), len(shape.velocities)
    try:
        evaluate = symengine.Lambdify(inputs, entries, cse=True)
    except (NotImplementedError, RuntimeError):
        return None

    def tables(x: Array) -> tuple[Array, Array]:
        values = np.asarray(evaluate(x), dtype=float).reshape(-1)
        if not np.isfinite(values).all():
            return np.full((rows, width), np.nan), np.full((width, width), np.nan)
        A, M, _ = np.split(values, [rows * width, (rows + width) * width])
        return A.reshape(rows, width), M.reshape(width, width)

    return tables
