"""A motion answers by name or expression: everything an event may use, along the whole motion."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from tests.wording import blames

TOP = ah.System(name="top", group="SO3", kinetic=[1, 2, 3])
SPUN = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 1, "w2": 0.1, "w3": 0}
START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}


@pytest.fixture(scope="module")
def run():
    return chaplygin_sleigh().simulate(START, until=5)


def test_an_expression_is_evaluated_along_the_motion(run):
    theta, vx, vy = (run[name].values for name in ("theta", "x'", "y'"))
    forward = run["x'*cos(theta) + y'*sin(theta)"]
    assert forward.dims == ("time",)
    np.testing.assert_array_equal(forward["time"], run.time)
    np.testing.assert_allclose(forward, vx * np.cos(theta) + vy * np.sin(theta), rtol=1e-15)
    np.testing.assert_allclose(run["m*(x'^2 + y'^2)/2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) + (I + m*a^2)*theta'^2/2"],
                               run.energy, rtol=1e-14)  # fmt: skip
    assert (run["t"] == run.time).all()
    assert (run["2*m"] == 2).all()


def test_multipliers_reactions_and_accelerations_have_the_names_of_events(run):
    theta = run["theta"].values
    # R = λ ∂φ/∂w for the blade -sin θ x' + cos θ y' = 0
    np.testing.assert_allclose(run["lambda1"] * np.cos(theta), run["reaction_y"], atol=1e-14)
    np.testing.assert_array_equal(run["lambda1"], run.multipliers.values[:, 0])
    np.testing.assert_array_equal(run["x''"], run.data["acceleration"].values[:, 0])
    np.testing.assert_array_equal(run["energy"], run.energy)


def test_speeds_that_were_integrated_are_named(run):
    np.testing.assert_allclose(run["u"], run["x'*cos(theta) + y'*sin(theta)"], atol=1e-15)
    np.testing.assert_allclose(run["u*omega"], run["u"] * run["theta'"], atol=1e-15)
    spun = TOP.simulate(SPUN, until=1)
    assert "speed" not in spun.data, "what is a velocity has its place already"


def test_rates_and_names_of_a_group_are_known():
    run = TOP.simulate(SPUN, until=1)
    q = [run[f"q{k}"].values for k in range(4)]
    slope = np.gradient(q[1], run.time.values, edge_order=2)
    np.testing.assert_allclose(run["q1'"], slope, atol=1e-5)
    np.testing.assert_allclose(run["R33"], q[0] ** 2 - q[1] ** 2 - q[2] ** 2 + q[3] ** 2, atol=1e-15)


def test_speeds_of_several_frames_are_told_apart():
    plate = ah.System(
        name="blade",
        coordinates=["x", "y", "theta"],
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["y'*cos(theta) = x'*sin(theta)"],
        span=[["1", "tan(theta)", "0"], ["0", "0", "1"]],
    )
    run = plate.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}, until=6)
    assert run.data.attrs["charts"] == 2
    u = str(run.data["speed_name"].values[0])
    assert set(run.data["chart"].values) == {0, 1}
    with blames(ah.errors.UnknownNameError):
        run[u]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("thetta", ()),
        ("lambda2", ("lambda1",)),
        (0, ()),
        ("x' +", ()),
        ("__import__('os')", ()),
        (None, ()),
    ],
)
def test_a_mistake_gets_a_sentence(run, asked, names):
    with blames(ah.Error, *names):
        run[asked]


def test_a_saved_motion_answers_too(run, tmp_path):
    run.save(tmp_path / "a.nc")
    again = ah.load(tmp_path / "a.nc")
    np.testing.assert_array_equal(again["u*lambda1"], run["u*lambda1"])


def test_a_constraint_that_was_kept_is_in_the_system_of_the_motion() -> None:
    """The reduced equations do without it; the declaration, and the numbers of the multipliers, do not."""
    rail = ah.System(
        name="rail",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 + 3*z - 2*x",
        constraints={"rail": "x' = y'", "again": "2*x' = 2*y'", "floor": "z' = 0"},
        redundant="keep",
    )
    run = rail.simulate({"x": 0, "y": 0, "z": 0, "x'": 1}, until=1)
    assert run.system == rail
    assert run.system.verify(states=1).agree
    np.testing.assert_allclose(run["lambda3"], -3, atol=1e-12)
    np.testing.assert_allclose(run.at([0.25])["x"], 0.25 - 0.25**2 / 2, atol=1e-14)


def test_whether_a_motion_has_a_name_can_be_asked() -> None:
    run = ah.catalogue.skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=1)
    assert [name in run for name in ("x", "theta'", "m*x'^2", "energy", "t", "zz", "x +", 0)] == [True] * 5 + [
        False
    ] * 3
    with blames(ah.Error, "x"):
        list(run)
