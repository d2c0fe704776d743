r"""J12 and J14: the generalized Heisenberg system with functions that nobody specified, and the Chaplygin skate.

.. math:: L = \tfrac12\left(f\alpha^2 + g\alpha\beta + h\beta^2 + \Phi\gamma^2\right) - U
"""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, skate
from anholonomy.language import to_text
from tests.vakonomic.extremals import misfit

FLAT = {"f": "f(x, y)", "g": "g(x, y)", "h": "h(x, y)", "Phi": "Phi(x, y, z)", "U": "U(x, y)"}


def heisenberg(**words: str) -> ah.System:
    used = FLAT | words
    return ah.System(
        name="generalized Heisenberg",
        coordinates=["x", "y", "z"],
        lagrangian="({f}*x'^2 + {g}*x'*y' + {h}*y'^2 + {Phi}*(z' - y*x' + x*y')^2)/2 - {U}".format(**used),
        functions=[text for text in used.values() if "(" in text],
        constraints=["z' = y*x' - x*y'"],
    )


def test_J12_every_motion_is_a_free_one_for_all_functions() -> None:
    answer = heisenberg().compare_vakonomic()
    assert answer.verdict is ah.Verdict.PROVEN
    assert answer.conditions["reactions"].is_proven
    assert set(answer.finding.scope.functions) <= {"f", "g", "h", "Phi", "U"}
    assert list(answer.multiplier.values()) == [0]


@pytest.mark.parametrize("word", ["f", "g", "h", "U"])
def test_J12_a_function_that_depends_on_the_height_must_not(word: str) -> None:
    """The condition as an answer: its derivative along z vanishes, and without z every function does."""
    plain = {"f": "1", "g": "0", "h": "1", "Phi": "1", "U": "0"}
    answer = heisenberg(**plain | {word: f"{word}(x, y, z)"}).compare_vakonomic()
    assert answer.verdict is ah.Verdict.REFUTED
    assert [to_text(each) for each in answer.requirements] == [f"D({word}(x, y, z), z)"]
    assert [to_text(each) for each in answer.kept] == [f"{word}(x, y)"]


def test_J12_more_of_the_metric_would_do_with_a_product_that_stays_orthogonal() -> None:
    """The weight of the height may be anything; a product of it with the others tilts the complement, and may not."""
    tilted = ah.System(
        name="tilted",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + (z' - y*x' + x*y')^2)/2 + k(x, y)*x'*(z' - y*x' + x*y')",
        functions=["k(x, y)"],
        constraints=["z' = y*x' - x*y'"],
    )
    assert tilted.compare_vakonomic().verdict is ah.Verdict.REFUTED


def test_J14_the_centre_is_an_ideal_for_all_functions() -> None:
    """Example 4.11: the same by the ideal spanned by d/dz."""
    assert heisenberg().compare_vakonomic().conditions["ideal"].is_proven


@pytest.mark.exhaustive
def test_J14_the_skate_is_no_such_case() -> None:
    """Remark 4.8 treats it as the unicycle; on a curve the blade pushes, and one constraint leaves no multiplier for that."""
    answer = skate(m=None, I=None).compare_vakonomic()
    assert answer.verdict is ah.Verdict.REFUTED
    assert answer.explanation == "one constraint"
    assert [[(s.name, value) for s, value in each.equations] for each in answer.exceptions] == [
        [("omega", 0)],
        [("u", 0)],
    ]
    assert misfit(skate(), ENTRIES["skate"].start, until=1.0) > 1e-3
