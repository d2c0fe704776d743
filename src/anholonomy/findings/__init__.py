"""One kind of answer: a claim, its verdict, the evidence, and what it holds for.

This room knows expressions and how they are written; what is claimed, and about what, is for the rooms above.
"""

from __future__ import annotations

from anholonomy.findings.evidence import (
    AbstractEvidence,
    Bound,
    Calculation,
    Identity,
    Quantity,
    Reason,
    Undecided,
    Witness,
)
from anholonomy.findings.finding import CarriesFinding, Finding, Scope
from anholonomy.findings.special_values import SpecialValues
from anholonomy.findings.zero_claims import vanishing

__all__ = [
    "AbstractEvidence",
    "Bound",
    "Calculation",
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
