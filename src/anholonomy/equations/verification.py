"""Do the principles agree? Accelerations, reactions and multipliers of each, compared at random admissible states.

The numbers are balls, so a disagreement of $10^{-25}$ at 30 digits is a statement, not an impression: the
difference reported is a proven upper bound, relative to the numbers compared (`anholonomy.equations.evaluation`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, islice
from typing import final

import flint

from anholonomy.algebra.latex import shown
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.base.errors import ArgumentError, Error, StateError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.equations.evaluation import (
    KINDS,
    Evaluation,
    Sizes,
    bounds,
    evaluate_equations,
    evaluate_known,
    natural_sizes,
    upward,
)
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.findings import AbstractEvidence, Bound, CarriesFinding, Finding, Reason, Scope
from anholonomy.language.arguments import expect_whole, plain
from anholonomy.system.declaration.unspecified_functions import jets
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import complete_state
from anholonomy.system.states.newton import Point
from anholonomy.system.states.random_states import admissible_points

__all__ = ["PrinciplePair", "Verification", "known_by", "verify"]


_MOST = 10_000
"""The most random states that can be asked for."""
_RAISED = (1, 2, 4, 8)
"""Numbers that are not known well enough to be compared are computed again with more digits."""


@final
@dataclass(frozen=True)
class PrinciplePair(Shown):
    """The largest relative disagreement of two principles over all states, proven as an upper bound.

    ``proven`` is a lower bound of it: where that is no more than the tolerance and the upper bounds are, nothing is known.
    """

    left: str
    right: str
    accelerations: Decimal
    reactions: Decimal
    multipliers: Decimal
    proven: Decimal

    @property
    def worst(self) -> Decimal:
        return max(self.accelerations, self.reactions, self.multipliers)


@final
@dataclass(frozen=True, repr=False)
class Verification(CarriesFinding, Shown):
    """Every principle against every other; true only where it is proven that all agree."""

    system: str
    principles: tuple[str, ...]
    not_covering: tuple[str, ...]
    singular: tuple[str, ...]
    states: int
    are_random: bool
    digits: int
    carried: int
    comparisons: tuple[PrinciplePair, ...]

    @property
    def tolerance(self) -> Decimal:
        """What a relative disagreement may amount to; five digits are left to rounding."""
        return Decimal(10) ** (5 - self.digits)

    @property
    def worst(self) -> Decimal:
        """The largest disagreement found; 0 when there was nothing to compare."""
        return max((c.worst for c in self.comparisons), default=Decimal(0))

    @property
    def proven(self) -> Decimal:
        """What the largest disagreement amounts to at least."""
        return max((c.proven for c in self.comparisons), default=Decimal(0))

    @property
    def agree(self) -> bool:
        """True when at least two principles were compared and no disagreement exceeds the tolerance."""
        return bool(self.comparisons) and self.worst <= self.tolerance

    @property
    def finding(self) -> Finding:
        """That the principles agree at the states: refuted by a lower bound of a disagreement, unknown where numbers are vague."""
        kind = "random admissible" if self.are_random else "given"
        scope = Scope(points=f"at {self.states} {kind} states in {self.digits} digits")
        verdict, evidence = self._judged()
        return Finding(f"{len(self.principles)} principles agree", verdict, evidence, scope)

    def _judged(self) -> tuple[Verdict, tuple[AbstractEvidence, ...]]:
        bound = Bound("the largest relative disagreement", self.proven, self.worst, self.tolerance)
        if not self.comparisons:
            return Verdict.UNKNOWN, (Reason("there are no two principles to compare"),)
        if self.agree or self.proven > self.tolerance:
            return Verdict.of(self.agree), (bound,)
        vague = f"the numbers are not known well enough, not even when computed with {self.carried} digits"
        return Verdict.UNKNOWN, (bound, Reason(vague))

    @property
    def by_principle(self) -> tuple[PrinciplePair, ...]:
        """Each principle with the largest of its disagreements with any other."""
        rows = []
        for name in self.principles if self.comparisons else ():
            own = [c for c in self.comparisons if name in (c.left, c.right)]
            worst = {kind: max((getattr(c, kind) for c in own), default=Decimal(0)) for kind in (*KINDS, "proven")}
            rows.append(PrinciplePair(name, "any other", **worst))
        return tuple(rows)

    def __repr__(self) -> str:
        return f"Verification({self.system!r}: {self.finding})"

    def __str__(self) -> str:
        width = max(map(len, self.principles), default=10)
        lines = [f"{self.system}: {self.finding}"]
        if self.comparisons:
            lines += ["  largest disagreement with any other principle, in", f"  {'':{width}}  {'  '.join(KINDS)}"]
        for row in self.by_principle:
            cells = (f"{shown(getattr(row, kind)):>{len(kind)}}" for kind in KINDS)
            lines.append(f"  {row.left:{width}}  {'  '.join(cells)}")
        if self.singular:
            lines.append(f"  singular, in its own form, at one of the states: {', '.join(self.singular)}")
        if self.not_covering:
            lines.append(f"  not covering this system: {', '.join(self.not_covering)}")
        return "\n".join(lines)


def verify(
    model: Model,
    states: int | Sequence[Mapping[str, object]] = 5,
    digits: int = 30,
    seed: int = 0,
    principles: Sequence[AbstractPrinciple] = PRINCIPLES,
) -> Verification:
    """Compare every principle that covers the system with every other.

    ``states`` is how many random admissible states to use, or the states themselves. Numbers are computed with twice the
    digits, so that what is zero shows; and again with more where the bounds are still too wide, or just beyond the tolerance.
    """
    model = plain(model)
    _refuse_unless_sensible(model, states, digits, seed)
    principles = [f for f in principles if f.agrees]
    able = [f for f in principles if f.covers(model)]
    found, suspected = _compared(model, able, states, digits, seed, 2 * digits + 20), False
    for factor in _RAISED[1:]:
        gross = found.proven**2 > Decimal(10) ** -digits
        if found.agree or not found.comparisons or gross or (suspected and found.proven > found.tolerance):
            break
        suspected = found.proven > found.tolerance
        found = _compared(model, able, states, digits, seed, factor * (2 * digits + 20))
    missing = {f.name for f in principles} - {*found.principles, *found.singular}
    return replace(found, not_covering=tuple(f.name for f in principles if f.name in missing))


def _compared(
    model: Model,
    able: Sequence[AbstractPrinciple],
    states: int | Sequence[Mapping[str, object]],
    digits: int,
    seed: int,
    carried: int,
) -> Verification:
    """The comparison with numbers of ``carried`` digits."""
    singular: Sequence[AbstractPrinciple] = ()
    with precision(carried):
        if isinstance(states, int):
            points, results = _at_random_states(model, able, states, carried - 5, seed)
        else:
            rng = random.Random(seed)
            free = [{node: ball(value) for node, value in jets(model, rng).items()} for _ in states]
            points = [complete_state(model, state) | more for state, more in zip(states, free, strict=True)]
            able, singular, results = _at_given_states(model, able, points)
        tiny = flint.arb(10) ** (-carried // 2)
        floors = [
            Sizes(*(tiny * size for size in natural_sizes(model, point, row[0].accelerations))) if row else None
            for point, row in zip(points, results, strict=True)
        ]
        comparisons = tuple(
            _comparison(able[i].name, able[j].name, [(row[i], row[j]) for row in results], floors)
            for i, j in combinations(range(len(able)), 2)
        )
    return Verification(
        system=model.name,
        principles=tuple(f.name for f in able),
        not_covering=(),
        singular=tuple(f.name for f in singular),
        states=len(results),
        are_random=isinstance(states, int),
        digits=digits,
        carried=carried,
        comparisons=comparisons,
    )


def _comparison(
    left: str, right: str, pairs: Sequence[tuple[Evaluation, Evaluation]], floors: Sequence[Sizes | None]
) -> PrinciplePair:
    most: dict[str, Decimal] = {}
    proven = Decimal(0)
    for kind in KINDS:
        found = [
            bounds(getattr(a, kind), getattr(b, kind), getattr(floor, kind))
            for (a, b), floor in zip(pairs, floors, strict=True)
        ]
        most[kind] = max((upward(each.most) for each in found), default=Decimal(0))
        proven = max([proven, *(upward(each.least) for each in found)])
    return PrinciplePair(left, right, **most, proven=proven)


def _refuse_unless_sensible(model: Model, states: object, digits: object, seed: object) -> None:
    expect_whole(seed, f"{model.name}: `seed`", 0, refusal=ArgumentError)
    expect_whole(digits, f"{model.name}: `digits`", 10, 1000, refusal=ArgumentError)
    if isinstance(states, int) and not isinstance(states, bool) and 0 < states <= _MOST:
        return
    if not isinstance(states, Sequence) or isinstance(states, str) or not states:
        raise StateError(
            f"{model.name}: states={quoted(states)} is neither a number of states, at most {_MOST}, nor a list of them."
        )


def _at_given_states(
    model: Model, able: Sequence[AbstractPrinciple], points: Sequence[Point]
) -> tuple[list[AbstractPrinciple], list[AbstractPrinciple], list[list[Evaluation]]]:
    """Evaluations at every state by the principles that can be had at all of them; and the principles that cannot."""
    found: dict[AbstractPrinciple, list[Evaluation]] = {}
    singular: dict[AbstractPrinciple, StateError] = {}
    for f in able:
        try:
            there = [{s: float(v.mid()) for s, v in point.items()} for point in points]
            found[f] = [
                evaluate_equations(f.derive(model, f.frame(model, at)), point)
                for at, point in zip(there, points, strict=True)
            ]
        except StateError as reason:
            singular[f] = reason
    if not found and singular:
        raise next(iter(singular.values()))
    return list(found), list(singular), [list(row) for row in zip(*found.values(), strict=True)]


def _at_random_states(
    model: Model, able: Sequence[AbstractPrinciple], count: int, digits: int, seed: int
) -> tuple[list[Point], list[list[Evaluation]]]:
    """Evaluations at ``count`` random states; a state where the equations are singular is replaced."""
    equations = [f.derive(model) for f in able]
    points: list[Point] = []
    results: list[list[Evaluation]] = []
    for point in islice(admissible_points(model, digits, seed), 4 * count):
        if len(results) == count:
            break
        try:
            results.append([evaluate_equations(e, point) for e in equations])
            points.append(point)
        except StateError:
            continue
    if len(results) < count:
        raise StateError(
            f"{model.name}: the equations are singular at most random states; give states explicitly with `states=[…]`."
        )
    return points, results


# Another principle for a number that one does not know.


def known_by(model: Model, state: Mapping[str, object], kind: str) -> str:
    """The first principle that knows accelerations or reactions at a state; empty where none does."""
    for principle in PRINCIPLES:
        if not (principle.agrees and principle.covers(model)):
            continue
        try:
            if not evaluate_known(principle.derive(model), state, digits=16).unknown.get(kind):
                return principle.name
        except Error:
            continue
    return ""
