"""Laws of simulation that have nothing to do with a particular motion: units, corners, ends, poles."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.motion.integrators import INTEGRATORS
from tests.wording import blames, pinned

OSCILLATOR = ah.System(name="oscillator", coordinates=["x"], lagrangian="x'^2/2 - x^2/2")


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("size", [1e-12, 1e-6, 1e9])
@pytest.mark.parametrize("tolerance", [1e-9, 1e-13])
def test_the_size_of_a_motion_does_not_matter(integrator: str, size: float, tolerance: float) -> None:
    run = OSCILLATOR.simulate({"x": size, "x'": 0}, until=20, tolerance=tolerance, integrator=integrator)
    error = abs(run["x"] / size - np.cos(run.time)).max()
    assert float(error) < 100 * tolerance


@pytest.mark.parametrize("tolerance", [1e-10, None])
def test_integration_commutes_with_a_change_of_units(tolerance: float | None) -> None:
    """A sleigh in metres and seconds, and the same one in units a billion and a million times larger."""
    options = {} if tolerance is None else {"tolerance": tolerance}
    metre, second = 1e-9, 1e-6
    sleigh = ah.catalogue.chaplygin_sleigh(m=1.0, I=0.3, a=0.2)
    small = ah.catalogue.chaplygin_sleigh(m=1.0, I=0.3 * metre**2, a=0.2 * metre)
    start = {"x": 0, "y": 0, "theta": 0, "x'": -1.2, "theta'": 0.05}
    scaled = {"x": 0, "y": 0, "theta": 0, "x'": -1.2 * metre / second, "theta'": 0.05 / second}
    times = np.linspace(0, 12, 25)
    wanted = sleigh.simulate(start, times=times)
    found = small.simulate(scaled, times=times * second, **options)
    close = 1e-12 if tolerance is None else 1e-7
    np.testing.assert_allclose(found["x"] / metre, wanted["x"].values, atol=close)
    np.testing.assert_allclose(found["theta"], wanted["theta"].values, atol=close)


def test_a_force_that_jumps_is_stepped_over() -> None:
    bounce = ah.System(name="bounce", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-sign(x)"})
    run = bounce.simulate({"x": 1, "x'": 0}, until=40)
    assert run.is_complete
    np.testing.assert_allclose(run["x'"] ** 2 / 2 + abs(run["x"]), 1, atol=1e-10)


def test_dry_friction_ends_with_a_sentence_where_it_sticks() -> None:
    sliding = ah.System(name="sliding", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-0.2*sign(x')"})
    run = sliding.simulate({"x": 0, "x'": 1}, until=8)
    assert not run.is_complete
    pinned(run.outcome)
    assert float(run.time[-1]) == pytest.approx(5, abs=1e-6)
    assert float(run["x"][-1]) == pytest.approx(2.5, abs=1e-6)


def test_an_absurd_end_is_given_up_soon() -> None:
    run = OSCILLATOR.simulate({"x": 1, "x'": 0}, until=1e300)
    assert not run.is_complete
    pinned(run.outcome)
    assert float(run["x"][-1]) == pytest.approx(np.cos(float(run.time[-1])), abs=1e-6)


def test_the_start_is_completed_at_its_own_time() -> None:
    circle = ah.System(
        name="circle", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x^2 + y^2 = (1 + t)^2"]
    )
    with blames(ah.errors.StateError):
        circle.simulate({"x": 1, "y": 0, "y'": 1}, times=[5, 6])
    run = circle.simulate({"x": 6, "y": 0, "y'": 1}, times=[5, 5.5, 6])
    np.testing.assert_allclose(np.hypot(run["x"], run["y"]), 1 + run.time, atol=1e-12)


@pytest.mark.parametrize("span", [None, [["1", "tan(theta)", "0"], ["0", "0", "1"]]])
def test_a_pole_of_the_declaration_is_no_special_heading(span: list | None) -> None:
    skate = ah.System(
        name="skate",
        coordinates=["x", "y", "theta"],
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["y' = x'*tan(theta)"],
        span=span,
    )
    run = skate.simulate({"x": 0, "y": 0, "theta": 0.3, "x'": 1, "theta'": 0.9}, until=10)
    speed, heading = 1 / np.cos(0.3), 0.3 + 0.9 * run.time
    np.testing.assert_allclose(run["x"], speed / 0.9 * (np.sin(heading) - np.sin(0.3)), atol=1e-13)


def test_poles_and_jumps_are_no_events() -> None:
    events = {"pole": "1/(x - 0.3)", "jump": "sign(x - 0.1)", "domain": "log(x - 0.5)", "zero": "x - 0.2"}
    run = OSCILLATOR.simulate({"x": 1, "x'": 0}, until=3, events=events)
    assert list(run.events["event"].values) == ["zero"]
    assert float(run.events[0]) == pytest.approx(np.arccos(0.2), abs=1e-13)


def test_no_event_is_lost_where_the_chart_changes() -> None:
    system = ah.System(
        name="winding",
        coordinates=["x", "y", "z", "w"],
        lagrangian="(x'^2 + y'^2 + z'^2 + w'^2)/2",
        constraints=["(2 + sin(w))*x'*sin(w) - y'*cos(w)*(1 + w^2/9) - z'*sin(3*w) = 0"],
    )
    start = {"x": 0, "y": 0, "z": 0, "w": 0.1, "w'": 1, "x'": 1, "z'": 0.4}
    run = system.simulate(
        start, until=15, events={"e": "sin(23*w)"}, by="voronec"
    )  # whose speeds are velocities, which wear out
    assert run.data.attrs["charts"] > 5
    assert run.events.size == int(23 * 15.1 / np.pi)


def test_the_recorded_system_is_the_one_that_moved() -> None:
    mass = ah.System(name="mass", coordinates=["x"], lagrangian="m*x'^2/2 - x^2/2", parameters={"m": 1.0})
    run = mass.simulate({"x": 1, "x'": 0}, until=1, parameters={"m": 5})
    assert run.system.parameters["m"] == 5
    assert float(run["x"][-1]) == pytest.approx(np.cos(1 / np.sqrt(5)), abs=1e-14)
    with blames(ah.errors.DeclarationError):
        mass.simulate({"x": 1, "x'": 0}, until=1, parameters={"m": 0})


def test_equations_can_be_derived_where_the_usual_frame_fails() -> None:
    sphere = ah.System(
        name="sphere",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["x*x' + y*y' + z*z' = 0"],
    )
    for pole in ({"x": 0, "y": 0, "z": 1}, {"x": 1, "y": 0, "z": 0}, {"x": 0, "y": 1, "z": 0}):
        state = {**pole, "x'": 0, "y'": 0, "z'": 0}
        free = next(name for name, value in pole.items() if value == 0)
        state[f"{free}'"] = 2
        found = sphere.derive("hamel", at=state).accelerations(state)
        fixed = next(name for name, value in pole.items() if value == 1)
        assert found[f"{fixed}''"] == pytest.approx(-4)
        assert sphere.verify(states=[state]).agree
