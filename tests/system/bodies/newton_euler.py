r"""The other road to a rolling body: Newton's and Euler's equations in numbers, with the force of contact as unknown.

.. math::
   m\,\dot v_c = m\,\vec g + f, \qquad I\dot w + w\times I w = (\rho - c)\times R^{\mathsf T}f, \qquad
   \frac{d}{dt}\left(v + R(w\times\rho) - u\right) = 0

Nine equations for nine unknowns, with derivatives of the point of contact by complex steps. Nothing is shared with the
software: neither a Lagrangian, nor a constraint, nor a symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

E3 = np.array([0.0, 0.0, 1.0])
STEP = 1e-40


def turn(q: np.ndarray) -> np.ndarray:
    """Body to space, from $v \\mapsto q v q^{-1}$ column by column."""
    a, u = q[0], q[1:]
    return np.column_stack([e + 2 * a * np.cross(u, e) + 2 * np.cross(u, np.cross(u, e)) for e in np.eye(3)])


@dataclass
class Body:
    """A body on a support: ``arm(R, x)`` leads from its origin to the contact, ``normal(x)`` from the support to it.

    Both are in space axes and analytic in their arguments, so that a complex step differentiates them.
    """

    mass: float
    inertia: np.ndarray
    arm: Callable[[np.ndarray, np.ndarray], np.ndarray]
    normal: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda R, x: E3
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))
    gravity: np.ndarray = field(default_factory=lambda: np.array([0, 0, -9.81]))
    support: Callable[[np.ndarray, complex], np.ndarray] = lambda x, t: np.zeros(3)
    """The velocity of the support at a point."""

    def rolling(self, R: np.ndarray, x: np.ndarray, w: np.ndarray, t: float = 0.0) -> np.ndarray:
        """The velocity of the origin when nothing slips."""
        arm = self.arm(R, x)
        return self.support(x + arm, t) - np.cross(R @ w, arm)

    def solve(self, R: np.ndarray, x: np.ndarray, v: np.ndarray, w: np.ndarray, t: float = 0.0) -> np.ndarray:
        """Accelerations of the origin (space), of the rotation (body), and the force of contact (space)."""
        m, c = self.mass, self.centre
        arm = self.arm(R, x)
        spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        Rh, xh, th = R + 1j * STEP * (R @ spin), x + 1j * STEP * v, t + 1j * STEP
        armh = self.arm(Rh, xh)
        # The slip with v and w held, at a time h later: what is left of its rate without the accelerations.
        drift = (v + np.cross(Rh @ w, armh) - self.support(xh + armh, th)).imag / STEP
        hat = lambda a: np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
        K, r = np.zeros((9, 9)), np.zeros(9)
        K[:3, :3], K[:3, 3:6], K[:3, 6:] = m * np.eye(3), -m * R @ hat(c), -np.eye(3)
        r[:3] = m * self.gravity - m * R @ np.cross(w, np.cross(w, c))
        K[3:6, 3:6], K[3:6, 6:] = self.inertia, -hat(R.T @ arm - c) @ R.T
        r[3:6] = -np.cross(w, self.inertia @ w)
        K[6:, :3], K[6:, 3:6], r[6:] = np.eye(3), -hat(arm) @ R, -drift
        return np.linalg.solve(K, r)
