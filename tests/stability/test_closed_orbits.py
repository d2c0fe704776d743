"""Closed orbits up to symmetry and the derivatives of return maps, against closed forms and a second method."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk, mathieu_a, mathieu_b

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, ball_on_turntable, leaning_disc, snakeboard
from tests.wording import blames

POL = ah.System(
    name="van der Pol", coordinates=["x"], lagrangian="x'^2/2 - x^2/2", forces={"x": "mu*(1 - x^2)*x'"}, parameters={"mu": 1.0}
)  # fmt: skip
PENDULUM = ah.System(name="pendulum", coordinates=["a"], lagrangian="a'^2/2 + cos(a)")
MATHIEU = ah.System(
    name="Mathieu", coordinates=["x"], lagrangian="x'^2/2 - (a - 2*q*cos(2*t))*x^2/2", parameters={"a": 1.5, "q": 0.6}
)
SLEIGH = ah.System(
    name="driven sleigh",
    coordinates=["x", "y", "theta"],
    lagrangian="((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2)/2 + theta'^2/4",
    constraints=["x'*sin(theta) = y'*cos(theta)"],
    forces={"theta": "0.4*cos(2*t) - 0.3*theta'", "x": "-0.2*x'", "y": "-0.2*y'"},
    parameters={"a": 0.3},
)


def test_the_limit_cycle_of_van_der_pol() -> None:
    """The period is that of the literature; the multiplier is Liouville's, the exponential of the divergence over a period."""
    orbit = POL.stability.periodic_orbit(near=POL.simulate({"x": 2, "x'": 0}, until=20))
    assert orbit.period == pytest.approx(6.6632868593231301896996820305, rel=1e-12)

    def rates(_, y):
        return [y[1], (1 - y[0] ** 2) * y[1] - y[0], 1 - y[0] ** 2]

    start = [orbit.start["x"], orbit.start["x'"], 0.0]
    grown = solve_ivp(rates, (0, orbit.period), start, method="DOP853", rtol=1e-13, atol=1e-14).y[2, -1]
    assert orbit.multipliers == pytest.approx([1.0, math.exp(grown)], rel=1e-9)
    assert (orbit.verdict, orbit.residual < 1e-12) == ("stable", True)
    guessed = POL.stability.periodic_orbit(near=POL.simulate({"x": 2, "x'": 0}, until=20), period=6.5)
    assert guessed.period == pytest.approx(orbit.period, rel=1e-12)


def test_the_pendulum_has_the_period_of_the_elliptic_integral() -> None:
    run = PENDULUM.simulate({"a": 1.0, "a'": 0}, until=30)
    orbit = PENDULUM.stability.periodic_orbit(near=run)
    assert orbit.start == pytest.approx({"a": 1.0, "a'": 0.0}, abs=1e-12)
    assert orbit.period == pytest.approx(4 * ellipk(math.sin(0.5) ** 2), rel=1e-13)
    assert orbit.multipliers == pytest.approx([1, 1], abs=1e-10)
    assert orbit.verdict == "marginal"
    assert float(orbit.run["a"][-1]) == pytest.approx(1.0, abs=1e-12)
    slower = PENDULUM.stability.periodic_orbit(near=run, period=7.0)  # a member of the family has it
    assert slower.period == 7.0
    top = math.acos(1 - (slower.start["a'"] ** 2 / 2 + 1 - math.cos(slower.start["a"])))
    assert 4 * ellipk(math.sin(top / 2) ** 2) == pytest.approx(7.0, rel=1e-11)
    held = PENDULUM.stability.periodic_orbit(near=run, fixed={"a": 1.2, "a'": 0.0})
    assert held.period == pytest.approx(4 * ellipk(math.sin(0.6) ** 2), rel=1e-12)


def test_a_pendulum_that_goes_over_the_top_comes_back_after_a_turn() -> None:
    orbit = PENDULUM.stability.periodic_orbit(near=PENDULUM.simulate({"a": 0, "a'": 2.5}, until=20))
    assert orbit.period == pytest.approx(4 / 2.5 * ellipk(4 / 2.5**2), rel=1e-12)
    assert orbit.shift == {"a": 2 * math.pi}


@pytest.mark.parametrize(
    ("value", "multiplier"), [(mathieu_a(1, 0.6), -1), (mathieu_b(1, 0.6), -1), (mathieu_a(2, 0.6), 1)]
)
def test_mathieus_equation_at_the_edges_of_its_tongues(value: float, multiplier: int) -> None:
    edge = MATHIEU.with_parameters(a=float(value))
    orbit = edge.stability.periodic_orbit(near={"x": 0, "x'": 0}, period=math.pi)
    assert orbit.transverse.sum() == pytest.approx(2 * multiplier, abs=1e-9)
    assert np.prod(orbit.transverse) == pytest.approx(1, abs=1e-10)


