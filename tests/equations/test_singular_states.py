"""States where the equations are not finite: refused, never reported as zero, and never agreed upon."""

from __future__ import annotations

import pytest

import anholonomy as ah
from tests.wording import blames, pinned

SKATE = {
    "coordinates": ["x", "y", "theta"],
    "lagrangian": "x'^2 + y'^2 + theta'^2/2 - x",
    "constraints": ["x'*sin(theta) = y'*cos(theta)"],
}


@pytest.mark.parametrize("by", ["lagrange-dalembert", "hamel", "udwadia-kalaba", "connection", "hamiltonian"])
@pytest.mark.parametrize(
    ("lagrangian", "x"), [("x'^2/2 + 1/x", 0), ("x*x'^2/2", 0), ("x'^2/2 - sqrt(x)", -1)], ids=["pole", "mass", "root"]
)
def test_what_is_not_finite_is_refused(by: str, lagrangian: str, x: float) -> None:
    system = ah.System(name="s", coordinates=["x"], lagrangian=lagrangian)
    with blames(ah.errors.StateError):
        system.derive(by).accelerations({"x": x, "x'": 1})


def test_nobody_agrees_on_what_is_no_number() -> None:
    system = ah.System(name="s", coordinates=["y", "x"], lagrangian="(x'^2 + y'^2)/2 + 1/x - y^2")
    with blames(ah.errors.StateError):
        system.verify(states=[{"x": 0, "x'": 1, "y": 1, "y'": 1}])


def test_a_principle_whose_own_form_is_singular_is_left_out() -> None:
    system = ah.System(name="skate", **SKATE | {"lagrangian": "x'^2 + y'^2 + theta'^2/2 - y"})
    found = system.verify(states=[{"x": 0, "y": 0, "theta": 0, "x'": 1, "y'": 0, "theta'": 1}])
    assert found.agree
    assert found.singular == ("chaplygin",)
    assert "singular, in its own form, at one of the states: chaplygin" in str(found)
    assert "random" not in str(found)


def test_a_base_ends_at_the_pole_of_its_equations() -> None:
    """The constraint cannot be solved for the velocity of y at a quarter turn; the whole passes, the base must not."""
    skate = ah.System(name="skate", **SKATE)
    start = {"x": 0, "theta": 0.6892910506292722, "x'": 1.7518156071292617, "theta'": 1}
    below = skate.reduced(fibre=["y"]).base.simulate(start, until=60)
    assert not below.is_complete
    pinned(below.outcome)
    whole = skate.simulate({**start, "y": 0}, times=below.time.values[:-1])
    assert abs(whole["x"].values - below["x"].values[:-1]).max() < 1e-12


def test_a_vakonomic_motion_takes_its_multipliers_into_the_next_chart() -> None:
    pendulum = ah.System(
        name="p", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - 9.81*y", constraints=["x^2 + y^2 = 1"]
    )
    run = pendulum.simulate({"x": 1, "y": 0, "y'": 0.5, "mu1": 0}, until=3, by="vakonomic")
    assert run.is_complete
    assert run.data.attrs["charts"] > 1
    # For a constraint on positions the vakonomic motions are the mechanical ones.
    other = pendulum.simulate({"x": 1, "y": 0, "y'": 0.5}, until=3)
    assert abs(run["x"] - other["x"]).max() < 1e-9
    assert "multiplier" not in run.data
    assert run["mu1"].dims == ("time",)
