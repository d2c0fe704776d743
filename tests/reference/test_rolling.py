r"""Rolling bodies against the laws of Newton and Euler, closed forms and a description by Euler's angles.

For a body whose point $\rho(\gamma)$ touches a table that moves with $V(x, y)$, with $\gamma = R^{\mathsf T}e_3$ and $\dot\gamma = \gamma\times w$,

.. math::
   v = V - R(w\times\rho), \qquad F = m(\dot v - \mathbf g), \qquad I\dot w + w\times Iw = \rho\times R^{\mathsf T}F + \lambda\gamma

are three linear equations for $\dot w$ (four with $\lambda$, where the body cannot twist), solved here in numbers alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.catalogue import ENTRIES
from tests.wording import blames

TIMES = np.linspace(0.0, 6.0, 121)
Vector = np.ndarray


@dataclass(frozen=True)
class Body:
    """What the laws need to know, in numbers: they share nothing with the declaration but its parameters."""

    system: ah.System
    rho: Callable[[Vector], Vector]
    inertia: Vector
    m: float
    gravity: Vector = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))
    turning: float = 0.0
    twists: bool = True


def bodies() -> dict[str, Body]:
    e3, moments = np.array([0.0, 0.0, 1.0]), [0.3, 0.5, 0.6]
    axes = np.array([0.5, 0.3, 0.2])
    skew = np.array([[0.02, -0.004, 0], [-0.004, 0.05, 0], [0, 0, 0.06]])

    def ball(r: float) -> Callable[[Vector], Vector]:
        return lambda gamma: -r * gamma

    def disc(gamma: Vector) -> Vector:
        flat = gamma * [1, 1, 0]
        return np.asarray(-0.8 * flat / np.sqrt(flat @ flat))

    def ellipsoid(gamma: Vector) -> Vector:
        return np.asarray(0.07 * e3 - axes**2 * gamma / np.sqrt(gamma @ (axes**2 * gamma)))

    slope = 9.81 * np.array([np.sin(0.2), 0, -np.cos(0.2)])
    return {
        "ball": Body(catalogue.rolling_ball(1.4, 0.3, 0.6), ball(0.6), 0.3 * np.eye(3), 1.4),
        "turntable": Body(catalogue.ball_on_turntable(1.4, 0.3, 0.6, -1.7), ball(0.6), 0.3 * np.eye(3), 1.4, turning=-1.7),
        "inclined": Body(
            catalogue.ball_on_inclined_turntable(1.4, 0.3, 0.6, 1.7, 0.2), ball(0.6), 0.3 * np.eye(3), 1.4, slope, 1.7
        ),
        "Chaplygin": Body(catalogue.chaplygin_ball(1.4, *moments, 0.7), ball(0.7), np.diag(moments), 1.4),
        "rubber": Body(catalogue.rubber_ball(1.4, *moments, 0.7), ball(0.7), np.diag(moments), 1.4, twists=False),
        "Routh": Body(
            catalogue.routh_sphere(1.4, 0.3, 0.5, 0.9, 0.2), lambda gamma: -0.9 * gamma - 0.2 * e3, np.diag([0.3, 0.3, 0.5]), 1.4
        ),
        "rattleback": Body(
            catalogue.rattleback(1.4, 0.02, 0.05, 0.06, -0.004, *axes, h=0.07), ellipsoid, skew, 1.4
        ),
        "disc": Body(catalogue.leaning_disc_quaternion(1.4, 0.45, 0.22, 0.8), disc, np.diag([0.22, 0.22, 0.45]), 1.4),
    }  # fmt: skip


def law(body: Body, R: Vector, w: Vector, place: Vector) -> tuple[Vector, Vector]:
    r"""$\dot w$ and $\dot v$ by the laws; the slope of $\rho$ by a complex step, which is exact."""
    gamma, e3, step = R[2], np.array([0.0, 0.0, 1.0]), 1e-30
    rho, V = body.rho(gamma), body.turning * np.cross(e3, place)
    drho = np.imag(body.rho(gamma + 1j * step * np.cross(gamma, w))) / step
    v = V - R @ np.cross(w, rho)
    coasting = body.turning * np.cross(e3, v) - R @ (np.cross(w, drho) + np.cross(w, np.cross(w, rho)))

    def unbalanced(dw: Vector) -> Vector:
        push = R.T @ (body.m * (coasting - R @ np.cross(dw, rho) - body.gravity))
        return np.asarray(body.inertia @ dw + np.cross(w, body.inertia @ w) - np.cross(rho, push))

    rest = unbalanced(np.zeros(3))
    matrix = np.column_stack([unbalanced(e) - rest for e in np.eye(3)])
    if body.twists:
        dw = np.linalg.solve(matrix, -rest)
    else:
        # gamma . w' = 0, since gamma' . w = 0.
        bordered = np.block([[matrix, -gamma[:, None]], [gamma[None], np.zeros((1, 1))]])
        dw = np.linalg.solve(bordered, [*-rest, 0.0])[:3]
    return dw, coasting - R @ np.cross(dw, rho)


@pytest.mark.parametrize("name", bodies())
def test_newton_and_euler(name: str) -> None:
    body, rng = bodies()[name], np.random.default_rng(7)
    equations = body.system.derive()
    for _ in range(4):
        q, w, (x, y) = rng.normal(size=4), rng.normal(size=3), rng.normal(size=2)
        q /= np.linalg.norm(q)
        R = ah.groups.SO3().adjoint(q)
        if not body.twists:
            w -= R[2] * (R[2] @ w)
        dw, dv = law(body, R, w, np.array([x, y, 0.0]))
        state = {**{f"q{k}": q[k] for k in range(4)}, **{f"w{k + 1}": w[k] for k in range(3)}, "x": x, "y": y}
        got = equations.accelerations(state)
        np.testing.assert_allclose([got[f"w{k}'"] for k in (1, 2, 3)], dw, rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose([got["x''"], got["y''"]], dv[:2], rtol=1e-11, atol=1e-11)


AT_FIRST = {"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0}


@pytest.mark.parametrize(("I", "ratio"), [(2 / 5, 2 / 7), (2 / 3, 2 / 5), (1.3, 1.3 / 2.3)])
def test_turntable(I: float, ratio: float) -> None:
    r"""A solid ball circles at $\tfrac27\Omega$, a hollow one at $\tfrac25\Omega$, $I$ in units of $mr^2$.

    Classical: Routh, Advanced Part; Neimark and Fufaev; Bloch. With $c = \mathbf x_0 + e_3\times\mathbf v_0/(k\Omega)$ the motion is
    $\mathbf x = c + (\cos + \sin\,e_3\times)(\mathbf x_0 - c)$ at the angle $k\Omega t$.
    """
    m, r, Omega = 1.7, 0.6, 2.3
    start = {**AT_FIRST, "x": 0.4, "y": -0.3, "w1": 0.7, "w2": -1.1, "w3": 2.0}
    run = catalogue.ball_on_turntable(m, I * m * r**2, r, Omega).simulate(start, times=TIMES)
    place, velocity = 0.4 - 0.3j, r * (-1.1 - 0.7j) + 1j * Omega * (0.4 - 0.3j)
    centre = place + 1j * velocity / (ratio * Omega)
    expected = centre + (place - centre) * np.exp(1j * ratio * Omega * TIMES)
    np.testing.assert_allclose(run["x"].values + 1j * run["y"].values, expected, atol=1e-12)


def test_inclined_turntable() -> None:
    r"""A trochoid: $\dot{\mathbf x} - u$ turns at $k\Omega$, where $u = (0, mr^2g\sin\alpha/(I\Omega))$ is the drift."""
    m, I, r, Omega, alpha, g = 1.7, 0.3, 0.6, 2.3, 0.4, 9.7
    k = I / (I + m * r**2)
    start = {**AT_FIRST, "x": 0.4, "y": -0.3, "w1": 0.7, "w2": -1.1, "w3": 2.0}
    run = catalogue.ball_on_inclined_turntable(m, I, r, Omega, alpha, g).simulate(start, times=TIMES)
    drift = 1j * m * r**2 * g * np.sin(alpha) / (I * Omega)
    velocity = r * (-1.1 - 0.7j) + 1j * Omega * (0.4 - 0.3j)
    turned = (velocity - drift) * (np.exp(1j * k * Omega * TIMES) - 1) / (1j * k * Omega)
    np.testing.assert_allclose(run["x"].values + 1j * run["y"].values, 0.4 - 0.3j + drift * TIMES + turned, atol=1e-11)


@pytest.mark.parametrize(("I", "swings"), [(2 / 5, np.sqrt(2 / 7)), (2 / 3, np.sqrt(2 / 5))])
def test_cylinder(I: float, swings: float) -> None:
    r"""In one turn around the cylinder a solid ball swings up and down $\sqrt{2/7}$ times, whatever gravity and sizes are."""
    m, r, a, g = 1.3, 0.25, 1.1, 3.7
    start = {**AT_FIRST, "phi": 0.3, "z": 2.0, "w1": 1.0, "w2": -2.0, "w3": 9.0}
    system = catalogue.ball_in_cylinder(m, I * m * r**2, r, a, g)
    turn = -r * 9.0 / (a - r)
    period = 2 * np.pi / (abs(turn) * swings)
    run = system.simulate(start, times=[0.0, period / 2, period, 2 * period])
    z, dz = run["z"].values, run["z'"].values
    np.testing.assert_allclose(z[2:], z[0], atol=1e-11)
    np.testing.assert_allclose(dz, dz[0] * np.array([1, -1, 1, 1]), atol=1e-11)
    omega_n = np.cos(0.3) * 1.0 + np.sin(0.3) * -2.0
    middle = 2.0 - r * omega_n / turn - (1 - swings**2) * g / (swings * turn) ** 2
    assert (z[0] + z[1]) / 2 == pytest.approx(middle, abs=1e-11)


def angles_ball() -> ah.System:
    r"""Chaplygin's ball by Euler's angles, $R = R_z(\psi)R_x(\theta)R_z(\varphi)$; singular where $\sin\theta = 0$."""
    w1, w2 = "(psi'*sin(theta)*sin(phi) + theta'*cos(phi))", "(psi'*sin(theta)*cos(phi) - theta'*sin(phi))"
    return ah.System(
        name="Chaplygin ball by angles",
        coordinates={"psi": "angle", "theta": "angle", "phi": "angle", "x": "length", "y": "length"},
        lagrangian=f"I1/2*{w1}^2 + I2/2*{w2}^2 + I3/2*(psi'*cos(theta) + phi')^2 + m/2*(x'^2 + y'^2)",
        constraints=[
            "x' = r*(theta'*sin(psi) - phi'*sin(theta)*cos(psi))",
            "y' = -r*(theta'*cos(psi) + phi'*sin(theta)*sin(psi))",
        ],
        parameters={"m": 1.0, "I1": 0.3, "I2": 0.5, "I3": 0.6, "r": 1.0},
    )


def angles_of(R: Vector, w: Vector) -> dict[str, float]:
    """Euler's angles and their rates."""
    theta, psi, phi = np.arccos(R[2, 2]), np.arctan2(R[0, 2], -R[1, 2]), np.arctan2(R[2, 0], R[2, 1])
    turn = (w[0] * np.sin(phi) + w[1] * np.cos(phi)) / np.sin(theta)
    rates = {"psi'": turn, "theta'": w[0] * np.cos(phi) - w[1] * np.sin(phi), "phi'": w[2] - turn * np.cos(theta)}
    return {"psi": psi, "theta": theta, "phi": phi, **rates}


