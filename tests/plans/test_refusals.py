"""What cannot be planned is refused in one sentence that says why; what was not found is kept with what it violates."""

from __future__ import annotations

import signal
import sys
import threading

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import constant_speed, heisenberg, n_trailer, skate
from tests.wording import blames

HERE = {"x": 0, "y": 0, "theta": 0}
THERE = {"x": 2, "y": 0, "theta": 0}
UNIT = {"u": (-1, 1), "omega": (-1, 1)}
CRATE = "(x - 1)^2 + y^2 >= 0.09"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"cost": "u^2 + omeg^2"}, "omeg appears in the cost, but the plan does not know it; did you mean omega?"),
        ({"cost": "u^2 +"}, "the cost"),
        ({"cost": None}, "the cost is None"),
        ({"bounds": {"v": (-1, 1)}}, "`bounds` has v, which the plan does not know"),
        ({"bounds": {"u": 1}}, "the bound of u is 1; give a pair"),
        ({"bounds": {"u": (1, -1)}}, "leave nothing between 1 and -1"),
        ({"bounds": {"u": (float("nan"), 1)}}, "the bound of u is nan; give a finite number"),
        ({"bounds": [("u", 1)]}, "give pairs by name"),
        ({"bounds": {"x": (1, 3)}}, "the start has x = 0, outside its bounds from 1 to 3"),
        ({"bounds": {"x": (-1, 1)}}, "the end has x = 2, outside its bounds from -1 to 1"),
        ({"obstacles": ["x^2 + y^2 >= 1"]}, "the start violates x^2 + y^2 >= 1 by 1; move it"),
        ({"obstacles": ["(x - 2)^2 >= 1"]}, "the end violates (x - 2)^2 >= 1 by 1; move it"),
        ({"obstacles": ["x^2 + yy^2 >= 1"]}, "yy appears in the obstacle"),
        ({"obstacles": ["x^2 = 1"]}, "an inequality compares two sides"),
        ({"obstacles": ["0 < x < 1"]}, "write two of them instead of a chain"),
        ({"obstacles": "x > 1"}, "give a list of inequalities"),
        ({"obstacles": [CRATE], "body": [{"xx": "x + 1"}]}, "a point of `body` has 'xx', which is no coordinate"),
        ({"obstacles": [CRATE], "body": "x"}, "`body` is 'x'; give a list of points"),
        ({"horizon": 0}, "`horizon` is 0; give a positive time"),
        ({"horizon": float("inf")}, "`horizon` is inf"),
        ({"time_limit": -1}, "time_limit"),
        ({"tolerance": 2}, "the tolerance of a plan"),
        ({"start": {"x": 0, "y": 0}}, "lacks theta"),
        ({"start": {**HERE, "u": 1}}, "the state has u, which the system does not know"),
        ({"start": {**HERE, "x'": 1}}, "the start has x', but a plan by speeds chooses the velocities"),
        ({"start": {**HERE, "x": float("inf")}}, "x = inf is not a finite number"),
        ({"end": {}}, "the end is empty"),
        ({"end": {"z": 1}}, "the end has z, which the plan does not know"),
        ({"end": {"x": float("nan")}}, "x at the end is nan; give a finite number"),
        ({"end": 3}, "the end is 3; give a dict"),
        ({"modulo": ["phi"]}, "`modulo` has 'phi'; name angles that the end gives"),
        ({"modulo": 3}, "`modulo` is 3"),
        ({"guess": 3}, "`guess` is 3; give a plan, a motion, or a dict"),
        ({"guess": {"x": ["a"]}}, "`guess` has 'x'; give finite numbers"),
        ({"inputs": {}}, "`inputs` is {}; give forces by coordinate"),
        ({"inputs": {"x": "x"}, "start": {**HERE, "x'": 0, "theta'": 0}}, "`inputs` has no new name"),
        ({"inputs": {"x": "F"}, "start": HERE}, "the constraints do not determine x', theta'; give 2 of them"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(words, said):
    asked = {"start": HERE, "end": THERE, "bounds": UNIT, **words}
    with pytest.raises(ah.Error) as refused:
        skate().plan(**asked)
    assert said in str(refused.value)
    assert "Traceback" not in str(refused.value)


def test_an_integrable_constraint_separates_its_leaves():
    trough = ah.System(
        name="trough", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["y' = 2*x*x'"]
    )
    with blames(ah.errors.StateError, "y", "x", "2", "0"):
        trough.plan({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 2, "z": 0})
    on_it = trough.plan({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 1, "z": 3}, horizon=1)
    assert on_it.converged
    assert abs(on_it.run["y - x^2"]).max() < 1e-9


def test_one_integrable_constraint_among_others_is_enough():
    both = ah.System(
        name="both",
        coordinates=["x", "y", "z", "w"],
        lagrangian="(x'^2 + y'^2 + z'^2 + w'^2)/2",
        constraints=["z' = x*y' - y*x'", "w' = 3*y'"],
    )
    zero = dict.fromkeys("xyzw", 0)
    with blames(ah.errors.StateError, "3", "y", "w", "0"):
        both.plan(zero, {"x": 0, "y": 1, "z": 0, "w": 4})
    assert both.plan(zero, {"x": 0, "y": 1, "z": 0, "w": 3}, horizon=1).converged


def test_constraints_that_are_not_linear_leave_no_speeds_to_plan_with():
    system = constant_speed()
    with blames(ah.errors.NotSupportedError, "inputs"):
        system.plan({q.name: 0 for q in system.coordinates}, {system.coordinates[0].name: 1})


def test_what_is_too_far_keeps_the_motion_that_comes_nearest():
    plan = skate().plan(HERE, {"x": 10, "y": 0, "theta": 0}, "effort", UNIT, horizon=1)
    assert not plan.converged
    assert "no plan was found: in the best one, x misses its value at the end by 9" in plan.verdict
    assert plan.run["x"].values[-1] == pytest.approx(1.0, abs=1e-5)
    assert plan.mismatch["x"] == pytest.approx(-9.0, abs=1e-5)


def test_a_wall_without_a_door_is_named():
    plan = skate().plan(
        HERE, {"x": 2, "y": 0, "theta": 0}, "effort", UNIT, 9, obstacles=["(x - 1)^2 >= 0.25"], time_limit=2
    )
    assert not plan.converged
    assert "violated by" in plan.verdict or "misses its value at the end" in plan.verdict


def test_a_cost_that_falls_for_ever_wants_a_horizon():
    particle = ah.System(name="particle", coordinates=["x"], lagrangian="x'^2/2")
    plan = particle.plan({"x": 0, "x'": 0}, {"x": 1, "x'": 0}, "effort", inputs={"x": "F"})
    assert not plan.converged
    assert "the cost still falls" in plan.verdict


@pytest.mark.parametrize("after", [1, 30])
def test_an_interrupt_keeps_the_best_so_far(after):
    calls = []

    def progress(fraction):
        calls.append(fraction)
        if len(calls) == after:
            raise KeyboardInterrupt

    plan = skate().plan(HERE, {"x": 0, "y": 1, "theta": 0}, "time", UNIT, progress=progress)
    assert len(calls) == after
    assert calls == sorted(calls)
    assert not plan.converged
    assert "it was interrupted" in plan.verdict
    assert np.isfinite(plan.run["x"]).all()


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals go to the main thread")
def test_a_signal_stops_the_search_though_casadi_would_go_on():
    before = signal.getsignal(signal.SIGINT)
    zero = dict.fromkeys(("x", "y", "theta0", "theta1", "theta2"), 0)
    alarm = threading.Timer(0.7, signal.raise_signal, [signal.SIGINT])
    alarm.start()
    plan = n_trailer(2).plan(zero, {**zero, "y": 1}, "time", {"v": (-1, 1), "omega": (-1, 1)}, tolerance=1e-9)
    alarm.cancel()
    assert "it was interrupted" in plan.verdict
    assert signal.getsignal(signal.SIGINT) is before


def test_a_limit_of_time_is_kept_and_said():
    plan = skate().plan(HERE, {"x": 0, "y": 1, "theta": 0}, "time", UNIT, time_limit=1e-3)
    assert not plan.converged
    assert "the time that it may take is over" in plan.verdict


def test_without_casadi_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "casadi", None)
    with blames(ah.Error):
        heisenberg().plan({"x": 0, "y": 0, "z": 0}, {"z": 1})


def test_a_planned_motion_is_not_resampled_by_equations_that_do_not_drive_it():
    plan = skate().plan(HERE, THERE, horizon=1)
    for ask in (lambda: plan.run.at([0.1]), lambda: plan.run.continue_to(2)):
        with blames(ah.errors.IntegrationError):
            ask()
