"""Momentum equations against differences along motions, and questions that make no sense."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System
from anholonomy.base.errors import ArgumentError, Error, NotSupportedError, UnknownNameError
from anholonomy.catalogue import ENTRIES
from tests.wording import blames

CASES = {
    "chaplygin-sleigh": [{"x": "1"}, {"theta": "1"}, ["cos(theta)", "sin(theta)", "x*theta"]],
    "veselova": [{"w1": "R11", "w2": "R12", "w3": "R13"}, {"w1": "1"}],
    "affine-particle": [{"x": "1"}, {"x": "t", "y": "x"}],
}


@pytest.mark.parametrize("key", CASES)
def test_the_rate_is_the_derivative_of_the_momentum(key: str) -> None:
    entry = ENTRIES[key]
    system = entry.make()
    run = system.simulate(entry.start, times=np.linspace(0, 0.2, 401))
    for field in CASES[key]:
        found = system.momentum_equation(field)
        numbers = np.gradient(found.along(run).values, run.time.values, edge_order=2)
        rate = run[found.rate].values if found.rate != 0 else 0 * numbers
        scale = 1 + np.abs(rate).max()
        assert np.abs(numbers - rate)[2:-2].max() < 1e-4 * scale


def test_a_horizontal_turn_of_veselovas_body_is_no_admissible_field_but_its_momentum_is_constant() -> None:
    found = ENTRIES["veselova"].make().momentum_equation({"w1": "R11", "w2": "R12", "w3": "R13"})
    assert found
    assert "constant" in str(found.law)
    assert r"\frac" in found.latex()


def test_questions_that_make_no_sense_get_a_sentence() -> None:
    skate = ENTRIES["skate"].make()
    with blames(ArgumentError, "3"):
        skate.momentum_equation(["1", "0"])
    with blames(UnknownNameError, "z"):
        skate.momentum_equation({"z": "1"})
    with blames(UnknownNameError, "q"):
        skate.momentum_equation({"x": "q"})
    with blames(Error):
        skate.momentum_equation(3)


def test_forces_stand_on_the_right() -> None:
    pushed = System(
        name="pushed",
        coordinates=["x"],
        lagrangian="m*x'^2/2 - k*x^2/2",
        forces={"x": "-b*x'"},
        parameters=["m", "k", "b"],
    )
    assert str(pushed.momentum_equation(["1"])).splitlines()[0] == "d/dt (m*x') = -(b*x' + k*x)"


@pytest.mark.parametrize("direction", ["x", "y"])
def test_the_part_of_the_reactions_is_theirs(direction: str) -> None:
    """On an incline the Lagrangian has its part, too; the reactions of the motion come from multipliers."""
    entry = ENTRIES["knife-edge"]
    system = entry.make()
    found, run = system.momentum_equation({direction: "1"}), system.simulate(entry.start, until=1)
    reaction = run[found.reaction].values
    assert np.abs(reaction).max() > 1e-2
    np.testing.assert_allclose(reaction, run[f"reaction_{direction}"].values, atol=1e-12)
    parts = found.symmetry + found.force + found.reaction
    np.testing.assert_allclose(run[parts].values, run[found.rate].values, atol=1e-12)


def test_the_rate_is_right_on_both_sides_of_a_nonlinear_constraint():
    cone = System(
        name="cone",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - 2*z",
        constraints=["z'^2 = x'^2 + y'^2"],
    )
    equation = cone.momentum_equation({"x": "1"})
    for sign in (1, -1):
        state = {"x": 0, "y": 0, "z": 0, "x'": 3 * sign, "y'": 4, "z'": 5}
        # z' = v and 2 v' = -2, so that x'' = x' v'/v = -x'/v
        rate = equation.rate.xreplace({s: state[s.name] for s in equation.rate.free_symbols})
        assert abs(float(rate) + 3 * sign / 5) < 1e-14


def test_a_product_of_constraints_is_refused_with_its_factors():
    split = System(
        name="split",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - x",
        constraints=["x'*y' + y'*z' = 0"],
    )
    with blames(NotSupportedError):
        split.conserved()
