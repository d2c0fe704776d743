"""Events of many members, located side by side, and contacts that are lost."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, skate
from tests.wording import blames

PACES = np.linspace(0.3, 3, 40)


def test_events_are_met_when_closed_forms_say():
    runs = skate().ensemble(
        {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": PACES},
        times=[0, 5, 10],
        events={"north": "sin(theta) - 1/2", "far": "x - 9"},
    )
    for i in range(PACES.size):
        mine = runs.events.values[runs.events["event_member"].values == i]
        turns = (
            np.sort(np.concatenate([np.pi / 6 + 2 * np.pi * np.arange(6), 5 * np.pi / 6 + 2 * np.pi * np.arange(6)]))
            / PACES[i]
        )
        names = set(runs.events["event"].values[runs.events["event_member"].values == i])
        assert names <= {"north"}
        assert np.allclose(mine, turns[turns < 10], rtol=0, atol=1e-11)
    assert runs.data.attrs["alone"] == 0
    assert runs.is_complete


def test_a_member_is_stopped_and_the_others_go_on():
    system = chaplygin_sleigh()
    given = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.linspace(-2, 2, 9)}
    runs = system.ensemble(
        given, times=np.linspace(0, 8, 9), events={"turned": "theta - 1"}, stop="turned", tolerance=1e-11
    )
    assert runs.data.attrs["alone"] == 0
    stopped = sum("was stopped" in said for said in runs.outcomes)
    assert runs.stopped_count == stopped > 0
    assert f"{9 - stopped} reached the end, {stopped} stopped" in repr(runs)
    for i in range(9):
        alone = system.simulate(
            runs.start(i), times=np.linspace(0, 8, 9), events={"turned": "theta - 1"}, stop="turned"
        )
        assert runs.outcomes[i] == alone.outcome
        assert abs(runs.data["stop_time"].values[i] - alone.time.values[-1]) < 1e-9
        reached = np.isfinite(runs["x"].values[i])
        assert reached.sum() == alone.time.size - ("stopped" in alone.outcome)
        assert abs(runs["x"].values[i][reached] - alone["x"].values[: reached.sum()]).max() < 1e-8


def test_a_reduction_takes_the_state_at_the_stop():
    runs = skate().sweep(
        {"theta'": PACES},
        {"x": 0, "y": 0, "theta": 0, "x'": 1},
        until=20,
        events={"half": "theta - pi"},
        stop="half",
        summaries={"across": "y", "turned": "theta"},
    )
    assert abs(runs["across"].values * PACES - 2).max() < 1e-7
    assert abs(runs["turned"].values - np.pi).max() < 1e-9


def test_events_of_motions_that_turn_often_are_not_passed_over():
    """A fast spring turns 477 times, and is near its end for a tenth of each turn."""
    spring = ah.System(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 100})
    words = {"until": 300, "events": {"there": "x - 0.09"}}
    first, turn = np.arcsin([0.09, 0.9]) / [1, 10], 2 * np.pi / np.array([1, 10])
    runs = spring.ensemble({"x": 0, "x'": 1}, parameters={"k": [1, 100]}, **words)
    for i in range(2):
        ways = (np.array([first[i], turn[i] / 2 - first[i]]) + turn[i] * np.arange(500)[:, None]).ravel()
        met = runs.events.values[runs.events["event_member"].values == i]
        assert met == pytest.approx(ways[ways < 300], abs=1e-8)
    one = spring.simulate({"x": 0, "x'": 1}, stop="there", **words)
    assert float(one.time[-1]) == pytest.approx(first[1])
    stopped = spring.ensemble({"x": 0, "x'": [1]}, stop="there", **words)
    assert stopped.data["stop_time"].values == pytest.approx(first[1:])


def test_lost_contacts_are_told_for_each_member():
    """A bead slides down a sphere and would leave it where cos(theta) = 2/3 + v²/(3 g R), v being its speed at the top."""
    bead = ah.System(
        name="bead", coordinates=["r", "theta"], lagrangian="m*(r'^2 + r^2*theta'^2)/2 - m*g*r*cos(theta)",
        constraints={"height": "r = R"}, parameters={"m": 1.0, "g": 9.81, "R": 1.0}, one_sided=["height"],
    )  # fmt: skip
    v = np.array([0.1, 0.5, 1.0])
    runs = bead.ensemble({"r": 1, "theta": 0, "theta'": v}, until=1.5, stop="height lost", keep=["theta"])
    stops = runs.data["stop_time"].values
    assert np.isin(runs.events["event"].values, "height lost").all()
    assert runs.outcomes[2] == f"the motion was stopped by the event height lost (t = {stops[2]:.6g})"
    for i in range(3):
        theta = bead.simulate({"r": 1, "theta": 0, "theta'": v[i]}, until=float(stops[i]))["theta"].values[-1]
        assert abs(np.cos(theta) - (2 / 3 + v[i] ** 2 / (3 * 9.81))) < 1e-9


def test_an_event_that_is_no_expression_of_the_system_is_refused():
    with blames(ah.errors.UnknownNameError, "q"):
        skate().ensemble({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": [1, 2]}, until=1, events={"e": "q"})


@pytest.mark.parametrize("until", [10.0, 30.0, 60.0])
def test_what_a_motion_becomes_later_hides_no_passage_before(until):
    """From 1e-3 a hyperbolic cosine passes 1 at arcosh(1000), though it is 1e22 in the end; what slows down passes soon."""
    runaway = ah.System(name="runaway", coordinates=["q"], lagrangian="q'^2/2 + k^2*q^2/2", parameters={"k": 1.0})
    words = {"until": until, "tolerance": 1e-9}
    for event in ("q - 1", "q'' - 1"):
        runs = runaway.ensemble({"q": [1e-3], "q'": 0}, events={"e": event}, stop="e", **words)
        assert runs.data["stop_time"].values == pytest.approx(np.arccosh(1000), abs=1e-6)
        times = runaway.sweep({"q": [1e-3]}, start={"q'": 0}, summaries={"t": f"time of {event}"}, **words)["t"].values
        assert times == pytest.approx(np.arccosh(1000), abs=1e-6)
    slowing = ah.System(name="slowing", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-1e-3*x'"})
    words = {"until": until, "events": {"e": "x - 1"}, "tolerance": 1e-6}
    one, many = slowing.simulate({"x": 0, "x'": 1000}, **words), slowing.ensemble({"x": [0], "x'": 1000}, **words)
    assert [*one.events.values, *many.events.values] == pytest.approx([0.001] * 2, rel=1e-5)


def test_a_first_passage_is_not_the_start_where_that_is_zero_but_for_rounding():
    spring = ah.System(name="spring", coordinates=["x"], lagrangian="x'^2/2 - x^2/2")
    runs = spring.sweep({"x": [-1e-17, 0, 1e-17, 0.1]}, start={"x'": 1}, until=20, summaries={"t": "time of x"})
    assert runs["t"].values == pytest.approx([np.pi, np.pi, np.pi, np.pi - np.arctan(0.1)])


def test_a_lost_contact_that_stops_a_member_leaves_nothing_behind():
    ball = ah.System(
        name="ball",
        coordinates=["x", "z"],
        lagrangian="m*(x'^2 + z'^2)/2 - m*g*z",
        constraints={"string": "1 - x^2 - z^2 = 0"},
        one_sided=["string"],
        parameters={"m": 0.2, "g": 9.81},
    )
    times = np.linspace(0, 1, 6)
    starts = {"x": 0, "z": -1, "x'": [4.0, 5, 6, 8], "z'": 0}
    runs = ball.ensemble(starts, times=times, stop="string lost")
    stops = runs.data["stop_time"].values
    assert (stops < 1).tolist() == [False, True, True, False]
    swept = ball.sweep({"x'": starts["x'"]}, {"x": 0, "z": -1, "z'": 0}, times=times, keep=["x"], stop="string lost")
    for data in (runs["x"], runs["z'"], swept["x"]):
        assert (np.isfinite(data.values) == (times <= stops[:, None])).all()


def test_events_are_kept_in_a_store(tmp_path):
    starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": PACES}
    asked = {"until": 10, "events": {"north": "sin(theta) - 1/2", "far": "x - 3"}, "stop": "far"}
    here = skate().ensemble(starts, **asked).events
    for _ in range(2):  # made, and found there
        kept = skate().ensemble(starts, **asked, store=tmp_path / "runs.zarr").events
        assert here.size > PACES.size
        assert (kept.values == here.values).all()
        assert (kept["event"].values == here["event"].values).all()
        assert (kept["event_member"].values == here["event_member"].values).all()
