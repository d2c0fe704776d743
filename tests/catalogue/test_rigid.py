"""Bodies that roll, and bodies about a fixed point: their facts, against closed forms, integrals and one another."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.catalogue import ENTRIES
from anholonomy.public.system import Motion
from tests.catalogue.checks import Checks, constant, motion, registers, stated, values

CHECKS: Checks = {}
fact = registers(CHECKS)
CLAIMED: Checks = {}
claimed = registers(CLAIMED)

RIGID = (
    "rolling-ball",
    "ball-on-turntable",
    "ball-on-inclined-turntable",
    "ball-in-cylinder",
    "chaplygin-ball",
    "rubber-ball",
    "routh-sphere",
    "suslov",
    "veselova",
    "rattleback",
    "leaning-disc-quaternion",
)
"""The entries of this file."""

GRAVITY = 9.81
K = 2 / 7
"""I / (I + m r²) of a homogeneous ball, as the defaults are."""


def test_every_fact_of_a_rigid_entry_has_its_check() -> None:
    assert set(CHECKS) == stated(list(RIGID))


@pytest.mark.exhaustive_for("rattleback")
@pytest.mark.parametrize("key", RIGID)
def test_the_motion_keeps_the_sphere_and_its_constraints_to_rounding(key: str) -> None:
    run = motion(key)
    assert np.abs(run.data["position"].values).max() < 1e-14
    assert np.abs(run.constraint_residual.values).max() < 1e-13


@pytest.mark.parametrize("key", RIGID)
def test_files_hold_the_entry(key: str, tmp_path) -> None:
    system = ENTRIES[key].make()
    system.save(tmp_path / "system.toml")
    assert ah.load(tmp_path / "system.toml") == system


def rotations(run: Motion) -> np.ndarray:
    """The rotation matrices along a motion, body to space."""
    return np.array([ah.groups.SO3().adjoint(q[:4]) for q in run.data["q"].values])


def rates(run: Motion) -> np.ndarray:
    """The angular velocities in the body."""
    return np.asarray(run.data["velocity"].values[:, :3])


def in_space(run: Motion, vectors: np.ndarray) -> np.ndarray:
    return np.einsum("tij,tj->ti", rotations(run), vectors)


def verticals(run: Motion) -> np.ndarray:
    return rotations(run)[:, 2]


def steady(vectors: np.ndarray, tolerance: float = 1e-12) -> bool:
    return bool(np.ptp(vectors, axis=0).max() <= tolerance * max(1.0, np.abs(vectors).max()))


@fact("rolling-ball", "the centre moves on a straight line at constant speed")
def _() -> None:
    run = motion("rolling-ball")
    # From the identity, so that body and space axes coincide: v = r (w2, -w1).
    np.testing.assert_allclose(run["x"], 0.5 * 2.0 * run.time.values, atol=1e-12)
    np.testing.assert_allclose(run["y"], -0.5 * 1.0 * run.time.values, atol=1e-12)


@claimed("rolling-ball", "the angular velocity is constant")
def _() -> None:
    run = motion("rolling-ball")
    assert steady(rates(run))
    np.testing.assert_allclose(in_space(run, rates(run)), np.tile([1.0, 2.0, -1.5], (len(run.time), 1)), atol=1e-12)


@fact("rolling-ball", "no friction is needed")
def _() -> None:
    assert np.abs(motion("rolling-ball").data["multiplier"].values).max() < 1e-13


@fact("ball-on-turntable", "x'' = k Omega e3 x x' with k = I / (I + m r^2)")
def _() -> None:
    run = catalogue.ball_on_turntable(m=1.3, I=0.7, r=0.6, Omega=-1.1).simulate(
        ENTRIES["ball-on-turntable"].start, until=5.0
    )
    k, (dx, dy, ddx, ddy) = 0.7 / (0.7 + 1.3 * 0.36), values(run, "x'", "y'", "x''", "y''")
    np.testing.assert_allclose(ddx, 1.1 * k * dy, atol=1e-12)
    np.testing.assert_allclose(ddy, -1.1 * k * dx, atol=1e-12)


def _circle() -> tuple[Motion, np.ndarray, np.ndarray]:
    """The motion on the turntable, where its circle must have its centre, and its first velocity."""
    run = motion("ball-on-turntable")
    x, v = np.array([1.0, 0.0]), 0.5 * np.array([1.0, -2.0]) + [0.0, 2.0]  # rolling, and the table below it
    return run, x + np.array([-v[1], v[0]]) / (K * 2.0), v


@fact("ball-on-turntable", "the centre runs on a circle at the rate 2/7 Omega if the ball is homogeneous")
def _() -> None:
    run, centre, _ = _circle()
    x, y = values(run, "x", "y")
    angle = np.unwrap(np.arctan2(y - centre[1], x - centre[0]))
    np.testing.assert_allclose(angle - angle[0], 2 / 7 * 2.0 * run.time.values, atol=1e-12)


@fact("ball-on-turntable", "the centre of the circle is x + e3 x x' / (k Omega), its radius |x'| / (k Omega)")
def _() -> None:
    run, centre, v = _circle()
    x, y = values(run, "x", "y")
    np.testing.assert_allclose(np.hypot(x - centre[0], y - centre[1]), np.hypot(*v) / (K * 2.0), rtol=1e-12)


@claimed("ball-on-turntable", "the spin about the vertical is constant")
def _() -> None:
    run = motion("ball-on-turntable")
    np.testing.assert_allclose(in_space(run, rates(run))[:, 2], 0.5, atol=1e-12)


@claimed(
    "ball-on-turntable",
    "the energy is not conserved, energy minus Omega times the angular momentum about the axle is",
)
def _() -> None:
    run = motion("ball-on-turntable")
    x, y, dx, dy = values(run, "x", "y", "x'", "y'")
    spin = in_space(run, rates(run))[:, 2]
    assert constant(run.energy.values - 2.0 * (x * dy - y * dx + 0.1 * spin))
    assert np.ptp(run.energy.values) > 0.5


@fact("ball-on-inclined-turntable", "x'' = k Omega e3 x x' + (1 - k) g sin(alpha) e1 with k = I / (I + m r^2)")
def _() -> None:
    run = catalogue.ball_on_inclined_turntable(m=1.3, I=0.7, r=0.6, Omega=2.1, alpha=0.3).simulate(
        {**ENTRIES["ball-on-inclined-turntable"].start, "w1": 1.0, "w3": -2.0, "y": 0.4}, until=5.0
    )
    k, (dx, dy, ddx, ddy) = 0.7 / (0.7 + 1.3 * 0.36), values(run, "x'", "y'", "x''", "y''")
    np.testing.assert_allclose(ddx, -2.1 * k * dy + (1 - k) * GRAVITY * np.sin(0.3), atol=1e-12)
    np.testing.assert_allclose(ddy, 2.1 * k * dx, atol=1e-12)


@fact("ball-on-inclined-turntable", "the mean drift is along the contour line, at m r^2 g sin(alpha) / (I Omega)")
def _() -> None:
    turns = 3 * 2 * np.pi / (K * 4.0)
    x, y = values(motion("ball-on-inclined-turntable", until=turns, w1=0.4, w3=1.0), "x", "y")
    assert abs(x[-1] - x[0]) < 1e-10
    assert (y[-1] - y[0]) / turns == pytest.approx(2.5 * GRAVITY * np.sin(0.1) / 4.0, rel=1e-11)


@fact(
    "ball-on-inclined-turntable",
    "without rotation it rolls down with (1 - k) g sin(alpha), 5/7 of sliding if the ball is homogeneous",
)
def _() -> None:
    at_rest = catalogue.ball_on_inclined_turntable(Omega=0.0)
    run = at_rest.simulate(ENTRIES["ball-on-inclined-turntable"].start, until=3.0)
    np.testing.assert_allclose(run["x"], 5 / 14 * GRAVITY * np.sin(0.1) * run.time.values**2, atol=1e-12)
    assert np.abs(run["y"].values).max() < 1e-14


@claimed("ball-in-cylinder", "phi' is constant")
def _() -> None:
    np.testing.assert_allclose(motion("ball-in-cylinder")["phi'"], 0.2 * 16 / 0.8, rtol=1e-12)


@fact(
    "ball-in-cylinder",
    "the height oscillates harmonically at sqrt(k) phi' with k = I / (I + m r^2), sqrt(2/7) phi' if homogeneous",
)
def _() -> None:
    for start in ({}, {"w1": 3.0, "w2": 2.0}):
        run = motion("ball-in-cylinder", **start)
        turn, omega_n, rise = 4.0, start.get("w1", 0.0), 0.2 * start.get("w2", 0.0)
        rate, middle = np.sqrt(K) * turn, -(0.2 * omega_n / turn + (1 - K) * GRAVITY / (K * turn**2))
        t = run.time.values
        np.testing.assert_allclose(
            run["z"], middle * (1 - np.cos(rate * t)) + rise / rate * np.sin(rate * t), atol=1e-11
        )


@claimed("ball-in-cylinder", "r omega_n - phi' z is constant, with omega_n the angular velocity along the normal")
def _() -> None:
    run = motion("ball-in-cylinder", w1=3.0, w2=2.0)
    phi, z, turn = values(run, "phi", "z", "phi'")
    omega = in_space(run, rates(run))
    assert constant(0.2 * (np.cos(phi) * omega[:, 0] + np.sin(phi) * omega[:, 1]) - turn * z, 1e-11)


BALL = np.array([0.3, 0.5, 0.6])
"""The moments of Chaplygin's ball and of the rubber ball; m r² is 1."""


