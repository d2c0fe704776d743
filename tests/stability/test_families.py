"""Families of steady motions along their arcs: folds, crossings and ends, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import leaning_disc, whipple_bicycle
from anholonomy.stability.steady_family import Arc, value_of
from tests.wording import blames, pinned


def slope(potential: str, m: float) -> ah.System:
    """A particle with some friction."""
    return ah.System(
        name="slope",
        coordinates=["x"],
        lagrangian=f"x'^2/2 - ({potential})",
        forces={"x": "-x'/10"},
        parameters={"m": m},
    )


def test_a_family_turns_back_twice(tmp_path: Path) -> None:
    """Rests of x⁴/4 − x²/2 − m x turn back where 3x² = 1, at m = ∓2/√27."""
    branch = slope("x^4/4 - x^2/2 - m*x", -1.0).stability.steady_motion(near={"x": -1.3}).follow("m", -1, 1, points=80)
    edge = 2 / math.sqrt(27)
    assert branch.folds == pytest.approx([edge, -edge], rel=1e-12)
    assert [each.value for each in branch.critical] == pytest.approx([edge, -edge], rel=1e-12)
    assert [(each.before, each.after) for each in branch.critical] == [("stable", "unstable"), ("unstable", "stable")]
    x = branch.data["state"].sel(name="x").values
    assert x**3 - x == pytest.approx(branch.values, abs=1e-11)
    assert (np.diff(x) > 0).all()
    assert branch.values[[0, -1]] == pytest.approx([-1, 1])
    assert branch.ends == branch.branch_points == ()
    assert len(branch.plot(tmp_path / "eigenvalues.png").axes) == 3
    assert (tmp_path / "eigenvalues.png").stat().st_size > 10_000


def test_a_family_that_is_a_circle_comes_back() -> None:
    branch = slope("x^3/3 + (m^2 - 1)*x", 0.0).stability.steady_motion(near={"x": 1}).follow("m", -2, 2, points=60)
    assert sorted(branch.folds) == pytest.approx([-1, 1], abs=1e-9)
    pinned(branch.ends[0])
    x = branch.data["state"].sel(name="x").values
    assert x**2 + branch.values**2 == pytest.approx(np.ones(len(branch)), abs=1e-10)


def test_a_family_backward() -> None:
    branch = slope("x^3/3 - m*x", 1.0).stability.steady_motion(near={"x": 1}).follow("m", 2, -1, points=40)
    assert branch.folds == pytest.approx([0], abs=1e-12)
    x = branch.data["state"].sel(name="x").values
    assert sorted(np.abs(x[[0, -1]])) == pytest.approx([math.sqrt(2)] * 2)


def test_families_cross_on_a_turning_hoop() -> None:
    hoop = ah.System(
        name="hoop", coordinates=["a"], lagrangian="a'^2/2 + W^2*sin(a)^2/2 + cos(a)", parameters={"W": 0.5}
    )
    branch = hoop.stability.steady_motion(near={"a": 0}).follow("W", 0.2, 2, points=50)
    assert branch.branch_points == pytest.approx([1], rel=1e-12)
    assert branch.folds == ()
    assert "another family crosses at W = 1" in str(branch)
    aside = hoop.with_parameters(W=1.5).stability.steady_motion(near={"a": 0.8}).follow("W", 0.2, 2, points=50)
    angle = aside.data["state"].sel(name="a").values
    assert np.cos(angle) == pytest.approx(1 / aside.values**2, abs=1e-9)
    assert aside.folds == pytest.approx([1], abs=1e-6)


def test_a_family_of_given_velocities_turns_back() -> None:
    """A bead that circles: phi'^2 = 1 + (x - 1)^2, which is least at x = 1."""
    bead = ah.System(
        name="bead", coordinates=["x", "phi"], lagrangian="x'^2/2 + (1 + x^2)*phi'^2/2 - x^4/4 + 2*x^3/3 - x^2"
    )
    steady = bead.stability.steady_motion(fixed={"phi'": math.sqrt(1.25)}, near={"x": 0.5, "phi'": 1.1})
    branch = steady.follow("phi'", 0.5, 1.2, points=30)
    assert branch.folds == pytest.approx([1.0], abs=1e-10)
    x = branch.data["state"].sel(name="x").values
    assert branch.values**2 == pytest.approx(1 + (x - 1) ** 2, abs=1e-10)
    assert branch.values[[0, -1]] == pytest.approx([1.2, 1.2])


