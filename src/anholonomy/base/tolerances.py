"""Relative thresholds by which doubles are judged: rounding, zero, equal, different.

All are relative, so that units do not matter: residuals to the size of their terms, rows scaled to length one, singular values and
changes to the largest of their kind.
"""

from __future__ import annotations

__all__ = ["APART", "CLEAR", "EXACT", "GATHERED", "HALF", "NOTHING", "ROUNDING", "TYPED", "VANISHES"]

ROUNDING = 1e-14
"""A few roundings of a double: what a number that is not corrected may be off by, and the last correction of one that is."""
VANISHES = 1e-13
"""A residual that is zero but for rounding, and what is left of rows and columns of one size that depend on each other."""
EXACT = 1e-12
"""What rounding leaves of a zero that was computed in some operations, or of a Newton step that found it."""
GATHERED = 1e-11
"""What rounding gathers to along a motion or a long calculation: two ways to one result that agree to this agree."""
TYPED = 1e-10
"""A residual up to this is rounding in the numbers a user typed, who may round to ten digits."""
NOTHING = 1e-9
"""A singular value, a share, a correction or a gap that is none: half of the digits of a double, and a little more."""
HALF = 1e-8
"""Half of the digits of a double: what is known of a double zero, of a square, or of what an iteration ended near."""
APART = 1e-6
"""Solutions that differ by more are two; an interval that is narrower is one."""
CLEAR = 1e-6
"""A least singular value, eigenvalue or share above this is far from zero, so that doubles decide."""
