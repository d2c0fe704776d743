"""Configurations and momenta that a user gives by names, as arrays; whatever is no configuration of the system is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.refusals import InadmissibleState, UnknownName
from anholonomy.symbolic.expressions import Symbol, symbol, time
from anholonomy.symbolic.numbers.balls import ball, precision
from anholonomy.system.model import Model
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.numbers import finite_number
from anholonomy.system.states.states import state_name
from anholonomy.tolerances import NOTHING

__all__ = ["configuration", "numbers_by_name"]


def configuration(model: Model, given: object, what: str, t: float = 0.0) -> Array:
    """The coordinates of a place called ``what`` (the start, the end) at a time; others are refused, as is what no position may be."""
    names = [q.name for q in model.coordinates]
    values = numbers_by_name(model, given, names, what, "coordinate")
    if missing := [name for name in names if name not in values]:
        raise InadmissibleState(f"{model.name}: {what} lacks {', '.join(missing)}; give every coordinate.")
    q = np.array([values[name] for name in names])
    _refuse_off(model, dict(zip(model.coordinates, q.tolist(), strict=True)), what, t)
    return q


def _refuse_off(model: Model, place: Mapping[Symbol, float], what: str, t: float) -> None:
    held = [c for c in model.independent.on_positions if c.position is not None]
    with precision(30):
        known = {s: ball(value) for s, value in place.items()} | {time: ball(t)}
        known |= {symbol(name): ball(value) for name, value in model.parameter_items if value is not None}
        for c, value in zip(held, evaluate_at([c.position for c in held], known), strict=True):
            by = float(abs(value).mid())
            if not by <= NOTHING * max(1.0, *(abs(each) for each in place.values())):
                raise InadmissibleState(
                    f"{model.name}: {what} violates the constraint {c.label} by {by:.3g}; give a place where it holds."
                )


def numbers_by_name(model: Model, given: object, known: Sequence[str], what: str, kind: str) -> dict[str, float]:
    """Numbers by names that are among those known."""
    if not isinstance(given, Mapping):
        raise InadmissibleState(f"{model.name}: {what} is {given!r:.60}; give a dict from names to numbers.")
    found: dict[str, float] = {}
    for key, value in given.items():
        name = state_name(model, key)
        if name not in known:
            near = near_symbol(name, list(known))
            hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}."
            raise UnknownName(f"{model.name}: {what} has {name:.60}, which is no {kind} of this system; {hint}")
        with precision(30):
            number = finite_number(value)
        if number is None:
            raise InadmissibleState(
                f"{model.name}: {what} has {name} = {value!r:.60}, which is not a finite number; give one."
            )
        found[name] = float(number.mid())
    return found
