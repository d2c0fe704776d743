r"""Whether an angular velocity belongs to an orientation, and an inertia turns with its body.

.. math:: \partial_i\Omega_j - \partial_j\Omega_i = \Omega_i\times\Omega_j, \qquad
    \partial_i I = \Omega_i\times I - I\times\Omega_i

Where configuration constraints tie the coordinates together, as the unit length of a quaternion does, both need to hold on
their surface only, and along it: there the conditions are contracted with tangent vectors at random points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector
from anholonomy.symbolic.zero import witness
from anholonomy.system.from_sympy.contradictions.surface import on_surface, vanishes_along
from anholonomy.tolerances import NOTHING

__all__ = ["belongs_to_an_orientation", "turns_with_it"]

Slopes: TypeAlias = Sequence[Sequence[Expr]]
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
    crossed = _cross(a, b)
    return tuple(partial(b[k], variables[i]) - partial(a[k], variables[j]) - crossed[k] for k in range(3))


def _left_behind(inertia: Matrix, slope: Sequence[Expr], x: Symbol) -> Vector:
    """How the inertia changes less how it would turn."""
    return tuple(
        partial(inertia[i][j], x) - _cross(slope, [row[j] for row in inertia])[i] - _cross(slope, inertia[i])[j]
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    )


def _cross(a: Sequence[Expr], b: Sequence[Expr]) -> tuple[Expr, Expr, Expr]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
