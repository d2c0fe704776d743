"""Motions in closed form against integrated ones, and the cases where there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad

from anholonomy import System, Verdict, catalogue
from anholonomy.errors import NotSupportedError, StateError, UnknownNameError
from tests.wording import blames

SPRING = System(
    name="spring", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2 - k*x^2)/2 - g*(x + y)",
    parameters={"k": 2.0, "g": 9.81},
)  # fmt: skip
MAGNETIC = System(
    name="magnetic", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2 + B*(x*y' - y*x'))/2", parameters={"B": -1.5}
)
DAMPED = System(
    name="damped", coordinates=["x"], lagrangian="(x'^2 - x^2)/2", forces={"x": "-c*x'"}, parameters={"c": 0.3}
)
START = {"x": 0.4, "y": -0.2, "x'": 0.7, "y'": 1.1}


@pytest.mark.parametrize("system", [SPRING, MAGNETIC, DAMPED], ids=lambda s: s.name)
def test_against_integration(system: System) -> None:
    motion = system.closed_form()
    assert motion.verdict is Verdict.PROVEN
    assert motion.finding.check() is Verdict.PROVEN
    names = {*(q.name for q in system.coordinates), *(w.name for w in system.velocities)}
    run = system.simulate({name: value for name, value in START.items() if name in names}, until=4)
    assert motion.check(run)
    x = system.coordinates[0]
    assert replace(motion, found=dict(motion.found) | {x: -motion.found[x]}).check(run).verdict is Verdict.REFUTED


@pytest.mark.exhaustive
def test_integrals_that_no_rule_knows_stay_integrals() -> None:
    r"""The balanced disc without weight on a circle of any radius: $\dot\varphi \propto a^{-(2mr^2 + I)/(mr^2 + I)}$, and $\varphi$ is its integral."""
    disc = catalogue.disc_on_circle(g=0.0)
    motion = disc.closed_form(time_limit=None)
    assert motion.verdict is Verdict.PROVEN
    assert motion.finding.check() is Verdict.PROVEN
    assert "J1 = the integral of" in str(motion)
    start = {"phi": -1.0, "psi": 0.2, "phi'": 0.7}
    assert motion.check(disc.simulate(start, until=3.0))

    def rate(t: float) -> float:
        return 0.7 * ((2.5 + 0.5 * np.sin(1.5 * t)) / 2.5) ** (-(2 * 0.25 + 0.2) / (0.25 + 0.2))

    there = motion(start, [1.7, -0.6, 1.7])
    np.testing.assert_allclose(
        there["phi"], [-1 + quad(rate, 0, t, epsabs=1e-14)[0] for t in (1.7, -0.6, 1.7)], atol=1e-13
    )
    first, second = motion.integrals
    wrong = replace(motion, integrals={first: -motion.integrals[first], second: motion.integrals[second]})
    assert wrong.check(disc.simulate(start, until=3.0)).verdict is Verdict.REFUTED


@pytest.mark.exhaustive
def test_an_integral_may_contain_another() -> None:
    """y' = exp(t^2) and z' = y (with the masses of two carts): an error function's integral."""
    system = System(
        name="pushed", coordinates=["y", "z"], lagrangian="(y'^2 + z'^2)/2", constraints=["z' = y"], forces={"y": "2*t*exp(t^2)"}
    )  # fmt: skip
    motion = system.closed_form(time_limit=None)
    assert len(motion.integrals) == 2
    assert motion.verdict is Verdict.PROVEN, str(motion)
    assert motion.check(system.simulate({"y": 0.3, "z": 0.0, "y'": 1.0}, until=1.2))


def test_what_is_not_found_is_named() -> None:
    motion = catalogue.chaplygin_sleigh().closed_form()
    assert motion.verdict is Verdict.UNKNOWN
    assert "no quadrature was found for" in str(motion)
    with blames(NotSupportedError):
        motion({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}, 1.0)
    with blames(UnknownNameError):
        _ = motion["x"]


def test_what_it_divides_by_is_said() -> None:
    motion = catalogue.skate().closed_form()
    assert [str(e) for e in motion.exceptions] == ["omega0"]
    with blames(StateError, "omega0"):
        motion({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}, 1.0)


def test_a_time_that_turns_back_is_refused() -> None:
    skate = catalogue.skate()
    run = skate.simulate({"x": 0, "y": 0, "theta": 1.0, "x'": 1, "theta'": 1.5}, until=3)
    with blames(Exception):
        skate.hamiltonize().check(run)


@pytest.mark.parametrize("c", [0.5, 2, 3])
@pytest.mark.parametrize("bound", [False, True])
def test_two_linear_equations_on_either_side_of_critical_damping(c: float, bound: bool) -> None:
    """Drag of any size on an oscillator, and on the free coordinate of a constrained one with a constant push."""
    system = System(
        name="damped",
        coordinates=["x", "y"] if bound else ["x"],
        lagrangian="x'^2/2 - x^2/2 + x" + (" + y'^2/2" if bound else ""),
        constraints=["y' = 0"] if bound else [],
        forces={"x": "-c*x'"},
        parameters={"c": c},
    )
    motion = system.closed_form()
    assert motion
    assert not motion.radicands
    run = system.simulate({"x": 0.4, "x'": -1.1} | ({"y": 0} if bound else {}), until=2)
    assert motion.check(run)


def test_a_root_that_may_be_none_is_named_and_refused() -> None:
    system = System(
        name="damped", coordinates=["x"], lagrangian="x'^2/2 - x^2/2", forces={"x": "-c*x'"}, parameters=["c"]
    )
    motion = system.closed_form()
    assert motion
    assert "where 1 - c^2/4 is positive" in str(motion)
    assert motion.to_dict()["where"] == ["1 - c^2/4 is positive"]
    for c in (2, 3):
        with blames(StateError):
            motion({"x": 1, "x'": 0, "c": c}, 1.0)
    spring = System(name="spring", coordinates=["x"], lagrangian="m*x'^2/2 - k*x^2/2", parameters=["m", "k"])
    assert not spring.closed_form().radicands


@pytest.mark.parametrize("inertia", ["t", "t^2", "sin(t)"])
def test_equations_that_are_singular_at_time_zero_are_not_solved_from_there(inertia: str) -> None:
    motion = System(name="growing", coordinates=["x"], lagrangian=f"{inertia}*x'^2/2").closed_form()
    assert motion.is_unknown
    assert "singular at t = 0" in str(motion)
