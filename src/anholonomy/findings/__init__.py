"""One kind of answer: a claim, whether it is proven, the evidence, and what it holds for.

This room knows expressions and how they are written; what is claimed, and about what, is for the rooms above.
"""

from __future__ import annotations

from anholonomy.findings.deciding import vanishing
from anholonomy.findings.evidence import AbstractEvidence, Bound, Identity, Quantity, Reason, Undecided, Witness
from anholonomy.findings.finding import CarriesFinding, Finding
from anholonomy.findings.scope import Scope
from anholonomy.findings.special import SpecialValues

__all__ = [
    "AbstractEvidence",
    "Bound",
    "CarriesFinding",
    "Finding",
    "Identity",
    "Quantity",
    "Reason",
    "Scope",
    "SpecialValues",
    "Undecided",
    "Witness",
    "vanishing",
]
