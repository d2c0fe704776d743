"""Every body that rolls on a plane in the catalogue, built from contacts: the same accelerations as the constraints by hand."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.geometry.groups.so3 import rotation_matrix

PLANE = ah.bodies.Plane()
CASES = {
    "rolling-ball": (["I", "I", "I"], ah.bodies.Sphere("r"), {"on": PLANE}, lambda R, p: p["r"]),
    "chaplygin-ball": (["I1", "I2", "I3"], ah.bodies.Sphere("r"), {"on": PLANE}, lambda R, p: p["r"]),
    "rubber-ball": (["I1", "I2", "I3"], ah.bodies.Sphere("r"), {"on": PLANE, "twist": "none"}, lambda R, p: p["r"]),
    "ball-on-turntable": (
        ["I", "I", "I"],
        ah.bodies.Sphere("r"),
        {"on": ah.bodies.Plane(rotating="Omega")},
        lambda R, p: p["r"],
    ),
    "routh-sphere": (
        ["I1", "I1", "I3"],
        ah.bodies.Sphere("r", at=[0, 0, "-a"]),
        {"on": PLANE},
        lambda R, p: p["r"] + p["a"] * R[2][2],
    ),
    "rattleback": (
        [["I11", "I12", 0], ["I12", "I22", 0], [0, 0, "I33"]],
        ah.bodies.Ellipsoid("a", "b", "c", at=[0, 0, "h"]),
        {"on": PLANE},
        lambda R, p: np.hypot(np.hypot(p["a"] * R[2][0], p["b"] * R[2][1]), p["c"] * R[2][2]) - p["h"] * R[2][2],
    ),
    "leaning-disc-quaternion": (
        ["J", "J", "I"],
        ah.bodies.Disc("R"),
        {"on": PLANE},
        lambda R, p: p["R"] * np.hypot(R[2][0], R[2][1]),
    ),
}


@pytest.mark.parametrize("key", CASES)
def test_contacts_and_constraints_by_hand_agree(key: str) -> None:
    inertia, surface, contact, height = CASES[key]
    by_hand = ah.catalogue.ENTRIES[key].make()
    parameters = dict(by_hand.parameters)
    body = ah.bodies.RigidBody("body", mass="m", inertia=inertia)
    gravity = "g" if "g" in parameters else None
    built = ah.System(
        name=key,
        bodies=[body],
        contacts=[ah.bodies.Rolling(body, surface=surface, **contact)],
        gravity=gravity,
        parameters=parameters,
    )
    rng = np.random.default_rng(5)
    for _ in range(3):
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        state = {f"q{k}": float(value) for k, value in enumerate(q)} | {"x": 0.3, "y": -0.2}
        state |= {f"w{k}": float(value) for k, value in enumerate(rng.normal(size=3), 1)}
        if key == "rubber-ball":
            state.pop("w3")
        expected = by_hand.derive("lagrange-dalembert").accelerations(state)
        z = float(height(rotation_matrix(tuple(map(float, q))), parameters))
        found = built.derive("lagrange-dalembert").accelerations({**state, "z": z})
        scale = 1 + max(abs(value) for value in expected.values())
        assert all(abs(found[name] - value) < 1e-11 * scale for name, value in expected.items()), (expected, found)