@claimed("chaplygin-ball", "the angular momentum about the contact point is a constant vector in space")
def _() -> None:
    run = motion("chaplygin-ball", until=100.0)
    w, gamma = rates(run), verticals(run)
    momentum = BALL * w + np.cross(gamma, np.cross(w, gamma))
    assert steady(in_space(run, momentum), 1e-11)
    assert np.ptp(momentum, axis=0).min() > 0.1
    assert not steady(in_space(run, BALL * w), 1e-2)  # about the centre it is not


def unmeasured(equations: ah.Equations, state: dict[str, float]) -> float:
    r"""The divergence $\sum_a\partial\dot w_a/\partial w_a$ of the flow of $(w, \gamma)$, at a fixed attitude.

    The turning of $\gamma$ contributes nothing. The accelerations are quadratic in $w$, so central differences are exact,
    whatever the step.
    """
    total = 0.0
    for name in ("w1", "w2", "w3"):
        up, down = ({**state, name: state[name] + step} for step in (0.5, -0.5))
        total += equations.accelerations(up)[name + "'"] - equations.accelerations(down)[name + "'"]
    return total


def states(run: Motion, every: int) -> list[dict[str, float]]:
    names = [*map(str, run.data["coordinate"].values), "w1", "w2", "w3"]
    return [{name: float(run[name].values[k]) for name in names} for k in range(0, len(run.time), every)]


