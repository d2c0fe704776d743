"""The books' equations of bodies in (gamma, w), written out with NumPy: nothing of the package is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Vector = np.ndarray
Field = Callable[[Vector, Vector], tuple[Vector, Vector]]


@dataclass(frozen=True)
class Rolling:
    """A body on a level plane: M = I w + m rho x (w x rho), M' = M x w + m rho' x (w x rho) + m g rho x gamma, gamma' = gamma x w.

    ``rho`` is the point of contact seen from the centre of mass, a function of the vertical gamma; both in the body.
    """

    inertia: Vector
    m: float
    g: float
    rho: Callable[[Vector], Vector]

    def momentum(self, gamma: Vector, w: Vector) -> Vector:
        rho = self.rho(gamma)
        return self.inertia @ w + self.m * np.cross(rho, np.cross(w, rho))

    def rates(self, gamma: Vector, w: Vector) -> tuple[Vector, Vector]:
        """gamma' and w'."""
        h, turned = 1e-5, np.cross(gamma, w)
        rho, unit = self.rho(gamma), np.eye(3)
        rho_rate = (self.rho(gamma + h * turned) - self.rho(gamma - h * turned)) / (2 * h)
        rate = np.cross(self.momentum(gamma, w), w) + self.m * np.cross(rho_rate, np.cross(w, rho))
        rate = rate + self.m * self.g * np.cross(rho, gamma)
        drift = self.m * (np.cross(rho_rate, np.cross(w, rho)) + np.cross(rho, np.cross(w, rho_rate)))
        G = np.array([self.momentum(gamma, e) for e in unit]).T
        return turned, np.linalg.solve(G, rate - drift)


@dataclass(frozen=True)
class NotAboutTheVertical:
    """Veselova's body: J w' = J w x w + lambda gamma, gamma' = gamma x w, with w.gamma constant; a rubber ball has J = I + m r^2."""

    inertia: Vector

    def momentum(self, gamma: Vector, w: Vector) -> Vector:
        return np.asarray(self.inertia @ w)

    def rates(self, gamma: Vector, w: Vector) -> tuple[Vector, Vector]:
        J = self.inertia
        free, held = np.linalg.solve(J, np.cross(J @ w, w)), np.linalg.solve(J, gamma)
        return np.cross(gamma, w), free - (gamma @ free) / (gamma @ held) * held


def rotation(vertical: Vector, about: float) -> Vector:
    """A unit quaternion whose rotation has ``vertical`` for its third row, turned further about it."""
    x, y, z = vertical
    tilt = np.array([1 + z, y, -x, 0.0])
    tilt = tilt / np.linalg.norm(tilt)
    c, s = np.cos(about / 2), np.sin(about / 2)
    a, u = tilt[0], tilt[1:]
    return np.concatenate([[c * a - s * u[2]], c * u + s * np.array([-u[1], u[0], a])])
