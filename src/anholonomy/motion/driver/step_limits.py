r"""How long steps may be and where they must end, for one motion and for many: what the user allows and the declaration demands.

A declaration's functions of time may be concentrated. A pulse $\exp(-((t-5)/w)^2)$ is nothing at $t = 0$, with all its derivatives, so
that no series and no error estimate there knows of it. Its enclosure over $[0, 10]$ does: $[0, 1]$. The span of the motion is bisected
until every interval is

- quiet: the function does not change there, or by less than rounding beside its largest value; or
- plain: it stays between values that it is seen to take, and a parabola through three of these foretells two others,

and steps end at the ends of those that are not quiet. Sines and cosines are nowhere concentrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

import numpy as np
import symengine

from anholonomy.algebra.arithmetic import evaluate, function_name
from anholonomy.algebra.expressions import Expr, Symbol, Vector, time
from anholonomy.algebra.numbers.intervals import EnclosureArithmetic
from anholonomy.base.tolerances import MACHINE
from anholonomy.motion.integrators.base import FREE, Limits
from anholonomy.motion.problem.many_motions import Question
from anholonomy.programs.backends.base import Array
from anholonomy.programs.backends.numpy import NumpyArithmetic
from anholonomy.system.model import Model

__all__ = ["between", "bounds", "declared_limits", "limits_of", "timed"]


_MOST = 200_000
"""Intervals above which the shortest of them bounds all steps instead."""
_QUIET = 1e-19
"""A function that changes by less than this part of its largest value is constant."""
_SURPRISE = 0.1
"""What a parabola may be off by, beside the change of the function."""
_ROUNDING = 8 * MACHINE
_EVERYWHERE = ("sin", "cos", "sinh", "cosh")
"""Functions that their derivatives at any place tell of."""


def declared_limits(model: Model, p: Array, grid: Array, asked: Limits) -> Limits:
    """What the user allows of steps and what the declaration's functions of time demand, for some values of the parameters."""
    parts = timed(model.with_free_parameters)
    if not parts:
        return asked
    values = dict(zip(model.parameter_symbols, map(float, p), strict=True))
    return asked & limits_of(parts, values, float(grid[0]), float(grid[-1]))


@lru_cache(maxsize=256)
def timed(model: Model) -> Vector:
    """The parts of a declaration that depend on time."""
    parts = (
        model.lagrangian,
        *model.forces_a,
        *(model.momenta_a or ()),
        *(c.expression for c in model.constraints),
    )
    return tuple(part for part in parts if time in part.free_symbols)


def limits_of(expressions: Iterable[Expr], parameters: Mapping[Symbol, float], begin: float, end: float) -> Limits:
    """The breaks that keep steps between ``begin`` and ``end`` from missing what the expressions do at certain times.

    >>> breaks = limits_of([3 * symengine.exp(-(100 * (time - 5)) ** 2)], {}, 0.0, 10.0).breaks
    >>> bool(4.8 < breaks[0] < 4.96 < 5.04 < breaks[-1] < 5.2)
    True
    """
    known = parameters.keys() | {time}
    functions = list(dict.fromkeys(node for each in expressions for node in _concentrated(each, known)))
    if not functions:
        return FREE
    with np.errstate(all="ignore"):
        return _resolved(functions, parameters, min(begin, end), max(begin, end))


def _concentrated(expression: Expr, known: Set[Symbol]) -> Iterator[Expr]:
    """The functions of time and nothing else unknown in an expression that may be nothing for most of it."""
    stack = [expression]
    while stack:
        node = stack.pop()
        names = node.free_symbols
        if not node.args or time not in names:
            continue
        if names <= known and not isinstance(node, symengine.Add | symengine.Mul):
            whole = isinstance(node, symengine.Pow) and isinstance(node.args[1], symengine.Integer)
            gentle = 0 <= int(node.args[1]) <= 4 if whole else function_name(node) in _EVERYWHERE
            if not gentle:
                yield node
        stack += node.args


