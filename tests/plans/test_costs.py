"""The speeds of a plan: by their numbers, as costs and bounds may call them, and along directions of space."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import rubber_ball, skate, veselova
from tests.wording import blames

HERE, THERE = {"x": 0, "y": 0, "theta": 0}, {"x": 0.3, "y": 0.5, "theta": 0}


def test_speeds_have_numbers() -> None:
    by_name = skate().plan(HERE, THERE, cost="u^2 + omega^2", bounds={"u": (-1, 1)})
    by_number = skate().plan(HERE, THERE, cost="u1^2 + u2^2", bounds={"u1": (-1, 1)}, horizon=None)
    assert by_number.cost == pytest.approx(by_name.cost, rel=1e-12)
    assert "u (u1), omega (u2)" in by_number.report


def test_a_speed_keeps_its_own_name_and_the_rest_take_what_is_left() -> None:
    """The software calls the first speed of this car u1, and the other is its turning."""
    car = ah.System(
        name="car",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
    )
    assert "u1, theta' (u2)" in car.plan(HERE, THERE, cost="u1^2 + u2^2", bounds={"u1": (-1, 1)}).report


def test_a_number_too_high_is_no_speed() -> None:
    with blames(ah.Error, "u3", "cost"):
        skate().plan(HERE, THERE, cost="u1^2 + u3^2")


ATTITUDES = [
    {"q0": 1, "q1": 0, "q2": 0, "q3": 0},
    {"q0": 0.1, "q1": -0.7, "q2": 0.5, "q3": 0.5},
    {"q0": -0.5, "q1": 0.5, "q2": -0.5, "q3": -0.5},
]
"""From the first to the second the vertical passes every principal plane."""


@pytest.mark.parametrize(("first", "last"), [(0, 1), (1, 2)])
def test_a_body_that_must_not_spin_is_planned_by_its_angular_velocity_in_space(first: int, last: int) -> None:
    """Directions of the body that are admissible turn with it, and no basis of them is regular everywhere."""
    plan = veselova().plan(ATTITUDES[first], ATTITUDES[last])
    assert plan.converged
    across = sum(plan.run[f"R1{k}"].values * plan.run[f"w{k}"].values for k in (1, 2, 3))
    assert abs(across - plan.run["W1"].values).max() < 1e-9


@pytest.mark.exhaustive
def test_a_rubber_ball_is_planned_by_the_way_of_its_centre() -> None:
    plan = rubber_ball().plan(ATTITUDES[0] | {"x": 0, "y": 0}, ATTITUDES[1] | {"x": 1, "y": 0.5})
    assert plan.converged
    assert "x' (u1), y' (u2)" in plan.report
