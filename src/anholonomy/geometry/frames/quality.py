r"""How far a frame is from failing, $\min(\sigma_{\min}(S), 1/\sigma_{\max}(S))$ of its vectors: at which quality it is taken, kept and left."""

from __future__ import annotations

__all__ = ["AS_GOOD", "FAIR", "REGULAR", "SHRUNK", "WORSE"]

FAIR = 0.05
"""A frame of at least this quality is used at a place without looking for a better one, which may take seconds."""
AS_GOOD = 0.3
"""One chosen elsewhere is used where it has at least this part of the best quality."""
WORSE = 0.2
"""It is left when it is this much closer to singular than it was on entry."""
SHRUNK = 0.02
"""Pivots are chosen anew when one of them is this much smaller than it was: the digits lost by dividing are the square."""
REGULAR = 0.01
"""Singular values of vectors between this and its inverse lose two digits at most."""