@claimed(
    "chaplygin-ball",
    "sqrt(1 - D gamma.A gamma) is the density of an invariant measure of (w, gamma), A = (I + D)^-1, D = m r^2",
)
def _() -> None:
    run = motion("chaplygin-ball")
    equations, A, largest = run.system.derive(), 1 / (BALL + 1.0), 0.0
    for state, w, gamma in zip(states(run, 25), rates(run)[::25], verticals(run)[::25], strict=True):
        # ln rho = 1/2 ln(1 - gamma.A gamma), and gamma' = gamma x w.
        growth = -np.cross(gamma, w) @ (A * gamma) / (1 - gamma @ (A * gamma))
        largest = max(largest, abs(growth))
        assert abs(growth + unmeasured(equations, state)) < 1e-11
    assert largest > 0.05


@fact("chaplygin-ball", "with equal moments it is the rolling ball")
def _() -> None:
    start = ENTRIES["chaplygin-ball"].start
    one = catalogue.chaplygin_ball(m=1.0, I1=0.1, I2=0.1, I3=0.1, r=0.5).simulate(start, until=5.0)
    other = catalogue.rolling_ball().simulate(start, until=5.0)
    np.testing.assert_allclose(one.data["q"], other.data["q"], atol=1e-13)


@claimed("rubber-ball", "the horizontal components of the angular momentum about the contact point are constant")
def _() -> None:
    run = motion("rubber-ball")
    momentum = in_space(run, (BALL + 1.0) * rates(run))
    assert steady(momentum[:, :2], 1e-11)
    assert np.ptp(momentum[:, 2]) > 0.1
    assert np.abs(in_space(run, rates(run))[:, 2]).max() < 1e-13


