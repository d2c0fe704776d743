"""Motions against closed forms, other formulations, other integrators and the balance of energy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import simpson, solve_ivp
from scipy.special import ellipj, ellipk

import anholonomy as ah
from anholonomy.motion.charts import one_motion as runnable_equations
from anholonomy.motion.integrators import INTEGRATORS
from tests.wording import blames, pinned

PRINCIPLES = ["hamel", "maggi", "lagrange-dalembert"]


def columns(run, names):
    return np.stack([run[name].values for name in names], axis=1)


def largest_residual(run):
    return float(abs(run.constraint_residual).max())


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_constant_speed_in_a_field(integrator):
    """A particle held to the speed v0 in a constant field: its direction obeys psi' = -(g/v0) cos(psi)."""
    v0, g, psi0 = 2.0, 1.3, 0.4
    system = ah.System(
        name="constant speed", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - g*y",
        constraints=["x'^2 + y'^2 = v0^2"], parameters={"g": g, "v0": v0},
    )  # fmt: skip
    run = system.simulate(
        {"x": 0, "y": 0, "x'": v0 * np.cos(psi0), "y'": v0 * np.sin(psi0)},
        times=np.linspace(0, 4, 41), integrator=integrator, tolerance=1e-13,
    )  # fmt: skip
    t = run.time.values
    psi = 2 * np.arctan(np.tanh(np.arctanh(np.tan(psi0 / 2)) - g * t / (2 * v0)))
    np.testing.assert_allclose(run["x'"], v0 * np.cos(psi), atol=1e-10)
    np.testing.assert_allclose(run["y'"], v0 * np.sin(psi), atol=1e-10)
    np.testing.assert_allclose(run["y"], v0**2 / g * (np.log(np.cos(psi)) - np.log(np.cos(psi0))), atol=1e-10)
    # Between steps Runge-Kutta interpolates, to the tolerance and no better.
    assert largest_residual(run) < (1e-13 if integrator == "taylor" else 1e-11)


@pytest.mark.parametrize("principle", PRINCIPLES)
def test_a_pendulum_declared_by_its_rod(principle):
    """x^2 + y^2 = l^2 against the elliptic function of the angle, released at rest."""
    g, l, theta0 = 9.81, 1.3, 2.0
    system = ah.System(
        name="pendulum", coordinates=["x", "y"], lagrangian="m*(x'^2 + y'^2)/2 - m*g*y",
        constraints=["x^2 + y^2 = l^2"], parameters={"m": 0.7, "g": g, "l": l},
    )  # fmt: skip
    start = {"x": l * np.sin(theta0), "y": -l * np.cos(theta0), "x'": 0, "y'": 0}
    run = system.simulate(start, times=np.linspace(0, 6, 61), by=principle)
    k = np.sin(theta0 / 2)
    sn, *_ = ellipj(ellipk(k**2) - np.sqrt(g / l) * run.time.values, k**2)
    theta = 2 * np.arcsin(k * sn)
    np.testing.assert_allclose(run["x"], l * np.sin(theta), atol=1e-10)
    np.testing.assert_allclose(run["y"], -l * np.cos(theta), atol=1e-10)
    assert float(abs(run.data["position"]).max()) < 1e-11
    assert largest_residual(run) < 1e-12


def edge(**words):
    """A knife edge on an incline with a spring: all of gravity, constraint and potential matter."""
    return ah.System(
        name="edge", coordinates=["x", "y", "theta"],
        lagrangian="m*(x'^2 + y'^2)/2 + I*theta'^2/2 - m*g*x*sin(alpha) - k*theta^2/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        parameters={"m": 1.2, "I": 0.4, "g": 9.81, "alpha": 0.3, "k": 0.5}, **words,
    )  # fmt: skip


EDGE = {"x": 0, "y": 0, "theta": 0.1, "x'": 1, "theta'": 2}


