"""Short forms for people: what is of readable size is made short, what is longer stays as it is."""

from __future__ import annotations

from collections.abc import Iterable

import symengine

from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr

__all__ = ["PAGE", "READABLE", "SEARCHED", "is_readable", "readable"]

READABLE = 400
"""Operations of an expression up to which people read it, and a short form is found in a fraction of a second."""
PAGE = 1_400
"""Operations of all the equations of a system together, definitions written out, for which the same holds."""
SEARCHED = 6_000
"""Operations, definitions written out, beyond which no short form is looked for: that would take more than a second or so."""


def is_readable(expressions: Iterable[Expr]) -> bool:
    """Whether expressions together are of readable size."""
    every = list(expressions)
    return not every or int(symengine.count_ops(*every)) <= READABLE


def readable(expression: Expr) -> Expr:
    """The short form of an expression that people read; another as it is.

    >>> x = symengine.Symbol("x")
    >>> readable(symengine.sin(x) ** 2 + symengine.cos(x) ** 2)
    1
    """
    return simplify(expression) if is_readable([expression]) else expression
