"""Every entry of the catalogue: the principles agree, its motion keeps what it should, its facts hold."""

from __future__ import annotations

from importlib import import_module
from math import pi
from pathlib import Path

import numpy as np
import pytest

from anholonomy import catalogue
from anholonomy.base.errors import Error
from anholonomy.catalogue import ENTRIES, Entry
from anholonomy.public.system import Motion
from tests.catalogue.checks import NONLINEAR, Checks, constant, motion, registers, stated, values
from tests.wording import blames

every_entry = pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES.keys())

DRIVEN = {"disc-on-circle", "affine-particle", "constant-speed", "ball-on-turntable", "ball-on-inclined-turntable"}
"""Entries whose constraints do work: they move, or are not homogeneous in the velocities."""

CHECKS: Checks = {}
fact = registers(CHECKS)
CLAIMED: Checks = {}
claimed = registers(CLAIMED)


@pytest.mark.exhaustive_for("whipple-bicycle")
@every_entry
def test_the_principles_agree_to_thirty_digits(entry: Entry) -> None:
    verification = entry.make().verify(digits=30)
    assert verification.agree, str(verification)
    assert len(verification.principles) >= 3


@pytest.mark.exhaustive_for("rattleback")
@every_entry
def test_the_motion_stays_on_its_constraints_and_keeps_its_energy(entry: Entry) -> None:
    run = entry.make().simulate(entry.start, until=entry.until)
    assert run.is_complete, run.outcome
    assert np.abs(run.constraint_residual.values).max() < 1e-12
    assert constant(run.energy.values) is (entry.key not in DRIVEN)


@every_entry
def test_every_parameter_may_stay_a_symbol(entry: Entry) -> None:
    system = entry.make()
    free = system.with_parameters(**dict.fromkeys(system.parameters))
    by = "lagrange-dalembert" if entry.key in NONLINEAR else "hamel"
    assert str(free.derive(by)) == str(system.derive(by))


def test_every_fact_has_its_check_and_every_entry_its_references() -> None:
    # They are spread over the files of this folder, each of which holds its own.
    files = [import_module(f"tests.catalogue.{path.stem}") for path in sorted(Path(__file__).parent.glob("test_*.py"))]
    assert {check for file in files for check in file.CHECKS} == stated(list(ENTRIES))
    assert all(entry.references and entry.key == key for key, entry in ENTRIES.items())
    assert {name for name in catalogue.__all__ if name not in ("ENTRIES", "Entry")} == {
        entry.make.__name__ for entry in ENTRIES.values()
    }


@claimed("rolling-disk", "theta' and phi' are constant")
def _() -> None:
    run = motion("rolling-disk")
    assert constant(run["theta'"].values)
    assert constant(run["phi'"].values)


@fact("rolling-disk", "the contact point runs on a circle of radius R |theta'/phi'|")
def _() -> None:
    x, y = values(motion("rolling-disk"), "x", "y")
    # From the origin with heading 0 and theta' = 2, phi' = 1/2, R = 1: centre (0, 4).
    np.testing.assert_allclose(np.hypot(x, y - 4.0), 4.0, rtol=1e-12)


@fact("rolling-disk", "the contact point runs on a straight line when phi' = 0")
def _() -> None:
    x, y = values(motion("rolling-disk", phi=0.4, phi_=0.0), "x", "y")
    np.testing.assert_allclose(y, np.tan(0.4) * x, atol=1e-12)


@claimed("free-particle", "x' is constant")
def _() -> None:
    assert constant(motion("free-particle")["x'"].values)


@claimed("free-particle", "sqrt(1 + x^2) y' is constant")
def _() -> None:
    x, dy = values(motion("free-particle", x=-1.0), "x", "y'")
    assert constant(np.sqrt(1 + x**2) * dy)


@fact("free-particle", "y = (y'(0)/x'(0)) asinh(x) for a start at the origin")
def _() -> None:
    x, y = values(motion("free-particle"), "x", "y")
    np.testing.assert_allclose(y, 1.3 / 0.7 * np.arcsinh(x), atol=1e-12)


@claimed("knife-edge", "phi' is constant")
def _() -> None:
    assert constant(motion("knife-edge")["phi'"].values)


@fact("knife-edge", "for phi' != 0 the height stays bounded")
def _() -> None:
    u0, omega, pull = 0.5, 1.2, 9.81 * np.sin(0.3)
    (x,) = values(motion("knife-edge", until=60.0), "x")
    assert np.abs(x).max() <= u0 / omega + pull / (2 * omega**2)
    (x,) = values(motion("knife-edge", until=60.0, phi_=0.0), "x")
    assert x[-1] > 1000  # the claim needs its hypothesis


