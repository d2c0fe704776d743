"""Expressions and steps at many points at once, in doubles: for decisions at a handful of points, where compiling a function would take longer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.symbolic.arithmetic import AbstractOperators, evaluate
from anholonomy.symbolic.corners import is_smooth
from anholonomy.symbolic.expressions import ATOMS, Expr, Symbol, is_naught
from anholonomy.symbolic.numbers.doubles import at_point
from anholonomy.symbolic.steps.straight_line import Assign

__all__ = ["Array", "at_few_points", "at_points", "steps_at_points"]

Array: TypeAlias = NDArray[np.float64]

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


def at_few_points(expressions: Sequence[Expr], known: Mapping[Symbol, Array], count: int) -> Array:
    """What `at_points` gives, sooner where there are few points and many nodes: SymEngine puts the numbers of a point into all at once."""
    long = [k for k, e in enumerate(expressions) if type(e) not in ATOMS]
    if not all(is_smooth(expressions[k]) for k in long):
        return at_points(expressions, dict(known), count)
    found = np.zeros((len(expressions), count))
    for row, e in zip(found, expressions, strict=True):
        if type(e) in ATOMS and not is_naught(e):
            row[:] = known[e] if type(e) is symengine.Symbol else float(e)
    if long:
        points = ({s: float(values[k]) for s, values in known.items()} for k in range(count))
        found[long] = np.array([at_point([expressions[k] for k in long], point) for point in points]).T
    return found
