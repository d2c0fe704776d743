"""Conditions on the surface that configuration constraints leave, in numbers at random points of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, free_symbols, time
from anholonomy.symbolic.numbers.balls import FEW_DIGITS, ball, precision, random_point
from anholonomy.symbolic.numbers.subspaces import kernel
from anholonomy.system.states.damped import approach
from anholonomy.system.states.newton import Point, onto, rows_at
from anholonomy.tolerances import NOTHING

__all__ = ["on_surface", "vanishes_along"]

_STATES, _TRIES = 2, 20
"""Points of the surface that are looked at, and starts from which they are sought."""


def vanishes_along(rows: Sequence[Vector], variables: Sequence[Symbol], surface: Sequence[Expr]) -> bool | None:
    """Whether two-forms vanish on the surface, None where no point of it was found.

    ``rows`` holds the components for each pair of variables in order.
    """
    pairs = list(combinations(range(len(variables)), 2))
    samples = list(on_surface(rows, variables, surface))
    for values, T in samples:
        F = np.zeros((len(variables), len(variables), values.shape[1]))
        for (i, j), value in zip(pairs, values, strict=True):
            F[i, j], F[j, i] = value, -value
        if abs(np.einsum("ai,bj,ijk->abk", T, T, F)).max(initial=0) > NOTHING * (1 + abs(F).max(initial=0)):
            return False
    return True if samples else None


def on_surface(
    rows: Sequence[Vector], variables: Sequence[Symbol], surface: Sequence[Expr]
) -> Iterator[tuple[Any, Any]]:
    """Rows in numbers at random points of a surface, and a basis of its tangent vectors there."""
    slopes = jacobian(surface, variables)
    missing = free_symbols(entry for row in rows for entry in row) | {*variables}
    with precision(FEW_DIGITS):
        for point in _points(tuple(surface), tuple(variables)):
            others = random_point(missing - point.keys(), random.Random(8), 1)
            full = point | {s: ball(v) for s, v in others.items()}
            values, G = (np.array(rows_at(each, full), dtype=float) for each in (rows, slopes))
            if np.isfinite(values).all():
                yield values, kernel(G).T


@lru_cache(maxsize=8)
def _points(surface: tuple[Expr, ...], variables: tuple[Symbol, ...]) -> list[Point]:
    """A few points of the surface, found once: every body asks for them."""
    rng, found = random.Random(7), list[Point]()
    coordinates = [q for q in variables if q != time]
    with precision(FEW_DIGITS):
        for kind in range(_TRIES):
            start = {s: ball(v) for s, v in random_point(coordinates, rng, kind).items()}
            others = free_symbols(surface) - {*coordinates} | {time}
            start |= {s: ball(v) for s, v in random_point(others, rng, 1).items()}
            near = approach(surface, coordinates, start)
            point = None if near is None else onto(surface, coordinates, near, FEW_DIGITS)
            if point is not None:
                found.append(point)
            if len(found) == _STATES:
                break
    return found
