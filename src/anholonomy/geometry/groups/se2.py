r"""Rigid motions of the plane.

.. math::
   \dot x = v_1\cos\theta - v_2\sin\theta, \quad \dot y = v_1\sin\theta + v_2\cos\theta, \quad \dot\theta = w, \qquad
   [E_w, E_1] = E_2, \quad [E_w, E_2] = -E_1
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, zero
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.groups.base import AbstractGroup, Array, prefixed, titled
from anholonomy.geometry.groups.euclidean_series import left_jacobian, left_jacobian_inverse

__all__ = ["SE2"]


@final
class SE2(AbstractGroup):
    """Rigid motions of the plane; coordinates ``x, y, theta``, body velocity ``v1, v2, w``, matrix entries ``R11 … R22``.

    >>> plane = SE2()
    >>> plane.algebra.name
    'se(2)'
    >>> plane.exp(np.array([1.0, 0.0, np.pi])).round(12) + 0.0     # half a circle of length 1 ends beside its start
    array([0.        , 0.63661977, 3.14159265])
    """

    examples = ("SE2",)
    elements = "SE(2), rigid motions of the plane, by"
    motion = "velocity along the body's axes, and angular velocity"

    def __init__(self, prefix: str = "") -> None:
        self.name = titled("SE2", prefix)
        self.prefix = prefix
        self.algebra = LieAlgebra({("w", "v1"): "v2", ("w", "v2"): "-v1"}, labels=["v1", "v2", "w"])
        self.coordinates = prefixed(prefix, ("x", "y", "theta"))
        self.speeds = prefixed(prefix, ("v1", "v2", "w"))

    @property
    def matrix(self) -> Matrix:
        """The rotation matrix in the coordinates, body to space."""
        c, s = symengine.cos(self.coordinates[2]), symengine.sin(self.coordinates[2])
        return (c, -s), (s, c)

    @property
    def turning(self) -> tuple[Symbol, ...]:
        return self.coordinates[2:]

    @property
    def anchor_ai(self) -> Matrix:
        (c, minus), (s, _) = self.matrix
        return (c, s, zero), (minus, c, zero), (zero, zero, symengine.Integer(1))

    @property
    def invariants(self) -> Mapping[str, Expr]:
        return {}

    def signs(self, g: Array) -> Mapping[str, float]:
        return {}

    @property
    def named(self) -> Mapping[str, Expr]:
        return {f"{self.prefix}R{i}{j}": self.matrix[i - 1][j - 1] for i in (1, 2) for j in (1, 2)}

    @property
    def identity(self) -> Array:
        return np.zeros(3)

    def _multiply(self, g: Array, h: Array) -> Array:
        x, y, theta = (float(each) for each in g)
        c, s = np.cos(theta), np.sin(theta)
        return np.array([x + c * h[0] - s * h[1], y + s * h[0] + c * h[1], theta + h[2]])

    def _inverse(self, g: Array) -> Array:
        x, y, theta = (float(each) for each in g)
        c, s = np.cos(theta), np.sin(theta)
        return np.array([-c * x - s * y, s * x - c * y, -theta])

    def _exp(self, xi: Array) -> Array:
        v1, v2, w = (float(each) for each in xi)
        moved = left_jacobian(np.array([0.0, 0.0, w])) @ [v1, v2, 0.0]
        return np.array([moved[0], moved[1], w])

    def _log(self, g: Array) -> Array:
        x, y, theta = (float(each) for each in g)
        w = float(np.mod(theta + np.pi, 2 * np.pi) - np.pi) if abs(theta) > np.pi else theta
        back = left_jacobian_inverse(np.array([0.0, 0.0, w])) @ [x, y, 0.0]
        return np.array([back[0], back[1], w])

    @property
    def adjoint_ab(self) -> Matrix:
        x, y, _ = self.coordinates
        (c, minus), (s, _) = self.matrix
        return (c, minus, y), (s, c, -x), (zero, zero, symengine.Integer(1))

    @property
    def inverse_i(self) -> Vector:
        x, y, theta = self.coordinates
        (c, _), (s, _) = self.matrix
        return -c * x - s * y, s * x - c * y, -theta

    def _adjoint(self, g: Array) -> Array:
        x, y, theta = (float(each) for each in g)
        c, s = np.cos(theta), np.sin(theta)
        return np.array([[c, -s, y], [s, c, -x], [0.0, 0.0, 1.0]])