@fact("knife-edge", "the mean drift is horizontal, at g sin(alpha) / (2 phi')")
def _() -> None:
    omega = 1.2
    turns = 3 * 2 * pi / omega
    x, y = values(motion("knife-edge", until=turns), "x", "y")
    assert abs(x[-1] - x[0]) < 1e-11
    np.testing.assert_allclose((y[-1] - y[0]) / turns, 9.81 * np.sin(0.3) / (2 * omega), rtol=1e-12)


@claimed("skate", "speed and turning rate are constant")
def _() -> None:
    dx, dy, turning = values(motion("skate"), "x'", "y'", "theta'")
    assert constant(np.hypot(dx, dy))
    assert constant(turning)


@fact("skate", "the path is a circle of radius |u/omega|")
def _() -> None:
    x, y = values(motion("skate"), "x", "y")
    np.testing.assert_allclose(np.hypot(x, y - 2.0), 2.0, rtol=1e-12)


@fact("chaplygin-sleigh", "every motion tends to a straight line")
def _() -> None:
    for turning in (0.5, -3.0):
        (omega,) = values(motion("chaplygin-sleigh", until=200.0, theta_=turning), "theta'")
        assert abs(omega[-1]) < 1e-12


@fact("chaplygin-sleigh", "the asymptotic speed is sqrt(2 E / m)")
def _() -> None:
    run = motion("chaplygin-sleigh", until=200.0)
    dx, dy = values(run, "x'", "y'")
    np.testing.assert_allclose(np.hypot(dx, dy)[-1], np.sqrt(2 * run.energy.values[0]), rtol=1e-12)


@fact("chaplygin-sleigh", "u' = a omega^2, (I + m a^2) omega' = -m a u omega")
def _() -> None:
    assert [line.strip() for line in str(catalogue.chaplygin_sleigh().derive()).splitlines()[-2:]] == [
        "m*u' = a*m*omega^2",
        "(a^2*m + I)*omega' = -a*m*omega*u",
    ]


@fact(
    "leaning-disc",
    "m g R sin(theta) = Omega cos(theta) ((I + m R^2) w + J Omega sin(theta)) for steady circular rolling",
)
def _() -> None:
    m, I, J, R, g = (catalogue.leaning_disc().parameters[p] for p in ("m", "I", "J", "R", "g"))
    lean, Omega = 0.4, 1.5
    w = (m * g * R * np.tan(lean) / Omega - J * Omega * np.sin(lean)) / (I + m * R**2)
    steady = {"theta": lean, "theta'": 0.0, "psi'": Omega, "phi'": w + Omega * np.sin(lean)}
    still = catalogue.leaning_disc().derive().accelerations({"x": 0, "y": 0, "psi": 0, "phi": 0, **steady})
    assert max(abs(still[name]) for name in ("psi''", "theta''", "phi''")) < 1e-14


@fact("leaning-disc", "rolling straight and upright is stable when phi'^2 > J m g R / (I (I + m R^2))")
def _() -> None:
    system = catalogue.leaning_disc()
    m, I, J, R, g = (system.parameters[p] for p in ("m", "I", "J", "R", "g"))
    critical = np.sqrt(J * m * g * R / (I * (I + m * R**2)))
    largest = []
    for factor in (1.01, 0.99):
        roll = factor * critical
        # J psi' - I phi' theta is constant to first order; zero, so that upright is the equilibrium.
        start = {"x": 0, "y": 0, "psi": 0, "theta": 1e-7, "phi": 0, "psi'": I * roll / J * 1e-7, "theta'": 0}
        run = system.simulate({**start, "phi'": roll}, until=20.0)
        largest.append(np.abs(run["theta"].values).max())
    assert largest[0] < 1.001e-7
    assert largest[1] > 1e-5


@fact("leaning-disc", "the coordinates are singular where the disc lies flat, cos(theta) = 0")
def _() -> None:
    equations = catalogue.leaning_disc().derive()
    K, _, _ = equations.sympy()
    flat = {"theta": pi / 2, "psi": 0.3, "m": 1.0, "I": 0.5, "J": 0.25, "R": 1.0, "g": 9.81}
    assert abs(float(K.subs(flat).det())) < 1e-15
    assert abs(float(K.subs({**flat, "theta": 0.3}).det())) > 1e-3


def _axle_speeds(run: Motion) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    """Speeds along the headings, headings and their rates, axle by axle, from the coordinates alone."""
    dx, dy = values(run, "x'", "y'")
    headings = list(values(run, "theta0", "theta1", "theta2"))
    rates = list(values(run, "theta0'", "theta1'", "theta2'"))
    speeds = []
    for i, heading in enumerate(headings):
        if i:
            dx, dy = dx + np.sin(heading) * rates[i], dy - np.cos(heading) * rates[i]
        speeds.append(np.cos(heading) * dx + np.sin(heading) * dy)
    return speeds, headings, rates


