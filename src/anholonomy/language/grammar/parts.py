"""What has been read so far: an exact form with its place, its size and, where it is a constant, its value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import symengine

from anholonomy.language import limits
from anholonomy.language.grammar.reality import Unreal, exact_value
from anholonomy.language.mistakes.place import Trouble
from anholonomy.language.names import PRIME
from anholonomy.symbolic.expressions import Expr

__all__ = ["Condition", "Part", "check_length", "guard", "settle"]


class Part(NamedTuple):
    """A piece of text that has been read."""

    expr: Expr
    at: int
    """Where it starts in the text."""
    depth: int = 0
    """Operations inside operations."""
    bits: int = 0
    """An upper bound on the bits of the numbers in it."""
    value: float | None = None
    """Its value, where it mentions no name."""
    angles: int = 0
    """What the sines, cosines and tangents in it have cost."""


class Condition(NamedTuple):
    """A comparison: it holds where ``excess`` is positive, or, if ``weak``, where it is not."""

    excess: Part
    weak: bool
    at: int


def settle(expr: Expr, at: int, parts: Sequence[Part], size: int, value: float | None) -> Part:
    """The part that an operation on others makes, once its depth and its realness are checked."""
    depth = 1 + max(part.depth for part in parts)
    if depth > limits.DEPTH:
        raise Trouble(at, f"more than {limits.DEPTH} operations are nested here; name the inner ones apart.")
    if isinstance(expr, symengine.Number):
        value = guard(at, lambda: exact_value(expr))
    return Part(expr, at, depth, size, value, sum(part.angles for part in parts))


def guard(at: int, compute: Any) -> float:
    """A constant's value, a refusal located where it stands."""
    try:
        return float(compute())
    except Unreal as problem:
        raise Trouble(at, str(problem)) from None


def check_length(token: Any) -> None:
    """Refuse a name of absurd length."""
    if len(token.rstrip(PRIME)) > limits.NAME:
        raise Trouble(token.start_pos, f"this name has more than {limits.NAME} characters; shorten it.")
