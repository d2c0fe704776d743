"""What an answer about a new time holds for, and what it does not say."""

from __future__ import annotations

import pytest

from anholonomy import System, catalogue
from tests.wording import pinned


def _twisted(k: float | None) -> System:
    return System(
        name="twisted", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + (1 + z^2)*z'^2)/2",
        constraints=["z' = k*x*y'"], parameters={"k": k},
    )  # fmt: skip


ZEROS = [(catalogue.chaplygin_sleigh, "a"), (_twisted, "k")]


@pytest.mark.parametrize(("make", "name"), ZEROS)
def test_a_value_without_which_nothing_is_proven_is_named(make, name):
    """A parameter that is zero is left out of the equations; the answer is one for that value."""
    still = make(**{name: 0}).hamiltonize()
    moved = make(**{name: 0.7}).hamiltonize()
    assert still
    assert not moved.is_proven
    assert {str(s): int(value) for s, value in still.finding.scope.values} == {name: 0}
    assert f"proven for {name} = 0" in str(still)


def test_a_zero_that_occurs_nowhere_is_not_named():
    idle = System(
        name="idle", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = x*y'"],
        parameters={"k": 0},
    )  # fmt: skip
    assert not idle.hamiltonize().finding.scope.values


def test_a_bracket_of_rank_two_says_how_little_it_is():
    """The sleigh on its group has only such a bracket; in coordinates it has a base, which says no."""
    sleigh = System(
        name="sleigh", group="SE2", lagrangian="(v1^2 + (v2 + a*w)^2 + I*w^2)/2", constraints=["v2 = 0"],
        parameters={"a": 1, "I": 2},
    )  # fmt: skip
    h = sleigh.hamiltonize()
    assert "rank two" in h.remark
    assert h.remark in str(h)
    assert h.to_dict()["remark"] == h.remark
    assert not catalogue.veselova().hamiltonize().remark


def test_a_refutation_names_the_kinetic_energy_it_is_about():
    r"""With $L = e^{2cx}x'^2/2 - \int e^{2cx}x\,dx$ the motion is Lagrangian in the old time."""
    drag = {"x": "-c*x'^2"}
    system = System(coordinates=["x"], lagrangian="x'^2/2 - x^2/2", forces=drag, parameters={"c": 0.5}, name="in air")
    h = system.hamiltonize()
    assert h.is_refuted
    pinned(h.finding.claim, "2")
