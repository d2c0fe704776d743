"""Components made short where a person could still read them, and zero where they are zero.

A coefficient in a frame without any symmetry has thousands of operations in every form; looking for its shortest one
takes seconds and finds nothing. Such a component is left as it came, unless it is proven to vanish.
"""

from __future__ import annotations

from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.symbolic.display.readable import is_readable
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, zero
from anholonomy.symbolic.numbers.balls import Ground
from anholonomy.symbolic.zero import is_zero

__all__ = ["tidied", "tidy"]


def tidy(expression: Expr, on: Ground | None = None) -> Expr:
    """The expression in a short form if it is of readable size, zero if it is proven zero (on a group), otherwise itself.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> tidy(symengine.sin(x) ** 2 + symengine.cos(x) ** 2)
    1
    """
    short = is_readable([expression])
    if (not short or (on is not None and on.touches([expression]))) and is_zero(expression, on):
        return zero
    return simplify(expression) if short else expression


def tidied(tensor: Tensor) -> Tensor:
    """Every component tidied; what is provably zero disappears."""
    return tensor.map(lambda value: tidy(value, tensor.frame.orbit))