@pytest.mark.parametrize(("name", "value"), [("R", 1.0), ("phi'", 3.0), ("g", 9.81)])
def test_the_arc_has_the_derivatives_of_finite_differences(name: str, value: float) -> None:
    """Also by what is followed, where a rotation carries the motion and constraints know the parameter."""
    disc = leaning_disc()
    origin = disc.stability.steady_motion(fixed={"theta": 0.3, "phi'": 3.0})
    arc, step = Arc(origin, name, 2.0), 1e-6
    Y = np.append(origin.unknowns, value_of(origin, name) / 2.0)
    Y[: origin.x.size] += 0.05  # away from the family, where every term counts
    J = arc.equations(Y[None])[1][0]
    sides = [arc.equations(Y + sign * step * np.eye(Y.size))[0] for sign in (1, -1)]
    assert pytest.approx((sides[0] - sides[1]).T / (2 * step), abs=1e-6) == J


def test_an_end_says_why() -> None:
    branch = slope("x*log(x) - m*x", 0.0).stability.steady_motion(near={"x": 0.4}).follow("m", -700, 2, points=20)
    assert len(branch) >= 2
    short = (
        slope("m*x^2/2 - sqrt(1 - x)", 1.0).stability.steady_motion(near={"x": -0.4}).follow("m", -100, 1, points=20)
    )
    assert len(short) >= 2


def test_a_rest_without_neighbours_says_so() -> None:
    with blames(ah.Error, "x", "0.5", "3"):
        slope("x^2", 1.0).stability.steady_motion().follow("x", 0.5, 3)


def test_more_free_directions_than_one_are_followed_value_by_value() -> None:
    charge = ah.System(
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 + B*(x*y' - y*x')/2 - z^2/2",
        parameters={"B": 2.0},
    )
    branch = charge.stability.steady_motion(near={"z": 0}).follow("B", 0.5, 3, points=6)
    assert len(branch) == 6
    assert "marginal throughout" in str(branch)
    assert abs(branch.eigenvalues.imag).max(axis=1) == pytest.approx(np.maximum(branch.values, 1))


@pytest.mark.exhaustive
def test_a_bicycle_runs_in_circles_from_its_capsize_speed_on() -> None:
    bike = whipple_bicycle()
    near = {"roll": 0.05, "steer": 0.01, "x'": 6.0, "rear_turn'": 20.0, "front_turn'": 17.1, "theta'": -0.08}
    circles = bike.stability.steady_motion(fixed={"roll": 0.05}, near=near).follow("roll", 0.001, 1, points=40)
    speed = circles.data["state"].sel(name="x'").values
    assert speed.max() == pytest.approx(6.02426201538837, abs=1e-5)
    assert circles.folds == pytest.approx([0.4200892508], rel=1e-8)
    k = int(np.argmax(circles.values))
    steady = circles[k]
    run = bike.simulate(steady.state, until=0.5)
    assert run["roll"].values == pytest.approx(steady.state["roll"], abs=1e-8)
    assert run["steer"].values == pytest.approx(steady.state["steer"], abs=1e-8)
    straight = bike.stability.steady_motion(fixed={"x'": 5.0}).follow("x'", 5, 7, points=11)
    assert straight.branch_points == pytest.approx([6.02426201538837], rel=1e-12)


def turning_hoop(g: float, **values: float) -> ah.System:
    return ah.System(
        name="hoop",
        coordinates=["theta"],
        lagrangian="(theta'^2 + Omega^2*sin(theta)^2)/2 + g*cos(theta)",
        parameters={"Omega": 0.5, "g": g},
    ).with_parameters(**values)