def test_quaternions_sail_through_the_singularity_of_eulers_angles() -> None:
    system, w = catalogue.chaplygin_ball(), np.array([1.0, -0.7, 0.4])
    back = system.simulate({**AT_FIRST, "x": 0, "y": 0, "w1": -1.0, "w2": 0.7, "w3": -0.4}, until=2.0)
    names = ("q0", "q1", "q2", "q3", "w1", "w2", "w3", "x", "y")
    # Turned round, the ball runs through the attitude where it began, in which Euler's angles are singular.
    start = {name: float(back[name].values[-1]) * (-1 if name[0] == "w" else 1) for name in names}
    run = system.simulate(start, times=np.linspace(0, 4, 201))
    np.testing.assert_allclose(run.data["q"].values[100], [1, 0, 0, 0, 0, 0], atol=1e-13)
    np.testing.assert_allclose(run.data["velocity"].values[100, :3], w, atol=1e-13)
    matrices = np.array([ah.groups.SO3().adjoint(q[:4]) for q in run.data["q"].values])
    body_rates = run.data["velocity"].values[:, :3]

    # Both descriptions on either side of it.
    for first, last in ((0, 90), (110, 200)):
        at = {**angles_of(matrices[first], body_rates[first]), "x": float(run["x"][first]), "y": float(run["y"][first])}
        angles = angles_ball().simulate(at, times=run.time.values[first:last] - run.time.values[first])
        psi, theta, phi = (angles[name].values for name in ("psi", "theta", "phi"))
        third = np.array([np.sin(theta) * np.sin(psi), -np.sin(theta) * np.cos(psi), np.cos(theta)]).T
        vertical = np.array([np.sin(theta) * np.sin(phi), np.sin(theta) * np.cos(phi), np.cos(theta)]).T
        np.testing.assert_allclose(third, matrices[first:last, :, 2], atol=1e-11)
        np.testing.assert_allclose(vertical, matrices[first:last, 2], atol=1e-11)
        np.testing.assert_allclose(angles["x"], run["x"].values[first:last], atol=1e-11)
        np.testing.assert_allclose(angles["y"], run["y"].values[first:last], atol=1e-11)
    with blames(ah.Error):
        angles_ball().derive().accelerations(
            {"psi": 0, "theta": 0, "phi": 0, "x": 0, "y": 0, "psi'": 1, "theta'": 1, "phi'": 0}
        )


