"""The question "How does the system get from here to there?": read the task, search, integrate, judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from anholonomy.algebra.expressions import Symbol, time
from anholonomy.base.errors import ArgumentError, quoted
from anholonomy.language.arguments import finite
from anholonomy.plans.collocation import Curve
from anholonomy.plans.nonlinear_programme import refuse_without_casadi
from anholonomy.plans.read_task import (
    check_inside,
    kept_functions,
    read_cost,
    read_end,
    read_limits,
    read_start,
    refuse_other_leaf,
    start_states,
)
from anholonomy.plans.search import (
    Attempt,
    Session,
    fastest,
    first_found,
    first_guesses,
    given_guess,
    refined,
    unhurried,
)
from anholonomy.plans.task import Controlled, Task, check_inputs, controlled
from anholonomy.plans.verification import CarriedOut, Judged, carry_out, judged
from anholonomy.system.model import Model

__all__ = ["planned"]

_FINER = (1.0, 0.1, 0.01, 0.001)
"""Parts of the tolerance that the intervals' errors are kept to, in turn."""


def planned(
    model: Model,
    start: Any,
    end: Any,
    cost: Any,
    bounds: Any,
    horizon: Any,
    *,
    obstacles: Any,
    body: Any,
    inputs: Mapping[Any, Any] | None,
    speeds: Mapping[Any, Any] | Sequence[Any] | str | None,
    modulo: Any,
    guess: Any,
    tolerance: float,
    time_limit: float | None,
    progress: Callable[[float], None] | None,
) -> Judged:
    """The best plan found, with what can be said for and against it."""
    refuse_without_casadi()
    horizon = _positive(model, horizon, "horizon", "a positive time, or None where it is free")
    time_limit = _positive(model, time_limit, "time_limit", "a positive number of seconds, or None for no time_limit")
    if (tolerance := finite(tolerance) or 0.0) <= 0 or tolerance >= 1:
        raise ArgumentError(f"{model.name}: the tolerance of a plan is a number between 0 and 1; 1e-6 is one.")
    check_inputs(model, inputs)
    whole, model = model, _idle(model)
    point = read_start(model, start, inputs is not None or bool(whole.inputs))
    c = controlled(whole, inputs, speeds, point)
    limits, priced = read_limits(c, bounds, obstacles, body), read_cost(c, cost)
    kept, begin = kept_functions(model), start_states(c, point)
    names, session = [s.name for s in c.states], Session(time_limit, progress)
    found: list[tuple[Task, Attempt]] = []
    with session.listening():
        for turns in _turns(c, end, point, modulo):
            goal = read_end(c, end, point, kept, modulo, turns)
            refuse_other_leaf(model, kept, point, goal, names, horizon)
            check_inside(c, limits, point, begin, goal)
            task = Task(c, begin, point[time], goal, priced, limits, horizon)
            way = unhurried(task)
            found.append((task, first_found(way, _guesses(way, guess), session, isinstance(guess, Curve))))
            if session.stopped:
                break
        task, best = min(found, key=lambda each: (not each[1].keeps_all, each[1].cost))
        best, carried = _carried_out(task, best, tolerance, session)
    return judged(task, best, carried, tolerance, session.stopped)


def _idle(model: Model) -> Model:
    """The model with inputs that rest: what starts, ends and kept functions are about."""
    items = ((name, 0.0 if name in model.inputs else value) for name, value in model.parameter_items)
    return model.replaced(inputs=(), parameter_items=tuple(items)) if model.inputs else model


def _carried_out(task: Task, best: Attempt, tolerance: float, session: Session) -> tuple[Attempt, CarriedOut]:
    """Refined until it reaches the end when carried out: what is unstable takes finer meshes than its own errors ask for."""
    for finer in _FINER:
        best = refined(unhurried(task), best, finer * tolerance, session)
        curve = fastest(task, best.curve) if unhurried(task) is not task else best.curve
        carried = carry_out(task, curve)
        missed = max(map(abs, carried.mismatch.values()))
        if session.stopped or not best.keeps_all or missed <= tolerance:
            break
    return best, carried


def _guesses(task: Task, guess: Any) -> list[Curve]:
    if guess is None:
        return list(first_guesses(task))
    own = given_guess(task, guess)
    return [own] if isinstance(guess, Curve) else [own, *first_guesses(task)]


def _turns(c: Controlled, end: Any, point: Mapping[Symbol, float], modulo: Any) -> list[dict[str, int]]:
    """Which full turns to add to angles beyond the nearest: none, and for each of them one to the other side."""
    if isinstance(modulo, str):
        modulo = [modulo]
    try:
        names = [str(name) for name in modulo]
    except TypeError:
        raise ArgumentError(
            f"{c.model.name}: `modulo` is {quoted(modulo)}; give a list of angles of the end."
        ) from None
    nearest = read_end(c, end, point, (), names).target if names else np.empty(0)
    own = [s.name for s in c.states]
    others = [{name: -1 if nearest[own.index(name)] > point[c.states[own.index(name)]] else 1} for name in names]
    return [{}, *others]


def _positive(model: Model, value: Any, what: str, wanted: str) -> float | None:
    if value is None:
        return None
    if (number := finite(value)) is None or not number > 0:
        raise ArgumentError(f"{model.name}: `{what}` is {quoted(value)}; give {wanted}.")
    return number
