"""Numbers to the digits promised: computed with as many as that takes, and marked where none suffice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from anholonomy.formulations.equations.evaluation import Evaluation, evaluate_equations
from anholonomy.formulations.verification.agreement import is_known, is_precise, natural_sizes
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.system.declaration.unspecified import refuse_unspecified
from anholonomy.system.states.states import complete_state

if TYPE_CHECKING:
    from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion

__all__ = ["Knowledge", "evaluate_known"]

KINDS = ("accelerations", "reactions", "multipliers")
_MORE = 8
"""How many times the usual digits are carried where these leave a number open, or a matrix that may be singular."""


class Knowledge(NamedTuple):
    """Numbers at a state, and the places of those that are not known, by kind."""

    evaluation: Evaluation
    unknown: Mapping[str, frozenset[int]]


def evaluate_known(equations: EquationsOfMotion, state: Mapping[str, object], digits: int) -> Knowledge:
    """The numbers that the equations give at a state, to some digits, or to be zero beside what cancels in them."""
    refuse_unspecified(equations.model, "what happens at a state")
    usual = 3 * digits + 10
    with precision(usual):
        point = complete_state(equations.model, state, costates=equations.costates)
        try:
            found = evaluate_equations(equations, point)
            if all(is_precise(value, digits) for kind in KINDS for value in getattr(found, kind)):
                return Knowledge(found, {})
        except InadmissibleState:
            pass
    with precision(_MORE * usual):
        point = complete_state(equations.model, state, costates=equations.costates)
        found = evaluate_equations(equations, point)
        sizes = natural_sizes(equations.model, point, found.accelerations)
        unknown = {
            kind: frozenset(
                i for i, value in enumerate(getattr(found, kind)) if not is_known(value, getattr(sizes, kind), digits)
            )
            for kind in KINDS
        }
    return Knowledge(found, unknown)
