"""What a question expects: a thing of another kind is refused at the door, in a sentence.

Kinds are given by their names, so that classes which hold each other need not import each other; every class is abstract or
final, and its name says which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import symengine

from anholonomy.language.given import expression, is_list
from anholonomy.refusals import IllPosedSystem

__all__ = ["expect", "expect_callable", "expect_index", "expect_list", "expect_mapping", "factor"]


def expect(thing: object, what: str, *kinds: str) -> None:
    """Refuse what is of none of the kinds.

    >>> expect(3, "the metric", "Metric", "Tensor")
    Traceback (most recent call last):
    anholonomy.refusals.IllPosedSystem: the metric is 3; give a Metric or Tensor.
    """
    if not any(base.__name__ in kinds for base in type(thing).__mro__):
        raise IllPosedSystem(f"{what} is {thing!r:.60}; give a {' or '.join(kinds)}.")


def expect_list(things: Any, what: str) -> Sequence[Any]:
    """The things, refused unless they are a list.

    >>> expect_list("xy", "the coordinates")
    Traceback (most recent call last):
    anholonomy.refusals.IllPosedSystem: the coordinates are 'xy'; give a list.
    """
    if not is_list(things):
        raise IllPosedSystem(f"{what} are {things!r:.60}; give a list.")
    return things  # type: ignore[no-any-return]


def expect_mapping(things: object, what: str) -> None:
    """Refuse what is no dict."""
    if not isinstance(things, Mapping):
        raise IllPosedSystem(f"{what} are {things!r:.60}; give a dict.")


def expect_callable(function: Callable[..., Any]) -> None:
    """Refuse what cannot be called."""
    if not callable(function):
        raise IllPosedSystem(f"{function!r:.60} is no function; give one of Python, such as `lambda value: 2*value`.")


def expect_index(index: object, size: int, what: str) -> None:
    """Refuse what is no number from 0 to size - 1.

    >>> expect_index(2, 2, "the direction")
    Traceback (most recent call last):
    anholonomy.refusals.IllPosedSystem: the direction is 2; give a whole number from 0 to 1.
    """
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < size:
        raise IllPosedSystem(f"{what} is {index!r:.60}; give a whole number from 0 to {size - 1}.")


def factor(value: Any, what: str) -> Any:
    """A function in front of a tensor or form: what is computed as it is, anything else read.

    >>> factor("2*x", "the factor")
    2*x
    """
    return value if isinstance(value, symengine.Basic | int) else expression(value, what)
