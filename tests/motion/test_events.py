"""Events: zeros of functions along a motion, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipk

import anholonomy as ah
from tests.wording import blames

PENDULUM = ah.System(name="pendulum", coordinates=["theta"], lagrangian="theta'^2/2 + cos(theta)")
QUARTER = ellipk(np.sin(0.25) ** 2)
START = {"theta": 0.5, "theta'": 0}


@pytest.mark.parametrize("integrator", ["taylor", "runge-kutta", "scipy"])
def test_a_pendulum_passes_and_turns_at_quarter_periods(integrator: str) -> None:
    run = PENDULUM.simulate(
        START, until=20, events={"down": "theta", "turn": "theta'"}, integrator=integrator, tolerance=1e-14
    )
    expected = QUARTER * np.arange(1, 13)
    assert list(run.events["event"].values) == ["down", "turn"] * 6
    np.testing.assert_allclose(run.events.values, expected, rtol=0, atol=1e-11)
    np.testing.assert_allclose(np.abs(run.data["event_q"].values[1::2, 0]), 0.5, atol=1e-11)


def test_a_stopping_event_is_the_last_sample() -> None:
    run = PENDULUM.simulate(START, until=20, events={"down": "theta", "turn": "theta'"}, stop="turn")
    assert run.time.values[-1] == pytest.approx(2 * QUARTER, abs=1e-13)
    assert list(run.events["event"].values) == ["down", "turn"]
    assert "turn" in run.outcome
    assert run.is_complete


@pytest.mark.parametrize("clock", ["goes on", "starts again"])
@pytest.mark.parametrize("kink", ["", " - 0.2*max(x, 0)"])
def test_a_motion_that_begins_at_an_event_goes_on_to_the_next(clock: str, kink: str) -> None:
    """The state at an event is zero but for rounding, from whichever side: half swings of closed form, one after another."""
    spring = ah.System(name="spring", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-x" + kink})
    state, times = {"x": 1.0, "x'": 0.0, "t": 0.0}, []
    for _ in range(7):
        run = spring.simulate(state, until=state["t"] + 10, events={"middle": "x"}, stop="middle")
        times.append(float(run.time[-1]) - state["t"])
        state = {"x": float(run["x"][-1]), "x'": float(run["x'"][-1]), "t": float(run.time[-1])}
        state |= {"t": 0.0} if clock == "starts again" else {}
    above = np.pi / np.sqrt(1.2 if kink else 1)
    np.testing.assert_allclose(times, [above / 2, *[np.pi, above] * 3], rtol=1e-13)


def test_a_slow_passage_is_not_met_again() -> None:
    """At a speed of 1e-6 the rounding of a position is a long time."""
    drift = ah.System(name="drift", coordinates=["x"], lagrangian="x'^2/2")
    run = drift.simulate({"x": 1, "x'": -1e-6}, until=3e6, events={"origin": "x"}, stop="origin").continue_to(until=3e6)
    assert run.events.size == 1
    assert run["x"].values[-1] == pytest.approx(-2, abs=1e-12)


def test_a_coarse_grid_does_not_hide_an_event() -> None:
    run = PENDULUM.simulate(START, times=[0, 20], events={"down": "theta"})
    assert run.time.size == 2
    assert run.events.size == 6


def test_events_are_found_backward_in_time() -> None:
    run = PENDULUM.simulate(START, until=-4, events={"down": "theta"})
    np.testing.assert_allclose(run.events.values, [-QUARTER], atol=1e-13)


def test_events_are_found_across_charts() -> None:
    system = ah.System(
        name="plate",
        coordinates=["x", "y", "z", "a", "b"],
        lagrangian="(x'^2 + y'^2 + z'^2 + a'^2 + b'^2)/2",
        constraints=["x'*cos(a)*cos(b) + y'*sin(a)*cos(b) + z'*sin(b) = 0"],
    )
    start = {"x": 0, "y": 0, "z": 0, "a": 0.1, "b": 0.2, "x'": 0.3, "y'": 1.0, "a'": 0.7, "b'": 0.9}
    run = system.simulate(start, until=12, events={"quarter": "sin(a)", "time": "t - 11"})
    assert run.data.attrs["charts"] > 0
    found = run.events.values[run.events["event"].values == "quarter"]
    np.testing.assert_allclose(found, (np.pi * np.arange(1, 3) - 0.1) / 0.7, atol=1e-11)
    np.testing.assert_allclose(run.events.values[run.events["event"].values == "time"], [11.0], atol=1e-14)


def test_a_motion_without_events_has_none(tmp_path) -> None:
    run = PENDULUM.simulate(START, until=1, events={"far": "theta - 9"})
    assert run.events.size == 0
    run.save(tmp_path / "run.nc")
    assert ah.load(tmp_path / "run.nc").events.size == 0


def test_events_may_use_rates_of_coordinates_on_a_group() -> None:
    """A skate on a circle goes up where its angle is half a right angle further; a top's quaternion turns at half speed."""
    skate = ah.System(name="skate", group="SE2", kinetic=[1, 1, 1], constraints=["v2 = 0"])
    start = {"x": 0, "y": 0, "theta": 0.3, "v1": 0.1, "w": 1}
    run = skate.simulate(start, until=4, events={"up": "x'", "level": "y'", "same": "R11*theta'"})
    assert dict(zip(run.events["event"].values, run.events.values, strict=True)) == pytest.approx(
        {"up": np.pi / 2 - 0.3, "same": np.pi / 2 - 0.3, "level": np.pi - 0.3}, abs=1e-12
    )
    top = ah.System(name="top", group="SO3", kinetic=[1, 1, 1])
    turn = top.simulate({"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 2, "w2": 0, "w3": 0}, until=2, events={"e": "q1'"})
    assert turn.events.values == pytest.approx([np.pi / 2], abs=1e-12)
    with blames(ah.errors.UnknownNameError, "q4'", "R11", "R12", "R33"):
        top.simulate({"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 2, "w2": 0, "w3": 0}, until=2, events={"e": "q4'"})


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"events": {"e": "thta"}}, ("thta",)),
        ({"events": {"e": "theta +"}}, ("theta",)),
        ({"events": {"e": "theta = 1"}}, ("theta - 1",)),
        ({"events": {"e": "2*(theta) == (theta' + 1)/2 - 3"}}, ("2*(theta) - ((theta", "1", "3")),
        ({"events": {"e": "theta > 0"}}, ("theta",)),
        ({"events": {"e": "theta"}, "stop": "f"}, ("f",)),
        ({"stop": ["f"]}, ()),
    ],
)
def test_bad_events_are_refused(options: dict, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        PENDULUM.simulate(START, until=1, **options)


OSCILLATOR = ah.System(name="oscillator", coordinates=["x"], lagrangian="(x'^2 - x^2)/2")


@pytest.mark.parametrize("function", ["(x - 1/2)^3", "(x - 1/2)^5", "(2*x - 1)^3*exp(x)"])
def test_a_zero_of_high_order_is_located(function: str) -> None:
    run = OSCILLATOR.simulate({"x": 1, "x'": 0}, until=7, events={"half": function})
    np.testing.assert_allclose(run.events.values, [np.pi / 3, 5 * np.pi / 3], atol=1e-9)


@pytest.mark.parametrize("integrator", ["taylor", "runge-kutta"])
@pytest.mark.parametrize(
    "function", ["energy - 0.5", "x^2 + x'^2 - 1", "(x - 2)*(energy - 1/2)", "cos(t)^2 + x'^2 - 1"]
)
def test_what_is_zero_but_for_rounding_does_not_pass_through_zero(function: str, integrator: str) -> None:
    run = OSCILLATOR.simulate(
        {"x": 1, "x'": 0}, until=20, events={"kept": function, "down": "x"}, integrator=integrator
    )
    assert list(run.events["event"].values) == ["down"] * 6


def test_small_is_not_zero() -> None:
    """Amplitudes of 1e-20 are motions like any other, and a function that rests at zero for a while passes through it."""
    run = OSCILLATOR.simulate({"x": 1e-20, "x'": 0}, until=7, events={"down": "x"})
    np.testing.assert_allclose(run.events.values, [np.pi / 2, 3 * np.pi / 2], atol=1e-12)
    rests = "((t - 2 + abs(t - 2)) + (t - 1 - abs(t - 1)))*x"
    flat = OSCILLATOR.simulate({"x": 1, "x'": 0}, until=1.5, events={"passes": "t - 1 - abs(t - 1)"})
    assert flat.events.size == 0
    through = OSCILLATOR.simulate({"x": 1, "x'": 0}, until=3, events={"passes": rests.removesuffix("*x")})
    assert through.events.size == 1
