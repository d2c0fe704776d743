"""Every claim is tried where it holds, where it fails and where it cannot be decided, and is true only where it holds."""

from __future__ import annotations

import copy
import pickle

import pytest

import anholonomy as ah
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Reason

from .claims import CLAIMS

ASKED = [
    pytest.param(ask, verdict, id=f"{name}-{verdict}")
    for name, asks in CLAIMS.items()
    for ask, verdict in zip(asks, Verdict, strict=True)
    if ask is not None
]


@pytest.mark.parametrize(("ask", "verdict"), ASKED)
def test_a_claim_is_true_only_when_proven(ask, verdict):
    found = ask()
    assert isinstance(found, ah.Finding)
    assert found.verdict is verdict, str(found)
    assert bool(found) is (verdict is Verdict.PROVEN)
    assert (found.is_proven, found.is_refuted, found.is_unknown) == tuple(verdict is each for each in Verdict)


@pytest.mark.parametrize(("ask", "verdict"), ASKED)
def test_a_finding_speaks_and_travels_with_evidence_that_stands(ask, verdict):
    found = ask()
    assert str(found).startswith(f"{found.claim}: {verdict}")
    assert found.latex().startswith(r"\text{" + found.claim.replace("_", r"\_"))
    assert found.evidence
    again = pickle.loads(pickle.dumps(found))
    assert again == found == copy.deepcopy(found)
    # Words cannot be gone through again; everything else says what it said.
    mechanical = not any(isinstance(each, Reason) for each in found.evidence)
    assert again.check() is (verdict if mechanical else Verdict.UNKNOWN)
