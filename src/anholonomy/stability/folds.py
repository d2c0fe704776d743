r"""Where a family of steady motions folds and where others cross it: $\tau_\lambda = 0$, and $\sigma = 0$ with continued singular vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from anholonomy.compile.backends.base import Array
from anholonomy.stability.arc import Arc, Place
from anholonomy.tolerances import CLEAR, HALF

__all__ = ["branch_points", "folds"]


def folds(arc: Arc, places: Sequence[Place]) -> tuple[Array, ...]:
    """The points where the followed value turns back, to rounding."""
    return tuple(
        point
        for a, b in pairwise(places)
        if a.tangent[-1] * b.tangent[-1] < 0
        and (point := _zero(arc, a, b, lambda place: float(place.tangent[-1]))) is not None
    )


def branch_points(arc: Arc, places: Sequence[Place]) -> tuple[Array, ...]:
    """The points where another family crosses.

    Where symmetries leave further directions free all along, the singular value is rounding, and its sign says nothing.
    """
    found = []
    for a, b in pairwise(place for place in places if place.size > HALF * place.largest):
        if _signed(a, b) < 0 and (point := _zero(arc, a, b, lambda place, a=a: _signed(a, place))) is not None:  # type: ignore[misc]
            found.append(point)
    return tuple(found)


def _signed(start: Place, place: Place) -> float:
    """The singular value with the sign that its vectors have beside those of the start."""
    sides = float(start.left @ place.left) * float(start.right @ place.right)
    return place.size if sides >= 0 else -place.size


def _zero(arc: Arc, a: Place, b: Place, function: Callable[[Place], float]) -> Array | None:
    """Between two neighbours; None where the function jumps instead."""
    from scipy.optimize import brentq

    def value(share: float) -> float:
        place = _place(arc, a, b, share)
        if place is None:
            raise ArithmeticError
        return function(place)

    low, high = function(a), function(b)
    try:
        share = float(brentq(value, 0.0, 1.0, xtol=1e-14, rtol=1e-14))
        place = _place(arc, a, b, share)
    except (ArithmeticError, ValueError):
        return None
    if place is None or abs(function(place)) > CLEAR + 1e-3 * max(abs(low), abs(high)):
        return None
    return place.Y


def _place(arc: Arc, a: Place, b: Place, share: float) -> Place | None:
    if share in (0.0, 1.0):
        return a if share == 0.0 else b
    Y = arc.between(a.Y, b.Y, share)
    return None if Y is None else arc.place(Y, a.tangent)
