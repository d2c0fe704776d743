"""The law: every principle gives the same accelerations and the same reactions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.equations.principles import PRINCIPLES
from tests.properties.random_systems import KINDS, RARE_KINDS, rare_systems, systems

GENERAL = {f.name for f in PRINCIPLES if f.agrees and not f.needs} | {"voronec", "udwadia-kalaba", "hamiltonian"}
EXPECTED = {
    "linear": GENERAL,
    "nonlinear": {"lagrange-dalembert", "maggi", "gibbs-appell", "gauss", "udwadia-kalaba"},
    "acceleration": {"lagrange-dalembert", "maggi", "gibbs-appell", "gauss", "udwadia-kalaba"},
    "redundant": {"gauss", "udwadia-kalaba"},
    "force-momentum": {"lagrange-dalembert", "maggi", "kane", "first-variation"},
    "fibred": GENERAL | {"chaplygin"},
    "natural": GENERAL | {"connection"},
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


@pytest.mark.exhaustive_for("whipple-bicycle")
@pytest.mark.parametrize("key", ENTRIES)
def test_principles_agree_on_the_catalogue(key: str) -> None:
    system = ENTRIES[key].make()
    verification = system.verify(states=5, digits=30)
    assert verification.agree, str(verification)
    assert set(verification.principles) == {f.name for f in PRINCIPLES if f.agrees and f.covers(system)}
    assert len(verification.principles) >= 5
    assert verification.worst < 1e-25


def agreeing_on(kind: str, examples: int) -> None:
    drawn = systems(kinds=(kind,)) if kind in KINDS else rare_systems(kind)

    @thorough(examples)
    @given(drawn)
    def check(system: ah.System) -> None:
        agreeing(system, kind)

    check()


@pytest.mark.parametrize("kind", [*KINDS, *RARE_KINDS])
def test_principles_agree_on_some_random_systems(kind: str) -> None:
    agreeing_on(kind, 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", [*KINDS, *RARE_KINDS])
def test_principles_agree_on_random_systems(kind: str) -> None:
    """40 systems of each of the six kinds, and 14 of each of five rarer ones: together more than three hundred."""
    agreeing_on(kind, 40 if kind in KINDS else 14)
