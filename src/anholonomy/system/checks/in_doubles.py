"""The same checks in doubles, at one state, where the answer is clear.

Whether a system is surely well posed, in doubles: rows far from dependent, an inertia far from singular, at one state.

What holds at one state holds at generic ones, so a single state with a clear answer is enough. Everything is computed again from
numbers that differ by a rounding; where that changes an entry by more than a millionth of what decides, nothing is decided, and
`anholonomy.system.checks.well_posed` looks with as many digits as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, final

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.algebra.calculus import gradient, jacobian
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, time
from anholonomy.algebra.numbers.doubles import Array, at_few_points, at_points, in_doubles, steps_at_points
from anholonomy.algebra.steps.definitions import assignments_to
from anholonomy.base.tolerances import CLEAR, GATHERED, ROUNDING
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta

__all__ = [
    "NUDGES",
    "SampledModel",
    "is_plain",
    "sampled",
    "tables",
    "has_surely_independent_span",
    "has_surely_inertia",
    "is_surely_regular",
    "satisfies",
    "satisfies_at",
]


# Rows, inertia and span at an admissible state, in doubles: each computed again from numbers that differ by a rounding.
#
# Positions are moved onto what restricts them by Newton's method, velocities onto the constraints by the shortest way. The inertia
# $\partial p_a/\partial w^b$ is what the momenta differ by at velocities that differ by one, which is exact where they are linear in these;
# where second differences say that they are not, there is no answer here.


NUDGES = np.finfo(float).eps * np.array([0.0, 1.0, -1.0])
"""The ways of rounding."""
_STATES = 1
"""States at which to look: what is so at a random one is so."""
_STEPS = 12
"""Newton steps to positions that are near."""


@final
@dataclass(frozen=True)
class SampledModel:
    """By state, way of rounding, row and column; and the states."""

    states: Mapping[Symbol, Array]
    rows: Array
    inertia: Array
    span: Array | None

    @property
    def count(self) -> int:
        """Of states."""
        return len(self.rows)


def is_plain(shape: Model) -> bool:
    """Whether constraints are linear in the velocities, independent as far as known, and every function is specified."""
    nonlinear = any(Kind.NONLINEAR in c.kind for c in shape.constraints)
    return not (shape.redundant_rows or shape.functions or nonlinear)


@lru_cache(maxsize=64)
def sampled(model: Model) -> SampledModel | None:
    """What a model is like at a random state; None where doubles do not tell, or a parameter has no value."""
    if any(value is None for _, value in model.parameter_items) or not is_plain(model):
        return None
    try:
        return _sampled(model)
    except (KeyError, np.linalg.LinAlgError):  # a function without doubles; dependent rows
        return None


def _sampled(model: Model) -> SampledModel | None:
    if (states := _states(model)) is None:
        return None
    w, n = model.velocities, len(model.velocities)
    # By state and rounding: at the state itself, and one more or less of each velocity.
    moved = np.concatenate([np.zeros((1, n)), np.eye(n), -np.eye(n)])
    count = _STATES * len(NUDGES) * len(moved)
    inputs = list(states)
    rng = np.random.default_rng(12)
    factors = 1 + NUDGES[:, None] * rng.choice([-1, 1], len(inputs))
    rounded = np.array([states[s] for s in inputs])[:, :, None] * factors.T[:, None, :]
    values = dict(zip(inputs, np.repeat(rounded[..., None], len(moved), axis=3), strict=True))
    for b, velocity in enumerate(w):
        values[velocity] = values[velocity] + moved[:, b]
    known: dict[Expr, Array] = {s: value.reshape(count) for s, value in values.items()}
    given = momenta(model)
    steps_at_points(assignments_to([*given.momentum_a, given.lagrangian], given.steps), known)
    p = at_points(given.momentum_a, known, count).reshape(n, _STATES, len(NUDGES), len(moved))
    others = at_points([given.lagrangian, *model.forces_a], known, count)
    if not (np.isfinite(p).all() and np.isfinite(others).all()):
        return None
    here, more, less = p[..., 0], p[..., 1 : n + 1], p[..., n + 1 :]
    if np.abs(more + less - 2 * here[..., None]).max(initial=0.0) > GATHERED * np.abs(p).max(initial=0.0):
        return None
    inertia = (more - less).transpose(1, 2, 0, 3) / 2
    places = {s: value[..., 0].reshape(_STATES * len(NUDGES)) for s, value in values.items()}
    A, _, S = tables(model, places, _STATES * len(NUDGES))
    A, S = (table.transpose(2, 0, 1).reshape(_STATES, len(NUDGES), len(table), n) for table in (A, S))
    return SampledModel(states, A, inertia, None if model.span_ba is None else S) if np.isfinite(A).all() else None


def tables(model: Model, places: Mapping[Symbol, Array], count: int) -> tuple[Array, Array, Array]:
    """The rows of the constraints, their offsets and the span, places along the last axis."""
    rows, width = len(model.constraints), len(model.velocities)
    matrices = (*(entry for row in model.matrix_na for entry in row), *model.offset_n)
    flat = at_few_points((*matrices, *(entry for row in model.span_ba or () for entry in row)), places, count)
    A, a, S = np.split(flat, [rows * width, len(matrices)])
    return A.reshape(rows, width, count), a, S.reshape(-1, width, count)


def _states(model: Model) -> dict[Symbol, Array] | None:
    """Coordinates, velocities, time and parameters, a value for each of the states; None where none are found."""
    rng, moving = np.random.default_rng(11), (*model.coordinates, *model.velocities, time)
    states = dict(zip(moving, rng.uniform(0.2, 1.5, (len(moving), _STATES)), strict=True))
    declared = zip(model.parameter_symbols, model.parameter_items, strict=True)
    states |= {s: np.full(_STATES, value, dtype=float) for s, (_, value) in declared}
    positions = [c.position for c in model.on_positions]
    if positions:
        slopes = jacobian(positions, model.coordinates)
        together = (*positions, *(entry for row in slopes for entry in row))
        for _ in range(_STEPS):
            values = at_few_points(together, states, _STATES)
            g, J = values[: len(positions)], values[len(positions) :]
            change = _shortest(J.reshape(len(positions), -1, _STATES), g)
            if change is None:
                return None
            for q, step in zip(model.coordinates, change, strict=True):
                states[q] = states[q] - step
            if np.abs(change).max() < ROUNDING:
                break
        else:
            return None
    rows = [k for k, c in enumerate(model.constraints) if Kind.ACCELERATION not in c.kind]
    if rows:
        w, (A, a, _) = model.velocities, tables(model, states, _STATES)
        left = np.einsum("rnk,nk->rk", A[rows], np.array([states[v] for v in w])) + a[rows]
        if (change := _shortest(A[rows], left)) is None:
            return None
        for v, step in zip(w, change, strict=True):
            states[v] = states[v] - step
    return states


def _shortest(J: Array, values: Array) -> Array | None:
    r"""$J^{\mathsf T}(JJ^{\mathsf T})^{-1}f$ at each of the states, along the last axis; None where rows are nearly dependent."""
    with np.errstate(over="ignore"):
        sizes = np.sqrt((J * J).sum(axis=1))
    if not (np.isfinite(sizes).all() and np.isfinite(values).all() and (sizes > 0).all()):
        return None
    scaled, right = (J / sizes[:, None]).transpose(2, 0, 1), (values / sizes).T
    u, singular, v = np.linalg.svd(scaled, full_matrices=False)
    if len(J) > J.shape[1] or singular.min(initial=1.0) < CLEAR:
        return None
    inner = np.einsum("krs,kr->ks", u, right) / singular
    return np.asarray(np.einsum("ksn,ks->nk", v, inner))


# Whether a system is surely well posed, in doubles: rows far from dependent, an inertia far from singular, at one state.


InDoublesArray: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Callable[[InDoublesArray], InDoublesArray]
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
def _rows_and_inertia(model: Model) -> tuple[InDoublesArray, InDoublesArray] | None:
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


def satisfies(S: InDoublesArray, A: InDoublesArray) -> bool:
    """Whether vectors satisfy rows, once for each way of rounding, as far as doubles see: False where a term is too small to be seen."""
    products = np.abs(S[0][:, None] * A[0])
    terms, found = products.sum(axis=2), S @ A.transpose(0, 2, 1)
    bound = _SEEN * (np.finfo(float).eps * terms + np.abs(found - found[0]).max(axis=0))
    # A small term that rounding does not change is no rounding.
    known = _is_known(S)[:, None] & _is_known(A)
    is_hidden = known & (products > 0) & (products <= CLEAR * terms[..., None])
    sees = not is_hidden.any() and (bound <= GATHERED * terms).all()
    return bool(np.isfinite(found).all() and sees and (np.abs(found[0]) <= bound).all())


def _is_known(tables: InDoublesArray) -> NDArray[np.bool_]:
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


def is_surely_independent(rows: InDoublesArray) -> bool:
    """Whether rows, once for each way of rounding, are surely independent."""
    return bool(np.isfinite(rows).all()) and _directions(rows) is not None


@lru_cache(maxsize=256)
def _in_span(shape: Model) -> tuple[str, ...]:
    found = free_symbols(entry for row in shape.span_ba or () for entry in row)
    return tuple(s.name for s in shape.parameter_symbols if s in found)


def _directions(A: InDoublesArray) -> InDoublesArray | None:
    """An orthonormal basis that begins with that of the rows; None unless these are surely independent."""
    lengths = np.sqrt((A[0] * A[0]).sum(axis=1, keepdims=True))
    if not (lengths > 0).all() or _noise(A / lengths) > CLEAR**2:
        return None
    _, sizes, directions = np.linalg.svd(A[0] / lengths)
    return None if sizes.min(initial=1.0) < CLEAR or len(lengths) > A.shape[2] else np.asarray(directions)


def _is_surely_inertia(M: InDoublesArray, basis: InDoublesArray) -> bool:
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


def _noise(tables: InDoublesArray) -> float:
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

    def values(parameters: InDoublesArray) -> InDoublesArray:
        with np.errstate(all="ignore"):
            return np.asarray(evaluate(np.concatenate([state, parameters]) * factors), dtype=float).reshape(
                len(factors), -1
            )

    return values
