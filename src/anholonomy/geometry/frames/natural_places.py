"""Where systems live: zeros, right angles, and places between."""

from __future__ import annotations

import random
from collections.abc import Sequence

import symengine

from anholonomy.symbolic.expressions import Expr, Symbol

__all__ = ["natural_places"]


def natural_places(coordinates: Sequence[Symbol]) -> list[dict[Symbol, Expr]]:
    """Configurations of zeros and right angles, and some between, the same every time."""
    corners = [symengine.pi * symengine.Rational(k, 2) for k in (0, 0, 1, -1, 2)]
    between = [symengine.Rational(k, 7) for k in (2, 5, -3, 9)]
    draw = random.Random(2)
    every = [dict.fromkeys(coordinates, value) for value in corners[1:]]
    mixed = [{q: draw.choice(corners) for q in coordinates} for _ in range(16)]
    loose = [{q: draw.choice([*corners, *between]) for q in coordinates} for _ in range(8)]
    return [*every, *mixed, *loose]
