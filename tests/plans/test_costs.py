"""Speeds by their numbers, as costs and bounds may call them."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import skate

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
    with pytest.raises(ah.Refusal, match="u3 appears in the cost"):
        skate().plan(HERE, THERE, cost="u1^2 + u3^2")
