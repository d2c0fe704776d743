r"""Rotations of space, and their double cover SU(2), by unit quaternions, $\dot q = \tfrac12\,q\otimes(0, w)$ with the angular velocity $w$ in the body.

.. math::
   R(q) = \begin{pmatrix}
   1 - 2(q_2^2 + q_3^2) & 2(q_1q_2 - q_0q_3) & 2(q_1q_3 + q_0q_2)\\
   2(q_1q_2 + q_0q_3) & 1 - 2(q_1^2 + q_3^2) & 2(q_2q_3 - q_0q_1)\\
   2(q_1q_3 - q_0q_2) & 2(q_2q_3 + q_0q_1) & 1 - 2(q_1^2 + q_2^2)
   \end{pmatrix}, \qquad [E_1, E_2] = E_3 \text{ and cyclic}

$R$ maps body components to space components. No direction is special, so nothing gimbal-locks. A quaternion and its
negative are one rotation but two elements of SU(2); the groups differ in their logarithms only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, zero
from anholonomy.base.caching import cached_property
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.groups.base import AbstractGroup, Array, prefixed, titled

__all__ = ["SO3", "SU2"]

_SMALL = 1e-4
"""Angles below which sin(a)/a and its like are taken from their series, which is exact to rounding there."""


def so3_constants() -> tuple[Matrix, ...]:
    r"""$c_{12}{}^3 = 1$ and cyclic."""
    one = symengine.Integer(1)
    table = [[[zero] * 3 for _ in range(3)] for _ in range(3)]
    for a in range(3):
        b, d = (a + 1) % 3, (a + 2) % 3
        table[a][b][d], table[b][a][d] = one, -one
    return tuple(tuple(map(tuple, plane)) for plane in table)


def rotation_matrix(q: tuple[Any, ...]) -> Matrix:
    """The rotation of a unit quaternion, body to space."""
    q0, q1, q2, q3 = q
    return (
        (1 - 2 * (q2**2 + q3**2), 2 * (q1 * q2 - q0 * q3), 2 * (q1 * q3 + q0 * q2)),
        (2 * (q1 * q2 + q0 * q3), 1 - 2 * (q1**2 + q3**2), 2 * (q2 * q3 - q0 * q1)),
        (2 * (q1 * q3 - q0 * q2), 2 * (q2 * q3 + q0 * q1), 1 - 2 * (q1**2 + q2**2)),
    )


class _Quaternions(AbstractGroup):
    """Unit quaternions; a group of them says what its logarithm is."""

    def __init__(self, name: str, prefix: str) -> None:
        self.name = titled(name, prefix)
        self.prefix = prefix
        self.algebra = LieAlgebra(so3_constants())
        self.coordinates = prefixed(prefix, ("q0", "q1", "q2", "q3"))
        self.speeds = prefixed(prefix, ("w1", "w2", "w3"))

    @property
    def anchor_ai(self) -> Matrix:
        q0, q1, q2, q3 = (q / 2 for q in self.coordinates)
        return (-q1, q0, q3, -q2), (-q2, -q3, q0, q1), (-q3, q2, -q1, q0)

    @property
    def invariants(self) -> Mapping[str, Expr]:
        return {f"{self.prefix}unit quaternion": symengine.Add(*(q**2 for q in self.coordinates), -1)}

    @cached_property
    def matrix(self) -> Matrix:
        """The rotation matrix in the coordinates, body to space."""
        return rotation_matrix(self.coordinates)

    def signs(self, g: Array) -> Mapping[str, float]:
        return {}

    @property
    def named(self) -> Mapping[str, Expr]:
        return {f"{self.prefix}R{i}{j}": self.matrix[i - 1][j - 1] for i in (1, 2, 3) for j in (1, 2, 3)}

    @property
    def identity(self) -> Array:
        return np.array([1.0, 0.0, 0.0, 0.0])

    def _multiply(self, g: Array, h: Array) -> Array:
        a, u, b, v = g[0], np.asarray(g[1:]), h[0], np.asarray(h[1:])
        return np.concatenate([[a * b - u @ v], a * v + b * u + np.cross(u, v)])

    def _inverse(self, g: Array) -> Array:
        return np.asarray(g) * [1.0, -1.0, -1.0, -1.0]

    def _exp(self, xi: Array) -> Array:
        half = np.asarray(xi, dtype=float) / 2
        angle = float(np.linalg.norm(half))
        ratio = 1 - angle**2 / 6 if angle < _SMALL else np.sin(angle) / angle
        return np.concatenate([[np.cos(angle)], ratio * half])

    @property
    def adjoint_ab(self) -> Matrix:
        return self.matrix

    @property
    def inverse_i(self) -> Vector:
        q0, *rest = self.coordinates
        return q0, *(-q for q in rest)

    def _adjoint(self, g: Array) -> Array:
        return np.array(rotation_matrix(tuple(map(float, g))))


def _least_turn(g: Array) -> Array:
    """The shortest vector of rotation to a unit quaternion, less than a full turn."""
    w, v = float(g[0]), np.asarray(g[1:], dtype=float)
    size = float(np.linalg.norm(v))
    if size >= _SMALL:
        return np.asarray(2 * np.arctan2(size, w) / size * v)
    if w > 0:
        return np.asarray((2 / w - 2 * size**2 / (3 * w**3)) * v)
    # Half way round the sphere of quaternions every axis leads there.
    axis = v / size if size else np.array([1.0, 0.0, 0.0])
    return np.asarray(2 * np.arctan2(size, w) * axis)


@final
class SO3(_Quaternions):
    """Rotations of space; coordinates ``q0 … q3``, body angular velocity ``w1 … w3``, matrix entries ``R11 … R33``.

    >>> turn = SO3()
    >>> turn.algebra.name, [str(q) for q in turn.coordinates], [str(w) for w in turn.speeds]
    ('so(3)', ['q0', 'q1', 'q2', 'q3'], ['w1', 'w2', 'w3'])
    >>> half = turn.exp(np.array([0, 0, np.pi]))
    >>> half.round(12), float(abs(turn.log(turn.multiply(half, half))).max()) < 1e-12
    (array([0., 0., 0., 1.]), True)
    """

    examples = ("SO3",)
    elements = "SO(3) by unit quaternions"
    motion = "angular velocity along the body's axes"

    def __init__(self, prefix: str = "") -> None:
        super().__init__("SO3", prefix)

    def _log(self, g: Array) -> Array:
        # A quaternion and its negative are the same rotation; the one with positive real part turns least.
        return _least_turn(g if g[0] >= 0 else -np.asarray(g))


@final
class SU2(_Quaternions):
    """Unit quaternions themselves, the double cover of `SO3`; a turn by 360 degrees is not the identity.

    >>> spin = SU2()
    >>> spin.log(spin.exp(np.array([0, 0, 6.0]))).round(12)
    array([0., 0., 6.])
    """

    examples = ("SU2",)
    elements = "SU(2) by unit quaternions"
    motion = "angular velocity along the body's axes"

    def __init__(self, prefix: str = "") -> None:
        super().__init__("SU2", prefix)

    def _log(self, g: Array) -> Array:
        return _least_turn(g)