@pytest.mark.parametrize("g", [1.0, 2.0, 4.0])
@pytest.mark.parametrize("backward", [False, True])
def test_a_pitchfork_is_found_on_either_branch(g: float, backward: bool) -> None:
    """A bead leaves the bottom of its hoop where Omega^2 = g; aside cos(theta) = g/Omega^2."""
    low, high = (3.0, 0.5) if backward else (0.5, 3.0)
    for start in (0.7, 2.6):
        bottom = turning_hoop(g, Omega=start).stability.steady_motion(near={"theta": 0}).follow("Omega", low, high)
        assert bottom.branch_points == pytest.approx([math.sqrt(g)], rel=1e-15)
        assert bottom.folds == ()
        assert f"Omega from {low:g} to {high:g}" in str(bottom).splitlines()[0]
    for start, theta in ((2.05, 0.3), (2.6, 0.8), (2.9, 1.1)):
        aside = turning_hoop(g, Omega=start).stability.steady_motion(near={"theta": theta})
        if abs(aside.state["theta"]) < 1e-6:
            continue  # Newton's method went to the bottom
        branch = aside.follow("Omega", low, high)
        assert branch.branch_points == pytest.approx([math.sqrt(g)], rel=1e-15)
        assert branch.folds == pytest.approx([math.sqrt(g)], rel=1e-15)
        assert f"Omega from 3 to {math.sqrt(g):.6g} and back to 3" in str(branch).splitlines()[0]
        angle = branch.data["state"].sel(name="theta").values
        assert np.cos(angle) == pytest.approx(g / branch.values**2, abs=1e-9)
        assert angle[0] * angle[-1] < 0


def test_a_crossing_leads_to_the_other_family() -> None:
    bottom = turning_hoop(1.0).stability.steady_motion().follow("Omega", 0.5, 3)
    aside = bottom.crossing()
    angle = aside.data["state"].sel(name="theta").values
    assert np.cos(angle) == pytest.approx(1 / aside.values**2, abs=1e-9)
    assert np.ptp(angle) == pytest.approx(2 * math.acos(1 / 9), abs=1e-9)
    again = aside.crossing(value=1)
    assert again.data["state"].sel(name="theta").values == pytest.approx(np.zeros(len(again)), abs=1e-9)
    assert again.values[[0, -1]] == pytest.approx([0.5, 3])
    with blames(ah.Error, "hoop"):
        turning_hoop(1.0).stability.steady_motion().follow("Omega", 0.2, 0.6).crossing()


def test_families_that_cross_are_told_apart() -> None:
    """Rests of m x - x^2 are x = 0 and x = m; of m x + x^3 - x^5 those aside turn back at m = 0 and m = -1/4."""
    plain = slope("-m*x^2/2 + x^3/3", -0.5).stability.steady_motion(near={"x": 0}).follow("m", -1, 1)
    assert plain.branch_points == pytest.approx([0], abs=1e-15)
    tilted = plain.crossing()
    assert tilted.data["state"].sel(name="x").values == pytest.approx(tilted.values, abs=1e-9)
    below = slope("-m*x^2/2 - x^4/4 + x^6/6", -0.5).stability.steady_motion(near={"x": 0}).follow("m", -1, 1)
    aside = below.crossing()
    assert aside.folds == pytest.approx([-0.25, 0, -0.25], abs=1e-14)
    assert aside.branch_points == pytest.approx([0], abs=1e-14)
    twice = slope("-(m^2 - 1/4)*x^2/2 + x^4/4", -1.0).stability.steady_motion(near={"x": 0}).follow("m", -1, 1)
    assert twice.branch_points == pytest.approx([-0.5, 0.5], rel=1e-14)
    assert (twice.crossing(value=0.5).values >= 0.5 - 1e-12).all()


def test_folds_are_those_of_the_hand_to_rounding() -> None:
    branch = slope("x^4/4 - x^2/2 - m*x", -1.0).stability.steady_motion(near={"x": -1.3}).follow("m", -1, 1, points=40)
    edge = 2 / math.sqrt(27)
    assert branch.folds == pytest.approx([edge, -edge], rel=1e-15)
    assert "m from -1 to 0.3849 to -0.3849 to 1" in str(branch)
