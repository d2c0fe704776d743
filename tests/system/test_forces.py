"""The same system under other forces: added, or instead."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import skate
from tests.wording import blames

MASS = ah.System(name="mass", coordinates=["x"], lagrangian="m*x'^2/2", parameters={"m": 2.0}, forces={"x": "1"})


def test_forces_are_added_to_those_there_are():
    run = MASS.with_forces({"x": "3*t"}).simulate({"x": 0, "x'": 0}, until=2)
    t = run.time.values
    np.testing.assert_allclose(run["x"], (t**2 / 2 + t**3 / 2) / 2, atol=1e-14)  # m x'' = 1 + 3 t


def test_or_take_their_place():
    run = MASS.with_forces({"x'": "-c*x'"}, parameters={"c": 0.5}, instead=True).simulate({"x": 0, "x'": 1}, until=4)
    np.testing.assert_allclose(run["x'"], np.exp(-run.time.values / 4), atol=1e-14)
    assert all(force == 0 for force in skate().with_forces({"x": 1}).with_forces({}, instead=True).model.forces_a)


def test_the_system_itself_stays_as_it_was_and_the_rest_is_kept():
    before = skate()
    pushed = before.with_forces({"theta": "k"}, parameters=["k"])
    assert before == skate()
    assert pushed.parameters == {**before.parameters, "k": None}
    assert (pushed.constraints, pushed.model.scene, pushed.name) == (
        before.constraints,
        before.model.scene,
        before.name,
    )
    assert pushed.with_parameters(k=1.0).verify(2).agree
    assert MASS.with_forces({}, parameters={"m": 3}).parameters == {"m": 3.0}


def test_forces_on_a_group_are_along_its_speeds():
    top = ah.System(name="top", group="SO3", kinetic=[1, 2, 3])
    run = top.with_forces({"w3": "6"}).simulate(
        {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0, "w2": 0, "w3": 0}, until=1
    )
    assert float(run["w3"][-1]) == pytest.approx(2, abs=1e-14)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: MASS.with_forces({"y": 1}), ()),
        (lambda: MASS.with_forces({"x": "k"}), ("parameters",)),
        (lambda: MASS.with_forces("x"), ()),
        (lambda: MASS.with_forces({"x": 1}, parameters={"x": 1}), ()),
    ],
)
def test_a_mistake_gets_a_sentence(call, names):
    with blames(ah.errors.DeclarationError, *names):
        call()
