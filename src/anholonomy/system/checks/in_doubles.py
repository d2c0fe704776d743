r"""Is a system surely well posed? Decided in doubles at one state, where the answer is clear.

What holds at one state holds at generic ones. Everything is computed again from numbers that differ by a rounding; where that
changes an entry by more than a millionth of what decides, nothing is decided, and `anholonomy.system.checks.well_posed` looks
with as many digits as it takes. It would come to the same verdicts alone, in two to four times the time: this is for sliders,
which give a system other values of its parameters while they are dragged.

Positions are moved onto what restricts them by Newton's method. Velocities are moved onto the constraints by the shortest way if others
are on accelerations; if not, nothing that is asked depends on them. The inertia $\partial p_a/\partial w^b$ is what the momenta differ
by at velocities that differ by one, which is exact where they are linear in these; where second differences say that they are not,
there is no answer here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.calculus import jacobian
from anholonomy.algebra.expressions import Symbol, time
from anholonomy.algebra.numbers.doubles import Array, at_points
from anholonomy.algebra.steps.definitions import assignments_to
from anholonomy.base.tolerances import CLEAR, GATHERED, ROUNDING
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta

__all__ = [
    "has_surely_independent_span",
    "has_surely_inertia",
    "is_surely_regular",
    "sampled",
    "satisfies",
    "satisfies_at",
]

_NUDGES = np.finfo(float).eps * np.array([0.0, 1.0, -1.0])
"""The ways of rounding."""
_STEPS = 12
"""Newton steps to positions that are near."""
_SEEN = 16.0
"""A sum is off by at most so many times what was seen to change by rounding."""


# What is surely so; False tells nothing.


@lru_cache(maxsize=64)
def is_surely_regular(model: Model) -> bool:
    """Whether constraints are surely independent and the inertia along them surely regular."""
    if (found := sampled(model)) is None:
        return False
    directions = _directions(found.rows)
    return directions is not None and _is_surely_inertia(found.inertia, directions[found.rows.shape[1] :])


def has_surely_inertia(model: Model) -> bool:
    """Whether every velocity, the constraints forgotten, surely has its own inertia."""
    found = sampled(model)
    return found is not None and _is_surely_inertia(found.inertia, np.eye(len(model.velocities)))


def has_surely_independent_span(model: Model) -> bool:
    """Whether the declared vectors are surely independent."""
    found = sampled(model)
    return found is not None and bool(np.isfinite(found.span).all()) and _directions(found.span) is not None


def satisfies_at(model: Model, points: Sequence[Mapping[Symbol, float]]) -> bool:
    """Whether the declared vectors surely satisfy the constraints at points."""
    symbols = _inputs(model)
    values = np.array([[point[s] for s in symbols] for point in points])
    rounded = (values[:, None] * _roundings(len(symbols)).T).reshape(-1, len(symbols))
    A, _, S = _tables(model.with_free_parameters, rounded.T)
    A, S = A.transpose(2, 0, 1), S.transpose(2, 0, 1)
    return all(map(satisfies, np.split(S, len(points)), np.split(A, len(points))))


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


def _directions(A: Array) -> Array | None:
    """An orthonormal basis that begins with that of the rows; None unless these are surely independent."""
    return _basis(np.ascontiguousarray(A).tobytes(), A.shape)


@lru_cache(maxsize=64)
def _basis(numbers: bytes, shape: tuple[int, ...]) -> Array | None:
    """The same, remembered: the parameter that a slider drags occurs in few rows."""
    A = np.frombuffer(numbers).reshape(shape)
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


# Rows, inertia and span at an admissible state.


@final
@dataclass(frozen=True)
class SampledModel:
    """A state, and the tables there, by way of rounding, row and column."""

    state: Mapping[Symbol, float]
    rows: Array
    inertia: Array
    span: Array


@lru_cache(maxsize=64)
def sampled(model: Model) -> SampledModel | None:
    """What a model is like at a random state; None where doubles do not tell, or a parameter has no value."""
    if any(value is None for _, value in model.parameter_items) or not _is_plain(model):
        return None
    try:
        with np.errstate(all="ignore"):  # what is not finite is no answer
            return _sampled(model)
    except (KeyError, np.linalg.LinAlgError):  # a function without doubles; dependent rows
        return None


def _is_plain(model: Model) -> bool:
    """Whether constraints are linear in the velocities, independent as far as known, and every function is specified."""
    nonlinear = any(Kind.NONLINEAR in c.kind for c in model.constraints)
    return not (model.redundant_rows or model.functions or nonlinear)


def _sampled(model: Model) -> SampledModel | None:
    shape = model.with_free_parameters
    if (state := _state(model)) is None:
        return None
    n, first, roundings = len(model.velocities), len(model.coordinates), _roundings(len(state))
    # By way of rounding: at the state itself, and one more or less of each velocity.
    rounded = state[:, None] * roundings
    moved = np.repeat(rounded[..., None], 1 + 2 * n, axis=2)
    moved[first : first + n] += _moves(n)
    found = _dynamics(shape)(moved.reshape(len(state), -1))
    if not np.isfinite(found).all():
        return None
    p = found[:n].reshape(n, len(_NUDGES), 1 + 2 * n)
    here, more, less = p[..., 0], p[..., 1 : n + 1], p[..., n + 1 :]
    if np.abs(more + less - 2 * here[..., None]).max(initial=0.0) > GATHERED * np.abs(p).max(initial=0.0):
        return None
    A, _, S = _tables(shape, rounded)
    inertia, span = (more - less).transpose(1, 0, 2) / 2, S.transpose(2, 0, 1)
    if not (np.isfinite(A).all() and np.isfinite(inertia).all()):
        return None
    return SampledModel(dict(zip(_inputs(shape), state, strict=True)), A.transpose(2, 0, 1), inertia, span)


def _inputs(model: Model) -> tuple[Symbol, ...]:
    return (*model.coordinates, *model.velocities, time, *model.parameter_symbols)


@lru_cache(maxsize=64)
def _dynamics(shape: Model) -> Callable[[Array], Array]:
    """Momenta, Lagrangian and forces at points, for all values of the parameters."""
    given = momenta(shape)
    steps = assignments_to([*given.momentum_a, given.lagrangian], given.steps)
    return at_points(_inputs(shape), (*given.momentum_a, given.lagrangian, *shape.forces_a), tuple(steps))


def _tables(shape: Model, points: Array) -> tuple[Array, Array, Array]:
    """The rows of the constraints, their offsets and the span, points along the last axis."""
    rows, width, count = len(shape.constraints), len(shape.velocities), points.shape[1]
    flat = _matrices(shape)(points)
    A, a, S = flat[: rows * width], flat[rows * width : rows * (width + 1)], flat[rows * (width + 1) :]
    return A.reshape(rows, width, count), a, S.reshape(-1, width, count)


@lru_cache(maxsize=64)
def _matrices(shape: Model) -> Callable[[Array], Array]:
    matrices = (*shape.matrix_na, shape.offset_n, *(shape.span_ba or ()))
    return at_points(_inputs(shape), tuple(entry for row in matrices for entry in row))


def _state(model: Model) -> Array | None:
    """Coordinates, velocities, time and parameters; None where no admissible ones are found."""
    moving = _somewhere(len(model.coordinates) + len(model.velocities) + 1)
    values = [value for _, value in model.parameter_items if value is not None]
    settled = _with_positions(model, np.array([*moving, *values], dtype=float))
    return None if settled is None else _with_velocities(model, settled)


# Drawing numbers takes longer than using them.


@lru_cache(maxsize=64)
def _somewhere(count: int) -> tuple[float, ...]:
    """Random numbers, always the same."""
    return tuple(np.random.default_rng(11).uniform(0.2, 1.5, count))


@lru_cache(maxsize=64)
def _roundings(count: int) -> Array:
    """Factors that round numbers up or down at random, a column for each way."""
    return 1 + np.random.default_rng(12).choice([-1, 1], (count, 1)) * _NUDGES


@lru_cache(maxsize=64)
def _moves(count: int) -> Array:
    """No velocity, then each more by one, then each less, for all ways of rounding."""
    return np.concatenate([np.zeros((count, 1)), np.eye(count), -np.eye(count)], axis=1)[:, None]


def _with_positions(model: Model, state: Array) -> Array | None:
    positions = [c.position for c in model.on_positions if c.position is not None]
    if not positions:
        return state
    slopes = jacobian(positions, model.coordinates)
    together = at_points(_inputs(model), (*positions, *(entry for row in slopes for entry in row)))
    for _ in range(_STEPS):
        values = together(state[:, None])[:, 0]
        change = _shortest(values[len(positions) :].reshape(len(positions), -1), values[: len(positions)])
        if change is None:
            return None
        state[: len(change)] -= change
        if np.abs(change).max() < ROUNDING:
            return state
    return None


def _with_velocities(model: Model, state: Array) -> Array | None:
    rows = [k for k, c in enumerate(model.constraints) if Kind.ACCELERATION not in c.kind]
    if len(rows) in (0, len(model.constraints)):
        return state
    A, a, _ = _tables(model.with_free_parameters, state[:, None])
    first = len(model.coordinates)
    velocities = state[first : first + len(model.velocities)]
    change = _shortest(A[rows, :, 0], A[rows, :, 0] @ velocities + a[rows, 0])
    if change is None:
        return None
    velocities -= change
    return state


def _shortest(J: Array, values: Array) -> Array | None:
    r"""$J^{\mathsf T}(JJ^{\mathsf T})^{-1}f$; None where rows are nearly dependent."""
    with np.errstate(over="ignore"):
        sizes = np.sqrt((J * J).sum(axis=1))
    if not (np.isfinite(sizes).all() and np.isfinite(values).all() and (sizes > 0).all()):
        return None
    u, singular, v = np.linalg.svd(J / sizes[:, None], full_matrices=False)
    if len(J) > J.shape[1] or singular.min(initial=1.0) < CLEAR:
        return None
    return np.asarray(((values / sizes) @ u / singular) @ v)
