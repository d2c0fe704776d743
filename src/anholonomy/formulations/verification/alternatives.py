"""Another principle for a number that one does not know."""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.formulations.equations.known_digits import evaluate_known
from anholonomy.formulations.principles import PRINCIPLES
from anholonomy.refusals import Refusal
from anholonomy.system.model import Model

__all__ = ["known_by"]


def known_by(model: Model, state: Mapping[str, object], kind: str, digits: int = 16) -> str:
    """The first principle that knows accelerations or reactions at a state; empty where none does."""
    for principle in PRINCIPLES:
        if not (principle.agrees and principle.covers(model)):
            continue
        try:
            if not evaluate_known(principle.derive(model), state, digits).unknown.get(kind):
                return principle.name
        except Refusal:
            continue
    return ""
