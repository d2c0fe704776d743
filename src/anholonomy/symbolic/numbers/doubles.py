"""Expressions as one function of doubles, for decisions that need no more digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any

import symengine

from anholonomy.symbolic.expressions import Expr, Symbol

__all__ = ["at_point", "in_doubles"]


def in_doubles(inputs: Sequence[Symbol], entries: Sequence[Expr]) -> Callable[..., Any] | None:
    """The entries as a function of the inputs, common parts computed once; None where SymEngine knows no doubles for them.

    >>> x = symengine.Symbol("x")
    >>> f = in_doubles([x], [x * x, x + 1])
    >>> [float(value) for value in f([3.0])]
    [9.0, 4.0]
    >>> in_doubles([x], [symengine.Function("f")(x)]) is None
    True
    """
    try:
        # Closures, not machine code, which takes milliseconds to make and is called a few times.
        return symengine.Lambdify(list(inputs), list(entries), cse=True, backend="lambda")  # type: ignore[no-any-return]
    except (NotImplementedError, RuntimeError):
        return None


def at_point(entries: Sequence[Expr], values: Mapping[Symbol, float]) -> list[float]:
    """The entries at one point, NaN where one is no real number; of smooth ones only, because SymEngine may not survive others.

    All are one call to SymEngine, which then visits common parts once.

    >>> x = symengine.Symbol("x")
    >>> at_point([x**2, symengine.log(x)], {x: -3.0})
    [9.0, nan]
    """
    doubles = {s: symengine.RealDouble(value) for s, value in values.items()}
    try:
        found = symengine.Function("together")(*entries).xreplace(doubles).args
    except (RuntimeError, NotImplementedError):  # a quotient by zero
        return [nan] * len(entries)
    return [float(value) if isinstance(value, _REAL) else nan for value in found]


_REAL = (symengine.Integer, symengine.Rational, symengine.RealDouble)
