"""A kink or a jump that lies beside a rest: what holds at points near by, where another formula is true, is no proof."""

from __future__ import annotations

import pytest

import anholonomy as ah

WRONG_BEFORE = [
    # The power x'^4*2*max(1/20 - x, 0) is never negative, and the motion from x = 0.3 leaves.
    (["x"], "x'^2/2 - x^4/4", {"x": "x'^3*(abs(x - 1/20) - x + 1/20)"}, "proven"),
    # Within |x| < 1/100 it is x'' = x + 3y', y'' = y - 3x', which is stable.
    (["x", "y"], "(x'^2 + y'^2)/2 + 3*max(min(x, 1/100), -1/100)*y' + (x^2 + y^2)/2", {}, "refuted"),
    # Any y' > 0 carries y to where x = 0 is a maximum of the potential energy.
    (["x", "y"], "(x'^2 + y'^2)/2 - x^4/4 + x^4*max(y - 1, 0)", {}, "proven"),
    (["x", "y"], "(x'^2 + y'^2)/2 - x^2/2 + x^2*max(y - 1, 0)*y", {"x": "-x'"}, "proven"),
    # For x < 1 it is x'' = -x.
    (["x"], "x'^2/2 - x^2/2", {"x": "x'*sin(max(x - 1, 0))^2"}, "refuted"),
    # Free particles in other coordinates, which are stable modulo their symmetries.
    (["x"], "(1 + x^2)*x'^2/2", {}, "refuted"),
    (["x", "y"], "x'^2/2 + (1 + y^2)^2*y'^2/2 - x^2/2", {}, "refuted"),
]


@pytest.mark.parametrize(("coordinates", "lagrangian", "forces", "wrong"), WRONG_BEFORE, ids=range(len(WRONG_BEFORE)))
def test_nothing_false_is_said(coordinates: list[str], lagrangian: str, forces: dict[str, str], wrong: str) -> None:
    system = ah.System(name="kinked", coordinates=coordinates, lagrangian=lagrangian, forces=forces)
    assert str(system.stability.steady_motion().is_stable().verdict) != wrong


def test_an_energy_that_is_least_needs_a_neighbourhood_only() -> None:
    walled = ah.System(name="walled", coordinates=["x"], lagrangian="x'^2/2 - x^2/2 - max(x - 1, 0)^2")
    assert walled.stability.steady_motion().is_stable().is_proven


def test_slopes_of_a_law_without_numbers_end_in_no_error() -> None:
    strip = ah.System(name="strip", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - x^2/2 + x^2*max(y - 1, 0)")
    assert not strip.stability.steady_motion().is_stable().is_refuted
