"""Bodies that roll: their numbers, the arms to their contacts, and the systems made of them."""

from __future__ import annotations

import numpy as np

import anholonomy as ah

VALUES = {"m": 1.3, "g": 9.81, "r": 0.7, "a": 0.9, "b": 0.6, "c": 0.4, "alpha": 0.3, "Omega": 1.7, "k": 2.0, "D": 3.0}
INERTIA = np.array([[0.31, 0.02, -0.03], [0.02, 0.37, 0.04], [-0.03, 0.04, 0.52]])
CENTRE = np.array([0.05, -0.08, 0.11])
r, a, b, c, D, Omega = (VALUES[name] for name in ("r", "a", "b", "c", "D", "Omega"))


def ring(u):
    return np.array([u[0], u[1], 0 * u[0]]) / np.sqrt(u[0] ** 2 + u[1] ** 2)


def ellipsoid(u):
    A = np.array([a, b, c]) ** 2
    return A * u / np.sqrt(u @ (A * u))


def built(surface, on, centre=CENTRE, **contact) -> ah.System:
    body = ah.bodies.RigidBody("body", mass="m", inertia=INERTIA.tolist(), centre=centre.tolist())
    return ah.System(
        name="rolling", bodies=[body], gravity="g", parameters=VALUES,
        contacts=[ah.bodies.Rolling(body, surface=surface, on=on, **contact)],
    )  # fmt: skip