@fact("rubber-ball", "it turns as Veselova's body does with the moments I + m r^2")
def _() -> None:
    run, start = motion("rubber-ball"), ENTRIES["veselova"].start
    body = catalogue.veselova(*(BALL + 1.0)).simulate(start, times=run.time.values)
    np.testing.assert_allclose(run.data["q"].values[:, :4], body.data["q"], atol=1e-11)


@fact("rubber-ball", "with equal moments the angular velocity is constant")
def _() -> None:
    start = ENTRIES["rubber-ball"].start
    assert steady(rates(catalogue.rubber_ball(I1=0.4, I2=0.4, I3=0.4).simulate(start, until=5.0)))


def _routh() -> tuple[Motion, np.ndarray, np.ndarray]:
    """A motion of Routh's sphere, its rates, and the contact point in the body."""
    run = motion("routh-sphere")
    return run, rates(run), -1.0 * verticals(run) - 0.2 * np.array([0.0, 0.0, 1.0])


SPHERE = np.array([0.35, 0.35, 0.4])


@claimed("routh-sphere", "Jellett's integral: I w . rho is constant")
def _() -> None:
    _, w, rho = _routh()
    assert constant(np.einsum("ti,ti->t", SPHERE * w, rho))
    assert np.ptp(np.einsum("ti,ti->t", w, rho)) > 1e-2


@claimed("routh-sphere", "Routh's integral: w3 sqrt(I1 I3 + m rho . I rho) is constant")
def _() -> None:
    _, w, rho = _routh()
    assert constant(w[:, 2] * np.sqrt(0.35 * 0.4 + np.einsum("ti,ti->t", rho, SPHERE * rho)))
    assert np.ptp(w[:, 2]) > 0.1


@fact("routh-sphere", "at rest with the centre of mass lowest it rocks at sqrt(m g a / (I1 + m (r - a)^2))")
def _() -> None:
    tilt, rate = 1e-6, np.sqrt(GRAVITY * 0.2 / (0.35 + 0.8**2))
    upside_down = {"q0": np.sin(tilt / 2), "q1": np.cos(tilt / 2), "w1": 0.0, "w2": 0.0, "w3": 0.0}
    run = motion("routh-sphere", until=6.0, **upside_down)
    q0 = run["q0"].values  # half of the tilt, to third order
    np.testing.assert_allclose(q0, tilt / 2 * np.cos(rate * run.time.values), atol=1e-15)


@fact("routh-sphere", "with a = 0 it is Chaplygin's ball with two equal moments")
def _() -> None:
    start = ENTRIES["routh-sphere"].start
    one = catalogue.routh_sphere(a=0.0).simulate(start, until=5.0)
    other = catalogue.chaplygin_ball(1.0, 0.35, 0.35, 0.4, 1.0).simulate(start, until=5.0)
    np.testing.assert_allclose(one.data["q"], other.data["q"], atol=1e-12)


@fact("suslov", "w = alpha tanh(kappa (t - t0)) + beta sech(kappa (t - t0))")
def _() -> None:
    run = motion("suslov")
    w, b = rates(run)[:, :2], np.array([0.3, -0.2])
    twice_energy = 1.0 * 1 + 1.5 * 4
    alpha, beta = np.array([0.2, 0.3]), b / [1.0, 1.5]
    alpha, beta = (v * np.sqrt(twice_energy / (v @ ([1.0, 1.5] * v))) for v in (alpha, beta))
    kappa = (b @ beta) / np.sqrt(1.5)
    # At the start w = (1, -2), whose component along alpha says when it began.
    tau = kappa * run.time.values + np.arctanh(alpha @ ([1.0, 1.5] * w[0]) / twice_energy)
    np.testing.assert_allclose(w, np.outer(np.tanh(tau), alpha) + np.outer(1 / np.cosh(tau), beta), atol=1e-12)


