"""Densities refuted by ranks modulo a prime: where there is one nothing is refuted, whatever the disguise, and long systems are decided."""

from __future__ import annotations

import pytest

from anholonomy import System, Verdict, catalogue
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.density.too_many_brackets import Crowded, crowded

HAVE = [
    "skate",
    "free_particle",
    "unicycle",
    "rubber_ball",
    "snakeboard",
    "ball_on_turntable",
    "appell_machine",
    "carriage",
]
HAVE_NONE = ["chaplygin_sleigh", "suslov", "roller_racer", "engel", "off_axle_trailer", "bilimovic"]


@pytest.mark.parametrize("name", HAVE)
def test_nothing_is_refuted_that_is_there(name: str) -> None:
    assert crowded(reduced_motion(getattr(catalogue, name)().model)) is None


@pytest.mark.parametrize("name", HAVE_NONE)
def test_what_is_refuted_by_formulas_is_refuted_by_ranks(name: str) -> None:
    found = crowded(reduced_motion(getattr(catalogue, name)().model))
    assert found is not None
    assert found.check() is Verdict.PROVEN
    assert Crowded(found.motion, found.length, found.reach + 1, found.bracket).check() is Verdict.UNKNOWN


def test_speeds_of_any_scale_do_not_matter() -> None:
    """Neither the spread of the fields nor that of the speeds has a density here, but both together have."""
    odd = System(
        name="odd speeds", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = y*x'"],
        span=[["1 + x^2*y^2", "0", "y*(1 + x^2*y^2)"], ["0", "2 + sin(x + z)", "0"]], speeds=["u", "v"],
    )  # fmt: skip
    assert crowded(reduced_motion(odd.model)) is None


def test_drag_spreads_and_a_drift_may() -> None:
    """x' = y with a density exp(-x^2/2)-like spreading: div X_0 = 0 has one; a drag that nothing undoes has none."""
    dragged = System(
        name="dragged", coordinates=["x"], lagrangian="x'^2/2 - x^4", forces={"x": "-c*x'"}, parameters={"c": 0.5}
    )
    assert crowded(reduced_motion(dragged.model)) is not None
    driven = System(
        name="driven", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["y' = x'*sin(x) + 1"]
    )
    assert crowded(reduced_motion(driven.model)) is None


@pytest.mark.exhaustive
def test_the_bicycle_has_none() -> None:
    mu = catalogue.whipple_bicycle().invariant_measure(time_limit=None)
    assert mu.verdict is Verdict.REFUTED
    assert mu.finding.check() is Verdict.REFUTED
    assert "generic levels" not in str(
        mu
    )  # its angles occur in sines and cosines alone: points are on the declared level
