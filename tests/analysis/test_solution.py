"""Motions in closed form against integrated ones, and the cases where there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anholonomy import InadmissibleState, NotCovered, System, UnknownName, Verdict, catalogue

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
    motion = system.solve()
    assert motion.verdict is Verdict.PROVEN
    assert motion.finding.check() is Verdict.PROVEN
    names = {*(q.name for q in system.coordinates), *(w.name for w in system.velocities)}
    run = system.simulate({name: value for name, value in START.items() if name in names}, until=4)
    assert motion.check(run)
    x = system.coordinates[0]
    assert replace(motion, found=dict(motion.found) | {x: -motion.found[x]}).check(run).verdict is Verdict.REFUTED


def test_what_is_not_found_is_named() -> None:
    motion = catalogue.chaplygin_sleigh().solve()
    assert motion.verdict is Verdict.UNKNOWN
    assert "no quadrature was found for" in str(motion)
    with pytest.raises(NotCovered, match="the motion is asked for"):
        motion({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}, 1.0)
    with pytest.raises(UnknownName, match="was not found in closed form"):
        _ = motion["x"]


def test_what_it_divides_by_is_said() -> None:
    motion = catalogue.skate().solve()
    assert [str(e) for e in motion.exceptions] == ["omega0"]
    with pytest.raises(InadmissibleState, match="divides by omega0"):
        motion({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}, 1.0)


def test_a_time_that_turns_back_is_refused() -> None:
    skate = catalogue.skate()
    run = skate.simulate({"x": 0, "y": 0, "theta": 1.0, "x'": 1, "theta'": 1.5}, until=3)
    with pytest.raises(Exception, match="turns back"):
        skate.hamiltonize().check(run)
