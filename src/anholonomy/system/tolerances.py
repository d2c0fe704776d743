"""By which numbers states and rows of a system are judged in doubles: what is rounding, what is dependent, what is another.

All are relative, so that units do not matter: residuals to the size of their terms, rows scaled to length one, values to the
largest of their kind.
"""

from __future__ import annotations

__all__ = ["APART", "CLEAR", "DEPENDENT", "NOTHING", "ROUNDING", "TYPED"]

ROUNDING = 1e-14
"""A few roundings of a double: what a number that is not corrected may be off by, and the last correction of one that is."""
DEPENDENT = 1e-13
"""Rows and columns of one size that depend on each other up to this are dependent."""
TYPED = 1e-10
"""A residual up to this is rounding in the numbers a user typed, who may round to ten digits."""
NOTHING = 1e-9
"""A share, a correction or what is left of a gradient that is none: half of the digits of a double, and a little more."""
APART = 1e-6
"""Solutions that differ by more are two; an interval that is narrower is one."""
CLEAR = 1e-6
"""A least singular value above this is far from zero, so that doubles decide."""
