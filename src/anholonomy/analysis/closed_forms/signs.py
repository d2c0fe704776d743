"""The sign with which a factor is written, so that its powers are real where the system lives."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.balls import FEW_DIGITS, evaluate_ball
from anholonomy.symbolic.orbits.orbit import Orbit

__all__ = ["seems_positive"]


def seems_positive(factor: Expr, on: Orbit | None) -> bool:
    """Whether a factor is positive where positive numbers stand for all its letters, so that powers of it are real there."""
    names = sorted(factor.free_symbols, key=str)
    point: dict[Symbol, Any] = {s: Fraction(k + 3, 2 * k + 11) for k, s in enumerate(names)}
    if on is not None and on.confines([factor]):
        drawn = on.point(names, Random(0), 0, FEW_DIGITS)
        point |= {s: drawn[s] for s in (*on.tied, *on.known) if s in point}
    try:
        return not evaluate_ball(factor, point, FEW_DIGITS) < 0
    except (ValueError, OverflowError):
        return True