@fact("suslov", "every motion tends to a steady rotation with I13 w1 + I23 w2 = 0, from the opposite one")
def _() -> None:
    for w1, w2 in ((1.0, -2.0), (-0.3, 0.7), (2.0, 1.0)):
        last = rates(motion("suslov", until=200.0, w1=w1, w2=w2))[-1]
        backwards = rates(motion("suslov", until=200.0, w1=-w1, w2=-w2))[-1]
        assert abs(0.3 * last[0] - 0.2 * last[1]) < 1e-12
        assert 0.3 * last[1] + 0.2 * last[0] > 0
        # The motion run backwards in time is the motion of -w; it ends at the opposite of where w came from.
        np.testing.assert_allclose(backwards, last, atol=1e-11)


@fact("suslov", "w1 and w2 are constant if the forbidden axis is principal")
def _() -> None:
    run = catalogue.suslov(I12=0.4, I13=0.0, I23=0.0).simulate(ENTRIES["suslov"].start, until=10.0)
    assert steady(rates(run))


MOMENTS = np.array([1.0, 2.0, 2.5])


@claimed("veselova", "the horizontal components of the angular momentum are constant in space")
def _() -> None:
    run = motion("veselova")
    momentum = in_space(run, MOMENTS * rates(run))
    assert steady(momentum[:, :2], 1e-11)
    assert np.ptp(momentum[:, 2]) > 0.1


@claimed("veselova", "sqrt(gamma . I^-1 gamma) is the density of an invariant measure of (w, gamma)")
def _() -> None:
    # A divergence needs states beside the constraint: any value of w . gamma is constant, with the same equations.
    beside = ah.System(
        name="Veselova, turning", group="SO3", kinetic=["I1", "I2", "I3"], constraints=["R31*w1 + R32*w2 + R33*w3 = c"],
        parameters={"I1": 1.0, "I2": 2.0, "I3": 2.5, "c": None},
    )  # fmt: skip
    equations, largest = beside.derive("udwadia-kalaba"), 0.0
    run = motion("veselova", until=10.0)
    for state, w, gamma in zip(states(run, 20), rates(run)[::20], verticals(run)[::20], strict=True):
        growth = np.cross(gamma, w) @ (gamma / MOMENTS) / (gamma @ (gamma / MOMENTS))
        largest = max(largest, abs(growth))
        divergence = 0.0
        for a, name in enumerate(("w1", "w2", "w3")):
            for step in (0.5, -0.5):
                there = {**state, name: state[name] + step, "c": step * gamma[a]}
                divergence += equations.accelerations(there)[name + "'"] * np.sign(step)
        assert abs(growth + divergence) < 1e-11
    assert largest > 0.1


@fact("veselova", "the reaction is a couple about the vertical")
def _() -> None:
    run = motion("veselova")
    couple = run.data["reaction"].values
    np.testing.assert_allclose(np.cross(couple, verticals(run)), 0, atol=1e-12)
    assert np.abs(couple).max() > 0.1


def _spun(spin: float, until: float, **parameters: float) -> np.ndarray:
    start = {**ENTRIES["rattleback"].start, "w3": spin}
    run = catalogue.rattleback(**parameters).simulate(start, until=until)
    assert constant(run.energy.values)
    return np.asarray(run["w3"].values)


@fact("rattleback", "spun the wrong way it reverses")
def _() -> None:
    spin = _spun(-5.0, 10.0)
    assert spin[0] == -5.0
    assert spin.max() > 4.0
    turned = np.flatnonzero(np.diff(np.sign(spin)))
    assert len(turned) == 1
    assert 3.5 < 10.0 * turned[0] / (len(spin) - 1) < 4.5


