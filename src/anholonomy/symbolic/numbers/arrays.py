"""Expressions and steps at many points at once, in doubles: for decisions at a handful of points, where compiling a function would take longer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, final

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.symbolic.arithmetic import AbstractOperators, evaluate
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols, is_naught
from anholonomy.symbolic.numbers.doubles import in_doubles
from anholonomy.symbolic.steps.straight_line import Assign

__all__ = ["Array", "at_points", "by_closures", "steps_at_points"]

Array: TypeAlias = NDArray[np.float64]
_WRITTEN = 20_000
"""Operations up to which common parts are quick to find."""

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(np, name)
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "sign")
    },
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")},
    "if": lambda u, a, b: np.where(u > 0, a, b),
}


@final
class _Arrays(AbstractOperators):
    """Every node of an expression as an array, a value for each point."""

    def number(self, value: Fraction | float) -> Any:
        return np.float64(value)

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        return _FUNCTIONS[name](*arguments)


_ARRAYS = _Arrays()


def at_points(expressions: Iterable[Expr], known: MutableMapping[Expr, Array], count: int) -> Array:
    """The values, a row for each expression, where ``known`` has those of its symbols at ``count`` points, and gains those of its parts.

    `KeyError` where a function is unspecified, or has no doubles here.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> at_points([x**2, 1 + x], {x: np.array([1.0, 2.0])}, 2)
    array([[1., 4.],
           [2., 3.]])
    """
    expressions = tuple(expressions)
    found = np.zeros((len(expressions), count))
    with np.errstate(all="ignore"):
        for row, expression in zip(found, expressions, strict=True):
            if not is_naught(expression):
                row[:] = evaluate(expression, _ARRAYS, known)
    return found


def steps_at_points(steps: Iterable[Assign], known: MutableMapping[Expr, Array]) -> None:
    """Add the values of what the steps define to those that are ``known``."""
    with np.errstate(all="ignore"):
        for step in steps:
            known[step.target] = evaluate(step.value, _ARRAYS, known)


def by_closures(expressions: tuple[Expr, ...], known: Mapping[Symbol, Array], count: int) -> Array:
    """What `at_points` gives, of expressions that are asked for again and again: common parts once, and no node in Python."""
    symbols, function = _closures(expressions)
    if function is None:
        return at_points(expressions, dict(known), count)
    with np.errstate(all="ignore"):
        values = np.asarray(function(np.stack([known[s] for s in symbols], axis=-1)), dtype=float)
    return values.reshape(count, len(expressions)).T


@lru_cache(maxsize=64)
def _closures(expressions: tuple[Expr, ...]) -> tuple[tuple[Symbol, ...], Callable[..., Any] | None]:
    symbols = tuple(sorted(free_symbols(expressions), key=str))
    if not symbols or symengine.count_ops(*expressions) > _WRITTEN:
        return symbols, None
    return symbols, in_doubles(symbols, expressions)
