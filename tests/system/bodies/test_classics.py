"""What is known of rolling bodies: turntable, leaning disc, rubber ball; and one body in three descriptions."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from tests.system.bodies.newton_euler import turn

BALL = {"m": 1.0, "I1": 0.5, "I2": 0.7, "I3": 0.9, "r": 1.0, "g": 9.81}


def rolling_ball(on: ah.bodies.Plane | None = None, twist: str = "free", **values: float) -> ah.System:
    body = ah.bodies.RigidBody("ball", mass="m", inertia=["I1", "I2", "I3"])
    return ah.System(
        name="ball", bodies=[body], gravity="g", parameters=BALL | values,
        contacts=[ah.bodies.Rolling(body, surface=ah.bodies.Sphere("r"), on=on or ah.bodies.Plane(), twist=twist)],
    )  # fmt: skip


def euler_ball() -> ah.System:
    """By hand: Z-X-Z angles, with the angular velocity in the body and in space written out."""
    w1 = "(psi'*sin(theta)*sin(phi) + theta'*cos(phi))"
    w2 = "(psi'*sin(theta)*cos(phi) - theta'*sin(phi))"
    return ah.System(
        name="ball in Euler angles", coordinates=["x", "y", "psi", "theta", "phi"],
        lagrangian=f"m*(x'^2 + y'^2)/2 + I1*{w1}^2/2 + I2*{w2}^2/2 + I3*(psi'*cos(theta) + phi')^2/2",
        constraints=[
            "x' = r*(theta'*sin(psi) - phi'*sin(theta)*cos(psi))",
            "y' = -r*(theta'*cos(psi) + phi'*sin(theta)*sin(psi))",
        ],
        parameters={name: value for name, value in BALL.items() if name != "g"},
    )  # fmt: skip


def attitude(psi: float, theta: float, phi: float) -> np.ndarray:
    """The quaternion of Z-X-Z angles."""
    c, s = np.cos(theta / 2), np.sin(theta / 2)
    return np.array(
        [
            c * np.cos((psi + phi) / 2),
            s * np.cos((psi - phi) / 2),
            s * np.sin((psi - phi) / 2),
            c * np.sin((psi + phi) / 2),
        ]
    )


def quaternion_start(angles: tuple[float, float, float], rates: tuple[float, float, float]) -> dict[str, float]:
    (psi, theta, phi), (dpsi, dtheta, dphi) = angles, rates
    w = [
        dpsi * np.sin(theta) * np.sin(phi) + dtheta * np.cos(phi),
        dpsi * np.sin(theta) * np.cos(phi) - dtheta * np.sin(phi),
        dpsi * np.cos(theta) + dphi,
    ]
    names = ("q0", "q1", "q2", "q3", "w1", "w2", "w3")
    return {"x": 0.0, "y": 0.0, "z": 1.0, **dict(zip(names, map(float, [*attitude(psi, theta, phi), *w]), strict=True))}


def test_quaternion_and_euler_angles_give_one_motion() -> None:
    angles, rates, times = (0.3, 1.2, 0.4), (0.5, 0.1, 0.8), [0.0, 1.0, 2.0]
    one = rolling_ball().simulate(quaternion_start(angles, rates), times=times)
    names = ("psi", "theta", "phi")
    start = {
        "x": 0,
        "y": 0,
        **dict(zip(names, angles, strict=True)),
        **{f"{n}'": v for n, v in zip(names, rates, strict=True)},
    }
    two = euler_ball().simulate(start, times=times)
    for k in range(3):
        R = turn(np.array([float(one[f"q{i}"][k]) for i in range(4)]))
        S = turn(attitude(*(float(two[name][k]) for name in names)))
        assert np.abs(R - S).max() < 1e-11
        assert max(abs(float(one[name][k] - two[name][k])) for name in ("x", "y", "x'", "y'")) < 1e-11


def test_the_quaternion_sails_through_the_singularity_of_the_angles() -> None:
    """A ball that rolls about its line of nodes: theta falls through zero at t = 1/2, and nothing happens."""
    run = rolling_ball().simulate(quaternion_start((0.0, 1.0, 0.0), (0.0, -2.0, 0.0)), times=[0.0, 0.5, 1.0, 3.0])
    for k, t in enumerate([0.0, 0.5, 1.0, 3.0]):
        R = turn(np.array([float(run[f"q{i}"][k]) for i in range(4)]))
        assert np.abs(R - turn(attitude(0.0, 1.0 - 2 * t, 0.0))).max() < 1e-12
        assert abs(float(run["y"][k]) - 2 * t) < 1e-12


def test_a_ball_on_a_turntable_circles_at_two_sevenths() -> None:
    system = rolling_ball(ah.bodies.Plane(rotating="Omega"), I1=0.4, I2=0.4, I3=0.4, Omega=3.0)
    start = {"x": 0.5, "y": 0, "z": 1, "q0": 0.6, "q1": 0, "q2": 0.8, "q3": 0, "x'": 0.3, "y'": -0.2, "w3": 0.7}
    period = 2 * np.pi / (2 / 7 * 3.0)
    run = system.simulate(start, times=np.linspace(0, period, 9).tolist())
    z = run["x"].values + 1j * run["y"].values
    v0 = 0.3 - 0.2j
    centre = z[0] - v0 / (1j * 2 / 7 * 3.0)
    assert np.abs(z - centre - (z[0] - centre) * np.exp(2j / 7 * 3.0 * run.time.values)).max() < 1e-12


def test_a_rubber_ball_does_not_pivot() -> None:
    rubber = rolling_ball(twist="none")
    assert [c.label for c in rubber.constraints] == ["height", "slip 1", "slip 2", "twist"]
    start = quaternion_start((0.3, 1.2, 0.4), (0, 0, 0)) | {"w1": 1.0, "w2": 0.5}
    del start["w3"]
    run = rubber.simulate(start, until=2)
    q, w = (
        run.data["q"].sel(coordinate=["q0", "q1", "q2", "q3"]).values,
        run.data["velocity"].sel(direction=["w1", "w2", "w3"]).values,
    )
    assert max(abs((turn(a) @ b)[2]) for a, b in zip(q, w, strict=True)) < 1e-14
    assert rubber.verify(states=2).agree
    assert np.ptp(run.energy.values) < 1e-13


def disc() -> ah.System:
    body = ah.bodies.RigidBody("disc", mass="m", inertia=["J", "J", "I"])
    return ah.System(
        name="disc", bodies=[body], gravity="g", contacts=[ah.bodies.Rolling(body, surface=ah.bodies.Disc("R"), on=ah.bodies.Plane())],
        parameters={"m": 1.0, "I": 0.5, "J": 0.25, "R": 1.0, "g": 9.81},
    )  # fmt: skip


def placed(psi, theta, phi, dpsi, dtheta, dphi) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Radius to the centre, attitude with the axle third, its quaternion, angular velocity in the body: as the catalogue says."""
    forward = np.array([np.cos(psi), np.sin(psi), 0])
    radius = np.array([-np.sin(theta) * np.sin(psi), np.sin(theta) * np.cos(psi), np.cos(theta)])
    axle = np.cross(radius, forward)
    roll = np.array([[np.cos(phi), -np.sin(phi), 0], [np.sin(phi), np.cos(phi), 0], [0, 0, 1]])
    R = np.column_stack([radius, forward, axle]) @ roll
    spin = -dtheta * forward + dpsi * np.cos(theta) * radius + (dphi - dpsi * np.sin(theta)) * axle
    q0 = np.sqrt(1 + np.trace(R)) / 2
    q = np.array([q0, *(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * q0))])
    return radius, R, q, R.T @ spin