@pytest.mark.parametrize("principle", PRINCIPLES)
def test_integrators_and_principles_agree(principle):
    names = ("x", "y", "theta", "x'", "y'", "theta'")
    times = np.linspace(0, 4, 9)
    expected = columns(edge().simulate(EDGE, times=times), names)
    for integrator in INTEGRATORS:
        run = edge().simulate(EDGE, times=times, by=principle, integrator=integrator, tolerance=1e-13)
        np.testing.assert_allclose(columns(run, names), expected, atol=1e-10, err_msg=f"{principle} {integrator}")
        assert largest_residual(run) < 1e-12
        assert run.data.attrs["integrator"] == integrator


def test_energy_is_conserved_without_forces():
    run = edge().simulate(EDGE, until=20)
    assert float(abs(run.energy - run.energy[0]).max()) < 1e-12


def test_energy_changes_by_the_work_of_the_forces():
    """dE/dt = Q v: along the motion by quadrature, and pointwise by differences."""
    system = edge(forces={"x": "-0.3*x'", "y": "0.2*sin(t)", "theta": "cos(2*t) - 0.1*theta'"})
    run = system.simulate(EDGE, until=4)
    t = run.time.values
    power = -0.3 * run["x'"] ** 2 + 0.2 * np.sin(t) * run["y'"] + (np.cos(2 * t) - 0.1 * run["theta'"]) * run["theta'"]
    assert float(run.energy[-1] - run.energy[0]) == pytest.approx(simpson(power.values, x=t), abs=1e-8)
    h = t[1] - t[0]
    slope = (run.energy.values[2:] - run.energy.values[:-2]) / (2 * h)
    np.testing.assert_allclose(slope, power[1:-1], atol=2e-3)


@pytest.mark.parametrize("principle", PRINCIPLES)
def test_a_constraint_that_moves(principle):
    """x' = t y' + sin(t), reduced by hand."""
    system = ah.System(
        name="s", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - y^2/2", constraints=["x' = t*y' + sin(t)"]
    )
    times = np.linspace(0, 5, 11)
    run = system.simulate({"x": 0, "y": 1, "y'": 0.3}, times=times, by=principle)

    def by_hand(t, z):
        y, v = z
        # Virtual displacements (t, 1): t x'' + y'' + y = 0 with x'' = v + t y'' + cos t.
        return [v, -(y + t * (v + np.cos(t))) / (1 + t**2)]

    truth = solve_ivp(by_hand, (0, 5), [1, 0.3], t_eval=times, rtol=1e-12, atol=1e-13, method="DOP853")
    np.testing.assert_allclose(run["y"], truth.y[0], atol=1e-10)
    np.testing.assert_allclose(run["y'"], truth.y[1], atol=1e-10)
    assert largest_residual(run) < 1e-12


