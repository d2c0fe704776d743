r"""Where the functions of time in a declaration are concentrated: what a step must not step over.

A pulse $\exp(-((t-5)/w)^2)$ is nothing at $t = 0$, with all its derivatives, so that no series and no error estimate there
knows of it. Its enclosure over $[0, 10]$ does: $[0, 1]$. The span of the motion is bisected until every interval is

- quiet: the function does not change there, or by less than rounding beside its largest value; or
- plain: it stays between values that it is seen to take, and a parabola through three of these foretells two others,

and steps end at the ends of those that are not quiet. Sines and cosines are nowhere concentrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np
import symengine

from anholonomy.compile.backends.base import Array
from anholonomy.compile.backends.numpy import NumpyArithmetic
from anholonomy.simulate.integrators.base import FREE, Limits
from anholonomy.symbolic.arithmetic import evaluate, function_name
from anholonomy.symbolic.expressions import Expr, Symbol, time
from anholonomy.symbolic.numbers.enclosures import EnclosureArithmetic

__all__ = ["limits_of"]

_MOST = 200_000
"""Intervals above which the shortest of them bounds all steps instead."""
_QUIET = 1e-19
"""A function that changes by less than this part of its largest value is constant."""
_SURPRISE = 0.1
"""What a parabola may be off by, beside the change of the function."""
_ROUNDING = 8 * float(np.finfo(float).eps)
_EVERYWHERE = ("sin", "cos", "sinh", "cosh")
"""Functions that their derivatives at any place tell of."""


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
