"""A ball leaves the top of a larger one where its normal force vanishes."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah


def on_top(**values: float) -> ah.System:
    ball = ah.RigidBody("ball", mass="m", inertia=["I", "I", "I"])
    return ah.System(
        name="ball on ball", bodies=[ball], gravity="g", contacts=[ah.Rolling(ball, surface=ah.Sphere("r"), on=ah.Ball("D"))],
        parameters={"m": 1.5, "I": 0.4 * 1.5 * 0.2**2, "r": 0.2, "D": 1.0, "g": 9.81} | values,
    )  # fmt: skip


def test_a_ball_that_rolls_from_rest_leaves_at_cos_10_over_17() -> None:
    """Without slip from rest at the top, cos(angle) = 2/(3 + I/(m r^2)), which is 10/17 for a homogeneous ball."""
    start = {
        "x": 1.2 * np.sin(1e-3),
        "y": 0,
        "z": 1.2 * np.cos(1e-3),
        "q0": 1,
        "q1": 0,
        "q2": 0,
        "q3": 0,
        "w1": 0,
        "w2": 0,
        "w3": 0,
    }
    run = on_top().simulate(start, until=3.2)
    (when,) = ah.contact_losses(run)["height"]
    there = on_top().simulate(start, times=[0, when])
    # From rest at the angle 1e-3: cos = (10/17) cos(1e-3).
    assert abs(float(there["z"][-1]) / 1.2 - 10 / 17 * np.cos(1e-3)) < 1e-11
    assert abs(float(ah.normal_forces(there)[-1, 0])) < 1e-10


def test_a_force_that_pulls_at_once_is_lost_at_once() -> None:
    start = {"x": 0, "y": 0, "z": 1.2, "q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0, "w2": 20.0, "w3": 0}
    assert ah.contact_losses(on_top().simulate(start, until=0.1))["height"][0] == 0


def test_a_motion_without_contacts_has_no_normal_force() -> None:
    run = ah.catalogue.chaplygin_sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=1)
    with pytest.raises(ah.UnknownName, match="no constraint is the height"):
        ah.contact_losses(run)
