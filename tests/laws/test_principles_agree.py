"""The law: every principle gives the same accelerations and the same reactions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from tests.laws.random_systems import KINDS, systems

THOROUGH = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)


@pytest.mark.parametrize("key", ENTRIES)
def test_principles_agree_on_the_catalogue(key: str) -> None:
    verification = ENTRIES[key].make().verify(states=5, digits=30)
    assert verification.agree, str(verification)
    assert len(verification.principles) >= 3
    assert verification.worst < 1e-25


@pytest.mark.parametrize("kind", KINDS)
def test_principles_agree_on_random_systems(kind: str) -> None:
    """40 systems of each of the six kinds."""

    @THOROUGH
    @given(systems(kinds=(kind,)))
    def check(system: ah.System) -> None:
        verification = system.verify(states=1, digits=30)
        assert verification.agree, str(verification)
        assert verification.worst < 1e-25
        assert len(verification.principles) == (2 if kind == "nonlinear" else 3)

    check()
