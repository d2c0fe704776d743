"""What is found where constraints on positions are solved, told as an answer about the declared system."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, final

from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.findings import AbstractEvidence, Finding, Witness
from anholonomy.findings.words import in_words
from anholonomy.formulations.equations.evaluation import speeds_at
from anholonomy.language.writing import to_text
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.arithmetic import unknown_functions
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, free_symbols
from anholonomy.symbolic.numbers.balls import (
    DIGITS,
    MANY_DIGITS,
    evaluate_balls,
    excludes_zero,
    precision,
    random_point,
)
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.declaration.solved import Solved, positions_of
from anholonomy.system.states.sampling import admissible_points
from anholonomy.verdict import Verdict

__all__ = ["CURE", "PositionsSolved", "is_regular_on_level", "told"]

CURE = "solve the constraints on positions for coordinates and declare the system without"
"""What helps where the declared level of a constraint on positions decides and is not known."""
_STATES = 3
"""States of the declared level that are looked at."""
_TRIES = 200
"""Points drawn until roots are real at one."""


@final
@dataclass(frozen=True, repr=False)
class PositionsSolved(AbstractEvidence):
    """That the declared constraints on positions hold where coordinates have these values."""

    positions: Vector
    values: tuple[tuple[Symbol, Expr], ...]
    on: Orbit | None

    def check(self) -> Verdict:
        here = dict(self.values)
        return Verdict.on_all(zero_test(g.xreplace(here), self.on) for g in self.positions)

    def lines(self, whole: bool = False) -> list[str]:
        """The values."""
        return ["there " + ", ".join(f"{q.name} = {to_text(value)}" for q, value in self.values)]

    def latex(self) -> str:
        return in_words("there ") + r",\ ".join(f"{latex(q)} = {latex(value)}" for q, value in self.values)


def told(finding: Finding, solved: Solved) -> Finding:
    """A finding in the coordinates that are left as one about the declared system: it says which level that is, and which part of it was looked at."""
    if finding.is_unknown:
        return finding
    on = solved.model.frame_at_values.orbit
    where = PositionsSolved(positions_of(solved.declared), tuple(solved.values.items()), on)
    if finding.is_proven:
        points = ", ".join(filter(None, (finding.scope.points, *(f"where {each}" for each in solved.branches))))
        return replace(finding, evidence=(*finding.evidence, where), scope=replace(finding.scope, points=points))
    real = [_real(each, solved) for each in finding.evidence]
    if None in real:
        why = f"no point was met where it fails and {to_text(solved.radicands[0])} is positive; {CURE}"
        return Finding.unknown(finding.claim, why)
    return replace(finding, evidence=(*(each for each in real if each is not None), where))


def _real(evidence: AbstractEvidence, solved: Solved) -> AbstractEvidence | None:
    """The evidence, at another point where roots are imaginary at its own; None where none is met."""
    point = getattr(evidence, "point", None)
    if not solved.radicands or point is None or _positive(solved, (), dict(point)):
        return evidence
    if not isinstance(evidence, Witness) or unknown_functions(evidence.expression):
        return None
    rng, f, values = random.Random(11), evidence.expression, solved.model.values
    on = solved.model.frame.orbit
    names = free_symbols([f, *solved.radicands]) - values.keys()
    for kind in range(_TRIES if on is None or names.isdisjoint(on.tied) else 0):
        drawn = random_point(names, rng, kind)
        if _positive(solved, (f,), drawn):
            here = {**{s: Fraction(str(e)) for s, e in values.items()}, **drawn}
            shown = tuple((s, here[s]) for s in sorted(names | (f.free_symbols & values.keys()), key=str))
            return replace(evidence, point=shown)
    return None


def _positive(solved: Solved, nonzero: Vector, point: Mapping[Symbol, Any]) -> bool:
    """Whether roots are real at a point, where everything of them is known, and nothing vanishes that must not."""
    values = {s: Fraction(str(e)) for s, e in solved.model.values.items()}
    known = {**values, **point}
    if not free_symbols([*solved.radicands, *nonzero]) <= known.keys():
        return False
    found = evaluate_balls([*solved.radicands, *nonzero], known, DIGITS)
    inside = found[: len(solved.radicands)]
    return all(bool(value > 0) for value in inside) and all(map(excludes_zero, found[len(inside) :]))


def is_regular_on_level(motion: ReducedMotion, nonzero: Vector, finite: Vector) -> bool:
    """Whether at a state where constraints on positions hold, none being solved, functions do not vanish and others are finite."""
    every = [*nonzero, *finite]
    with precision(MANY_DIGITS + 10):
        for state in islice(admissible_points(motion.model, MANY_DIGITS + 10), _STATES):
            try:
                point = speeds_at(motion.equations, state)
            except InadmissibleState:  # the frame of the speeds fails there
                continue
            if not free_symbols(every) <= point.keys():
                return False
            found = evaluate_balls(every, point, MANY_DIGITS)
            if all(map(excludes_zero, found[: len(nonzero)])) and all(value.is_finite() for value in found):
                return True
    return False
