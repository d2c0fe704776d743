r"""Which conserved quantities are functions of others: products, gradients and ranks.

.. math:: F = f(F_1, \dots, F_k) \quad\Longleftrightarrow\quad dF \in \operatorname{span}(dF_1, \dots, dF_k) \ \text{at generic points}
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
import symengine

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, time, zero
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.residues.arrays import Array
from anholonomy.algebra.residues.linear_algebra import residue_rank
from anholonomy.algebra.steps.definitions import Assign, inline
from anholonomy.algebra.zero_test import is_zero
from anholonomy.laws.ansatz.random_points import Points, draw_points
from anholonomy.laws.proofs import on_submanifold
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = [
    "consequences",
    "differentials",
    "directions_at_rest",
    "independent_at_real_points",
    "independent_functions",
    "products",
]

_LONG = 3_000
"""Operations of functions up to which their differentials are written out."""
_LEAVES = 2
"""Factors of degree zero that a product may have."""


def consequences(
    known: Sequence[tuple[Expr, int]], points: Points, steps: Sequence[Assign], degree: int
) -> list[Array]:
    """The values of 1 and of all products of known integrals up to a degree in the speeds, at some points."""
    return [value for value, _ in products(known, points, steps, degree)]


def products(
    known: Sequence[tuple[Expr, int]], points: Points, steps: Sequence[Assign], degree: int
) -> list[tuple[Array, int]]:
    """The same with the degree of each."""
    values = [value for value, _ in points.at([F for F, _ in known], steps)]
    degrees = [d for _, d in known]
    one = np.ones(points.count, dtype=np.int64)
    found = [(one, 0)]
    most = degree + _LEAVES
    for count in range(1, most + 1):
        for some in combinations_with_replacement(range(len(known)), count):
            leaves = sum(degrees[k] == 0 for k in some)
            whole = sum(degrees[k] for k in some)
            if whole <= degree and leaves <= _LEAVES:
                product = one
                for k in some:
                    product = product * values[k] % points.prime
                found.append((product, whole))
    return found


def independent_functions(
    motion: ReducedMotion, points: Points, functions: Sequence[Expr], steps: Sequence[Assign]
) -> list[int]:
    """Those of some functions that are independent of the ones before: their differentials on the submanifold are, at a point."""
    matrix = differentials(motion, points, functions, steps)
    normals = matrix[:0] if motion.has_frame else _normals(motion, points)
    kept: list[int] = []
    for k, _ in enumerate(functions):
        before = np.concatenate([normals, matrix[kept]])
        after = np.concatenate([before, matrix[[k]]])
        if any(
            residue_rank(after[:, :, i], points.prime) > residue_rank(before[:, :, i], points.prime)
            for i in range(points.count)
        ):
            kept.append(k)
    return kept


def independent_at_real_points(
    motion: ReducedMotion, functions: Sequence[Expr], steps: Sequence[Assign]
) -> list[int] | None:
    """The same by balls at real points of the declared values, for functions whose relations residues do not know; None where these are long."""
    if not motion.has_frame:
        return None
    values = dict(motion.model.values)
    flat = [on_submanifold(motion, F).xreplace(values) for F in inline(functions, steps)]
    if symengine.count_ops(*flat) > _LONG:
        return None
    along_frame = [[along(F, field) for field in motion.model.frame.fields] for F in flat]
    rows = [
        [*(e.xreplace(values) for e in row), *gradient(F, (*motion.speeds, time))]
        for row, F in zip(along_frame, flat, strict=True)
    ]
    return list(certified_rows(rows, on=motion.on))


def differentials(motion: ReducedMotion, points: Points, functions: Sequence[Expr], steps: Sequence[Assign]) -> Array:
    """The slopes of functions along the directions of the frame, of the speeds and of time, at some points (function, direction, point)."""
    return np.stack([_rows(points, direction, functions, steps) for direction in _directions(motion, points)], axis=1)


def directions_at_rest(motion: ReducedMotion) -> Vector:
    """The named functions on a group that the fields of its frame make of one another, where the potential is a function of these: a row of a rotation."""
    model, frame = motion.model, motion.model.frame
    V, left = model.lagrangian.xreplace(dict.fromkeys(model.velocities, zero)), list(model.named.values())
    points = draw_points(motion, (), 2, values=model.values)
    while left:
        some = [left[0]]
        for f in some:
            rates = [frame.derivative(a, f) for a in range(frame.size)]
            some += [
                g
                for g in left
                if g not in some and any(is_zero(e - g, frame.orbit) or is_zero(e + g, frame.orbit) for e in rates)
            ]
        if len(some) not in independent_functions(motion, points, [*some, V], ()):
            return tuple(some)
        left = [f for f in left if f not in some]
    return ()


def _rows(points: Points, direction: dict[Symbol, Array], functions: Sequence[Expr], steps: Sequence[Assign]) -> Array:
    return np.stack([rate for _, rate in points.along(direction, functions, steps)])


def _directions(motion: ReducedMotion, points: Points) -> list[dict[Symbol, Array]]:
    """The directions of the frame, of the speeds and of time."""
    one, model = np.ones(points.count, dtype=np.int64), motion.model
    found = []
    for row in model.frame.anchor_ai:
        values = [value for value, _ in points.at(row)]
        found.append(dict(zip(model.coordinates, values, strict=True)))
    return found + [{s: one} for s in (*motion.speeds, time)]


def _normals(motion: ReducedMotion, points: Points) -> Array:
    """The differentials of constraints that are nonlinear in the velocities."""
    phi = [c.expression for c in motion.model.constraints]
    return np.stack([_rows(points, d, phi, ()) for d in _directions(motion, points)], axis=1)