def disc_start(*angles: float) -> dict[str, float]:
    radius, _, q, w = placed(*angles)
    names = (*"xyz", "q0", "q1", "q2", "q3", "w1", "w2", "w3")
    return dict(zip(names, map(float, [*radius, *q, *w]), strict=True))


def test_the_disc_is_the_leaning_disc_of_the_catalogue() -> None:
    angles = {"psi": 0.2, "theta": 0.3, "phi": 0.5, "psi'": 0.6, "theta'": 0.1, "phi'": 2.0}
    times = [0.0, 0.5, 1.0]
    two = ah.catalogue.leaning_disc().simulate({"x": 0, "y": 0, **angles}, times=times)
    one = disc().simulate(disc_start(*angles.values()), times=times)
    for k in range(3):
        radius, R, _, w = placed(*(float(two[name][k]) for name in angles))
        contact = np.array([float(two["x"][k]), float(two["y"][k]), 0.0])
        assert np.abs([float(one[n][k]) for n in "xyz"] - (contact + radius)).max() < 1e-11
        assert np.abs(turn(np.array([float(one[f"q{i}"][k]) for i in range(4)])) - R).max() < 1e-11
        assert np.abs([float(one[f"w{i}"][k]) for i in (1, 2, 3)] - w).max() < 1e-11


@pytest.mark.parametrize("theta", [0.3, -0.8])
def test_a_disc_rolls_steadily_where_the_formula_says(theta) -> None:
    m, I, J, R, g = 1.0, 0.5, 0.25, 1.0, 9.81
    rate = 1.5
    w = (m * g * R * np.sin(theta) / (rate * np.cos(theta)) - J * rate * np.sin(theta)) / (I + m * R**2)
    run = disc().simulate(disc_start(0, theta, 0, rate, 0, w + rate * np.sin(theta)), until=1.0)
    assert np.ptp(run["z"].values) < 1e-11
    assert abs(run["w3"].values - w).max() < 1e-11
    force = run.normal_forces.values
    assert np.abs(force - m * g).max() < 1e-10
    assert run.contact_losses == {"height": []}


def test_what_slides_is_pushed_along_the_normal_alone() -> None:
    """Down a slope g sin(alpha) whatever the shape; the energy is kept; the force vanishes across and along."""
    body = ah.bodies.RigidBody("egg", mass="m", inertia=["I1", "I2", "I3"])
    surface, on = ah.bodies.Ellipsoid(0.5, 0.7, 0.9), ah.bodies.Plane(slope="alpha")
    egg = ah.System(
        name="egg", bodies=[body], gravity="g", contacts=[ah.bodies.Sliding(body, surface=surface, on=on)], parameters=BALL | {"alpha": 0.2}
    )  # fmt: skip
    start = quaternion_start((0.3, 0.4, 0.5), (1.0, 0.5, 2.0)) | {"z": 0.8, "x'": 0.0, "y'": 0.1, "z'": 0.0}
    run = egg.simulate(start, until=1.0, project=True)
    along = np.cos(0.2) * run["x''"].values - np.sin(0.2) * run["z''"].values
    assert np.abs(along - 9.81 * np.sin(0.2)).max() < 1e-12
    assert np.abs(run["y''"].values).max() < 1e-12
    assert np.ptp(run.energy.values) < 1e-12
