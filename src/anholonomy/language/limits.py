"""Limits of a text: its length, its depth, its names and its numbers, each checked before the work that it bounds.

SymEngine multiplies out powers of numbers as it goes, and deep trees exhaust the stack of whoever walks
them; so lengths, depths, powers and sizes of numbers are bounded, generously: the Lagrangian of a car
with 64 trailers passes.
"""

from __future__ import annotations

__all__ = ["ANGLES", "DEPTH", "DIGITS", "EXPONENT", "LENGTH", "NAME", "NUMBER_BITS", "POWER", "PRODUCT_BITS"]

LENGTH = 200_000
"""Characters in one text."""
DEPTH = 200
"""Parentheses inside parentheses, and operations inside operations."""
DIGITS = 800
"""Digits in one number as written: those of the longest number that a result may hold (`NUMBER_BITS`)."""
EXPONENT = 400
"""Size of the decimal exponent of one number as written."""
NAME = 100
"""Characters in one name."""
REMEMBERED = 20_000
"""Texts and nodes of which it is remembered what was found about them."""
POWER = 1000
"""Size of a numeric exponent."""
NUMBER_BITS = 2600
"""Bits of numerator and denominator together, in any number inside a result."""
PRODUCT_BITS = 20_000
"""Bits of all the numbers multiplied in one product, before it is formed."""
ANGLES = 10_000_000
"""Squares of the numbers of terms under sines, cosines and tangents, added up: SymEngine compares every
two terms there, looking for multiples of pi."""
