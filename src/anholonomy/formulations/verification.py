r"""Do the principles agree? Each is asked for accelerations, reactions and multipliers at random admissible states.

The numbers are balls, so a disagreement of $10^{-25}$ at 30 digits is a statement, not an impression: the
difference reported is an upper bound, relative to the largest acceleration or reaction at the state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import final

import flint

from anholonomy.formulations import ALL
from anholonomy.formulations.base import AbstractFormulation
from anholonomy.formulations.evaluation import Evaluation, evaluate_equations
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.balls import Ball, precision
from anholonomy.system.model import Model
from anholonomy.system.sampling import Point, admissible_points
from anholonomy.system.states import complete_state

__all__ = ["KINDS", "Comparison", "Verification", "verify"]


KINDS = ("accelerations", "reactions", "multipliers")


@final
@dataclass(frozen=True)
class Comparison:
    """The largest relative disagreement of two principles over all states, proven as an upper bound."""

    left: str
    right: str
    accelerations: float
    reactions: float
    multipliers: float

    @property
    def worst(self) -> float:
        return max(self.accelerations, self.reactions, self.multipliers)


@final
@dataclass(frozen=True)
class Verification:
    """Every principle against every other."""

    system: str
    principles: tuple[str, ...]
    not_covering: tuple[str, ...]
    singular: tuple[str, ...]
    states: int
    are_random: bool
    digits: int
    tolerance: float
    comparisons: tuple[Comparison, ...]

    @property
    def worst(self) -> float:
        """The largest disagreement found; 0.0 when there was nothing to compare."""
        return max((c.worst for c in self.comparisons), default=0.0)

    @property
    def agree(self) -> bool:
        """True when at least two principles were compared and no disagreement exceeds the tolerance."""
        return bool(self.comparisons) and self.worst <= self.tolerance

    @property
    def by_principle(self) -> tuple[Comparison, ...]:
        """Each principle with the largest of its disagreements with any other."""
        rows = []
        for name in self.principles if self.comparisons else ():
            own = [c for c in self.comparisons if name in (c.left, c.right)]
            worst = {kind: max((getattr(c, kind) for c in own), default=0.0) for kind in KINDS}
            rows.append(Comparison(name, "any other", **worst))
        return tuple(rows)

    def __bool__(self) -> bool:
        return self.agree

    def __str__(self) -> str:
        verdict = "agree" if self.agree else "DISAGREE" if self.comparisons else "cannot be compared"
        head = (
            f"{self.system}: {len(self.principles)} principles {verdict} at {self.states} {'random ' if self.are_random else ''}admissible states "
            f"({self.digits} digits, tolerance {self.tolerance:.0e})"
        )
        width = max(map(len, self.principles), default=10)
        lines = [head]
        if self.comparisons:
            lines += ["  largest disagreement with any other principle, in", f"  {'':{width}}  {'  '.join(KINDS)}"]
        for row in self.by_principle:
            cells = (f"{getattr(row, kind):{len(kind)}.1e}" for kind in KINDS)
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
    principles: Sequence[AbstractFormulation] = ALL,
) -> Verification:
    """Compare every principle that covers the system with every other.

    ``states`` is how many random admissible states to use, or the states themselves.
    """
    _refuse_unless_sensible(model, states, digits)
    principles = [f for f in principles if f.agrees]
    able = [f for f in principles if f.covers(model)]
    results: list[list[Evaluation]] = []
    singular: list[AbstractFormulation] = []
    # Guard digits: admissible velocities and linear solves each cost a few.
    with precision(digits + 20):
        if isinstance(states, int):
            results = _at_random_states(model, able, states, digits + 15, seed)
        else:
            able, singular, results = _at_given_states(model, able, [complete_state(model, state) for state in states])
        # What is exactly zero comes out as rounding far below this.
        floor = flint.arb(10) ** (-digits // 2)
        comparisons = tuple(
            Comparison(
                able[i].name,
                able[j].name,
                *(
                    max((_gap(getattr(r[i], what), getattr(r[j], what), floor) for r in results), default=0.0)
                    for what in KINDS
                ),
            )
            for i, j in combinations(range(len(able)), 2)
        )
    return Verification(
        system=model.name,
        principles=tuple(f.name for f in able),
        not_covering=tuple(f.name for f in principles if f not in able and f not in singular),
        singular=tuple(f.name for f in singular),
        states=len(results),
        are_random=isinstance(states, int),
        digits=digits,
        tolerance=10.0 ** (5 - digits),
        comparisons=comparisons,
    )


def _refuse_unless_sensible(model: Model, states: object, digits: object) -> None:
    if not isinstance(digits, int) or not 10 <= digits <= 1000:
        raise InadmissibleState(
            f"{model.name}: digits={digits!r} is no precision; give a whole number from 10 to 1000."
        )
    if isinstance(states, int) and not isinstance(states, bool) and states > 0:
        return
    if not isinstance(states, Sequence) or isinstance(states, str) or not states:
        raise InadmissibleState(f"{model.name}: states={states!r} is neither a number of states nor a list of them.")


def _at_given_states(
    model: Model, able: Sequence[AbstractFormulation], points: Sequence[Point]
) -> tuple[list[AbstractFormulation], list[AbstractFormulation], list[list[Evaluation]]]:
    """Evaluations at every state by the principles that can be had at all of them; and the principles that cannot."""
    found: dict[AbstractFormulation, list[Evaluation]] = {}
    singular: dict[AbstractFormulation, InadmissibleState] = {}
    for f in able:
        try:
            there = [{s: float(v.mid()) for s, v in point.items()} for point in points]
            found[f] = [
                evaluate_equations(f.derive(model, f.frame(model, at)), point)
                for at, point in zip(there, points, strict=True)
            ]
        except InadmissibleState as reason:
            singular[f] = reason
    if not found and singular:
        raise next(iter(singular.values()))
    return list(found), list(singular), [list(row) for row in zip(*found.values(), strict=True)]


def _at_random_states(
    model: Model, able: Sequence[AbstractFormulation], count: int, digits: int, seed: int
) -> list[list[Evaluation]]:
    """Evaluations at ``count`` random states; a state where the equations are singular is replaced."""
    equations = [f.derive(model) for f in able]
    results: list[list[Evaluation]] = []
    for point in islice(admissible_points(model, digits, seed), 4 * count):
        if len(results) == count:
            break
        try:
            results.append([evaluate_equations(e, point) for e in equations])
        except InadmissibleState:
            continue
    if len(results) < count:
        raise InadmissibleState(
            f"{model.name}: the equations are singular at most random states; give states explicitly with `states=[…]`."
        )
    return results


def _gap(left: Sequence[Ball], right: Sequence[Ball], floor: Ball) -> float:
    """An upper bound of the largest difference, relative to the largest entry (or to ``floor`` below that)."""
    scale = max((abs(value) for value in (*left, *right)), key=lambda b: float(b.mid()), default=floor)
    scale = scale if scale > floor else floor
    gaps = [float((abs(a - b) / scale).abs_upper()) for a, b in zip(left, right, strict=True)]
    # What is not a number is no agreement, whatever stands before it in the list.
    return max((gap if math.isfinite(gap) else math.inf for gap in gaps), default=0.0)
