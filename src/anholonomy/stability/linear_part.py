r"""The linear part of the motion at a state, in independent coordinates of the constraint, without the directions along symmetries.

.. math:: \dot z = f, \quad f(z_0) = c^k\,\Xi_k(z_0), \qquad A = D(f - c^k\,\Xi_k)\big|_{T_{z_0}M}, \qquad A\,S = S\,A_S, \quad S = (\Xi_k(z_0))

Seen from a frame that is carried by the symmetries, a steady motion is at rest and its linear part constant. What it does to
the directions of the symmetries themselves says nothing of stability; the rest acts on the quotient, where as many coordinates stay zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.base.tolerances import HALF
from anholonomy.motion.vector_field import Jet, tangent
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry

__all__ = ["LinearPart", "independent_rows", "linear_part", "velocities_of_symmetries"]

_AWAY = 0.1
"""A row counts as independent of those before it where this part of it is left."""


@final
@dataclass(frozen=True, eq=False)
class LinearPart:
    """``A`` by the places in $z$ that its rows and columns belong to, in the quotient by the symmetries.

    Attributes
    ----------
    B
        Derivatives by the inputs, in the same rows.
    carried
        The places that are held at zero instead, one for each direction of a symmetry.
    of_symmetries
        The matrix on those directions.
    pace
        The velocities $c^k$ of the symmetries.
    residual
        How much of the rates is left beside them, relative to these.
    condition
        How well the independent coordinates describe the others.
    """

    A: Array
    B: Array
    places: tuple[int, ...]
    carried: tuple[int, ...]
    of_symmetries: Array
    pace: Array
    residual: float
    condition: float

    @property
    def steady(self) -> bool:
        return self.residual <= HALF


def linear_part(
    jet: Jet, k: int, width: int, symmetries: Sequence[Symmetry], places: Sequence[int] | None = None
) -> LinearPart:
    """At one of the states of a jet, whose first ``width`` directions are those of $x$; ``places`` are coordinates to use."""
    z, rate, slopes = jet.z[k], jet.rate[k], jet.slopes
    V = tangent(slopes.held[k][:, :width])
    H, R = slopes.z[k][:, :width] @ V, slopes.rate[k][:, :width] @ V
    pace, residual = velocities_of_symmetries(z, rate, symmetries)
    steady = residual <= HALF
    for c, each in zip(pace, symmetries, strict=True) if steady else ():
        R = R - c * each.matrix @ H
    rows = list(places) if places is not None else independent_rows(H, H.shape[1])
    inverse = np.linalg.inv(H[rows])
    A, B = R[rows] @ inverse, slopes.rate[k][rows, width:]
    S = _columns(np.stack([each.at(z) for each in symmetries], axis=1)[rows] if steady and symmetries else None, rows)
    fixed = independent_rows(S, S.shape[1])
    free = [i for i in range(len(rows)) if i not in fixed]
    slide = S[free] @ np.linalg.inv(S[fixed])
    return LinearPart(
        A[np.ix_(free, free)] - slide @ A[np.ix_(fixed, free)],
        B[free] - slide @ B[fixed],
        tuple(rows[i] for i in free),
        tuple(rows[i] for i in fixed),
        np.linalg.lstsq(S, A @ S, rcond=None)[0],
        pace,
        residual,
        float(np.linalg.cond(H @ inverse)),
    )


def velocities_of_symmetries(z: Array, rate: Array, symmetries: Sequence[Symmetry]) -> tuple[Array, float]:
    """The combination of symmetries that is nearest to the rates, and the part of these that it leaves."""
    size = max(float(np.linalg.norm(rate)), 1.0)
    if not symmetries:
        return np.empty(0), float(np.linalg.norm(rate)) / size
    fields = np.stack([each.at(z) for each in symmetries], axis=1)
    pace: Array = np.asarray(np.linalg.lstsq(fields, rate, rcond=1e-10)[0], dtype=float)
    return pace, float(np.linalg.norm(rate - fields @ pace)) / size


def independent_rows(H: Array, count: int) -> list[int]:
    """Rows that are independent, early ones first unless they are nearly dependent on those before."""
    sizes = np.linalg.norm(H, axis=1)
    away, sizes = _AWAY, np.maximum(sizes, _AWAY * float(sizes.max(initial=0.0)))
    while True:
        basis, rows = np.empty((count, H.shape[1])), list[int]()
        for i, row in enumerate(H):
            if len(rows) == count:
                break
            done = basis[: len(rows)]
            left = row - done.T @ (done @ row)
            size = float(left @ left) ** 0.5
            if size > away * sizes[i]:
                basis[len(rows)] = left / size
                rows.append(i)
        if len(rows) == count or away < 1e-14:
            return rows
        away /= 100


def _columns(S: Array | None, rows: Sequence[int]) -> Array:
    """An independent set of columns; none where there are no symmetries."""
    if S is None:
        return np.empty((len(rows), 0))
    rank = int(np.linalg.matrix_rank(S, tol=1e-10 * max(1.0, float(np.abs(S).max()))))
    return np.asarray(S[:, independent_rows(S.T, rank)])
