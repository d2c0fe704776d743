"""Answers as plain data: expressions become numbers at states, findings become words, refusals the names of their classes."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import symengine
import sympy

Data = Any
"""Numbers, words, None, and lists and dicts of these."""
BITS = 120
"""Expressions are evaluated with more than double precision, so that how they are written does not matter."""


def named(name: str) -> float:
    """A number between 0.3 and 1.3 that belongs to a name: the value of whatever has none.

    >>> named("p1") == named("p1"), 0.3 <= named("p1") <= 1.3
    (True, True)
    """
    return 0.3 + zlib.crc32(name.encode()) % 1000 / 1000


def value(expression: Any, point: Mapping[str, float]) -> Data:
    """An expression at a point, by name.

    >>> x, y = symengine.symbols("x y")
    >>> value(x**2 + y, {"x": 0.5, "y": 1.0})
    1.25
    """
    if expression is None or isinstance(expression, (int, float)):
        return plain(expression)
    expression = symengine.sympify(expression)
    exact = {s: _rational(point.get(s.name, named(s.name))) for s in expression.free_symbols}
    return _number(expression.subs(exact))


def _number(expression: Any) -> Data:
    for real in (True, False):
        try:
            return plain(complex(expression.n(BITS, real=real)))
        except (RuntimeError, TypeError, ValueError):
            continue  # a function that SymEngine has no numbers for
    try:
        return plain(complex(sympy.sympify(expression).evalf(30)))
    except (TypeError, ValueError):
        return "no number"


def _rational(number: float) -> Any:
    exact = Fraction(number)
    return symengine.Rational(exact.numerator, exact.denominator)


def values(expressions: Iterable[Any], points: Sequence[Mapping[str, float]]) -> list[Data]:
    """Expressions at points, a list for each point."""
    expressions = list(expressions)
    return [[value(each, point) for each in expressions] for point in points]


def entries(matrix: Iterable[Iterable[Any]]) -> list[Any]:
    """The entries of a matrix, row by row."""
    return [entry for row in matrix for entry in row]


def combined(components: Iterable[Any] | Mapping[Any, Any]) -> Any:
    """One sum of many expressions with weights that belong to their places: a table as one number."""
    items = components.items() if isinstance(components, Mapping) else enumerate(components)
    return sum((_rational(named(f"weight {k}")) * symengine.sympify(each) for k, each in items), symengine.Integer(0))


def plain(data: Any) -> Data:
    """Arrays, balls and numbers of all kinds as plain ones; a complex number that is none as a pair."""
    if data is None or isinstance(data, (str, bool)):
        return data
    if isinstance(data, np.bool_):
        return bool(data)
    if isinstance(data, (int, np.integer)):
        return int(data)
    if isinstance(data, Mapping):
        return {str(name): plain(each) for name, each in data.items()}
    if isinstance(data, (complex, np.complexfloating)):
        whole = complex(data)
        return _real(whole.real) if whole.imag == 0 else [_real(whole.real), _real(whole.imag)]
    if hasattr(data, "dims"):
        return plain(data.values)
    if isinstance(data, np.ndarray):
        return plain(data.tolist())
    if isinstance(data, (list, tuple)):
        return [plain(each) for each in data]
    return _real(float(data))


def _real(number: float) -> float | str:
    """JSON has no infinities; minus zero is zero."""
    return (number or 0.0) if math.isfinite(number) else str(number)


def word(answer: Any) -> str:
    """Proven, refuted or unknown: of a verdict, or of what has one."""
    return str(getattr(answer, "verdict", answer))
