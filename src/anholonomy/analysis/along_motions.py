"""A claim that was checked along a motion, in numbers."""

from __future__ import annotations

from decimal import Decimal

from anholonomy.findings import Bound, Finding
from anholonomy.verdict import Verdict

__all__ = ["within"]


def within(claim: str, what: str, size: float, limit: float) -> Finding:
    """The finding that a number of a motion is within a limit.

    >>> print(within("energy is constant along the motion", "its largest change", 3e-15, 1e-11))
    energy is constant along the motion: proven, its largest change is at most 3.0e-15, the limit 1.0e-11
    """
    good = size <= limit
    least = Decimal(0) if good else Decimal(size)
    return Finding(claim, Verdict.of(good), (Bound(what, least, Decimal(size), Decimal(repr(limit))),))