@fact("n-trailer", "v_i = v_(i-1) cos(theta_(i-1) - theta_i)")
def _() -> None:
    v, theta, _ = _axle_speeds(motion("n-trailer"))
    for i in (1, 2):
        np.testing.assert_allclose(v[i], v[i - 1] * np.cos(theta[i - 1] - theta[i]), atol=1e-13)


@fact("n-trailer", "d theta_i' = v_(i-1) sin(theta_(i-1) - theta_i)")
def _() -> None:
    v, theta, rates = _axle_speeds(motion("n-trailer"))
    for i in (1, 2):
        np.testing.assert_allclose(rates[i], v[i - 1] * np.sin(theta[i - 1] - theta[i]), atol=1e-13)


@fact(
    "n-trailer",
    "the growth vector is (2, 3, ..., n + 3), but at right angles of all hitches it takes F(n + 3) steps, a Fibonacci number",
)
def _() -> None:
    for n, fibonacci in ((1, 3), (2, 5), (3, 8)):
        D = catalogue.n_trailer(n).geometry.distribution
        crooked = {f"theta{k}": -k * pi / 2 for k in range(n + 1)}
        assert D.growth_vector() == tuple(range(2, n + 4))
        assert len(D.growth_vector(at=crooked)) == fibonacci


@fact("n-trailer", "pulled straight ahead, the train stays straight")
def _() -> None:
    headings = values(motion("n-trailer", theta1=0.0, theta2=0.0, theta0_=0.0), "theta0", "theta1", "theta2")
    assert np.abs(headings).max() == 0.0


@pytest.mark.parametrize("n", [0, 1, 5, 8, 9])
def test_a_train_of_any_length(n: int) -> None:
    system = catalogue.n_trailer(n)
    assert len(system.constraints) == n + 1
    assert system.verify(states=1).agree


@pytest.mark.parametrize("n", [-1, 2.0, True, "3"])
def test_no_number_of_trailers_is_refused_in_a_sentence(n: object) -> None:
    with blames(Error):
        catalogue.n_trailer(n)  # type: ignore[arg-type]


@fact("disc-on-circle", "(m r^2 + I) a^2 phi'' + (2 m r^2 + I) a a' phi' = -m r g a cos(phi) when balanced")
def _() -> None:
    run = motion("disc-on-circle")
    phi, dphi, ddphi = values(run, "phi", "phi'", "phi''")
    t, m, r, I, g = run.time.values, 1.0, 0.5, 0.2, 9.81
    a, da = (2.5 + 0.5 * np.sin(1.5 * t)) / r, 0.75 * np.cos(1.5 * t) / r
    left = (m * r**2 + I) * a**2 * ddphi + (2 * m * r**2 + I) * a * da * dphi
    np.testing.assert_allclose(left, -m * r * g * a * np.cos(phi), atol=1e-12)


@fact("disc-on-circle", "without rotational inertia it is a pendulum of length R(t) + r")
def _() -> None:
    from anholonomy import System

    pendulum = System(
        name="pendulum of varying length",
        coordinates={"phi": "angle"},
        lagrangian="m/2*(R0 + A*sin(w*t) + r)^2*phi'^2 - m*g*(R0 + A*sin(w*t) + r)*sin(phi)",
        parameters={"m": 1.0, "g": 9.81, "r": 0.5, "R0": 2.0, "A": 0.5, "w": 1.5},
    ).simulate({"phi": -1.0, "phi'": 0.0}, until=10.0)
    disc = catalogue.disc_on_circle(I=0.0).simulate(ENTRIES["disc-on-circle"].start, until=10.0)
    np.testing.assert_allclose(disc["phi"], pendulum["phi"], atol=1e-11)


@fact("disc-on-circle", "the energy is conserved when the radius is constant")
def _() -> None:
    for c in (0.0, 0.1):
        system = catalogue.disc_on_circle("R0", {"R0": 2.0}, c=c)
        assert constant(system.simulate(ENTRIES["disc-on-circle"].start, until=10.0).energy.values)


@claimed("affine-particle", "sqrt(1 + a^2) y' is constant for a slope a(t) and a constant drift")
def _() -> None:
    system = catalogue.affine_particle("sin(w*t) + t^2/9", "b0", {"w": 2.0, "b0": 0.3})
    run = system.simulate({"x": 0, "y": 0, "y'": 1}, until=8.0)
    t = run.time.values
    assert constant(np.sqrt(1 + (np.sin(2 * t) + t**2 / 9) ** 2) * run["y'"].values)


@fact("affine-particle", "y = y0 + (y'(0)/k) asinh(k t) for the slope k t")
def _() -> None:
    run = motion("affine-particle", y=0.7)
    np.testing.assert_allclose(run["y"], 0.7 + np.arcsinh(0.8 * run.time.values) / 0.8, atol=1e-12)


@claimed("affine-particle", "the energy is not conserved")
def _() -> None:
    assert np.ptp(motion("affine-particle").energy.values) > 0.1