@fact("rattleback", "spun the right way it does not reverse in the same time")
def _() -> None:
    assert _spun(5.0, 10.0).min() > 1.0


@fact("rattleback", "mirrored, I12 -> -I12, it reverses when spun the other way")
def _() -> None:
    # Reflected in the plane of its second and third axis; the tilt about the first keeps, its rate too.
    np.testing.assert_allclose(_spun(5.0, 3.0, I12=2e-5), -_spun(-5.0, 3.0), atol=1e-9)
    assert _spun(5.0, 10.0, I12=2e-5).min() < -4.0


@fact("rattleback", "without skewness, I12 = 0, it spins on")
def _() -> None:
    for spin in (5.0, -5.0):
        assert (np.sign(spin) * _spun(spin, 10.0, I12=0.0)).min() > 4.99


@fact("leaning-disc-quaternion", "it moves as the leaning disc by angles does")
def _() -> None:
    run = motion("leaning-disc-quaternion")
    angles = catalogue.leaning_disc().simulate(ENTRIES["leaning-disc"].start, times=run.time.values)
    psi, theta, phi, x, y = values(angles, "psi", "theta", "phi", "x", "y")
    np.testing.assert_allclose(run["x"], x - np.sin(theta) * np.sin(psi), atol=1e-11)
    np.testing.assert_allclose(run["y"], y + np.sin(theta) * np.cos(psi), atol=1e-11)
    heading = np.array([np.cos(psi), np.sin(psi), 0 * psi])
    up = np.array([-np.sin(theta) * np.sin(psi), np.sin(theta) * np.cos(psi), np.cos(theta)])
    first = np.cos(phi) * heading - np.sin(phi) * up
    axle = np.cross(up, heading, axis=0)
    np.testing.assert_allclose(rotations(run)[:, :, 0], first.T, atol=1e-11)
    np.testing.assert_allclose(rotations(run)[:, :, 2], axle.T, atol=1e-11)


@fact(
    "leaning-disc-quaternion",
    "(I + m R^2) w3' = m R^2 wc theta' and J wc' = (I w3 + J wc tan(theta)) theta' with wc the rate about the"
    " diameter through the contact: w3 and wc depend on the lean theta alone",
)
def _() -> None:
    run = motion("leaning-disc-quaternion")
    w, gamma = rates(run), verticals(run)
    dw = np.array(values(run, "w1'", "w2'", "w3'")).T
    dgamma, sigma = np.cross(gamma, w), np.hypot(gamma[:, 0], gamma[:, 1])
    lean_rate, tangent = -dgamma[:, 2] / sigma, -gamma[:, 2] / sigma  # gamma3 is -sin(theta)
    radius = gamma[:, :2] / sigma[:, None]
    dradius = (dgamma[:, :2] - radius * np.einsum("ti,ti->t", radius, dgamma[:, :2])[:, None]) / sigma[:, None]
    about = np.einsum("ti,ti->t", w[:, :2], radius)
    dabout = np.einsum("ti,ti->t", dw[:, :2], radius) + np.einsum("ti,ti->t", w[:, :2], dradius)
    np.testing.assert_allclose(1.5 * dw[:, 2], about * lean_rate, atol=1e-11)
    np.testing.assert_allclose(0.25 * dabout, (0.5 * w[:, 2] + 0.25 * about * tangent) * lean_rate, atol=1e-11)
    assert np.abs(dabout).max() > 0.1


@pytest.mark.exhaustive_for(
    "chaplygin-ball-sqrt(1 - D gamma.A gamma) is the density",
    "rattleback-mirrored, I12 -> -I12, it reverses when ",
    "rattleback-spun the wrong way it reverses",
    "rattleback-without skewness, I12 = 0, it spins on",
)
@pytest.mark.parametrize(("key", "text"), CHECKS | CLAIMED, ids=lambda value: str(value)[:40])
def test_the_fact_holds(key: str, text: str) -> None:
    (CHECKS | CLAIMED)[key, text]()
