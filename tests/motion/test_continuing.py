"""A motion that goes on is the motion that would have been simulated at once."""

from __future__ import annotations

import json

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames, pinned

SLEIGH = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
OSCILLATOR = ah.System(name="oscillator", coordinates=["x"], lagrangian="(x'^2 - x^2)/2")
START = {"x": 1, "x'": 0}


def test_two_parts_are_one_motion() -> None:
    sleigh = ah.catalogue.chaplygin_sleigh()
    whole = sleigh.simulate(SLEIGH, times=np.linspace(0, 10, 101))
    both = sleigh.simulate(SLEIGH, times=np.linspace(0, 4, 41)).continue_to(until=10)
    np.testing.assert_allclose(both.time, whole.time, atol=1e-14)
    assert set(both.data.variables) == set(whole.data.variables)
    for name in ("q", "velocity", "acceleration", "reaction", "multiplier", "energy", "speed"):
        assert both.data[name].dims == whole.data[name].dims
        np.testing.assert_allclose(both.data[name], whole.data[name], atol=1e-12)
    assert both.is_complete
    assert both.outcome == whole.outcome
    assert both.system == whole.system
    assert both.data.attrs["steps"] > whole.data.attrs["steps"] / 2
    np.testing.assert_allclose(both["u"], whole["u"], atol=1e-12)


def test_events_are_kept_and_go_on(tmp_path) -> None:
    run = OSCILLATOR.simulate(START, until=4, events={"down": "x", "turn": "x'"}, stop="turn", max_step=0.1)
    assert float(run.time[-1]) == pytest.approx(np.pi)
    run.save(tmp_path / "run.nc")
    for part in (run, ah.load(tmp_path / "run.nc")):
        on = part.continue_to(until=20)
        assert list(on.events["event"].values) == ["down", "turn", "down", "turn"]
        np.testing.assert_allclose(on.events, np.pi * np.array([0.5, 1, 1.5, 2]), atol=1e-12)
        pinned(on.outcome, "event", "turn")
        assert json.loads(on.data.attrs["asked"])["max_step"] == 0.1
    free = run.continue_to(until=10, stop=())
    assert free.events.size == 6
    assert float(free.time[-1]) == 10
    np.testing.assert_allclose(free["x"], np.cos(free.time), atol=1e-12)
    other = run.continue_to(until=10, events={"half": "x - 1/2"})
    assert list(other.events["event"].values[2:]) == ["half", "half"]


def test_an_interrupted_motion_goes_on() -> None:
    def interrupt(fraction: float) -> None:
        if fraction > 0.2:
            raise KeyboardInterrupt

    run = OSCILLATOR.simulate(START, until=2000, progress=interrupt)
    if run.is_complete:  # too quick to be interrupted
        run = OSCILLATOR.simulate(START, until=20)
    on = run.continue_to(until=2001)
    assert on.is_complete
    np.testing.assert_allclose(on["x"], np.cos(on.time), atol=1e-10)
    assert (np.diff(on.time) > 0).all()


def test_backward_and_nonsense() -> None:
    run = OSCILLATOR.simulate(START, until=-1).continue_to(until=-3)
    assert float(run["x"][-1]) == pytest.approx(np.cos(3), abs=1e-13)
    for until in (-2, "x", None, np.nan, True, -np.inf):
        with blames(ah.errors.IntegrationError):
            run.continue_to(until=until)
    broken = ah.load(run.data.assign_attrs(asked="{"))
    with blames(ah.errors.FileError):
        broken.continue_to(until=-4)


def test_speeds_of_other_frames_keep_apart() -> None:
    """The span fails at a quarter turn, so that the second part begins in another frame than the first did."""
    blade = ah.System(
        name="blade", coordinates=["x", "y", "theta"], lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["y'*cos(theta) = x'*sin(theta)"], span=[["1", "tan(theta)", "0"], ["0", "0", "1"]],
    )  # fmt: skip
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}
    run = blade.simulate(start, until=1).continue_to(until=1.6).continue_to(until=6)
    np.testing.assert_allclose(run["y"], 1 - np.cos(run.time), atol=1e-12)
    for k in np.unique(run.data["chart"]):
        assert run.data["speed"].values[run.data["chart"].values == k].size


def test_a_loss_on_the_first_part_is_still_told() -> None:
    ball = ah.System(
        name="ball", coordinates=["x", "z"], lagrangian="(x'^2 + z'^2)/2 - 9.81*z",
        constraints={"string": "1 - x^2 - z^2 = 0"}, one_sided=["string"],
    )  # fmt: skip
    run = ball.simulate({"x": 0, "z": -1, "x'": 6, "z'": 0}, until=0.55)
    pinned(run.outcome, "string")
    on = run.continue_to(until=0.6)
    assert on.outcome == run.outcome


def test_a_motion_goes_on_from_event_to_event() -> None:
    spring = ah.System(name="spring", coordinates=["x"], lagrangian="x'^2/2 - 2*x^2")
    run = spring.simulate({"x": 1, "x'": 0}, until=10, events={"middle": "x"}, stop="middle")
    for _ in range(5):
        run = run.continue_to(until=10)
    np.testing.assert_allclose(run.events, np.pi / 4 * np.arange(1, 12, 2), rtol=1e-14)
