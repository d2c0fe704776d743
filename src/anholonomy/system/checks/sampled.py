r"""Rows, inertia and span at an admissible state, in doubles: each computed again from numbers that differ by a rounding.

Positions are moved onto what restricts them by Newton's method, velocities onto the constraints by the shortest way. The inertia
$\partial p_a/\partial w^b$ is what the momenta differ by at velocities that differ by one, which is exact where they are linear in these;
where second differences say that they are not, there is no answer here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.expressions import Expr, Symbol, time
from anholonomy.symbolic.numbers.arrays import Array, at_few_points, at_points, steps_at_points
from anholonomy.symbolic.steps.straight_line import assignments_to
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta
from anholonomy.tolerances import CLEAR, GATHERED, ROUNDING

__all__ = ["NUDGES", "SampledModel", "is_plain", "sampled", "tables"]

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
