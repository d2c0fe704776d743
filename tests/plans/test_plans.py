"""Plans keep their bounds and obstacles, are motions of the system, and can be reused, drawn and filed."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, skate
from anholonomy.language import parse_inequality
from tests.wording import blames

HERE = {"x": 0, "y": 0, "theta": 0}
UNIT = {"u": (-1, 1), "omega": (-1, 1)}
CRATES = ["(x - 1)^2 + (y - 0.2)^2 >= 0.25", "(x - 2.2)^2 + (y + 0.5)^2 >= 0.36"]


@pytest.fixture(scope="module")
def around():
    return skate().plan(HERE, {"x": 3, "y": 0, "theta": 0}, "1 + u^2 + omega^2", UNIT, obstacles=CRATES)


def test_obstacles_and_bounds_are_kept_all_along(around):
    run = around.run
    assert around.converged, around.verdict
    for place in ("(x - 1)^2 + (y - 0.2)^2 - 0.25", "(x - 2.2)^2 + (y + 0.5)^2 - 0.36"):
        assert run[place].min() > -1e-4
    assert float(abs(run["u"]).max()) <= 1 + 1e-7
    assert float(abs(run["omega"]).max()) <= 1 + 1e-7


def test_a_plan_is_a_motion_of_its_system(around):
    run = around.run
    t = run.time.values
    assert isinstance(run, ah.Motion)
    assert float(abs(run.constraint_residual).max()) < 1e-12
    # The rates of the coordinates, by differences of a motion that was integrated.
    for q, rate in (("x", "u*cos(theta)"), ("y", "u*sin(theta)"), ("theta", "omega")):
        slope = np.gradient(run[q].values, t)
        assert np.abs(slope - run[rate].values)[1:-1].max() < 0.02
    cost = np.trapezoid(run["1 + u^2 + omega^2"].values, t)
    assert around.cost == pytest.approx(cost, rel=1e-4)
    assert max(map(abs, around.mismatch.values())) < 1e-6
    # Force and momentum of the skate: what drives it and the blade's reaction together.
    assert np.allclose(run["reaction_theta"], 0.5 * run["theta''"], atol=1e-12)


def test_accelerations_are_those_of_the_motion(around):
    run = around.run
    v, t = run["x'"].values, run.time.values
    middle = np.abs(np.gradient(v, t) - run["x''"].values)
    assert np.median(middle) < 1e-3


@pytest.mark.exhaustive
def test_a_body_keeps_all_its_points_clear():
    ends = [
        {"x": "x + 0.4*cos(theta)", "y": "y + 0.4*sin(theta)"},
        {"x": "x - 0.4*cos(theta)", "y": "y - 0.4*sin(theta)"},
    ]
    crate = ["(x - 1.5)^2 + (y - 0.1)^2 >= 0.25"]
    plan = skate().plan(HERE, {"x": 3, "y": 0, "theta": 0}, "time", UNIT, obstacles=crate, body=ends)
    assert plan.converged, plan.verdict
    for sign in "+-":
        clear = plan.run[f"(x {sign} 0.4*cos(theta) - 1.5)^2 + (y {sign} 0.4*sin(theta) - 0.1)^2 - 0.25"]
        assert clear.min() > -1e-4


@pytest.mark.parametrize(("bounds", "pace"), [({}, None), ({"u": (-1, 1)}, "u"), ({"theta'": (-0.5, 0.5)}, "theta'")])
def test_a_cost_without_a_price_of_time_is_gone_as_fast_as_bounds_allow(bounds, pace):
    plan = skate().plan(HERE, {"x": 0, "y": 1, "theta": 0}, "u^2 + omega^2", bounds)
    unit = skate().plan(HERE, {"x": 0, "y": 1, "theta": 0}, "u^2 + omega^2", horizon=1)
    assert plan.converged
    assert plan.cost * plan.duration == pytest.approx(unit.cost, rel=1e-6)
    assert plan.duration == 1 if pace is None else abs(plan.run[pace]).max() == pytest.approx(bounds[pace][1], rel=1e-3)


def test_the_length_does_not_depend_on_pace_or_horizon():
    end = {"x": 0, "y": 1, "theta": 0}
    lengths = [skate().plan(HERE, end, "length", **words).cost for words in ({}, {"horizon": 3}, {"bounds": UNIT})]
    assert lengths == pytest.approx([lengths[0]] * 3, rel=1e-6)
    run = skate().plan(HERE, end, "length").run
    assert lengths[0] == pytest.approx(np.trapezoid(run["sqrt(x'^2 + y'^2 + theta'^2/2)"], run.time), rel=1e-6)


def test_angles_that_count_modulo_full_turns_take_the_shorter_way():
    start, end = {**HERE, "theta": 3}, {"x": 0, "y": 0, "theta": -3}
    short = skate().plan(start, end, "time", UNIT, modulo="theta")
    assert short.cost == pytest.approx(2 * np.pi - 6, rel=1e-6)
    assert skate().plan(start, end, "time", UNIT).cost == pytest.approx(6, rel=1e-6)
    assert "theta ends +1 full turns on" in short.report


def test_what_the_end_leaves_out_is_free():
    plan = skate().plan(HERE, {"y": 1}, "time", UNIT)
    # Turn while driving: the fastest way to y = 1 is an arc, then straight up, dy = sin(theta).
    assert plan.cost == pytest.approx(np.arccos(0), rel=1e-5)


def test_a_plan_a_motion_or_values_are_a_guess():
    end = {"x": 0, "y": 1, "theta": 0}
    first = skate().plan(HERE, end, "time", UNIT)
    again = skate().plan(HERE, end, "time", UNIT, guess=first)
    assert again.cost == pytest.approx(first.cost, rel=1e-6)
    for guess in (first.run, {"u": [1, -1, 1], "theta": [0, 1, 0]}):
        assert skate().plan(HERE, end, "time", UNIT, guess=guess).cost == pytest.approx(first.cost, rel=1e-5)
    with blames(ah.Error):
        skate().plan({**HERE, "x'": 0, "theta'": 0}, end, horizon=1, inputs={"theta": "tau"}, guess=first)


def test_forces_are_planned_on_the_constraints():
    sleigh = chaplygin_sleigh()
    rest = {"x'": 0, "y'": 0, "theta'": 0}
    thrust = {"x": "F*cos(theta)", "y": "F*sin(theta)", "theta": "tau"}
    plan = sleigh.plan({**HERE, **rest}, {"x": 1, "y": 1, "theta": "pi/2", **rest}, "effort", horizon=3, inputs=thrust)
    run = plan.run
    assert plan.converged, plan.verdict
    assert float(abs(run.constraint_residual).max()) < 1e-12
    # Newton: mass and thrust on both sides of the blade, whose reaction is along its normal.
    along = run["reaction_x*cos(theta) + reaction_y*sin(theta)"]
    assert float(abs(along).max()) < 1e-9
    power = run["F*(x'*cos(theta) + y'*sin(theta)) + tau*theta'"]
    assert np.trapezoid(power, run.time) == pytest.approx(float(run.energy[-1] - run.energy[0]), abs=1e-5)


@pytest.mark.exhaustive
def test_speeds_that_may_fail_on_the_way_are_named_and_others_do_not():
    ball = ah.catalogue.rubber_ball()
    start = {"x": 0, "y": 0, "q0": 0.8, "q1": 0, "q2": 0.6, "q3": 0}
    slow = {"w2": (-0.1, 0.1), "w3": (-0.1, 0.1)}
    far = ball.plan(start, {"x": 5, "y": 1}, bounds=slow, horizon=1, time_limit=2, speeds=["w2", "w3"])
    assert "other `speeds`, since these fail where" in far.verdict
    for words in ({"speeds": ["x'", "y'"]}, {}):  # the software's own are these, too
        own = ball.plan(start, {"x": 1, "y": 1}, horizon=1, **words)
        assert own.converged
        assert own.cost == pytest.approx(2, rel=1e-9)


def test_velocities_at_the_end_that_constraints_forbid_are_refused():
    sleigh = chaplygin_sleigh()
    with blames(ah.errors.StateError):
        sleigh.plan(
            {**HERE, "x'": 0, "theta'": 0},
            {"x": 1, "y": 0, "theta": 0, "x'": 0, "y'": 1},
            horizon=2,
            inputs={"x": "F", "theta": "tau"},
        )


def test_plans_are_drawn_animated_and_saved(around, tmp_path):
    axes = around.plot()
    assert len(axes) == 4
    assert len(axes[0].patches) == 2
    around.plot(tmp_path / "plan.png")
    assert (tmp_path / "plan.png").stat().st_size > 10_000
    film = around.animate(frames=3)
    assert sum(actor.kind == "polyline" for actor in film.film.actors) == 2
    around.run.save(tmp_path / "plan.nc")
    loaded = ah.load(tmp_path / "plan.nc")
    assert np.allclose(loaded["u"], around.run["u"])
    assert "a plan was found" in around.report
    assert repr(around).startswith("Plan('skate': cost")


def test_inequalities_are_what_is_not_negative():
    assert str(parse_inequality("x^2 >= 1")) == str(parse_inequality("1 <= x^2")) == "-1 + x**2"
