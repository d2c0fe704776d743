"""Relative thresholds by which doubles are judged: rounding, zero, equal, different.

All are relative, so that units do not matter: residuals to the size of their terms, rows scaled to length one, singular values and
changes to the largest of their kind.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

__all__ = [
    "APART",
    "CLEAR",
    "EXACT",
    "GATHERED",
    "HALF",
    "NOTHING",
    "ROUNDING",
    "TYPED",
    "VANISHES",
    "is_same",
    "snapped",
]

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


# The end of something computed is rounded where it is computed and again where a user computes it: 3*0.1, np.arange and two sums of
# the same terms differ in the last digits. So a value that is beyond an end by rounding is that end. A value inside stays: near an end
# that is zero it may be small and exact, as the first of np.geomspace is.

Number = TypeVar("Number", float, np.ndarray)


def is_same(value: float, other: float, scale: float, rounding: float = ROUNDING) -> bool:
    """True if two values differ by no more than the rounding of values as large as ``scale``.

    >>> is_same(0.1 + 0.2, 0.3, 1.0), is_same(0.3 + 1e-9, 0.3, 1.0)
    (True, False)
    """
    return abs(value - other) <= rounding * abs(scale)


def snapped(values: Number, low: float, high: float, rounding: float = ROUNDING) -> Number:
    """Return values with those replaced by an end of an interval that are outside of it by rounding; the others stay as they are.

    The end that is larger in size says what rounding is. ``rounding`` is relative to it, and larger than usual if an end is the result
    of a long calculation.

    >>> snapped(3 * 0.1, 0.0, 0.3), snapped(0.3 + 1e-9, 0.0, 0.3), snapped(-1e-17, 0.0, 0.3)
    (0.3, 0.300000001, 0.0)
    """
    slack = rounding * max(abs(low), abs(high))
    if isinstance(values, np.ndarray):
        over, under = (values > high) & (values <= high + slack), (values < low) & (values >= low - slack)
        return np.where(over, high, np.where(under, low, values))
    return high if high < values <= high + slack else low if low - slack <= values < low else values
