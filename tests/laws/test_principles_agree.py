"""The law: every principle gives the same accelerations and the same reactions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.formulations import ALL
from tests.laws.random_systems import KINDS, RARE_KINDS, rare_systems, systems

EXPECTED = {
    "linear": {f.name for f in ALL if f.agrees} - {"chaplygin", "connection"},
    "nonlinear": {"lagrange-dalembert", "maggi", "gibbs-appell", "gauss", "udwadia-kalaba"},
    "acceleration": {"lagrange-dalembert", "maggi", "gibbs-appell", "gauss", "udwadia-kalaba"},
    "redundant": {"gauss", "udwadia-kalaba"},
    "force-momentum": {"lagrange-dalembert", "maggi", "kane", "first-variation"},
    "fibred": {f.name for f in ALL if f.agrees} - {"connection"},
    "natural": {f.name for f in ALL if f.agrees} - {"chaplygin"},
}
"""The principles that must at least take part; a random system may happen to suit more."""


def thorough(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )


def agreeing(system: ah.System, kind: str) -> None:
    verification = system.verify(states=1, digits=30)
    assert verification.agree, str(verification)
    assert verification.worst < 1e-25
    assert EXPECTED.get(kind, EXPECTED["linear"]) <= set(verification.principles)


@pytest.mark.parametrize("key", ENTRIES)
def test_principles_agree_on_the_catalogue(key: str) -> None:
    system = ENTRIES[key].make()
    verification = system.verify(states=5, digits=30)
    assert verification.agree, str(verification)
    assert set(verification.principles) == {f.name for f in ALL if f.agrees and f.covers(system)}
    assert len(verification.principles) >= 5
    assert verification.worst < 1e-25


@pytest.mark.parametrize("kind", KINDS)
def test_principles_agree_on_random_systems(kind: str) -> None:
    """40 systems of each of the six kinds."""

    @thorough(40)
    @given(systems(kinds=(kind,)))
    def check(system: ah.System) -> None:
        agreeing(system, kind)

    check()


@pytest.mark.parametrize("kind", RARE_KINDS)
def test_principles_agree_on_rare_systems(kind: str) -> None:
    """14 systems of each of five more kinds: together more than three hundred."""

    @thorough(14)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        agreeing(data.draw(rare_systems(kind)), kind)

    check()
