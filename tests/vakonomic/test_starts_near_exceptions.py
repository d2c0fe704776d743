"""A start within rounding of an exceptional one is answered for both; conditions on parameters name those for which the question is another."""

from __future__ import annotations

import math

import pytest

from anholonomy import System, Verdict, catalogue

SLED = System(group="SE2", kinetic=[[1, 1, 1], [1, 5, 1], [1, 1, 5]], constraints=["v2 = 0"])
"""Its motions with v1 = -w are vakonomic, no others."""
REST = {"x": 0, "y": 0, "theta": 0}


def test_an_exact_start_is_answered_alone() -> None:
    answer = SLED.compare_vakonomic(REST | {"v1": 0.3, "w": -0.3})
    assert answer.verdict is Verdict.PROVEN
    assert not answer.besides
    answer = SLED.compare_vakonomic(REST | {"v1": 1 / 3, "w": -0.2})
    assert answer.verdict is Verdict.REFUTED
    assert not answer.besides


@pytest.mark.parametrize("v", [0.1 * 3, math.sqrt(2) * math.sqrt(3)])
def test_a_start_within_rounding_of_an_exception_is_answered_for_both(v: float) -> None:
    w = -0.3 if v < 1 else -math.sqrt(6)
    assert v != -w
    answer = SLED.compare_vakonomic(REST | {"v1": v, "w": w})
    assert answer.verdict is Verdict.PROVEN
    assert "within rounding of this one where v1 = -w" in str(answer.finding)
    assert [each.verdict for each in answer.besides] == [Verdict.REFUTED]
    assert "its digits taken as exact" in str(answer.besides[0])


def test_a_small_number_that_was_typed_is_meant() -> None:
    answer = catalogue.skate().compare_vakonomic({"x": 0, "y": 0, "theta": 0.1, "x'": 1e-17, "theta'": 0.3})
    assert answer.verdict is Verdict.REFUTED
    assert [each.verdict for each in answer.besides] == [Verdict.PROVEN]
    assert "within rounding of this one where u = 0" in str(answer)


def test_a_start_that_is_far_from_exceptions_is_refuted_for_all_near_it() -> None:
    answer = catalogue.skate().compare_vakonomic({"x": 0, "y": 0, "theta": 0.1, "x'": 2 / 3, "theta'": 1 / 7})
    assert answer.verdict is Verdict.REFUTED
    assert not answer.besides


@pytest.mark.parametrize("at", ["the axle", "the centre of mass"])
def test_a_carriage_with_an_offset_axle_is_vakonomic_only_without_the_offset(at: str) -> None:
    own = at == "the axle"
    system = System(
        coordinates={"x": "length", "y": "length", "phi": "angle", "theta1": "angle", "theta2": "angle"},
        lagrangian="m/2*((x' - a*sin(phi)*phi')^2 + (y' + a*cos(phi)*phi')^2) + J/2*phi'^2 + I*(theta1'^2 + theta2'^2)"
        if own
        else "m/2*(x'^2 + y'^2) + J/2*phi'^2 + I*(theta1'^2 + theta2'^2)",
        constraints=[
            "x'*cos(phi) + y'*sin(phi) = R*theta1'",
            f"y'*cos(phi) - x'*sin(phi) = {'0' if own else 'a*phi' + chr(39)}",
            "w*phi' = R*theta2'",
        ],
        parameters=["m", "J", "I", "R", "w", "a"],
    )
    answer = system.compare_vakonomic()
    assert answer.verdict is Verdict.REFUTED
    special = answer.finding.scope.special
    assert special is not None
    assert "a = 0" in [text.strip() for text in str(special).split(", or")]
    assert catalogue.carriage().compare_vakonomic().verdict is Verdict.PROVEN
