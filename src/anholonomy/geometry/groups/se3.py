r"""Rigid motions of space: a position and a unit quaternion, with the velocity of the body in its own axes.

.. math::
   \dot x = R(q)\,v, \quad \dot q = \tfrac12\,q\otimes(0, w), \qquad
   [W_a, W_b] = \epsilon_{abd}W_d, \quad [W_a, V_b] = \epsilon_{abd}V_d, \quad [V_a, V_b] = 0
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, matrix_vector, zero
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.groups.base import AbstractGroup, Array, prefixed, titled
from anholonomy.geometry.groups.euclidean_series import cross_matrix, left_jacobian, left_jacobian_inverse
from anholonomy.geometry.groups.so3 import SO3

__all__ = ["SE3"]


def _brackets() -> dict[tuple[str, str], str]:
    brackets: dict[tuple[str, str], str] = {}
    for a, b, d in ((1, 2, 3), (2, 3, 1), (3, 1, 2)):
        brackets |= {(f"w{a}", f"w{b}"): f"w{d}", (f"w{a}", f"v{b}"): f"v{d}", (f"w{b}", f"v{a}"): f"-v{d}"}
    return brackets


@final
class SE3(AbstractGroup):
    """Rigid motions of space; ``x, y, z, q0 … q3``, body velocity ``v1 … v3, w1 … w3``, matrix entries ``R11 … R33``.

    >>> SE3().algebra.name
    'se(3)'
    """

    examples = ("SE3",)
    elements = "SE(3), rigid motions of space, by a place and a unit quaternion"
    motion = "velocity and angular velocity along the body's axes"

    def __init__(self, prefix: str = "") -> None:
        self.name = titled("SE3", prefix)
        self.turns = SO3(prefix)
        labels = ["v1", "v2", "v3", "w1", "w2", "w3"]
        self.algebra = LieAlgebra(_brackets(), labels=labels)
        self.coordinates = (*prefixed(prefix, "xyz"), *self.turns.coordinates)
        self.speeds = prefixed(prefix, labels)

    @property
    def matrix(self) -> Matrix:
        """The rotation matrix in the coordinates, body to space."""
        return self.turns.matrix

    @property
    def anchor_ai(self) -> Matrix:
        moves = [(*column, *(zero,) * 4) for column in zip(*self.matrix, strict=True)]
        return *moves, *((*(zero,) * 3, *row) for row in self.turns.anchor_ai)

    @property
    def invariants(self) -> Mapping[str, Expr]:
        return self.turns.invariants

    def signs(self, g: Array) -> Mapping[str, float]:
        return {}

    @property
    def named(self) -> Mapping[str, Expr]:
        return self.turns.named

    @property
    def identity(self) -> Array:
        return np.concatenate([np.zeros(3), self.turns.identity])

    def _multiply(self, g: Array, h: Array) -> Array:
        moved = np.asarray(g[:3]) + self.turns.adjoint(g[3:]) @ np.asarray(h[:3])
        return np.concatenate([moved, self.turns.multiply(g[3:], h[3:])])

    def _inverse(self, g: Array) -> Array:
        return np.concatenate([-self.turns.adjoint(g[3:]).T @ np.asarray(g[:3]), self.turns.inverse(g[3:])])

    def _exp(self, xi: Array) -> Array:
        v, w = np.asarray(xi[:3], dtype=float), np.asarray(xi[3:], dtype=float)
        return np.concatenate([left_jacobian(w) @ v, self.turns.exp(w)])

    def _log(self, g: Array) -> Array:
        w = self.turns.log(g[3:])
        return np.concatenate([left_jacobian_inverse(w) @ np.asarray(g[:3], dtype=float), w])

    @property
    def adjoint_ab(self) -> Matrix:
        R, (x, y, z) = self.matrix, self.coordinates[:3]
        hat = ((zero, -z, y), (z, zero, -x), (-y, x, zero))
        moved = [matrix_vector(hat, column) for column in zip(*R, strict=True)]
        upper = tuple((*row, *(column[i] for column in moved)) for i, row in enumerate(R))
        return *upper, *((*(zero,) * 3, *row) for row in R)

    @property
    def inverse_i(self) -> Vector:
        back = (-dot(column, self.coordinates[:3]) for column in zip(*self.matrix, strict=True))
        return *back, *self.turns.inverse_i

    def _adjoint(self, g: Array) -> Array:
        R = self.turns.adjoint(g[3:])
        return np.block([[R, cross_matrix(g[:3]) @ R], [np.zeros((3, 3)), R]])
