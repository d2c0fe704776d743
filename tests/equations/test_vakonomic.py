"""Vakonomic equations: what they need, what they refuse, and what a trajectory of theirs holds."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, skate
from anholonomy.equations.principles import formulation
from anholonomy.language import parse_expression
from tests.wording import blames


def heisenberg(**words) -> ah.System:
    declared = {
        "name": "Heisenberg",
        "coordinates": ["x", "y", "z"],
        "lagrangian": "(x'^2 + y'^2 + z'^2)/2",
        "constraints": ["z' = (x*y' - y*x')/2"],
    }
    return ah.System(**(declared | words))


START = {"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 0, "mu1": 0.7}


def test_a_state_without_its_multiplier_is_refused() -> None:
    lacking = {name: value for name, value in START.items() if name != "mu1"}
    with blames(ah.errors.StateError, "mu1"):
        heisenberg().simulate(lacking, until=1, by="vakonomic")
    with blames(ah.errors.StateError, "mu1"):
        heisenberg().derive("vakonomic").accelerations(lacking)


def test_other_principles_do_not_know_the_multiplier() -> None:
    with blames(ah.errors.StateError, "mu1"):
        heisenberg().simulate(START, until=1)


def test_a_taken_name_is_avoided() -> None:
    system = heisenberg(lagrangian="mu1*(x'^2 + y'^2 + z'^2)/2", parameters={"mu1": 1.0})
    (costate,) = system.derive("vakonomic").data.costates
    assert costate.name != "mu1"
    assert costate.name.startswith("mu1")


def test_the_trajectory_holds_the_costates() -> None:
    run = heisenberg().simulate(START, until=1, by="vakonomic")
    assert run["costate"].dims == ("time", "constraint")
    assert float(run["costate"][0, 0]) == 0.7
    # z is cyclic in L + mu*phi, so its momentum z' + mu is constant.
    kept = run["costate"][:, 0] + run["z'"]
    assert float(abs(kept - kept[0]).max()) < 1e-13
    assert "costate" not in heisenberg().simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 0}, until=1).data


def test_forces_are_refused() -> None:
    with blames(ah.errors.NotSupportedError, "y'"):
        heisenberg(forces={"y": "-y'"}).derive("vakonomic")


def test_irregular_equations_are_refused() -> None:
    """A system with inertia along its admissible directions is regular; a model that was not checked may lack it."""
    unchecked = heisenberg().model.replaced(lagrangian=parse_expression("(x')^2/2"))
    assert formulation("vakonomic").covers(heisenberg())
    with blames(ah.errors.NotSupportedError, "vakonomic"):
        formulation("vakonomic").derive(unchecked)


def test_a_multiplier_that_cancels_the_inertia_is_refused_at_its_state() -> None:
    """L + mu*phi = (1/2 + mu)·v² - mu·c²: nothing is left at mu = -1/2."""
    system = ah.System(
        name="steady", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x'^2 + y'^2 = 1"]
    )
    state = {"x": 0, "y": 0, "x'": 1, "y'": 0}
    equations = system.derive("vakonomic")
    assert equations.accelerations(state | {"mu1": 0.2}) == {"x''": 0, "y''": 0}
    with blames(ah.errors.StateError):
        equations.accelerations(state | {"mu1": -0.5})


def test_redundant_rows_leave_their_multipliers_undetermined() -> None:
    """Kept ones are refused, dropped ones covered."""
    rows = ["z' = y*x'", "2*z' = 2*y*x'"]
    kept, dropped = (heisenberg(constraints=rows, redundant=word) for word in ("keep", "drop"))
    with blames(ah.errors.NotSupportedError):
        kept.derive("vakonomic")
    assert dropped.derive("vakonomic").data.costates


def test_it_is_not_among_those_that_must_agree() -> None:
    verification = chaplygin_sleigh().verify(states=1)
    assert "vakonomic" not in (*verification.principles, *verification.not_covering)


@pytest.mark.parametrize("heading", [0.0, 0.4])
def test_without_spin_the_skate_slides_straight_on_by_both(heading: float) -> None:
    """mu = 0 makes the vakonomic skate start like the free body; on a straight line it stays there."""
    start = {"x": 0, "y": 0, "theta": heading, "x'": np.cos(heading), "y'": np.sin(heading), "theta'": 0}
    one = skate().simulate(start | {"mu1": 0}, until=2, by="vakonomic")
    other = skate().simulate(start, until=2)
    assert float(abs(one["x"] - other["x"]).max()) < 1e-12


def test_printing_says_which_principle_it_is() -> None:
    page = str(heisenberg().derive("vakonomic"))
    assert page.startswith("Heisenberg: equations of motion by vakonomic")
    assert "mu1'" in page


def test_momenta_and_energy_of_the_vakonomic_lagrangian_are_reported() -> None:
    """z is cyclic in L + mu*phi and nothing depends on time; phi is affine, so the energy of L alone changes."""
    system = heisenberg(constraints=["z' = (x*y' - y*x')/2 + x"])
    run = system.simulate({**START, "x": 0.3}, until=2, by="vakonomic")
    p, energy = run["momentum"], run["vakonomic_energy"]
    assert p.dims == ("time", "direction")
    assert float(abs(p.sel(direction="z'") - p.sel(direction="z'")[0]).max()) < 1e-13
    assert float(abs(energy - energy[0]).max()) < 1e-12
    assert float(np.ptp(run.energy.values)) > 1e-2
    x, y, mu = (run[name].values for name in ("x", "y", "mu1"))
    np.testing.assert_allclose(p.sel(direction="x'").values, run["x'"].values + mu * y / 2, atol=1e-13)
    np.testing.assert_allclose(p.sel(direction="y'").values, run["y'"].values - mu * x / 2, atol=1e-13)
    np.testing.assert_allclose(energy.values, run.energy.values + mu * x, atol=1e-13)
    mechanical = system.simulate({name: value for name, value in START.items() if name != "mu1"}, until=1)
    assert "momentum" not in mechanical.data


def test_a_singular_state_is_diagnosed() -> None:
    """Either the multiplier leaves no inertia, or the constraints are dependent."""
    steady = ah.System(
        name="steady", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x'^2 + y'^2 = 1"]
    )
    state = {"x": 0, "y": 0, "x'": 1, "y'": 0, "mu1": -0.5}
    with blames(ah.errors.StateError, "mu1"):
        steady.simulate(state, until=1, by="vakonomic")
    with blames(ah.errors.StateError, "mu1"):
        steady.derive("vakonomic").accelerations(state)
    pinched = heisenberg(constraints=["x*z' = y*x'"])
    with blames(ah.errors.StateError, "c1"):
        pinched.simulate({**START, "z'": 0}, until=1, by="vakonomic")
