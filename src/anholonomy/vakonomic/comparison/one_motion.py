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
from anholonomy.language.writing import to_text
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
"""How near to an equation a state satisfies it, and how near to it another one may be meant."""
_LAST = flint.arb(2) ** -51
"""The relative size of what rounding leaves open."""
_COMPUTED = 15
"""Digits of a number that nobody wrote."""


def compared_from(model: Model, start: Any, time_limit: float | None) -> VakonomicComparison:
    """The decision for the motion from a state, or for a computed one, within a time."""
    given = start if isinstance(start, Mapping) else _start_of(start, model)
    whole = compared(model, time_limit)
    claim = f"the motion of {model.name} from this state is vakonomic"
    is_rounded = given is not start or any(map(_is_rounded, given.values()))
    with precision(MANY_DIGITS + 10):
        point = complete_state(model, given)
        state = _with_speeds(whole, point)
        reason = _reason(whole, state) if _is_on_branch(model, point, _EXACT) else ""
        near = _nearby(whole, state) if _is_on_branch(model, point, _ROUNDED) else None
    if reason:
        found = Finding(claim, Verdict.PROVEN, (Reason(reason), *(whole.finding.evidence if whole.finding else ())))
    else:
        found = _by_series(model, point, claim, is_rounded and near is None, time_limit)
    besides: tuple[Finding, ...] = ()
    if near is not None and is_rounded:
        named = "from this state, its digits taken as exact, is"
        found, besides = near, (replace(found, claim=claim.replace("from this state is", named)),)
    elif near is not None:
        besides = (near,)
    if found.is_proven and whole.finding:
        return replace(whole, finding=found, besides=besides)
    return replace(whole, finding=found, besides=besides, multiplier=None, freedom=None, exceptions=())


def _by_series(
    model: Model, point: dict[Symbol, Ball], claim: str, is_rounded: bool, time_limit: float | None
) -> Finding:
    """The decision by the equations to some order in time; of a state with rounded numbers only if all near it agree."""
    try:
        with patience(time_limit):
            found = contradiction(model, point)
            everywhere = (
                found if found is None or not is_rounded else contradiction(model, _widened(point), found.order)
            )
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        return Finding.unknown(claim, trouble)
    if found is None:
        return Finding.unknown(claim, "no equation fails at the orders in time that were looked at")
    if everywhere is None:
        left = f"{float(found.misfit.mid()):.3g}"
        why = f"its digits taken as exact, the equations leave 0 = {left}, but within rounding of it there may be states at which they do not fail"
        return Finding.unknown(claim, why)
    return Finding(claim, Verdict.REFUTED, (found,))


def _widened(point: Mapping[Symbol, Ball]) -> dict[Symbol, Ball]:
    """The state with the last digits of doubles unknown."""
    with precision(MANY_DIGITS + 10):
        return {s: flint.arb(value.mid(), (abs(value) * _LAST + value.rad()).upper()) for s, value in point.items()}


def _nearby(whole: VakonomicComparison, state: Mapping[Symbol, Ball]) -> Finding | None:
    """The finding about an exceptional state within rounding, with its name; None where there is none, or the state is one."""
    for family in whole.exceptions:
        if family.verdict.is_unknown or not family.holds(_satisfied_by(state, whole.model, _ROUNDED)):
            continue
        if family.holds(_satisfied_by(state, whole.model, _EXACT)):
            return None
        named, moved = dict(whole.model.named), dict(state)
        for s, value in family.equations:
            if s in moved:
                moved[s] = _value(value.xreplace(named), moved)
        if not _is_generic(family.found, _with_angles(family, whole.model, moved)):
            continue
        there = " and ".join(f"{s.name} = {to_text(value)}" for s, value in family.equations)
        claim = (
            f"the motion of {whole.model.name} from the state within rounding of this one where {there} is vakonomic"
        )
        return Finding(claim, family.verdict, (Reason(f"it is one of those {family.text(True)}"),))
    return None


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


def _reason(whole: VakonomicComparison, state: Mapping[Symbol, Ball]) -> str:
    """Why the motion is vakonomic; empty where nothing says so."""
    if whole.finding and (not whole.finding.scope.points or _is_generic(whole.found, state)):
        return "every motion is" if not whole.finding.scope.points else "every generic motion is, and this is one"
    for family in whole.exceptions:
        held = family.verdict and family.holds(_satisfied_by(state, whole.model, _EXACT))
        if held and _is_generic(family.found, _with_angles(family, whole.model, state)):
            return f"it is one of those {family.text(True)}"
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
