r"""Does an angular velocity belong to an orientation, and does an inertia turn with its body?

.. math:: [\omega]_\times = \dot R\,R^{\mathsf T}, \qquad
    \partial_i\Omega_j - \partial_j\Omega_i = \Omega_i\times\Omega_j, \qquad
    \partial_i I = \Omega_i\times I - I\times\Omega_i

Where configuration constraints tie the coordinates together, as the unit length of a quaternion does, the conditions need to hold on
their surface only, and along it: there they are contracted with tangent vectors, in numbers at random points.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from anholonomy.algebra.calculus import jacobian, partial, total_derivative
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, symbol, time
from anholonomy.algebra.numbers.balls import FEW_DIGITS, ball, precision
from anholonomy.algebra.numbers.doubles import kernel
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.zero_test import witness
from anholonomy.base.tolerances import NOTHING
from anholonomy.importing.translation import Entrance
from anholonomy.system.bodies.vectors import cross
from anholonomy.system.states.newton import Point, approach, onto, rows_at

__all__ = ["belongs_to_an_orientation", "contradiction", "orientation_gap", "turns_with_it", "vanishes_along"]

_STATES, _TRIES = 2, 20
"""Points of the surface that are looked at, and starts from which they are sought."""
Slopes: TypeAlias = Sequence[Vector]
"""One angular velocity for each variable: the coordinates, then time."""


def belongs_to_an_orientation(slopes: Slopes, variables: Sequence[Symbol], surface: Sequence[Expr]) -> bool:
    """Whether nothing was found against it."""
    rows = [_curvature(slopes, variables, i, j) for i, j in combinations(range(len(variables)), 2)]
    seen = vanishes_along(rows, variables, surface) if surface else None
    return all(witness(entry) is None for row in rows for entry in row) if seen is None else seen


def turns_with_it(inertia: Matrix, slopes: Slopes, variables: Sequence[Symbol], surface: Sequence[Expr]) -> bool:
    """Whether nothing was found against it."""
    rows = [_left_behind(inertia, slope, x) for slope, x in zip(slopes, variables, strict=True)]
    samples = list(on_surface(rows, variables, surface)) if surface else []
    if not samples:
        return all(witness(entry) is None for row in rows for entry in row)
    return all(abs(T @ values).max(initial=0) <= NOTHING * (1 + abs(values).max(initial=0)) for values, T in samples)


def _curvature(slopes: Slopes, variables: Sequence[Symbol], i: int, j: int) -> Vector:
    a, b = slopes[i], slopes[j]
    crossed = cross(a, b)
    return tuple(partial(b[k], variables[i]) - partial(a[k], variables[j]) - crossed[k] for k in range(3))


def _left_behind(inertia: Matrix, slope: Vector, x: Symbol) -> Vector:
    """How the inertia changes less how it would turn."""
    return tuple(
        partial(inertia[i][j], x) - cross(slope, tuple(row[j] for row in inertia))[i] - cross(slope, inertia[i])[j]
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    )


def orientation_gap(frame: Any, entrance: Entrance, known: Mapping[Symbol, Expr], what: str) -> Vector:
    r"""$\omega$ as it was set less $\omega$ of $\dot R R^{\mathsf T}$, along the inertial axes."""
    rates = {symbol(q): symbol(f"{q}'") for q in entrance.coordinates}
    R = entrance.rotation(entrance.frame, frame, what)
    turned = [[total_derivative(entry, rates) for entry in row] for row in R]
    omega = [dot(turned[i], R[j]) for i, j in ((2, 1), (0, 2), (1, 0))]
    told = entrance.components(entrance.turning(frame, what), entrance.frame, what)
    return tuple(a.xreplace(known) - b for a, b in zip(told, omega, strict=True))


def contradiction(frame: Any, other: Any) -> str:
    """The sentence about an angular velocity that was set against an orientation."""
    return (
        f"the angular velocity set for the frame {frame} in {other} contradicts its orientation, whose derivative is another: "
        f"drop `set_ang_vel` for {frame}, or write it with the speeds of the angles that orient it."
    )


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
