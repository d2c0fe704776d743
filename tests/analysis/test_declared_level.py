"""Constraints on positions single out one level: what fails on others may hold there, and must not be refuted."""

from __future__ import annotations

import pytest

from anholonomy import System
from anholonomy.analysis.measures.residue_hull import crowded
from anholonomy.analysis.multipliers.by_ranks import overdetermined
from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.verdict import Verdict


def _sleigh(offset: str, extra: list[str], position: str) -> System:
    """A sleigh whose mass is off its blade by a function that a position constraint makes zero, or not."""
    own = " + ".join(f"{q}'^2/2" for q in extra)
    return System(
        name="sleigh", coordinates=["x", "y", "theta", *extra], parameters={"m": 1.0, "I": 0.5},
        lagrangian=f"m*(x'^2 + y'^2)/2 + I*theta'^2/2 + m*({offset})*theta'*(y'*cos(theta) - x'*sin(theta)) + {own}",
        constraints=["y'*cos(theta) = x'*sin(theta)", position],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("offset", "extra", "position"),
    [("z", ["z"], "z = 0"), ("u^2 + v^2 - 1", ["u", "v"], "u^2 + v^2 = 1"), ("z - x", ["z"], "z = x")],
    ids=["a plane", "a circle", "a slope"],
)
def test_a_measure_on_the_declared_level_is_not_refuted(offset: str, extra: list[str], position: str) -> None:
    """There the sleigh is the skate, which keeps dx dy dtheta du dw."""
    system = _sleigh(offset, extra, position)
    assert system.invariant_measure().verdict is Verdict.UNKNOWN
    assert crowded(reduced_motion(system)) is None


def test_where_it_has_none_on_that_level_the_witness_lies_there() -> None:
    mu = _sleigh("z", ["z"], "z = 1/2").invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert "z" not in {str(s) for s, _ in mu.finding.evidence[0].point}
    assert mu.finding.check() is Verdict.PROVEN
    assert crowded(reduced_motion(_sleigh("z", ["z"], "z = 1/2"))) is not None


def _curved(z: str) -> System:
    """Over a base of three dimensions with a curvature that z multiplies; for z = 0 a free particle."""
    return System(
        name="curved", coordinates=["x", "y", "w", "s", "z"], lagrangian="(x'^2 + y'^2 + w'^2 + s'^2 + z'^2)/2",
        constraints=["s' = z*(x*y' + y^2*w')", f"z = {z}"],
    )  # fmt: skip


def test_multipliers_and_reach_are_those_of_the_declared_level() -> None:
    flat = _curved("0")
    assert flat.hamiltonize().verdict is not Verdict.REFUTED
    assert overdetermined(reduced_motion(flat)) is None
    assert flat.controllability().accessible.verdict is not Verdict.PROVEN
    bent = _curved("1")
    assert bent.hamiltonize().verdict is Verdict.REFUTED
    assert bent.controllability().accessible.verdict is Verdict.PROVEN


def test_an_energy_that_survives_on_the_declared_level_is_not_refuted() -> None:
    shaken = System(
        name="shaken",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - z*cos(t)*x^3",
        constraints=["z = 0"],
    )
    assert shaken.moving_energy().finding.verdict is Verdict.UNKNOWN
    assert "generic levels" in str(shaken.conserved())