def test_mathieus_equation_inside_a_tongue() -> None:
    orbit = MATHIEU.stability.periodic_orbit(
        near=MATHIEU.simulate({"x": 0.01, "x'": 0}, until=20)
    )  # the period is seen in the declaration
    assert orbit.period == pytest.approx(math.pi)
    columns = [
        solve_ivp(
            lambda t, y: [y[1], -(1.5 - 1.2 * math.cos(2 * t)) * y[0]],
            (0, math.pi), start, method="DOP853", rtol=1e-13, atol=1e-14,
        ).y[:, -1]
        for start in np.eye(2)
    ]  # fmt: skip
    assert orbit.monodromy.values == pytest.approx(np.array(columns).T, abs=1e-10)
    assert orbit.verdict == "unstable"


def test_a_driven_sleigh_creeps_along() -> None:
    """With its mass over the blade, speed and turning decay by themselves: at 0.2 and at 0.3/0.5."""
    plain = SLEIGH.with_parameters(a=0.0)
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}
    orbit = plain.stability.periodic_orbit(near=plain.simulate(start, until=40))
    assert orbit.multipliers == pytest.approx([math.exp(-0.2 * math.pi), math.exp(-0.6 * math.pi)], rel=1e-10)
    ahead = SLEIGH.stability.periodic_orbit(near=SLEIGH.simulate(start, until=40))
    assert ahead.verdict == "stable"
    assert ahead.shift["x"] > 0.2
    run = SLEIGH.simulate(ahead.start, times=[0, 5 * math.pi])
    assert float(run["x"][-1] - run["x"][0]) == pytest.approx(5 * ahead.shift["x"], abs=1e-10)


def test_a_disc_nods_and_comes_back_displaced() -> None:
    disc = leaning_disc()
    start = dict(ENTRIES["leaning-disc"].start)
    orbit = disc.stability.periodic_orbit(near=disc.simulate(start, until=5))
    assert {name: orbit.start[name] for name in start} == pytest.approx(start, abs=1e-12)
    assert orbit.drift is not None
    assert set(orbit.drift) == {"d/dx", "d/dy", "-y d/dx + x d/dy + d/dpsi", "d/dphi"}
    run = disc.simulate(start, times=[0, orbit.period])
    for name, moved in orbit.shift.items():
        assert float(run[name][-1] - run[name][0]) == pytest.approx(moved, abs=1e-11)
    assert orbit.multipliers == pytest.approx(np.ones(4), abs=1e-9)
    angle = orbit.shift["psi"]
    expected = np.sort_complex(np.array([1, 1, np.exp(1j * angle), np.exp(-1j * angle)]))
    assert np.sort_complex(orbit.symmetry_multipliers) == pytest.approx(expected, abs=1e-9)


@pytest.mark.exhaustive
def test_small_nodding_has_the_frequency_of_the_linear_part() -> None:
    disc = leaning_disc()
    steady = disc.stability.steady_motion(fixed={"theta": 0.3, "phi'": 4.0})
    orbit = disc.stability.periodic_orbit(near=disc.simulate({**steady.state, "theta'": 1e-3}, until=5, project=True))
    frequency = abs(steady.linearization.eigenvalues.imag).max()
    assert orbit.period == pytest.approx(2 * math.pi / frequency, rel=1e-5)


@pytest.mark.exhaustive
def test_a_ball_on_a_turntable_circles_in_seven_halves_of_a_turn() -> None:
    entry, ball = ENTRIES["ball-on-turntable"], ball_on_turntable()
    orbit = ball.stability.periodic_orbit(near=ball.simulate(entry.start, until=40))
    assert orbit.period == pytest.approx(3.5 * 2 * math.pi / ball.parameters["Omega"], rel=1e-11)
    assert not {"x", "y"} & set(orbit.shift)  # the ball turns otherwise, its centre is where it was


@pytest.mark.exhaustive
def test_a_gait_of_the_snakeboard_goes_forward() -> None:
    board = snakeboard()
    gait = ah.System(
        name="gait",
        coordinates=["x", "y", "theta", "psi", "phi"],
        lagrangian=board.lagrangian,
        parameters=board.parameters,
        constraints=[*(f"{c.expression} = 0" for c in board.constraints), "psi' = cos(t)", "phi' = 0.4*sin(t)"],
    )
    start = {"x": 0, "y": 0, "theta": 0, "psi": 0, "phi": -0.4, "x'": 0.5}
    orbit = gait.stability.periodic_orbit(near=gait.simulate(start, until=13))
    assert orbit.period == pytest.approx(2 * math.pi)
    run = gait.simulate(orbit.start, times=np.array([0.0, 2.0, 4.0]) * math.pi)
    assert np.diff(run["x"].values) == pytest.approx(orbit.shift["x"], abs=1e-10)


def test_a_length_is_no_angle() -> None:
    """What falls in a constant field comes nowhere back, though a full turn further down nothing is different."""
    falling = ah.System(
        name="falling", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - y", constraints=["x'^2 + y'^2 = 4"]
    )
    with blames(ah.Error):
        falling.stability.periodic_orbit(near=falling.simulate({"x": 0, "y": 0, "x'": 2, "y'": 0}, until=12))


