r"""Families of initial data on groups and of long systems: each is tried with a motion of it, in numbers that owe nothing to the formulas."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

import anholonomy as ah
from anholonomy.catalogue import (
    ball_on_turntable,
    leaning_disc_quaternion,
    n_trailer,
    routh_sphere,
    rubber_ball,
    veselova,
)
from anholonomy.language import to_text

TILTED = {"q0": math.cos(0.2), "q1": math.sin(0.2), "q2": 0, "q3": 0}
"""Turned about the first axis of space, which is the body's own: R11 = 1, so that R31 = 0."""


def families(system: ah.System) -> list[dict[str, str]]:
    """The equations of the families on which motions are vakonomic."""
    answer = system.compare_vakonomic(time_limit=600)
    assert answer.verdict is ah.Verdict.REFUTED
    return [{s.name: to_text(e) for s, e in each.equations} for each in answer.exceptions if each.verdict]


def is_vakonomic(system: ah.System, start: Mapping[str, object]) -> bool:
    return system.paths.variational("vakonomic").is_stationary(system.simulate(start, until=2)).is_proven


def test_a_ball_on_a_turntable_in_the_speeds_of_its_body() -> None:
    """Its own speeds are those of the body, full of its attitude; the answer is found in its angular velocity in space."""
    table = ball_on_turntable()
    answer = table.compare_vakonomic()
    assert [{s.name: to_text(e) for s, e in each.equations} for each in answer.exceptions] == [
        {"W1": "Omega*x/r", "W2": "Omega*y/r"},
        {"W1": "Omega*m*r*x/(m*r^2 + I)", "W2": "Omega*m*r*y/(m*r^2 + I)", "W3": "Omega"},
    ]
    assert to_text(answer.named["W3"]) == "R31*w1 + R32*w2 + R33*w3"
    k = 2.0 * 1.0 * 0.5 / (1.0 * 0.5**2 + 0.1)
    W = (k * 1.0, k * 0.5, 2.0)
    c, s = math.cos(0.4), math.sin(0.4)
    own = {"w1": W[0], "w2": c * W[1] + s * W[2], "w3": -s * W[1] + c * W[2]}
    start = TILTED | {"x": 1, "y": 0.5} | own
    assert table.compare_vakonomic(start).verdict is ah.Verdict.PROVEN
    assert is_vakonomic(table, start)
    assert not is_vakonomic(table, start | {"w3": 0.5})


def test_a_rubber_ball_rolls_about_a_principal_axis() -> None:
    found = families(rubber_ball())
    for axis in (1, 2, 3):
        assert {f"w{k}": "0" for k in (1, 2, 3) if k != axis} | {f"R3{axis}": "0"} in found


@pytest.mark.exhaustive
def test_a_rubber_ball_on_its_first_axis_is_one_of_them() -> None:
    start = TILTED | {"x": 0, "y": 0, "w1": 0.7, "w2": 0, "w3": 0}
    assert is_vakonomic(rubber_ball(), start)
    assert rubber_ball().compare_vakonomic(start).verdict is ah.Verdict.PROVEN
    assert not is_vakonomic(rubber_ball(), {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 0, "y": 0, "w1": 0.7, "w2": 0.4})


@pytest.mark.exhaustive
def test_veselova_turns_about_a_level_principal_axis() -> None:
    found = families(veselova())
    assert {"w2": "0", "w3": "0", "R31": "0"} in found
    assert {"w1": "0", "w2": "0", "R33": "0"} in found
    assert is_vakonomic(veselova(), TILTED | {"w1": 0.7, "w2": 0, "w3": 0})


@pytest.mark.exhaustive
def test_a_car_with_trailers_goes_straight_or_turns_on_the_spot() -> None:
    found = families(n_trailer())
    rest = {f"theta{k}'": "0" for k in (0, 1, 2)} | {"theta1": "theta0", "theta2": "theta0"}
    assert rest in found
    assert {"theta1'": "0", "theta2'": "0", "x'": "0", "y'": "0"} in found
    straight = {"x": 0, "y": 0, "theta0": 0.4, "theta1": 0.4, "theta2": 0.4, "x'": math.cos(0.4), "theta0'": 0}
    assert is_vakonomic(n_trailer(), straight)


@pytest.mark.exhaustive
def test_a_loaded_sphere_rocks_in_a_plane() -> None:
    assert {"w2": "0", "w3": "0", "R31": "0"} in families(routh_sphere())
    assert is_vakonomic(routh_sphere(), TILTED | {"x": 0, "y": 0, "w1": 0.7, "w2": 0, "w3": 0})


def test_numbers_with_all_their_digits_are_rounded_ones() -> None:
    third = {"x": 0, "y": 0, "theta": 0.1, "x'": math.cos(0.1), "theta'": 0}
    assert ah.catalogue.skate().compare_vakonomic(third).verdict is ah.Verdict.PROVEN


@pytest.mark.exhaustive
def test_a_disc_rolls_straight_and_planes_on_which_it_is_not_defined_are_passed_over() -> None:
    """Where its axis is upright what its contact divides by vanishes."""
    assert {"w1": "0", "w2": "0", "R33": "0"} in families(leaning_disc_quaternion())