@pytest.mark.parametrize("seed", range(3))
def test_the_disc_by_angles_and_by_quaternions(seed: int) -> None:
    r"""The same $\dot w$, with $w_1 = -\dot\theta\cos\varphi - \dot\psi\cos\theta\sin\varphi$, $w_2 = \dot\theta\sin\varphi - \dot\psi\cos\theta\cos\varphi$,
    $w_3 = \dot\varphi - \dot\psi\sin\theta$."""
    rng, p = np.random.default_rng(seed), (1.4, 0.45, 0.22, 0.8)
    psi, phi = rng.uniform(-3, 3, 2)
    theta, (dpsi, dtheta, dphi) = rng.uniform(-1.2, 1.2), rng.normal(size=3)
    state = {"x": 0, "y": 0, "psi": psi, "theta": theta, "phi": phi, "psi'": dpsi, "theta'": dtheta, "phi'": dphi}
    got = catalogue.leaning_disc(*p).derive().accelerations(state)
    ddpsi, ddtheta, ddphi = (got[f"{name}''"] for name in ("psi", "theta", "phi"))
    sin, cos, lean = np.sin(phi), np.cos(phi), dpsi * np.cos(theta)
    dlean = ddpsi * np.cos(theta) - dpsi * dtheta * np.sin(theta)
    w = -dtheta * cos - lean * sin, dtheta * sin - lean * cos, dphi - dpsi * np.sin(theta)
    dw = [
        -ddtheta * cos + dtheta * dphi * sin - dlean * sin - lean * dphi * cos,
        ddtheta * sin + dtheta * dphi * cos - dlean * cos + lean * dphi * sin,
        ddphi - ddpsi * np.sin(theta) - dpsi * dtheta * np.cos(theta),
    ]
    group = ah.groups.SO3()
    # Heading, then the lean that carries the axle from up to left, then the roll.
    q = group.multiply(
        group.exp(np.array([0, 0, psi])),
        group.multiply(group.exp(np.array([-np.pi / 2 - theta, 0, 0])), group.exp(np.array([0, 0, phi]))),
    )
    here = {**{f"q{k}": q[k] for k in range(4)}, **{f"w{k + 1}": w[k] for k in range(3)}, "x": 0, "y": 0}
    other = catalogue.leaning_disc_quaternion(*p).derive().accelerations(here)
    np.testing.assert_allclose([other[f"w{k}'"] for k in (1, 2, 3)], dw, rtol=1e-11, atol=1e-11)


@pytest.mark.exhaustive
def test_a_rattleback_reverses_without_losing_energy() -> None:
    """Shape, inertia and spin of Kane and Levinson (1982), the behaviour that Bondi (1986) explains."""
    entry = ENTRIES["rattleback"]
    run = catalogue.rattleback().simulate(entry.start, until=10.0, events={"reversal": "w3"})
    assert 4.0 < run.events.item() < 4.2  # one reversal, and when
    assert run["w3"].values[0] == -5.0
    assert run["w3"].values.max() > 4.0
    np.testing.assert_allclose(run.energy, run.energy[0], rtol=1e-13)