def test_no_constraints():
    system = ah.System(name="oscillator", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - x^2/2 - 2*y^2")
    for principle in PRINCIPLES:
        run = system.simulate({"x": 1, "y": 0, "x'": 0, "y'": 2}, until=10, by=principle)
        np.testing.assert_allclose(run["x"], np.cos(run.time), atol=1e-12)
        np.testing.assert_allclose(run["y"], np.sin(2 * run.time), atol=1e-12)


@pytest.mark.parametrize("principle", PRINCIPLES)
def test_nothing_is_left_to_dynamics(principle):
    """As many constraints as velocities: the motion is kinematics, the reactions follow."""
    system = ah.System(
        name="conveyor", coordinates=["x", "y"], lagrangian="m*(x'^2 + y'^2)/2 - m*g*y",
        constraints=["x' = y", "y' = -x + cos(t)"], parameters={"m": 2.0, "g": 9.81},
    )  # fmt: skip
    run = system.simulate({"x": 0, "y": 1}, times=np.linspace(0, 5, 21), by=principle)
    t = run.time.values
    np.testing.assert_allclose(run["x"], np.sin(t) + t * np.sin(t) / 2, atol=1e-12)
    np.testing.assert_allclose(run["y"], np.cos(t) + (np.sin(t) + t * np.cos(t)) / 2, atol=1e-12)
    np.testing.assert_allclose(run.reactions.sel(direction="y'"), 2.0 * (run["y''"] + 9.81), atol=1e-11)


@pytest.mark.parametrize("principle", PRINCIPLES)
def test_rest_is_the_only_motion(principle):
    system = ah.System(name="stuck", coordinates=["x"], lagrangian="x'^2/2 - 3*x", constraints=["x' = 0"])
    run = system.simulate({"x": 2}, until=1, by=principle)
    np.testing.assert_array_equal(run["x"], 2.0)
    np.testing.assert_allclose(run.multipliers, 3.0, atol=1e-15)


# Two constraint forms that leave two free directions in one block: velocities as speeds are singular somewhere.
CHARTED = {
    "skate on a moving floor": (
        ["x'*cos(theta) + y'*sin(theta) + b*z'*sin(phi) = 0"],
        "(x'^2 + y'^2 + z'^2)/2 + theta'^2/2 + phi'^2/2 - x/5 - z/7",
        {"b": 0.7},
        [
            ["-sin(theta)", "cos(theta)", 0, 0, 0],
            ["-b*sin(phi)*cos(theta)", "-b*sin(phi)*sin(theta)", 1, 0, 0],
            [0, 0, 0, 1, 0],
            [0, 0, 0, 0, 1],
        ],
    ),
    "with an offset": (
        ["x'*cos(theta) + y'*sin(theta) + b*z'*sin(phi) = sin(t)"],
        "(x'^2 + y'^2 + z'^2)/2 + theta'^2/2 + phi'^2/2 + x*theta'/3 - z/7",
        {"b": 0.4},
        [
            ["-sin(theta)", "cos(theta)", 0, 0, 0],
            ["-b*sin(phi)*cos(theta)", "-b*sin(phi)*sin(theta)", 1, 0, 0],
            [0, 0, 0, 1, 0],
            [0, 0, 0, 0, 1],
        ],
    ),
}
NAMES = ("x", "y", "z", "theta", "phi", "x'", "y'", "z'", "theta'", "phi'")
START = {"x": 0, "y": 0, "z": 0, "theta": 0.3, "phi": 0.2, "y'": 0.5, "z'": 0.4, "theta'": 1.0, "phi'": 0.37}


def charted(name, with_span=False):
    constraints, lagrangian, parameters, span = CHARTED[name]
    return ah.System(
        name=name, coordinates=["x", "y", "z", "theta", "phi"], lagrangian=lagrangian, constraints=constraints,
        parameters=parameters, span=span if with_span else None,
        speeds=None if with_span else ["y'", "z'", "theta'", "phi'"],
    )  # fmt: skip


@pytest.mark.parametrize("name", CHARTED)
def test_charts_change_before_they_fail(name):
    """Five turns of the heading cross the singular set of every chart; the motion does not notice."""
    times = np.linspace(0, 30, 61)
    run = charted(name).simulate(START, times=times)
    assert run.is_complete
    assert run.data.attrs["charts"] > 1
    np.testing.assert_array_equal(run.time, times)
    assert largest_residual(run) < 1e-12
    spanned = charted(name, with_span=True).simulate(START, times=times)
    assert spanned.data.attrs["charts"] == 1
    np.testing.assert_allclose(columns(run, NAMES), columns(spanned, NAMES), rtol=1e-9, atol=1e-9)
    for principle in ("maggi", "lagrange-dalembert"):
        full = charted(name).simulate(START, times=times, by=principle)
        np.testing.assert_allclose(columns(run, NAMES), columns(full, NAMES), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(run.multipliers, full.multipliers, rtol=1e-8, atol=1e-8)
        assert largest_residual(full) < 1e-12


def test_a_motion_goes_back_to_charts_that_it_knows(monkeypatch):
    """To choose a frame at a state takes longer than to move in it."""
    chosen = []
    monkeypatch.setattr(
        "anholonomy.motion.driver.one_motion.runnable_at",
        lambda *given: chosen.append(given) or runnable_equations.runnable_at(*given),
    )
    # In speeds of space the body would need one chart.
    monkeypatch.setattr("anholonomy.equations.derivation.frame_in_space", lambda model: None)
    entry = ah.catalogue.ENTRIES["veselova"]
    run = entry.make().simulate(entry.start, times=np.linspace(0, entry.until / 4, 21))
    assert run.data.attrs["charts"] > 8
    assert len(chosen) <= 3
    assert_moves_as_by_multipliers(run)


def assert_moves_as_by_multipliers(run):
    names = [*run.data["direction"].values, *run.data["coordinate"].values]
    start = {name: float(run[name][0]) for name in names}
    by_multipliers = run.system.simulate(start, times=run.time.values, by="lagrange-dalembert")
    np.testing.assert_allclose(columns(run, names), columns(by_multipliers, names), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", ["veselova", "rubber-ball"])
def test_what_stands_still_in_space_needs_one_chart(name):
    entry = ah.catalogue.ENTRIES[name]
    run = entry.make().simulate(entry.start, times=np.linspace(0, 4, 21))
    assert run.data.attrs["charts"] == 1
    assert_moves_as_by_multipliers(run)


def test_speeds_of_the_users_choice_are_kept_on_a_group():
    entry = ah.catalogue.ENTRIES["veselova"]
    chosen = entry.make().derive("kane", speeds={"a": "w1 + w2", "b": "w2"})
    run = chosen.simulate(entry.start, times=np.linspace(0, 4, 11))
    assert set(run.data["speed_name"].values) >= {"a", "b"}
    assert_moves_as_by_multipliers(run)


@pytest.mark.parametrize("integrator", ["runge-kutta", "scipy"])
def test_charts_change_with_every_integrator(integrator):
    times = np.linspace(0, 10, 21)
    name = "skate on a moving floor"
    run = charted(name).simulate(START, times=times, integrator=integrator, tolerance=1e-12)
    expected = charted(name, with_span=True).simulate(START, times=times)
    assert run.data.attrs["charts"] > 1
    np.testing.assert_allclose(columns(run, NAMES), columns(expected, NAMES), rtol=1e-9, atol=1e-9)
    assert largest_residual(run) < 1e-12


def test_charts_change_backward_in_time():
    name = "skate on a moving floor"
    times = np.linspace(0, -10, 21)
    run = charted(name).simulate(START, times=times)
    assert run.data.attrs["charts"] > 1
    expected = charted(name, with_span=True).simulate(START, times=times)
    np.testing.assert_allclose(columns(run, NAMES), columns(expected, NAMES), rtol=1e-9, atol=1e-9)


def test_a_start_where_the_usual_chart_is_singular():
    """cos(theta) = 0 and sin(theta) = 0 at the start: either way a regular chart is found."""
    for theta in (0.0, np.pi / 2, np.pi):
        start = {**START, "theta": theta, "phi": 0, "x'": 0.5, "y'": 0.5}
        run = charted("skate on a moving floor").simulate(start, times=[0, 1, 2], project=True)
        full = charted("skate on a moving floor").simulate(
            start, times=[0, 1, 2], project=True, by="lagrange-dalembert"
        )
        np.testing.assert_allclose(columns(run, NAMES), columns(full, NAMES), rtol=1e-9, atol=1e-9)


def test_an_interruption_in_a_later_chart():
    seen = []

    def progress(fraction):
        seen.append(fraction)
        if fraction > 0.25:
            raise KeyboardInterrupt

    times = np.linspace(0, 20, 41)
    run = charted("skate on a moving floor").simulate(START, times=times, by="voronec", progress=progress)
    assert not run.is_complete
    assert "interrupted" in run.outcome
    assert run.data.attrs["charts"] > 1
    assert seen == sorted(seen)
    kept = run.data.sizes["time"] - 1  # the last sample is where it was interrupted
    np.testing.assert_array_equal(run.time[:kept], times[:kept])
    assert 5 - 0.5 < run.time[-1] < 20


@pytest.mark.exhaustive_for("scipy")
@pytest.mark.parametrize("integrator", ["runge-kutta", "scipy"])
def test_a_singular_configuration_ends_the_motion_with_a_sentence(integrator):
    """The constraints become dependent at x = 1; what was computed is kept."""
    system = ah.System(
        name="jam", coordinates=["x", "y", "z", "w"], lagrangian="(x'^2 + y'^2 + z'^2 + w'^2)/2",
        constraints=["(1 - x)*y' + z' = 0", "z' = (1 - x)^3*w'"],
    )  # fmt: skip
    start = {"x": 0, "y": 0, "z": 0, "w": 0, "x'": 1, "w'": 1}
    run = system.simulate(start, times=np.linspace(0, 2, 21), integrator=integrator, tolerance=1e-10)
    assert not run.is_complete
    assert run.data.sizes["time"] >= 10
    assert "singular" in run.outcome
    assert np.isfinite(run.data["q"]).all()


@pytest.mark.parametrize("exponent", [3, 4, 5, 7])
def test_a_power_of_zero_at_the_start_is_no_obstacle(exponent):
    """A series for a general power divides by the base; whole powers must not."""
    system = ah.System(name="anharmonic", coordinates=["x"], lagrangian=f"x'^2/2 - x^{exponent + 1}/{exponent + 1}")
    start, times = {"x": 0, "x'": 0.5}, [0.0, 0.5, 1.0]
    run = system.simulate(start, times=times, integrator="taylor")
    other = system.simulate(start, times=times, integrator="scipy")
    assert run.is_complete
    assert np.allclose(run["x"], other["x"], rtol=0, atol=1e-12)


def test_a_motion_into_the_tip_of_a_cone_ends_there():
    """The constraint degenerates at rest, which a particle thrown upwards reaches at t = 10/9.81."""
    cone = ah.System(
        name="cone", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 - g*z",
        constraints=["x'^2 + y'^2 = z'^2"], parameters={"g": 9.81},
    )  # fmt: skip
    run = cone.simulate({"x": 0, "y": 0, "z": 0, "x'": 3, "y'": 4, "z'": 5}, until=1.1)
    assert not run.is_complete
    pinned(run.outcome)
    assert abs(run.time.values[-1] - 10 / 9.81) < 1e-6


@pytest.mark.parametrize("before", [None, (6, 3, 2, 1), (2, 1, 6, 3), (6, 6, 2, 2)])
def test_pivots_of_an_earlier_motion_do_not_spoil_a_later_one(before):
    """The multipliers' matrix is indefinite: pivots that were good at one start may vanish on another motion."""
    pair = ah.catalogue.benenti()
    place = {"x1": 0, "y1": 0, "x2": 1, "y2": 0}
    start = lambda v: place | dict(zip(("x1'", "y1'", "x2'", "y2'"), v, strict=True))
    if before is not None:
        pair.simulate(start(before), until=1)
    run = pair.simulate(start((3, 6, -1, -2)), until=3, by="lagrange-dalembert")
    other = pair.simulate(start((3, 6, -1, -2)), until=3, by="udwadia-kalaba")
    assert run.is_complete
    assert np.allclose(run.data["q"], other.data["q"], rtol=0, atol=1e-10)


def test_samples_of_a_motion_are_numbers_of_a_start_and_of_parameters():
    spring = ah.System(name="spring", coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": np.array(1.0)})
    run = spring.simulate({"x": 1, "x'": 0}, until=1)
    again = spring.simulate({"x": run["x"][-1], "x'": run["x'"][-1]}, until=run.time[-1])
    assert float(again["x"][-1]) == pytest.approx(np.cos(2), abs=1e-14)
    assert spring.with_parameters(k=run["x"][0]).parameters["k"] == 1
    with blames(ah.errors.StateError):
        spring.simulate({"x": run["x"][:1], "x'": 0}, until=1)


@pytest.mark.parametrize(("mass", "x"), [(1e-320, 1.0), (1.0, 1e308), (1e-295, 1.0)])
def test_rates_beyond_doubles_end_a_motion_in_a_sentence(mass, x):
    spring = ah.System(name="spring", coordinates=["x"], lagrangian="m*x'^2/2 - 2*x^2", parameters={"m": mass})
    run = spring.simulate({"x": x, "x'": 0}, until=1, integrator="runge-kutta")
    assert not run.is_complete
    assert run["x"].values[0] == x
