"""The question "Is this motion of mechanics vakonomic?": the answer for every motion, at one state; else the equations as power series there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import flint

from anholonomy.algebra.expressions import Expr, Symbol, time
from anholonomy.algebra.numbers.balls import MANY_DIGITS, Ball, evaluate_ball, excludes_zero, precision
from anholonomy.base.deadlines import patience
from anholonomy.base.errors import StateError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.equations.evaluation import speeds_at
from anholonomy.findings import Finding, Reason
from anholonomy.laws.evaluation import expect_motion
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import solved_positions
from anholonomy.system.states.complete_state import complete_state
from anholonomy.vakonomic.comparison.answer import VakonomicComparison
from anholonomy.vakonomic.comparison.every_motion import compared
from anholonomy.vakonomic.comparison.exceptional_states import Family
from anholonomy.vakonomic.comparison.invariant_sets import SPIN, TURN
from anholonomy.vakonomic.comparison.multiplier_equations import Prolongation
from anholonomy.vakonomic.comparison.power_series import contradiction

__all__ = ["compared_from"]

_EXACT, _ROUNDED = 1e-100, 1e-12
"""How near to an equation a state satisfies it: one that is given, and one of a computed motion."""
_COMPUTED = 15
"""Digits of a number that nobody wrote."""


def compared_from(model: Model, start: Any, time_limit: float | None) -> VakonomicComparison:
    """The decision for the motion from a state, or for a computed one, within a time."""
    given = start if isinstance(start, Mapping) else _start_of(start, model)
    whole = compared(model, time_limit)
    claim = f"the motion of {model.name} from this state is vakonomic"
    here = replace(whole, finding=Finding(claim, Verdict.UNKNOWN), multiplier=None, freedom=None, exceptions=())
    with precision(MANY_DIGITS + 10):
        point = complete_state(model, given)
        state = _with_speeds(whole, point)
        close = _EXACT if given is start and not any(map(_is_rounded, given.values())) else _ROUNDED
        reason = _reason(whole, state, close) if _is_on_branch(model, point, close) else ""
    if reason and whole.finding:
        return replace(whole, finding=Finding(claim, Verdict.PROVEN, (Reason(reason), *whole.finding.evidence)))
    if reason:
        return replace(here, finding=Finding(claim, Verdict.PROVEN, (Reason(reason),)))
    try:
        with patience(time_limit):
            found = contradiction(model, point)
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        return replace(here, finding=Finding.unknown(claim, trouble))
    if found is not None:
        return replace(here, finding=Finding(claim, Verdict.REFUTED, (found,)))
    why = "no equation fails at the orders in time that were looked at"
    return replace(here, finding=Finding.unknown(claim, why))


def _is_on_branch(model: Model, point: Mapping[Symbol, Ball], close: float) -> bool:
    """Whether the state is where constraints on positions were solved: of two roots one was taken."""
    solved = solved_positions(model)
    apart = () if solved is None else (q - f for q, f in solved.values.items())
    return all(bool(abs(_value(e, point)).upper() < close) for e in apart)


def _is_rounded(value: object) -> bool:
    """Whether a number has as many digits as a double: it was computed, and is not what somebody wrote."""
    digits = repr(value).split("e")[0].strip("-0.").replace(".", "")
    return isinstance(value, float) and len(digits) >= _COMPUTED


def _start_of(run: Any, model: Model) -> dict[str, object]:
    """The state at the first time of a motion."""
    expect_motion(run, model)
    names = [s.name for s in (*model.coordinates, *model.velocities)]
    return {name: float(run[name][0]) for name in names} | {time.name: float(run.time[0])}


def _with_speeds(whole: VakonomicComparison, point: Mapping[Symbol, Ball]) -> dict[Symbol, Ball]:
    """The state with the speeds in which the question was answered."""
    model, named = (whole.model, {}) if whole.equations is None else (whole.equations.model, whole.equations.named)
    own = {s: _value(e.xreplace(dict(whole.model.named)), point) for s, e in named.items()}
    try:
        return speeds_at(reduced_motion(model).equations, {**point, **own})
    except StateError:  # the frame of the speeds fails there
        return {**point, **own}


def _reason(whole: VakonomicComparison, state: Mapping[Symbol, Ball], close: float) -> str:
    """Why the motion is vakonomic; empty where nothing says so."""
    if whole.finding and (not whole.finding.scope.points or _is_generic(whole.found, state)):
        return "every motion is" if not whole.finding.scope.points else "every generic motion is, and this is one"
    for family in whole.exceptions:
        held = family.verdict and family.holds(_satisfied_by(state, whole.model, close))
        if held and _is_generic(family.found, _with_angles(family, whole.model, state)):
            return f"it is {'' if close == _EXACT else 'to rounding '}one of those {family.text(True)}"
    return ""


def _with_angles(family: Family, model: Model, state: Mapping[Symbol, Ball]) -> Mapping[Symbol, Ball]:
    """The state with the half angles of a pose."""
    if family.pose is None or model.group is None:
        return state
    angles = family.pose.half_angles([state[q] for q in model.group.coordinates], flint.arb.sqrt)
    return {**state, **dict(zip((TURN, SPIN), angles, strict=True))}


def _is_generic(found: Prolongation | None, state: Mapping[Symbol, Ball]) -> bool:
    """Whether nothing that the reduction divided by vanishes at the state."""
    return found is not None and all(
        e.free_symbols <= state.keys() and excludes_zero(_value(e, state)) for e in found.divided
    )


def _satisfied_by(state: Mapping[Symbol, Ball], model: Model, close: float) -> Callable[[Expr], bool]:
    named = dict(model.named)
    return lambda e: bool(abs(_value(e.xreplace(named), state)).upper() < close)


def _value(e: Expr, state: Mapping[Symbol, Ball]) -> Ball:
    return evaluate_ball(e, {s: state[s] for s in e.free_symbols if s in state}, MANY_DIGITS + 10)
