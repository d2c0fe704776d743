"""Plans against closed forms: the shortest, fastest and cheapest motions that are known."""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import heisenberg, skate
from tests.plans.reeds_shepp import shortest

UNIT = {"u": (-1, 1), "omega": (-1, 1)}
HERE = {"x": 0, "y": 0, "theta": 0}


@pytest.fixture(scope="module")
def particle():
    return ah.System(name="particle", coordinates=["x"], lagrangian="m*x'^2/2", parameters={"m": 2.0})


@pytest.mark.parametrize(
    ("x", "y", "heading"),
    [(2.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, pi / 2), (1.0, 1.0, pi / 2), (-1.0, 0.5, 2.5), (3.0, 2.0, -1.0)],
)
def test_the_fastest_unicycle_drives_as_reeds_and_shepp_say(x, y, heading):
    plan = skate().plan(HERE, {"x": x, "y": y, "theta": heading}, "time", UNIT, modulo="theta")
    assert plan.converged, plan.verdict
    assert plan.cost == pytest.approx(shortest(x, y, heading), rel=1e-5)


def test_the_fastest_unicycle_that_cannot_slow_down_drives_as_dubins_says():
    plan = skate().plan(HERE, {"x": 4, "y": 4, "theta": "pi/2"}, "time", {"u": (1, 1), "omega": (-1, 1)})
    # Left, straight, left: the centres of both circles are (0, 1) and (4 - 1, 4).
    way, turn = hypot(3, 3), pi / 2
    assert plan.cost == pytest.approx(way + turn, rel=1e-5)


@pytest.mark.parametrize("z", [0.5, -2.0])
def test_the_cheapest_loop_of_heisenberg_is_a_circle(z):
    plan = heisenberg().plan({"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 0, "z": z}, "effort", horizon=2, tolerance=1e-8)
    # z' = x y' - y x' is twice the area; the circle of that area is the shortest, and even speed the cheapest.
    length = 2 * sqrt(pi * abs(z) / 2)
    assert plan.cost == pytest.approx(length**2 / 2, rel=1e-6)
    assert np.allclose(plan.run["x'^2 + y'^2"], (length / 2) ** 2, rtol=1e-3)


@pytest.mark.parametrize("force", [1.0, 3.0])
def test_least_time_with_bounded_force_is_bang_bang(particle, force):
    plan = particle.plan({"x": 0, "x'": 0}, {"x": 1, "x'": 0}, "time", {"F": (-force, force)}, inputs={"x": "F"})
    assert plan.cost == pytest.approx(2 * sqrt(2.0 / force), rel=1e-7)
    assert np.allclose(np.sort(abs(plan.run["F"]))[:: plan.run.time.size // 50], force, rtol=1e-3)


def test_least_effort_from_rest_to_rest_is_a_cubic(particle):
    plan = particle.plan({"x": 0, "x'": 0}, {"x": 3, "x'": 0}, "effort", horizon=2, inputs={"x": "F"})
    assert plan.cost == pytest.approx(12 * 3**2 / 2**3 * 2.0**2, rel=1e-9)
    s = plan.run.time / 2
    assert abs(plan.run["x"] - 3 * (3 * s**2 - 2 * s**3)).max() < 1e-9


def test_a_boat_crosses_a_river_as_zermelo_says():
    boat = ah.System(name="boat", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", parameters={"c": 0.6})
    plan = boat.plan(
        {"x": 0, "y": 0}, {"x": 0, "y": 2}, "time", speeds={"a": "x' - c", "b": "y'"}, obstacles=["a^2 + b^2 <= 1"]
    )
    assert plan.cost == pytest.approx(2 / sqrt(1 - 0.6**2), rel=1e-6)


@pytest.mark.parametrize("begin", [0.0, 1.5])
def test_a_price_that_rises_with_time_is_paid_early(begin):
    point = ah.System(name="point", coordinates=["x"], lagrangian="x'^2/2")
    plan = point.plan({"x": 0, "t": begin}, {"x": 1}, "(1 + t)*x'^2", horizon=2)
    # x' = c/(1 + t), and the sum of x' is 1.
    assert plan.cost == pytest.approx(1 / np.log((3 + begin) / (1 + begin)), rel=1e-6)
    assert plan.run.time.values[[0, -1]] == pytest.approx([begin, begin + 2])


def test_half_a_circle_is_gone_evenly():
    ring = ah.System(name="ring", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x^2 + y^2 = 4"])
    plan = ring.plan({"x": 0, "y": -2}, {"x": 0, "y": 2}, "x'^2 + y'^2", horizon=1)
    assert plan.cost == pytest.approx((2 * pi) ** 2, rel=1e-6)
    assert plan.run["y"].values[-1] == pytest.approx(2, abs=1e-6)


@pytest.mark.exhaustive
def test_a_swing_up_is_that_of_the_pendulum_in_its_angle():
    words = {"lagrangian": "theta'^2/2 + 9.81*cos(theta)", "coordinates": {"theta": "angle"}}
    swing = {"horizon": 2, "cost": "effort"}
    angle = ah.System(name="angle", **words).plan(
        {"theta": 0, "theta'": 0}, {"theta": "pi", "theta'": 0}, inputs={"theta": "tau"}, **swing
    )
    rod = ah.System(
        name="rod", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - 9.81*y", constraints=["x^2 + y^2 = 1"]
    ).plan(
        {"x": 0, "y": -1, "x'": 0, "y'": 0},
        {"x": 0, "y": 1, "x'": 0, "y'": 0},
        inputs={"x": "-tau*y", "y": "tau*x"},
        **swing,
    )
    assert rod.converged
    assert angle.converged
    assert rod.cost == pytest.approx(angle.cost, rel=1e-5)


def test_a_ball_turns_by_rolling_as_little_as_it_must():
    ball = ah.System(
        name="ball",
        group="SO3",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2 + (w1^2 + w2^2 + w3^2)/5",
        constraints=["x' = R12*w1 + R22*w2 + R32*w3", "w3 = 0"],
    )
    assert ball.geometry.distribution.rank == 3
    start = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 0, "y": 0}
    plan = ball.plan(start, {"q0": cos(0.4), "q1": sin(0.4), "q2": 0, "q3": 0}, "w1^2 + w2^2", horizon=1)
    assert plan.converged
    assert plan.cost == pytest.approx(0.8**2, rel=1e-6)  # a turn by 0.8 about its own first axis
    q = plan.run.data["q"].sel(coordinate=["q0", "q1", "q2", "q3"])
    assert abs((q**2).sum("coordinate") - 1).max() < 1e-9