def test_a_circle_is_steady_by_symmetry_and_closed_without() -> None:
    charge = ah.System(
        name="charge", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", forces={"x": "-y'/2", "y": "x'/2"}
    )
    run = charge.simulate({"x": 0, "y": 0, "x'": 1, "y'": 0}, until=30)
    with blames(ah.Error):
        charge.stability.periodic_orbit(near=run)
    assert charge.stability.periodic_orbit(near=run, symmetries=False).period == pytest.approx(4 * math.pi, rel=1e-11)


def test_an_unstable_orbit_takes_several_shots() -> None:
    """A driven particle on top of a hill, from the orbit of the linear equation: its multipliers are nearly those of the hill."""
    hill = ah.System(
        name="hill", coordinates=["x"], lagrangian="x'^2/2 + x^2/2 - x^4/4", forces={"x": "-0.3*x' + 0.1*cos(t)"}
    )
    orbit = hill.stability.periodic_orbit(near={"x": -0.0489, "x'": 0.0073}, period=2 * math.pi)
    assert len(orbit.shots.nodes) > 1
    assert orbit.verdict == "unstable"
    assert np.prod(orbit.transverse).real == pytest.approx(math.exp(-0.3 * 2 * math.pi), rel=1e-8)
    growth = math.log(orbit.transverse[0].real) / (2 * math.pi)
    assert growth == pytest.approx(-0.15 + math.sqrt(0.15**2 + 1), rel=5e-3)


def test_the_return_map_has_the_multipliers_of_the_orbit() -> None:
    run = POL.simulate({"x": 2, "x'": 0}, until=60)
    section = run.section("x = 0", direction=1)
    orbit = POL.stability.periodic_orbit(near=run)
    assert section.derivative(len(section) - 2).values == pytest.approx(orbit.transverse.real[None], rel=1e-8)


def test_the_return_map_is_that_of_two_neighbours() -> None:
    double = ah.System(
        name="double pendulum",
        coordinates=["a", "b"],
        lagrangian="a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*9.81*cos(a) + 9.81*cos(b)",
    )
    start = {"a": 0.0, "b": 0.4, "a'": 1.0, "b'": -0.3}
    hair, names = 1e-6, ["b", "a'", "b'"]

    def after(moved: dict[str, float]) -> tuple[np.ndarray, ah.Motion]:
        run = double.simulate(moved, until=6)
        section = run.section("a = 0", direction=1)
        place = 0 if float(section["time"][0]) > 1e-9 else 1
        return np.array([float(section[name][place]) for name in names]), section

    columns = []
    for name in names:
        ends = [after({**start, name: start[name] + sign * hair})[0] for sign in (1, -1)]
        columns.append((ends[0] - ends[1]) / (2 * hair))
    section = after({**start, "a": -1e-12})[1]
    first = 0 if float(section["time"][0]) < 1e-3 else None
    assert first == 0
    found = section.derivative(0)
    assert found.coords["of"].values.tolist() == names
    assert found.values == pytest.approx(np.array(columns).T, rel=1e-5, abs=1e-6)


def test_what_an_input_drives_has_a_section_but_no_known_neighbours() -> None:
    arm = ah.System(name="arm", coordinates=["a"], lagrangian="a'^2/2 + cos(a)", forces={"a": "tau"}, inputs=["tau"])
    run = arm.simulate({"a": 1, "a'": 0}, until=20, inputs={"tau": "-a'/50"})
    section = run.section("a = 0", direction=1)
    assert len(section) == 3
    for ask in (lambda: arm.stability.periodic_orbit(near=run), section.derivative):
        with blames(ah.Error, "forces"):
            ask()


def test_an_orbit_is_drawn_and_told() -> None:
    orbit = POL.stability.periodic_orbit(near={"x": 2.0, "x'": 0.0}, period=6.66)
    assert len(orbit.plot().axes) == 2
    assert "van der Pol: closed orbit, period 6.66328685932" in str(orbit)
    assert orbit.exponents[1].real == pytest.approx(math.log(orbit.transverse[0].real) / orbit.period)


@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda: POL.stability.periodic_orbit(near=POL.simulate({"x": 2, "x'": 0}, until=2)), ("near",)),
        (lambda: POL.stability.periodic_orbit(near={"x": 2, "x'": 0}), ()),
        (lambda: POL.stability.periodic_orbit(near={"x": 2, "x'": 0}, period=-1), ()),
        (lambda: POL.stability.periodic_orbit(near=PENDULUM.simulate({"a": 1, "a'": 0}, until=9)), ()),
        (lambda: POL.stability.periodic_orbit(near={"x": 0.01, "x'": 0}, period=1.0), ()),
        (lambda: MATHIEU.stability.periodic_orbit(near={"x": 0, "x'": 0}, period=3.0), ("period", "3")),
        (lambda: POL.simulate({"x": 2, "x'": 0}, until=9).section("x = 0").derivative(9), ("9",)),
        (lambda: POL.simulate({"x": 2, "x'": 0}, until=9).section("x'' = 0").derivative(), ()),
    ],
)  # fmt: skip
def test_bad_questions_get_a_sentence(ask, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        ask()
