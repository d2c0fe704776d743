"""How a member of an ensemble ends, as numbers that machine code writes."""

from __future__ import annotations

__all__ = ["ARRIVED", "LEFT", "NOT_FINITE", "TINY", "TOO_MANY", "UNFINISHED"]

UNFINISHED = 0
"""Interrupted."""
ARRIVED = 1
"""At its last time."""
LEFT = 2
"""Where what is watched says so."""
TINY = 3
"""With vanishing steps."""
NOT_FINITE = 4
"""Without finite rates."""
TOO_MANY = 5
"""After too many steps."""
