"""Equations of motion in numbers, at one state and to any number of digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import flint

from anholonomy.displays.shown import Shown
from anholonomy.formulations.equations.singular import degenerates
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.expressions import Symbol
from anholonomy.symbolic.numbers.balls import Ball
from anholonomy.symbolic.numbers.certified import run_steps
from anholonomy.system.states.sampling import Point, evaluate_at

if TYPE_CHECKING:
    from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion

__all__ = ["Evaluation", "evaluate_equations", "speeds_at"]


@final
@dataclass(frozen=True)
class Evaluation(Shown):
    """Accelerations, reactions, multipliers and energy at one state, as balls.

    The multipliers are the principle's own where it has them, otherwise those that the reactions imply. There is no
    energy without a Lagrangian.
    """

    accelerations: tuple[Ball, ...]
    reactions: tuple[Ball, ...]
    multipliers: tuple[Ball, ...]
    energy: Ball | None


def speeds_at(equations: EquationsOfMotion, point: Point) -> Point:
    r"""The point with the speeds of the equations added: $u = (S S^{\mathsf T})^{-1} S (w - s)$, or what ``speed_values`` says."""
    frame = equations.frame
    missing = [u for u in equations.speeds if u not in point]
    if frame is None or not missing:
        return point
    known = run_steps(frame.definitions, point)
    if equations.speed_values:
        return {**point, **dict(zip(equations.speeds, evaluate_at(equations.speed_values, known), strict=True))}
    size, width = len(frame.span_ba), len(frame.offset_a)
    S = flint.arb_mat(size, width, [known_value for row in frame.span_ba for known_value in evaluate_at(row, known)])
    gap = [
        w - s
        for w, s in zip(evaluate_at(equations.model.velocities, known), evaluate_at(frame.offset_a, known), strict=True)
    ]
    try:
        solution = (S * S.transpose()).solve(S * flint.arb_mat(width, 1, gap))
    except ZeroDivisionError:
        raise _refused(
            equations, point, "the frame chosen for it loses a direction", "derive the equations with `at=state`"
        ) from None
    return {**point, **{u: solution[i, 0] for i, u in enumerate(equations.speeds)}}


def evaluate_equations(equations: EquationsOfMotion, point: Mapping[Symbol, Ball]) -> Evaluation:
    """Solve the equations at an admissible state, at the current precision."""
    state = speeds_at(equations, dict(point))
    seen = equations.observables
    try:
        known = run_steps(seen.steps, state)
    except ZeroDivisionError:
        numbers = {s: float(value.mid()) for s, value in state.items()}
        raise _refused(equations, point, degenerates(equations, numbers)) from None
    found = Evaluation(
        tuple(evaluate_at(seen.accelerations, known)),
        tuple(evaluate_at(seen.reactions, known)),
        tuple(evaluate_at(equations.multipliers or seen.multipliers, known)),
        next(iter(evaluate_at(seen.energy, known)), None),
    )
    if not all(value.is_finite() for value in (*found.accelerations, *found.reactions, *found.multipliers)):
        raise _refused(equations, point, "the system, or the form that this principle gives it, is not finite there")
    return found


def _refused(
    equations: EquationsOfMotion, point: Mapping[Symbol, Ball], otherwise: str, cure: str = "ask at another state"
) -> InadmissibleState:
    """The sentence for a state where equations fail: what was divided by is to blame where it vanishes there."""
    whose = f"{equations.model.name}: the equations of {equations.principle}"
    if vanishing := equations.divisors.vanishing(point):
        return InadmissibleState(
            f"{whose} divide by {' and '.join(vanishing)}, which vanishes at this state, though the system may be regular "
            "there; derive them with `derive(…, at=state)` or, where the speeds are yours, with other `speeds`."
        )
    return InadmissibleState(f"{whose} are singular at this state: {otherwise}; {cure}.")
