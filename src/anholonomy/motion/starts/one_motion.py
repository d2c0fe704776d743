"""One start completed and verified in doubles, where its numbers leave no doubt and nothing needs more digits.

With rows $A w + a = 0$ and the velocities $w = (w_g, w_m)$ of which $w_m$ are missing,

.. math:: A_m w_m = -(a + A_g w_g) .

Everything is computed once more from numbers that differ by a rounding; what that changes is the noise. The answer counts
where rows are far from dependent, residuals are noise, and noise is nothing beside the velocities. Otherwise there
is none, and `anholonomy.system.states.complete_state` decides with as many digits as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.expressions import Symbol, Vector, symbol, time
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.base.tolerances import CLEAR, EXACT, MACHINE
from anholonomy.language.arguments import finite
from anholonomy.programs.backends.base import Array
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.warnings import warn_of_degrees

__all__ = ["NOISE", "Rows", "entries_of", "quick_state", "roundings", "rows_of"]

Rows: TypeAlias = Callable[[Array], tuple[Array, Array, Array]]
"""From coordinates, time and parameters, a row for each point, to $A$, $a$ and what restricts positions."""
NOISE = 16.0
"""What is computed is off by at most so many times what was seen to change by rounding."""
_PATTERNS = np.array([[0, 1, -1], [0, -1, -1], [0, 1, 1]])
"""Which way each number is rounded, in turn: not at all first."""


def quick_state(model: Model, given: Mapping[str, Any]) -> dict[Symbol, float] | None:
    """The admissible state that plain numbers describe, with parameters and time; None where doubles do not decide it."""
    if not all(map(_is_plain, given.values())) or (rows := rows_of(model.with_free_parameters)) is None:
        return None
    told = {symbol(name): float(value) for name, value in given.items()}
    values = {time: 0.0, **{s: v for s, v in _declared(model).items() if v is not None}, **told}
    inputs = (*model.coordinates, time, *model.parameter_symbols)
    known, speeds = [values.get(s) for s in inputs], [values.get(w) for w in model.velocities]
    if None in known or len(values) != len(inputs) + len(speeds) - speeds.count(
        None
    ):  # something lacks, or is a stranger
        return None
    q = np.array(known)
    missing = np.array([value is None for value in speeds])
    w = np.array([0.0 if value is None else value for value in speeds])
    with np.errstate(all="ignore"):
        found = _settled(rows, q, w, missing)
    if found is None or not _is_reached(model, q):
        return None
    warn_of_degrees(model, told)
    return values | dict(zip(model.velocities, found.tolist(), strict=True))


def _is_plain(value: object) -> bool:
    """Whether it is a finite number that means just itself; a text may be exact."""
    return isinstance(value, float | int | np.integer | np.floating) and finite(value) is not None


def _declared(model: Model) -> dict[Symbol, float | None]:
    return dict(zip(model.parameter_symbols, (value for _, value in model.parameter_items), strict=True))


def _settled(rows: Rows, q: Array, w: Array, missing: NDArray[np.bool_]) -> Array | None:
    """The velocities, where every way of rounding agrees that they are determined and that all rows hold."""
    A, a, g = rows(q * roundings(q.size))
    if not (np.isfinite(A).all() and np.isfinite(a).all()):
        return None
    answers = _completed(A, a, w, missing) if missing.any() else w[None]
    if answers is None:
        return None
    found = answers[0]
    sizes = np.abs(found)
    is_noise = np.abs(A[0] @ found + a[0]) <= NOISE * MACHINE * (np.abs(A[0]) @ sizes + np.abs(a[0]))
    is_on = np.abs(g[0]) <= np.abs(g - g[0]).max(axis=0) if g.size else np.True_
    is_sure = np.abs(answers - found).max(initial=0.0) <= EXACT * sizes.max(initial=0.0)
    return found if is_sure and is_noise.all() and is_on.all() else None


@lru_cache(maxsize=64)
def roundings(count: int) -> Array:
    """Factors that round so many numbers, a row for each way to do so."""
    return np.asarray(1 + MACHINE * np.resize(_PATTERNS, (count, len(_PATTERNS))).T)


def _completed(A: Array, a: Array, w: Array, missing: NDArray[np.bool_]) -> Array | None:
    """The velocities for each way of rounding; None where the rows do not surely determine them."""
    unknown = A[:, :, missing]
    telling = unknown.any(axis=(0, 2))  # the others say something of what is given, and are looked at later
    if not telling.all():
        A, a, unknown = A[:, telling], a[:, telling], unknown[:, telling]
    if unknown.shape[1] != unknown.shape[2]:
        return None
    sizes = np.abs(A).max(axis=2, initial=0.0)
    left = unknown / sizes[:, :, None]
    try:
        inverse = np.linalg.inv(left)
    except np.linalg.LinAlgError:
        return None
    if not (inverse * inverse).sum(axis=(1, 2)).max() < CLEAR**-2:  # which bounds the largest singular value
        return None
    right = (-(a + A @ w) / sizes)[:, :, None]  # what is missing is 0 in w
    first = inverse @ right
    completed = np.repeat(w[None], len(A), axis=0)
    completed[:, missing] = (first + inverse @ (right - left @ first))[:, :, 0]
    return completed


def _is_reached(model: Model, q: Array) -> bool:
    if not model.group:
        return True
    group = model.group
    return all(value > 0 for value in group.signs(q[: len(group.coordinates)]).values())


@lru_cache(maxsize=256)
def rows_of(shape: Model) -> Rows | None:
    r"""$A$, $a$ and $g$ as one function of floats; None where constraints are not affine in the velocities, or no floats do."""
    if (entries := entries_of(shape)) is None:
        return None
    inputs = [*shape.coordinates, time, *shape.parameter_symbols]
    if not entries:
        return lambda q: parted(shape, np.empty((len(q), 0)))
    if (evaluate := in_doubles(inputs, entries)) is None:
        return None
    return lambda q: parted(shape, np.asarray(evaluate(q), dtype=float).reshape(len(q), -1))


def entries_of(shape: Model) -> Vector | None:
    """All that is computed of rows and positions, in one list; None where constraints are not affine in the velocities."""
    constraints, held = shape.velocity_constraints, shape.independent.on_positions
    if any(Kind.NONLINEAR in c.kind for c in constraints):
        return None
    entries = [entry for c in constraints for entry in c.coefficients] + [c.offset for c in constraints]
    return (*entries, *(c.position for c in held))


def parted(shape: Model, values: Array) -> tuple[Array, Array, Array]:
    """The same as $A$, $a$ and $g$, a row of values for each point."""
    count, width = len(shape.velocity_constraints), len(shape.velocities)
    matrix, others = values[:, : count * width], values[:, count * width :]
    return matrix.reshape(len(values), count, width), others[:, :count], others[:, count:]