def _machine(run: Motion) -> tuple[float, float, float]:
    """A, K and m a rho of Appell's machine, from the definitions."""
    p = run.system.parameters
    A = (p["M"] + p["m"]) * p["a"] ** 2 + p["m"] * p["b"] ** 2 + p["I"]
    return A, p["J"] + p["m"] * p["rho"] ** 2, p["m"] * p["a"] * p["rho"]


@fact("appell-machine", "((M + m) a^2 + m b^2 + I) theta'' = m g b + m a rho phi'^2")
def _() -> None:
    run = motion("appell-machine")
    (A, _, pull), p = _machine(run), run.system.parameters
    turning, acceleration = values(run, "phi'", "theta''")
    np.testing.assert_allclose(A * acceleration, p["m"] * p["g"] * p["b"] + pull * turning**2, rtol=1e-12)


@claimed("appell-machine", "phi' exp(m a rho theta / (J + m rho^2)) is constant")
def _() -> None:
    run = motion("appell-machine", phi=0.7)
    _, K, pull = _machine(run)
    theta, turning = values(run, "theta", "phi'")
    early = theta < 15  # later the rate itself is below rounding
    assert early.sum() > 100
    assert constant((turning * np.exp(pull * theta / K))[early])
    assert turning[-1] < 1e-3


@fact(
    "appell-machine",
    "without its own mass and running straight, it moves its weight as the Appell-Hamel constraint does",
)
def _() -> None:
    straight = {"theta": 0.0, "phi": np.arctan2(0.8, 0.6), "theta'": 2.0, "phi'": 0.0}
    machine = catalogue.appell_machine(M=0.0, I=0.0, J=0.0, rho=0.01)
    run = machine.simulate({"x": 0.0, "y": 0.0, "z": 0.0, **straight}, until=5.0)
    # The same radii, and a wheel of 0.5 that turns at 2: from the start of the other entry.
    limit = motion("appell-hamel")
    for name in ("x", "y", "z"):
        np.testing.assert_allclose(run[name], limit[name], rtol=1e-11, atol=1e-11)


@fact("appell-machine", "with rho = 0 the heading turns at a constant rate")
def _() -> None:
    entry = ENTRIES["appell-machine"]
    run = catalogue.appell_machine(rho=0.0).simulate(entry.start, until=entry.until)
    assert constant(run["phi'"].values)
    assert run["x'"].values.min() < 0 < run["x'"].values.max()  # so the limit without inertia is no straight line


@claimed("carriage", "theta1' and theta2' are constant")
def _() -> None:
    rates = values(motion("carriage"), "theta1'", "theta2'")
    assert all(map(constant, rates))


@fact("carriage", "the carriage runs on a circle of radius w |theta1'/theta2'|")
def _() -> None:
    x, y = values(motion("carriage"), "x", "y")
    # Radius 0.6 * 2 / 0.6 = 2, to the left of a carriage that heads along x.
    np.testing.assert_allclose(np.hypot(x, y - 2.0), 2.0, rtol=1e-12)
    x, y = values(motion("carriage", phi=0.4, theta2_=0.0), "x", "y")
    np.testing.assert_allclose(y, np.tan(0.4) * x, atol=1e-12)


@fact("carriage", "of its three constraints exactly one has an integral")
def _() -> None:
    distribution = catalogue.carriage().geometry.distribution
    # Brackets reach four of the five directions, so one function is constant on the way, and only one.
    assert distribution.growth_vector() == (2, 3, 4)
    assert str(distribution.leaves()).endswith("R*theta2 - phi*w = const")
    phi, theta2 = values(motion("carriage", phi=0.3), "phi", "theta2")
    np.testing.assert_allclose(phi - 0.5 * theta2 / 0.6, 0.3, atol=1e-12)


@fact(
    "carriage", "on a circle the wheels push sideways with m v omega: it is no motion of the system without constraints"
)
def _() -> None:
    system = catalogue.carriage()
    state = {"x": 0.0, "y": 0.0, "phi": 0.7, "theta1": 0.0, "theta2": 0.0, "theta1'": 2.0, "theta2'": 0.6}
    for by in ("hamel", "lagrange-dalembert"):
        push = system.derive(by).reactions(state)
        across = push["y'"] * np.cos(0.7) - push["x'"] * np.sin(0.7)
        along = push["x'"] * np.cos(0.7) + push["y'"] * np.sin(0.7)
        assert across == pytest.approx(1.0 * (0.5 * 2.0) * (0.5 * 0.6 / 0.6), rel=1e-12)
        assert along == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(("key", "text"), CHECKS | CLAIMED, ids=lambda value: str(value)[:40])
def test_the_fact_holds(key: str, text: str) -> None:
    (CHECKS | CLAIMED)[key, text]()