def _resolved(functions: Sequence[Expr], parameters: Mapping[Symbol, float], begin: float, end: float) -> Limits:
    """Bisect until nothing is hidden; the ends of all intervals that are not quiet."""
    a, b = np.array([begin]), np.array([end])
    largest = np.zeros((len(functions), 1))
    kept: list[tuple[Array, Array, Array]] = []
    shortest = 1e-12 * max(end - begin, abs(begin), abs(end))
    while a.size:
        samples = np.array([_values(functions, parameters, a + (b - a) * part) for part in np.linspace(0, 1, 5)])
        size = np.nan_to_num(np.abs(samples), posinf=0.0).max(axis=0)
        change = np.maximum(_widths(functions, parameters, a, b) - _ROUNDING * size, 0.0)
        largest = np.maximum(largest, size.max(axis=1, keepdims=True))
        hidden = (change > _QUIET * largest) & ~_is_plain(samples, change, size)
        unclear = hidden.any(axis=0) & (b - a > shortest)
        kept.append((a[~unclear], b[~unclear], change[:, ~unclear]))
        a, b = a[unclear], b[unclear]
        a, b = np.concatenate([a, (a + b) / 2]), np.concatenate([(a + b) / 2, b])
        if a.size > _MOST:
            return Limits(longest=float((b - a).min()))
    starts, ends, changes = (np.concatenate(parts, axis=-1) for parts in zip(*kept, strict=True))
    active = (changes > _QUIET * largest).any(axis=0)
    return Limits(breaks=np.unique(np.concatenate([starts[active], ends[active]])))


def _values(functions: Sequence[Expr], parameters: Mapping[Symbol, float], times: Array) -> Array:
    """The functions at times, a row each."""
    known: dict[Expr, Any] = {**{s: np.float64(v) for s, v in parameters.items()}, time: times}
    return np.array([np.broadcast_to(evaluate(f, NumpyArithmetic(), known), times.shape) for f in functions])


def _widths(functions: Sequence[Expr], parameters: Mapping[Symbol, float], a: Array, b: Array) -> Array:
    """How far apart the bounds of the functions over intervals of time are, a row each."""
    arithmetic = EnclosureArithmetic(NumpyArithmetic().function)
    known: dict[Expr, Any] = {**{s: (np.float64(v),) * 2 for s, v in parameters.items()}, time: (a, b)}
    bounds = [evaluate(f, arithmetic, known) for f in functions]
    return np.array([np.broadcast_to(high - low, a.shape) for low, high in bounds])


def _is_plain(samples: Array, change: Array, size: Array) -> Any:
    """Whether five values in each interval tell what the function does between them; no more is known outside its domain."""
    spread = np.ptp(samples, axis=0)
    first, second, third, fourth, fifth = samples
    surprises = second - (3 * first + 6 * third - fifth) / 8, fourth - (3 * fifth + 6 * third - first) / 8
    foretold = np.maximum(*map(np.abs, surprises)) <= _SURPRISE * spread + _ROUNDING * size
    return foretold & ((change <= 1.25 * spread) | (change <= size / 8)) | np.isnan(change)


# The limits of many members at once.


def bounds(question: Question, p: Array) -> tuple[Array, Array]:
    """The longest steps and the stops of members, a row each or one for all; ``p`` are their parameters."""
    if not timed(question.model.with_free_parameters) and not question.limits.breaks.size:
        return np.array([question.limits.longest]), question.grid[None, -1:]
    found = [declared_limits(question.model, row, question.grid, question.limits) for row in _distinct(question, p)]
    rows = [_stops(question.grid, each.breaks) for each in found]
    width = max(row.size for row in rows)
    padded = np.array([np.append(row, np.full(width - row.size, row[-1])) for row in rows])
    return np.array([each.longest for each in found]), padded


def between(stops: Array, begins: Array, ends: Array, forward: float) -> Array:
    """Those of the stops, a row for each member or one for all, that lie between two times of each, and the second of these.

    >>> between(np.array([[1.0, 2.0, 3.0]]), np.array([0.0, 1.5]), np.array([1.0, 2.5]), 1.0)
    array([[1. , 1. ],
           [2. , 2.5]])
    """
    inside = (forward * (stops - begins[:, None]) > 0) & (forward * (ends[:, None] - stops) > 0)
    places = inside.cumsum(axis=1)
    found = np.repeat(ends[:, None], places[:, -1].max(initial=0) + 1, axis=1)
    rows, columns = np.nonzero(inside)
    found[rows, places[rows, columns] - 1] = np.broadcast_to(stops, inside.shape)[rows, columns]
    return found


def _distinct(question: Question, p: Array) -> Array:
    """One row of parameters where steps do not depend on them."""
    model = question.model
    names = {s for part in timed(model.with_free_parameters) for s in part.free_symbols}
    used = [k for k, s in enumerate(model.parameter_symbols) if s in names]
    return p if used and np.ptp(p[:, used], axis=0).any() else p[:1]


def _stops(grid: Array, breaks: Array) -> Array:
    """Where steps must end, in the order in which they come."""
    direction = 1.0 if grid[-1] >= grid[0] else -1.0
    begin, end = direction * grid[0], direction * grid[-1]
    along = np.unique(direction * breaks)
    return np.asarray(direction * np.append(along[(along > begin) & (along < end)], end))
