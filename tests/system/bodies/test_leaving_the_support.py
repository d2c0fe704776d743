"""A body leaves its support where its normal force vanishes: angles and times against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import anholonomy as ah
from tests.wording import blames, pinned

AT_REST = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0, "w2": 0, "w3": 0}
ON_TOP = {"x": 1.2 * np.sin(1e-3), "y": 0, "z": 1.2 * np.cos(1e-3), **AT_REST}


def on_top(contact: type = ah.bodies.Rolling, **values: float) -> ah.System:
    ball = ah.bodies.RigidBody("ball", mass="m", inertia=["I", "I", "I"])
    return ah.System(
        name="ball on ball", bodies=[ball], gravity="g", contacts=[contact(ball, surface=ah.bodies.Sphere("r"), on=ah.bodies.Ball("D"))],
        parameters={"m": 1.5, "I": 0.4 * 1.5 * 0.2**2, "r": 0.2, "D": 1.0, "g": 9.81} | values,
    )  # fmt: skip


@pytest.mark.parametrize(("contact", "cosine"), [(ah.bodies.Rolling, 10 / 17), (ah.bodies.Sliding, 2 / 3)])
def test_a_ball_leaves_a_ball_at_its_angle(contact: type, cosine: float) -> None:
    """From rest at the angle a, cos = 2 cos(a)/(3 + I/(m r^2)) without slip and 2 cos(a)/3 without friction; two times are enough."""
    still = {"x'": 0, "y'": 0, "z'": 0} if contact is ah.bodies.Sliding else {}
    run = on_top(contact).simulate(ON_TOP | still, times=[0, 3.5], stop="height lost")
    assert run.time.size == 2
    pinned(run.outcome, "height", "lost")
    assert abs(float(run["z"][-1]) / 1.2 - cosine * np.cos(1e-3)) < 1e-11
    assert abs(float(run.normal_forces[-1, 0])) < 1e-10
    assert run.contact_losses == {"height": [float(run.time[-1])]}


def test_a_motion_goes_on_and_says_what_was_lost() -> None:
    run = on_top().simulate(ON_TOP, until=3.2)
    (when,) = run.contact_losses["height"]
    assert run.is_complete
    assert float(run.time[-1]) == 3.2
    assert run.outcome.endswith(
        f"height was lost at t = {when:.6g}, and from there on it is kept by a force of the wrong sign"
    )


def test_the_same_loss_backward_in_time() -> None:
    forward = on_top().simulate(ON_TOP, until=3.2)
    end = {name: float(forward[name][-1]) for name in ON_TOP} | {"t": 3.2}
    back = on_top().simulate(end, times=[3.2, 0], project=True)
    np.testing.assert_allclose(back.contact_losses["height"], forward.contact_losses["height"], atol=1e-9)
    # A force that still pulls at the earliest time was lost there, as it is for the motion run forward from there.
    (when,) = forward.contact_losses["height"]
    short = on_top().simulate(end, times=[3.2, 3.15], project=True)
    assert when < 3.15
    assert short.contact_losses["height"] == [3.15]


def test_a_force_that_pulls_at_once_is_lost_at_once() -> None:
    start = {"x": 0, "y": 0, "z": 1.2} | AT_REST | {"w2": 20.0}
    assert on_top().simulate(start, until=0.1).contact_losses["height"] == [0]
    stopped = on_top().simulate(start, until=0.1, stop="height lost")
    assert stopped.time.values.tolist() == [0]
    assert stopped.is_complete


UP, SIDE = [0, 0, 1], [1, 2, 3]
HEADING = {
    "q0": np.cos(0.35) / np.sqrt(2),
    "q1": np.cos(0.35) / np.sqrt(2),
    "q2": np.sin(0.35) / np.sqrt(2),
    "q3": np.sin(0.35) / np.sqrt(2),
}


@pytest.mark.parametrize(
    ("surface", "normal", "spin"),
    [(ah.bodies.Sphere, UP, 3.0), (ah.bodies.Sphere, SIDE, 0.4), (ah.bodies.Disc, UP, 0.0)],
    ids=["ball", "slope", "disc"],
)
def test_a_body_without_weight_loses_nothing(surface: type, normal: list, spin: float) -> None:
    """Its normal force is zero but for rounding, of the terms or of the upright state, whose sign means nothing."""
    body = ah.bodies.RigidBody("body", mass="m", inertia=["I", "I", "2*I"], centre=[0, 0, "e"])
    weightless = ah.System(
        name="weightless", bodies=[body], contacts=[ah.bodies.Rolling(body, surface=surface("r"), on=ah.bodies.Plane(normal=normal))],
        parameters={"m": 1.5, "I": 0.3, "r": 0.7, "e": 0.0},
    )  # fmt: skip
    place = dict(zip("xyz", 0.7 * np.array(normal) / np.linalg.norm(normal), strict=True))
    run = weightless.simulate(place | HEADING | {"w1": spin, "w2": spin / 3, "w3": 2.0}, until=10, project=True)
    assert run.contact_losses == {"height": []}
    assert run.is_complete


def test_a_heavy_point_lifts_its_hoop() -> None:
    r"""A hoop of mass M with a point m on its rim, from the top: N = (M + m) g + m z'', z = R cos(a), by the energy alone."""
    M, m, g = 0.1, 1.0, 9.81
    hoop = ah.bodies.RigidBody("hoop", mass="M + m", inertia=["I1", "I2", "I3"], centre=["m/(M + m)", 0, 0])
    # About the centre of mass: the hoop and the point.
    away = M * m / (M + m)
    system = ah.System(
        name="hopping hoop", bodies=[hoop], gravity="g", contacts=[ah.bodies.Rolling(hoop, surface=ah.bodies.Disc("r"), on=ah.bodies.Plane())],
        parameters={"M": M, "m": m, "g": g, "r": 1.0, "I1": M / 2, "I2": M / 2 + away, "I3": M + away},
    )  # fmt: skip

    def rate2(a: float, first: float = 1.5) -> float:
        return ((M + 2 * m) * first**2 + m * g * (1 - np.cos(a))) / (M + m * (1 + np.cos(a)))

    def force(a: float) -> float:
        down, rate = M + m * (1 + np.cos(a)), rate2(a)
        bend = (m * g * np.sin(a) + m * np.sin(a) * rate) / (2 * down)
        return (M + m) * g - m * (np.sin(a) * bend + np.cos(a) * rate)

    leaves = brentq(force, 0.1, 1.8, xtol=1e-14)
    # The disc's axis lies along y; its own x axis, with the point, starts upright.
    stand = {"x": 0, "y": 0, "z": 1, "q0": 0.5, "q1": 0.5, "q2": -0.5, "q3": 0.5}
    run = system.simulate(stand | {"w1": 0, "w2": 0, "w3": 1.5}, until=3, stop="height lost", integrator="scipy")
    q0, q1, q2, q3 = (float(run[q][-1]) for q in ("q0", "q1", "q2", "q3"))
    assert abs(2 * (q1 * q3 - q0 * q2) - np.cos(leaves)) < 1e-10


@pytest.mark.exhaustive
def test_every_contact_is_lost_by_its_own_name() -> None:
    one, two = (ah.bodies.RigidBody(name, mass="m", inertia=["I", "I", "I"]) for name in ("one", "two"))
    system = ah.System(
        name="two balls", bodies=[one, two], gravity="g",
        contacts=[ah.bodies.Rolling(body, surface=ah.bodies.Sphere("r"), on=ah.bodies.Ball("D")) for body in (one, two)],
        parameters={"m": 1.5, "I": 0.4 * 1.5 * 0.2**2, "r": 0.2, "D": 1.0, "g": 9.81},
    )  # fmt: skip
    assert system.model.one_sided == ("one height", "two height")
    start = {}
    for body, angle in (("one", 0.3), ("two", 0.1)):
        start |= {f"{body}_{name}": value for name, value in AT_REST.items()}
        start |= {f"{body}_x": 1.2 * np.sin(angle), f"{body}_y": 0, f"{body}_z": 1.2 * np.cos(angle)}
    run = system.simulate(start, until=1.5, integrator="scipy")
    assert list(run.events["event"].values) == ["one height lost", "two height lost"]
    heights = run.data["event_q"].sel(coordinate=["one_z", "two_z"]).values.diagonal() / 1.2
    np.testing.assert_allclose(heights, 10 / 17 * np.cos([0.3, 0.1]), atol=1e-11)


def test_a_motion_without_contacts_has_no_normal_force() -> None:
    run = ah.catalogue.chaplygin_sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=1)
    with blames(ah.errors.UnknownNameError):
        run.contact_losses
