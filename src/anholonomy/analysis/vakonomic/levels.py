r"""Constraints on positions: an answer about their declared level, from one in the coordinates that are left, or from one about all levels.

What is proven for generic states of all levels holds for generic ones of the declared level where nothing that was divided by vanishes at a
state on it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.residues.declared_level import CURE, is_regular_on_level, told
from anholonomy.analysis.vakonomic.comparison import Comparison
from anholonomy.findings import Finding
from anholonomy.formulations.principles.vakonomic import Vakonomic
from anholonomy.symbolic.expressions import free_symbols, symbol, time
from anholonomy.symbolic.numbers.balls import DIGITS, evaluate_balls
from anholonomy.system.declaration.solved import Solved
from anholonomy.system.states.sampling import known_parameters

__all__ = ["on_level", "undecided", "where_positions_hold"]


def on_level(answer: Comparison, solved: Solved) -> Comparison:
    """The answer in the coordinates that are left as one about the declared system.

    Its multipliers are those of the same constraints; each of a constraint on positions has a constant that may be chosen.
    """
    declared, left = solved.declared, solved.model
    names = dict(zip((c.label for c in declared.constraints), Vakonomic.costates(declared), strict=True))
    own = {mu.name: names[c.label].name for mu, c in zip(Vakonomic.costates(left), left.constraints, strict=True)}
    multiplier = answer.multiplier and {own[name]: value for name, value in answer.multiplier.items()}
    freedom = None if answer.freedom is None else answer.freedom + len(solved.values)
    return replace(
        answer,
        finding=told(answer.finding, solved),
        model=declared,
        multiplier=multiplier,
        freedom=freedom,
        counterexample=None if solved.radicands else answer.counterexample and _whole(answer.counterexample, solved),
    )


def _whole(state: dict[str, float], solved: Solved) -> dict[str, float] | None:
    """A state with the coordinates and velocities that the others give; None where these have parameters without a value."""
    point = {symbol(name): Fraction(value) for name, value in state.items()} | known_parameters(solved.model)
    if not free_symbols(solved.substitution.values()) <= point.keys():
        return None
    given = evaluate_balls(list(solved.substitution.values()), point, DIGITS)
    whole = state | {s.name: float(value.mid()) for s, value in zip(solved.substitution, given, strict=True)}
    return {s.name: whole[s.name] for s in (*solved.declared.coordinates, *solved.declared.velocities, time)}


def undecided(finding: Finding, why: str) -> Finding:
    """Nothing is known of the declared level, and what would help."""
    return Finding.unknown(finding.claim, f"{why}; {CURE}")


def where_positions_hold(answer: Comparison) -> Comparison:
    """A proof about generic states of all levels as one about the declared level: where nothing was divided by zero at a state there."""
    if not answer.finding or _is_regular(answer):
        return answer
    why = "it holds on other levels of the constraints on positions than the declared one, of which that says nothing"
    return replace(answer, finding=undecided(answer.finding, why), multiplier=None, freedom=None)


def _is_regular(answer: Comparison) -> bool:
    equations, found = answer.equations, answer.found
    assert equations is not None
    assert found is not None
    divided = (*found.divided, *equations.divisors)
    values = (*equations.entries, *(answer.multiplier or {}).values())
    return is_regular_on_level(reduced_motion(equations.model), divided, values)
