"""Expressions as one function of doubles, for decisions that need no more digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import symengine

from anholonomy.symbolic.expressions import Expr, Symbol

__all__ = ["in_doubles"]


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
