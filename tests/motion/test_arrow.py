"""One way from declaration to motion: what is derived is what is integrated, in the speeds that were asked for."""

import pickle

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, skate
from tests.wording import blames, pinned

SLEIGH = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
SPEEDS = {"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"}


@pytest.mark.parametrize("principle", ["kane", "hamel", "maggi", "gibbs-appell"])
def test_the_speeds_of_a_derivation_are_integrated(principle):
    system = chaplygin_sleigh()
    run = system.derive(principle, speeds=SPEEDS).simulate(SLEIGH, until=5)
    assert run.data.attrs["principle"] == principle
    if principle != "maggi":  # which is written in all velocities
        assert list(run.data["speed_name"].values) == ["v", "w"]
    # The definition along the motion, which knows nothing of how it was integrated.
    expected = run["x'"] * np.cos(run["theta"]) + run["y'"] * np.sin(run["theta"])
    assert abs(run["v"] - expected).max() < 1e-14
    assert abs(run["w"] - run["theta'"]).max() < 1e-14
    # m v' = m a w², (I + m a²) w' = -m a v w: what the textbook says of these two speeds.
    p = system.parameters
    m, I, a = p["m"], p["I"], p["a"]
    rates = run["x''*cos(theta) + y''*sin(theta) + theta'*(y'*cos(theta) - x'*sin(theta))"]
    assert abs(rates - a * run["w"] ** 2).max() < 1e-13
    assert abs(run["theta''"] + m * a * run["v"] * run["w"] / (I + m * a**2)).max() < 1e-13


def test_a_motion_has_the_system_it_was_asked_of():
    system = chaplygin_sleigh()
    assert system.simulate(SLEIGH, until=1).system is system
    assert system.derive("kane").simulate(SLEIGH, until=1).system is system
    run = system.simulate(SLEIGH, until=1, by="maggi")
    assert run.system is system
    assert run.continue_to(2).system is system
    assert run.at([0.5]).system is system


def test_changed_parameters_make_another_system():
    system = chaplygin_sleigh()
    run = system.derive().simulate(SLEIGH, until=1, parameters={"m": 2.5})
    assert run.system == system.with_parameters(m=2.5)
    assert abs(run["x"] - system.with_parameters(m=2.5).simulate(SLEIGH, until=1)["x"]).max() == 0


def test_a_file_keeps_system_and_speeds(tmp_path):
    system = chaplygin_sleigh()
    run = system.derive("kane", speeds=SPEEDS).simulate(SLEIGH, until=2)
    run.save(tmp_path / "run.nc")
    again = ah.load(tmp_path / "run.nc")
    assert again.system == system
    longer = again.continue_to(until=4)
    whole = system.derive("kane", speeds=SPEEDS).simulate(SLEIGH, times=longer.time.values)
    assert abs(longer["v"] - whole["v"]).max() < 1e-13
    assert pickle.loads(pickle.dumps(run)).system == system


def test_orthonormal_speeds_are_integrated():
    run = chaplygin_sleigh().derive("hamel", speeds="orthonormal").simulate(SLEIGH, until=2)
    squares = sum(run[str(name)] ** 2 for name in run.data["speed_name"].values) / 2
    assert abs(squares - run.energy).max() < 1e-14
    assert abs(run.continue_to(3)["u1"][:-500] - run["u1"][:501]).max() < 1e-14


def test_where_the_speeds_fail_the_motion_goes_on():
    # On a circle of radius 2, x' vanishes at every half turn: as a speed it determines nothing there.
    run = (
        skate()
        .derive("kane", speeds=["x'", "theta'"])
        .simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=20)
    )
    assert run.is_complete
    assert abs(run["x"] - 2 * np.sin(run.time / 2)).max() < 1e-12
    assert abs(run["y"] - 2 * (1 - np.cos(run.time / 2))).max() < 1e-12


def test_a_defined_speed_has_values_where_another_was_integrated():
    # Where x' vanishes it determines nothing, and the frame changes.
    equations = skate().derive("kane", speeds={"a": "x'", "w": "theta'"})
    run = equations.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=20)
    assert "chart" in run.data.coords
    assert abs(run["a"] - np.cos(run.time / 2)).max() < 1e-13


def test_options_are_those_of_a_system():
    equations = skate().derive()
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    run = equations.simulate(start, until=9, events={"turned": "theta - pi/2"}, stop="turned", tolerance=1e-10)
    assert run.events.values == pytest.approx([np.pi])
    with blames(ah.errors.UnknownNameError, "untill"):
        equations.simulate(start, untill=9)


def test_a_motion_is_told_in_a_line():
    run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=3)
    pinned(repr(run), "skate", "x", "y", "theta")
    assert "time" in run._repr_html_()
