"""Wheels, boards and trailers in the plane: their facts, against closed forms, momentum balances and geometry."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from anholonomy import Error, System, catalogue
from anholonomy.catalogue import ENTRIES
from anholonomy.public.system import Motion
from tests.catalogue.checks import Checks, constant, motion, registers, stated, values
from tests.wording import blames

CHECKS: Checks = {}
fact = registers(CHECKS)
CLAIMED: Checks = {}
claimed = registers(CLAIMED)
Series = NDArray[np.float64]


def test_every_fact_of_these_entries_has_its_check() -> None:
    assert set(CHECKS) == stated(["unicycle", "snakeboard", "roller-racer", "off-axle-trailer"])


def balance(
    system: System,
    start: dict[str, float],
    until: float,
    p: Callable[[Motion], Series],
    rate: Callable[[Motion], Series],
) -> tuple[float, float, float]:
    """What a quantity gained, the integral of its stated rate by Gauss's rule, and that of the rate's size."""
    nodes, weights = np.polynomial.legendre.leggauss(90)
    run = system.simulate(start, times=[0.0, *(until / 2 * (1 + nodes)), until])
    flow = rate(run)[1:-1] * until / 2
    return float(np.diff(p(run)[[0, -1]])[0]), float(flow @ weights), float(np.abs(flow) @ weights)


# The unicycle.

UNICYCLE = {"m": 1.0, "I": 0.5, "J": 0.25, "R": 1.0}
S = "(I*theta + m*R*(x*cos(phi) + y*sin(phi)))"
STATE = {"x": 0.4, "y": -0.7, "theta": 0.9, "phi": 0.7, "theta'": 1.5, "phi'": 0.8}


def _s(run: Motion) -> Series:
    x, y, theta, phi = values(run, "x", "y", "theta", "phi")
    return 0.5 * theta + x * np.cos(phi) + y * np.sin(phi)


@fact("unicycle", "without a potential it runs on a circle of radius R |theta'/phi'|")
def _() -> None:
    run = catalogue.unicycle("0", {}, R=0.7).simulate(
        {"x": 0.0, "y": 0.0, "theta": 0.0, "phi": 0.0, "theta'": 2.0, "phi'": 0.5}, until=15.0
    )
    np.testing.assert_allclose(np.hypot(run["x"], run["y"] - 2.8), 2.8, rtol=1e-12)


@fact("unicycle", "theta'' = -dU/ds where U depends on phi and s = I theta + m R (x cos(phi) + y sin(phi)) alone")
def _() -> None:
    run = motion("unicycle")
    np.testing.assert_allclose(run["theta''"], -0.8 * _s(run), atol=1e-12)
    run = catalogue.unicycle(f"a*sin({S})*(1 + phi^2)", {"a": 0.7}).simulate(ENTRIES["unicycle"].start, until=5.0)
    np.testing.assert_allclose(
        run["theta''"], -0.7 * np.cos(_s(run)) * (1 + run["phi"].values ** 2), rtol=1e-12, atol=1e-12
    )


def _push(system: System, by: str) -> tuple[float, float, float]:
    """The reaction across and along the track, and on the turning of the wheel."""
    push, phi = system.derive(by).reactions(STATE), STATE["phi"]
    across = push["y'"] * np.cos(phi) - push["x'"] * np.sin(phi)
    return across, push["x'"] * np.cos(phi) + push["y'"] * np.sin(phi), push["theta'"]


@fact("unicycle", "there the only reaction is m R theta' phi', sideways: it is no motion without the constraints")
def _() -> None:
    for by in ("hamel", "lagrange-dalembert"):
        for U, shape in (("0", {}), (f"a*sin({S})*(1 + phi^2)", {"a": 0.7})):
            push = _push(catalogue.unicycle(U, shape), by)
            assert push == pytest.approx((1.0 * 1.0 * 1.5 * 0.8, 0.0, 0.0), abs=1e-13)


@fact("unicycle", "other potentials load the contact along the track")
def _() -> None:
    across, along, turning = _push(catalogue.unicycle("a*x", {"a": 0.7}), "hamel")
    # The pull -a needs theta'' = -R a cos(phi) / (I + m R^2); what is missing at the centre comes from the ground.
    assert along == pytest.approx(0.7 * np.cos(0.7) * (1 - 1.0 / 1.5), rel=1e-12)
    assert turning == pytest.approx(-along, rel=1e-12)
    assert across == pytest.approx(1.5 * 0.8 - 0.7 * np.sin(0.7), rel=1e-12)


def _rolls_vakonomically(U: str, shape: dict[str, float], mu: tuple[float, float] | None = None) -> float:
    """How far the vakonomic motion strays from the nonholonomic one; the multipliers start at -m (x', y') or as given."""
    system, times = catalogue.unicycle(U, shape), np.linspace(0, 3, 31)
    rolling = system.simulate(STATE, times=times)
    start = {name: float(rolling[name][0]) for name in ("x", "y", "theta", "phi", "x'", "y'", "theta'", "phi'")}
    mu = mu or (-start["x'"], -start["y'"])
    other = system.simulate({**start, "mu1": mu[0], "mu2": mu[1]}, times=times, by="vakonomic")
    return float(np.abs(rolling.data["q"].values - other.data["q"].values).max())


def test_J9_the_bracket_is_orthogonal_on_the_basis_and_not_on_sums() -> None:
    """Example 4.2 tests g(a, [a, b']) = 0, quadratic in a, on a basis of d alone; on its sum it is -m R."""
    m, I, J, R = UNICYCLE.values()
    metric = np.diag([m, m, J, I])  # in e1, e2, d/dphi, d/dtheta
    c = np.zeros((4, 4, 4))  # [e_a, e_b] = c[a, b, d] e_d
    c[2, 0, 1], c[0, 2, 1], c[2, 1, 0], c[1, 2, 0] = 1, -1, -1, 1
    roll, turn, across = np.array([R, 0, 0, 1]), np.array([0, 0, 1, 0]), np.array([0, 1, 0, 0])
    slip = np.array([-I / (R * m), 0, 0, 1])
    form = lambda a, b: a @ metric @ np.einsum("a,b,abd->d", a, b, c)
    assert np.abs([[a @ metric @ b for a in (roll, turn)] for b in (across, slip)]).max() == 0
    assert [form(a, b) for a in (roll, turn) for b in (across, slip)] == [0, 0, 0, 0]
    assert form(roll + turn, across) == -m * R


def test_J9_every_motion_is_vakonomic_for_potentials_of_heading_and_wheel_alone() -> None:
    assert _rolls_vakonomically("0", {}) < 1e-12
    assert _rolls_vakonomically("a*sin(theta)*cos(phi) + theta^2/3", {"a": 0.7}) < 1e-11


@pytest.mark.parametrize("U", [f"a*{S}", f"a*{S}^2/2"])
def test_J9_potentials_of_the_printed_family_need_not_be_vakonomic(U: str) -> None:
    """The heading's equation leaves the multipliers along the track, its rate then fixes them: only -m (x', y') could do."""
    assert _rolls_vakonomically(U, {"a": 0.7}) > 0.1
    along = np.array([np.cos(0.7), np.sin(0.7)])
    for mu in (-2.0 * along, -1.0 * along, 0.0 * along, -1.5 * along + 0.1 * along[::-1]):
        assert _rolls_vakonomically(U, {"a": 0.7}, (mu[0], mu[1])) > 0.05


# The snakeboard.

BOARD = {"m": 6.0, "J": 0.16, "Jr": 0.72, "Jw": 0.05, "r": 0.4}
SWING, STEER = "Jr*0.9*cos(t)", "2*Jw*0.5*cos(t)"
RESTING = {"x": 0.0, "y": 0.0, "theta": 0.0, "psi": 0.0, "phi": -0.5, "x'": 0.0, "y'": 0.0, "psi'": 0.0, "phi'": 0.0}


def _speed(run: Motion) -> Series:
    theta, phi, dx, dy = values(run, "theta", "phi", "x'", "y'")
    return (dx * np.cos(theta) + dy * np.sin(theta)) / (BOARD["r"] * np.cos(phi))


def _board_momentum(run: Motion) -> Series:
    """From the definition: the momenta of x, y, theta, contracted with the direction of rolling."""
    theta, phi, dx, dy, turn, spin = values(run, "theta", "phi", "x'", "y'", "theta'", "psi'")
    m, J, Jr, Jw, r = BOARD.values()
    along = m * r * np.cos(phi) * (dx * np.cos(theta) + dy * np.sin(theta))
    return along + np.sin(phi) * ((J + 2 * Jw) * turn + Jr * (turn + spin))


def _board_momentum_rate(run: Motion) -> Series:
    phi, dphi, spin = values(run, "phi", "phi'", "psi'")
    m, J, Jr, Jw, r = BOARD.values()
    return dphi * np.cos(phi) * ((J + Jr + 2 * Jw - m * r**2) * np.sin(phi) * _speed(run) + Jr * spin)


@fact(
    "snakeboard",
    "p' = phi' cos(phi) ((J0 - m r^2) sin(phi) s + Jr psi') for p = (m r^2 cos(phi)^2 + J0 sin(phi)^2) s + Jr sin(phi) psi', "
    "under any torques on rotor and axles",
)
def _() -> None:
    system = catalogue.snakeboard("cos(3*t) - psi'/3", "sin(t)/20 - phi/9")
    start = {**ENTRIES["snakeboard"].start}
    gained, expected, size = balance(system, start, 6.0, _board_momentum, _board_momentum_rate)
    assert gained == pytest.approx(expected, abs=1e-11)
    assert size > 0.3
    run = system.simulate(start, until=6.0)
    m, J, Jr, Jw, r = BOARD.values()
    phi, spin = values(run, "phi", "psi'")
    p = (m * r**2 * np.cos(phi) ** 2 + (J + Jr + 2 * Jw) * np.sin(phi) ** 2) * _speed(run) + Jr * np.sin(phi) * spin
    np.testing.assert_allclose(p, _board_momentum(run), rtol=1e-12)


@claimed("snakeboard", "left alone it keeps phi', theta' + psi' and (m r^2 cos(phi)^2 + (J + 2 Jw) sin(phi)^2) s^2")
def _() -> None:
    run = motion("snakeboard")
    phi, dphi, turn, spin = values(run, "phi", "phi'", "theta'", "psi'")
    m, J, _, Jw, r = BOARD.values()
    assert constant(dphi)
    assert constant(turn + spin)
    assert constant((m * r**2 * np.cos(phi) ** 2 + (J + 2 * Jw) * np.sin(phi) ** 2) * _speed(run) ** 2)
    assert not constant(_speed(run), 0.1)


@fact("snakeboard", "with locked steering it runs on a circle of radius r |cot(phi)|")
def _() -> None:
    x, y = values(motion("snakeboard", phi_=0.0), "x", "y")
    radius = 0.4 / np.tan(0.6)
    np.testing.assert_allclose(np.hypot(x, y - radius), radius, rtol=1e-12)


@fact("snakeboard", "swinging and steering in step propel it from rest, either alone does not")
def _() -> None:
    turns = 8 * np.pi
    both = catalogue.snakeboard(SWING, STEER).simulate(RESTING, until=turns)
    np.testing.assert_allclose(both["phi"], -0.5 * np.cos(both.time), atol=1e-12)
    np.testing.assert_allclose(both["theta"] + both["psi"], 0.9 * (1 - np.cos(both.time)), atol=1e-11)
    assert np.hypot(both["x"], both["y"]).max() > 1.0
    assert abs(_board_momentum(both)[-1]) > 0.5
    for torques in ((SWING, "0"), ("0", STEER)):
        alone = catalogue.snakeboard(*torques).simulate(RESTING, until=turns)
        assert np.abs(_board_momentum(alone)).max() < 1e-12
        assert max(abs(float(alone[name][-1])) for name in ("x", "y", "theta")) < 1e-11


@fact("snakeboard", "the constraints of its axles coincide where cos(phi) = 0")
def _() -> None:
    def rows(phi: float) -> Series:
        at = {"theta": 0.3, "phi": phi, "r": 0.4}
        system = catalogue.snakeboard()
        return np.array([[float(e.subs(at)) for e in row] for row in system.model.matrix_na])

    assert np.linalg.svd(rows(np.pi / 2))[1][1] < 1e-15
    assert np.linalg.svd(rows(1.5))[1][1] > 0.01


# The roller racer.

RACER = {"m": 1.0, "I1": 0.4, "I2": 0.1, "d1": 1.0, "d2": -0.3}


def _racer(run: Motion) -> tuple[Series, ...]:
    theta, phi, dx, dy, turn, swing = values(run, "theta", "phi", "x'", "y'", "theta'", "phi'")
    return dx * np.cos(theta) + dy * np.sin(theta), phi, turn, swing


def _racer_momentum(run: Motion) -> Series:
    (v, phi, turn, swing), (m, I1, I2, d1, d2) = _racer(run), RACER.values()
    return m * (d1 * np.cos(phi) + d2) * v + np.sin(phi) * (I1 * turn + I2 * (turn + swing))


def _racer_momentum_rate(run: Motion) -> Series:
    (v, phi, turn, swing), (m, I1, I2, d1, _) = _racer(run), RACER.values()
    return swing * (np.cos(phi) * (I1 * turn + I2 * (turn + swing)) - m * d1 * v * np.sin(phi))


@fact(
    "roller-racer",
    "p' = phi' (cos(phi) (I1 theta' + I2 (theta' + phi')) - m d1 v sin(phi)) "
    "for p = m (d1 cos(phi) + d2) v + sin(phi) (I1 theta' + I2 (theta' + phi')), under any torque at the hinge",
)
def _() -> None:
    for torque in ("0", "cos(3*t)/4 - phi/5"):
        start = {**ENTRIES["roller-racer"].start}
        gained, expected, size = balance(
            catalogue.roller_racer(torque), start, 5.0, _racer_momentum, _racer_momentum_rate
        )
        assert gained == pytest.approx(expected, abs=1e-11)
        assert size > 0.1


@fact("roller-racer", "every posture can be kept, on a circle of radius |d1 cos(phi) + d2| / |sin(phi)|")
def _() -> None:
    for phi in (0.8, -2.0):
        radius = (np.cos(phi) - 0.3) / np.sin(phi)  # signed: to the left
        run = motion("roller-racer", until=4.0, phi=phi, theta_=1.0 / radius)  # one of them is unstable
        np.testing.assert_allclose(run["phi"], phi, atol=1e-12)
        np.testing.assert_allclose(np.hypot(run["x"], run["y"] - radius), abs(radius), rtol=1e-11)


@fact("roller-racer", "a deflection from straight rolling grows at the rate v (I1 d2 - I2 d1) / (I1 d2^2 + I2 d1^2)")
def _() -> None:
    small, (_, I1, I2, d1, _) = 1e-7, RACER.values()
    for v, d2 in ((1.0, -0.3), (-1.0, -0.3), (1.0, 0.2), (1.0, 0.4)):
        below = I1 * d2**2 + I2 * d1**2
        # (I1 + I2 d1^2/d2^2) theta' - I2 d1 v phi/d2^2 is constant to first order; zero, so that straight is the equilibrium.
        start = {"phi": small, "x'": v, "theta'": I2 * d1 * v * small / below, "x": 0.0, "y": 0.0, "theta": 0.0}
        run = catalogue.roller_racer(d2=d2).simulate(start, until=1.0)
        grown = np.log(run["phi"].values[-1] / small)
        assert grown == pytest.approx(v * (I1 * d2 - I2 * d1) / below, rel=1e-6)


@fact("roller-racer", "swinging the handlebar propels it from rest")
def _() -> None:
    rest = {"x": 0.0, "y": 0.0, "theta": 0.0, "phi": -0.5, "x'": 0.0, "theta'": 0.0}
    run = catalogue.roller_racer("cos(2*t)/10").simulate(rest, until=8 * np.pi)
    assert np.hypot(run["x"], run["y"]).max() > 1.0
    still = catalogue.roller_racer().simulate(rest, until=5.0)
    assert np.abs(still.data["velocity"].values).max() == 0.0


# Trailers hitched behind the axle.


def _axles(run: Motion, c: float, d: float) -> list[tuple[Series, Series]]:
    """Where the axles are, from the drawing."""
    x, y, before = *values(run, "x", "y"), None
    places = []
    for k in range(run.data.sizes["coordinate"] - 2):
        h = run[f"h{k}"].values
        if before is not None:
            x, y = x - c * np.cos(before) - d * np.cos(h), y - c * np.sin(before) - d * np.sin(h)
        places.append((x, y))
        before = h
    return places


@fact(
    "off-axle-trailer",
    "v_i = v_(i-1) cos(delta) + c h_(i-1)' sin(delta), d h_i' = v_(i-1) sin(delta) - c h_(i-1)' cos(delta) "
    "for delta = h_(i-1) - h_i",
)
def _() -> None:
    start = {**ENTRIES["off-axle-trailer"].start, "h2": 0.9}
    run = catalogue.off_axle_trailer(2).simulate(start, times=np.linspace(0, 6, 6001))
    step, c, d = 1e-3, 0.4, 1.0
    speeds = []
    for k, (x, y) in enumerate(_axles(run, c, d)):
        h = run[f"h{k}"].values[2:-2]
        # Fourth-order differences of the drawn places, so that the constraints are not used.
        dx, dy = (np.convolve(q, np.array([-1, 8, 0, -8, 1]) / (12 * step), "valid") for q in (x, y))
        assert np.abs(dy * np.cos(h) - dx * np.sin(h)).max() < 1e-10
        speeds.append(dx * np.cos(h) + dy * np.sin(h))
    for k in (1, 2):
        h0, h1, w0, w1 = (q[2:-2] for q in values(run, f"h{k - 1}", f"h{k}", f"h{k - 1}'", f"h{k}'"))
        np.testing.assert_allclose(speeds[k], speeds[k - 1] * np.cos(h0 - h1) + c * w0 * np.sin(h0 - h1), atol=1e-10)
        np.testing.assert_allclose(d * w1, speeds[k - 1] * np.sin(h0 - h1) - c * w0 * np.cos(h0 - h1), atol=1e-10)


@fact("off-axle-trailer", "in a steady turn the axles run on circles with rho_i^2 = rho_(i-1)^2 + c^2 - d^2")
def _() -> None:
    for c, d in ((0.4, 1.0), (0.7, 0.7), (0.9, 0.5)):
        start, rho = {"x": 0.0, "y": 0.0, "h0": 0.0, "h0'": 0.5, "x'": 0.5 * 2.5}, 2.5
        for k in (1, 2):
            delta = np.arcsin(d / np.hypot(rho, c)) + np.arctan2(c, rho)
            start[f"h{k}"] = start[f"h{k - 1}"] - delta
            rho = rho * np.cos(delta) + c * np.sin(delta)
        run = catalogue.off_axle_trailer(2, c=c, d=d).simulate(start, until=10.0)
        for k, (x, y) in enumerate(_axles(run, c, d)):
            np.testing.assert_allclose(x**2 + (y - 2.5) ** 2, 2.5**2 + k * (c**2 - d**2), rtol=1e-10)


@fact("off-axle-trailer", "with c = 0 it is the n-trailer")
def _() -> None:
    start = ENTRIES["n-trailer"].start
    renamed = {name.replace("theta", "h"): value for name, value in start.items()}
    run = catalogue.off_axle_trailer(2, c=0.0).simulate(renamed, until=8.0)
    known = catalogue.n_trailer(2).simulate(start, until=8.0)
    np.testing.assert_allclose(run.data["q"].values, known.data["q"].values, atol=1e-11)


@fact("off-axle-trailer", "with two trailers the derived flag is (2, 3, 5), on the axle it is (2, 3, 4, 5)")
def _() -> None:
    assert catalogue.off_axle_trailer(2).geometry.distribution.derived_flag() == (2, 3, 5)
    assert catalogue.n_trailer(2).geometry.distribution.derived_flag() == (2, 3, 4, 5)


@pytest.mark.parametrize("n", [0, 2, 4])
def test_a_train_hitched_off_the_axle_of_any_length(n: int) -> None:
    system = catalogue.off_axle_trailer(n)
    assert len(system.constraints) == n + 1
    assert system.verify(states=1).agree


@pytest.mark.parametrize("n", [-1, 2.0, True, "3"])
def test_no_number_of_trailers_is_refused_in_a_sentence(n: object) -> None:
    with blames(Error):
        catalogue.off_axle_trailer(n)  # type: ignore[arg-type]


@pytest.mark.parametrize(("key", "text"), CHECKS | CLAIMED, ids=lambda value: str(value)[:40])
def test_the_fact_holds(key: str, text: str) -> None:
    (CHECKS | CLAIMED)[key, text]()
