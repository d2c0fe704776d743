"""Inputs in declarations: names of what acts from outside, in files, exports, derivations, and nowhere else."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

ARM = ah.System(
    name="arm",
    coordinates=["phi"],
    lagrangian="I*phi'^2/2 + m*g*l*cos(phi)",
    parameters={"I": 1.0, "m": 1.0, "g": 9.81, "l": 1.0, "c": 0.1},
    forces={"phi": "tau - c*phi'"},
    inputs=["tau"],
)


def test_an_input_is_no_parameter_and_survives_files_and_pickles(tmp_path):
    assert ARM.inputs == ("tau",)
    assert "tau" not in ARM.parameters
    ARM.save(tmp_path / "arm.toml")
    assert 'inputs = [\n    "tau",\n]' in ARM.to_toml()
    assert ah.load(tmp_path / "arm.toml") == ARM == pickle.loads(pickle.dumps(ARM))
    assert ARM.with_parameters(I=2.0).inputs == ("tau",)
    assert "tau - c*phi'" in str(ARM.derive())
    assert ARM.with_inputs(tau=0) != ARM


def test_every_principle_derives_with_inputs_and_agrees():
    car = ah.catalogue.chaplygin_sleigh().with_forces(
        {"theta": "tau", "x": "F*cos(theta)", "y": "F*sin(theta)"}, inputs=["tau", "F"]
    )
    found = car.verify(states=2)
    assert found.agree
    assert len(found.principles) > 8 if hasattr(found, "principles") else True
    at = {"x": 0, "y": 0, "theta": 0, "x'": 1, "y'": 0, "theta'": 0}
    assert car.derive("kane").accelerations({**at, "tau": 0, "F": 3})["x''"] == pytest.approx(3)
    with blames(ah.errors.StateError):
        car.derive("kane").accelerations({**at, "F": 3})


def test_bodies_are_pushed_by_inputs_and_their_files_keep_them(tmp_path):
    wall, rod = (
        ah.bodies.RigidBody("wall", mass=1, inertia=[1, 1, 1], moves="nowhere"),
        ah.bodies.RigidBody("rod", mass="m", inertia=["I"] * 3),
    )
    joint = ah.bodies.Revolute(wall, rod, axis=[0, 1, 0], own=[0, 0, 1], angle="p")
    arm = ah.System(
        name="arm",
        bodies=[wall, rod],
        joints=[joint],
        loads=[ah.bodies.Motor(joint, "tau")],
        gravity="g",
        inputs=["tau"],
    )
    assert list(arm.parameters) == ["I", "g", "m"]
    arm.save(tmp_path / "arm.toml")
    assert ah.load(tmp_path / "arm.toml") == arm
    assert str(arm.derive()).endswith("(I + m)*p'' = tau - g*m*sin(p)")


def test_exports_take_inputs_after_parameters():
    equations, state = ARM.derive(), [0.3, 1.0]
    wanted = 2.0 - 0.1 - 9.81 * np.sin(0.3)
    f = equations.function()
    assert f(0, state, [1, 1, 9.81, 1, 0.1, 2.0])[1] == pytest.approx(wanted, abs=1e-14)
    assert f(0, state, u=[2.0])[1] == pytest.approx(wanted, abs=1e-14)
    assert f(0, np.array([state, state]).T, u=[[2.0, 3.0]])[1] == pytest.approx([wanted, wanted + 1], abs=1e-14)
    assert equations.jacobian(by="inputs")(0, state, u=[2.0]).tolist() == [[0.0], [1.0]]
    assert "p[5]  tau, an input" in equations.c_source()
    assert 'input Real p5 "tau";' in equations.modelica()
    with blames(ah.errors.ArgumentError, "u"):
        f(0, state)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"lagrangian": "x'^2/2 + F*x"}, ("forces", "F")),
        ({"constraints": ["y' = F"]}, ("F", "1")),
        ({"forces": {"x": "F'"}}, ()),
        ({"inputs": ["F", "F"]}, ("F",)),
        ({"inputs": ["x"]}, ("x",)),
        ({"inputs": ["m"], "parameters": {"m": 1}}, ("m",)),
        ({"inputs": "F"}, ("inputs", "F")),
    ],
)
def test_inputs_elsewhere_are_refused(words, names):
    usual = {"coordinates": ["x", "y"], "lagrangian": "(x'^2 + y'^2)/2", "forces": {"x": "F"}, "inputs": ["F"]}
    with blames(ah.errors.DeclarationError, *names):
        ah.System(**usual | words)


def test_what_holds_for_every_motion_is_asked_of_the_closed_loop():
    with blames(ah.errors.NotSupportedError, "with_inputs", "0"):
        ARM.conserved()
    free = ah.System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"])
    assert str(free.with_inputs(F="-4*x").derive()).endswith("x'' = -4*x") or "4*x" in str(
        free.with_inputs(F="-4*x").derive()
    )
    with blames(ah.errors.UnknownNameError, "G", "F"):
        free.with_inputs(G=1)


def test_an_input_that_acts_nowhere_is_a_misspelt_name():
    with blames(ah.errors.UnusedParameterWarning, "G"):
        ah.System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F", "G"])


@pytest.mark.parametrize(
    "asked",
    [
        lambda: ARM.derive().kernel(),
        lambda: ARM.hamiltonize(),
        lambda: ARM.conserved(),
    ],
    ids=["kernel", "hamiltonize", "conserved"],
)
def test_what_needs_the_closed_loop_says_so(asked):
    with blames(ah.errors.NotSupportedError, "with_inputs", "0"):
        asked()
