r"""The two ends of a plan: where it starts, where it ends, and whether one can be reached from the other.

A function $F$ with $X_a(F) = 0$ for all admissible directions keeps its value, so that it must be the same at both ends; and of
coordinates that such a function ties together not all can be prescribed independently:

.. math:: T^{\mathsf T} N = 0, \quad N = \partial F, \qquad \operatorname{range}(S T) = \operatorname{range}(C^{\mathsf T}),
   \qquad C\,(S q - q_1) = 0

with $S$ the choice of coordinates that the end names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array
from anholonomy.compile.derivatives import jacobian
from anholonomy.compile.program import lower
from anholonomy.formulations.equations.evaluation import speeds_at
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.language.writing import to_text
from anholonomy.plans.asked.controlled import Controlled
from anholonomy.plans.asked.limits import number
from anholonomy.plans.asked.task import End, Limits
from anholonomy.refusals import IllPosedSystem, InadmissibleState, NotCovered, Refusal
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, symbol, time
from anholonomy.symbolic.numbers.balls import ball, evaluate_ball, precision
from anholonomy.symbolic.numbers.subspaces import kernel, split
from anholonomy.symbolic.patience import ASIDE
from anholonomy.system.model import Model
from anholonomy.system.states.states import complete_positions, complete_state, state_name
from anholonomy.tolerances import NOTHING

Point: TypeAlias = Mapping[Symbol, float]
"""A start: coordinates, time and parameters, and velocities where they count."""

__all__ = ["check_inside", "kept_functions", "read_end", "read_start", "refuse_other_leaf", "start_states"]

_NEAR = 0.25
"""Where coordinates depend on each other, the end is no farther from what was asked than this part of their size."""


def read_start(model: Model, start: Any, dynamic: bool) -> dict[Symbol, float]:
    """The start with its time and the parameters: coordinates, and of a plan by inputs velocities."""
    given = named(model, model.start if start is None else start, "start")
    if start is None and not dynamic:
        given = {name: value for name, value in given.items() if name not in _moving(model)}
    if not given:
        raise InadmissibleState(f"{model.name} declares no start; give one, a dict from names to numbers.")
    if not dynamic:
        _refuse_velocities(model, given, "start")
    with precision(30):
        found = complete_state(model, given) if dynamic else complete_positions(model, given)
        return {s: float(value.mid()) for s, value in found.items()}


def start_states(c: Controlled, point: Point) -> Array:
    """The states at the start."""
    if c.equations is None:
        return np.array([point[s] for s in c.states])
    with precision(30):
        known = speeds_at(c.equations, {s: ball(value) for s, value in point.items()})
        return np.array([float(known[s].mid()) for s in c.states])


def read_end(
    c: Controlled,
    end: Any,
    point: Point,
    kept: Vector,
    modulo: Any,
    turns: Mapping[str, int] | None = None,
) -> End:
    """The conditions at the end; names that are left out are free."""
    model = c.model
    given = named(model, end, "end")
    if not given:
        raise InadmissibleState(f"{model.name}: the end is empty; give a value for one coordinate at least.")
    able = {q.name for q in model.coordinates}
    able |= {s.name for s in (*c.states, *model.velocities)} if c.by_inputs else set()
    if not c.by_inputs:
        _refuse_velocities(model, given, "end")
    for name in given:
        if name not in able:
            near = near_symbol(name, able)
            cure = f"did you mean {near}?" if near else f"the names are {', '.join(sorted(able))}."
            raise InadmissibleState(f"{model.name}: the end has {name}, which the plan does not know; {cure}")
    values = {name: number(value, f"{model.name}: {name} at the end") for name, value in given.items()}
    turned = _turned(model, values, point, modulo, turns or {})
    return _conditions(c, values, point, kept, turned)


def _conditions(c: Controlled, values: dict[str, float], point: Point, kept: Vector, turns: Mapping[str, int]) -> End:
    """Values of states go to their places; velocities, and coordinates that kept functions tie together, are functions."""
    places = {s.name: k for k, s in enumerate(c.states)}
    target = np.array([values.get(s.name, np.nan) for s in c.states])
    bound = {s.name for F in kept for s in F.free_symbols}
    tied = [name for name in values if name in places and name in bound]
    moving = [name for name in values if name not in places]
    fixed = {places[name]: value for name, value in values.items() if name in places and name not in tied}
    names = (*tied, *moving)
    wanted = np.array([values[name] for name in names])
    C = np.zeros((0, len(names)))
    for block, combined in ((tied, _combined(c, tied, kept, values)), (moving, _of_velocities(c, moving, values))):
        rows = np.zeros((len(combined), len(names)))
        rows[:, [names.index(name) for name in block]] = combined
        C = np.vstack([C, rows])
    sizes = [max(abs(values[name]), abs(values[name] - point[symbol(name)])) for name in tied]
    near = {places[name]: _NEAR * (max(sizes) or 1.0) for name in tied}
    return End(target, fixed, names, tuple(map(symbol, names)), wanted, C, near, turns)


def _combined(c: Controlled, names: Sequence[str], kept: Vector, values: Mapping[str, float]) -> Array:
    """Combinations of coordinates that can be prescribed where functions of them are kept."""
    q = c.model.coordinates
    if not names or any(F.free_symbols & set(q) - set(map(symbol, values)) for F in kept):
        return np.eye(len(names))  # free coordinates leave room
    at = {**_parameters(c), **{symbol(name): value for name, value in values.items()}}
    N = np.array([[float(evaluate_ball(entry, at, 16)) for entry in gradient(F, q)] for F in kept])
    return _range(np.array([[float(symbol(name) == s) for s in q] for name in names]) @ kernel(N, 1.0))


def _of_velocities(c: Controlled, names: Sequence[str], values: Mapping[str, float]) -> Array:
    """Combinations of velocities that can be prescribed at a known configuration; refused where the constraints forbid them."""
    if not names or any(q.name not in values for q in c.model.coordinates) or c.equations is None:
        return np.eye(len(names))
    speeds = tuple(s for s in c.states if s not in c.model.coordinates)
    program = lower(c.states, c.parameters, c.equations.definitions, tuple(map(symbol, names)))
    x = np.array([values.get(s.name, 0.0) for s in c.states])
    slopes = jacobian(program, program.states[len(c.states) - len(speeds) :])
    J = fast_function(slopes)(0.0, x, c.values).reshape(len(names), len(speeds))
    gap = np.array([values[name] for name in names]) - fast_function(program)(0.0, x, c.values)
    missed = gap - J @ np.linalg.lstsq(J, gap, rcond=None)[0]
    if (worst := float(np.abs(missed).max())) > NOTHING * max(1.0, float(np.abs(gap).max())):
        name = names[int(np.abs(missed).argmax())]
        raise InadmissibleState(
            f"{c.model.name}: the velocities at the end violate the constraints, {name} by {worst:.3g}; give others, or leave some out."
        )
    return _range(J)


def _range(A: Array) -> Array:
    """An orthonormal basis of the range, in rows; the unit matrix where that is everything."""
    spanned, left = split(A, 1.0)
    return np.asarray(spanned.T) if left.size else np.eye(len(A))


def _parameters(c: Controlled) -> dict[Symbol, float]:
    return dict(zip(c.parameters, c.values.tolist(), strict=True))


def kept_functions(model: Model) -> Vector:
    """Functions of the configuration that no admissible motion changes: invariants of coordinates, and those of leaves."""
    held = tuple(c.position for c in model.independent.on_positions if c.position is not None)
    try:
        return (*held, *Distribution.of(model.independent).leaves(ASIDE).functions)
    except NotCovered:  # constraints that are not linear have no distribution
        return held


def refuse_other_leaf(
    model: Model, kept: Vector, point: Point, end: End, names: Sequence[str], horizon: float | None
) -> None:
    """Refuse an end that differs from the start in a function which no admissible motion changes."""
    there = {
        **point,
        **{symbol(name): value for name, value in zip(names, end.target, strict=False) if not math.isnan(value)},
    }
    there |= {} if horizon is None else {time: point[time] + horizon}
    known = {symbol(name) for name, value in zip(names, end.target, strict=False) if not math.isnan(value)}
    known -= {symbol(name) for name in end.turns}
    known |= {symbol(name) for name in model.parameters} | (set() if horizon is None else {time})
    for F in kept:
        if not F.free_symbols <= known:
            continue
        here, beyond = (_value(F, place) for place in (point, there))
        if abs(here - beyond) > NOTHING * max(1.0, abs(here), abs(beyond)):
            text = to_text(F)
            raise InadmissibleState(
                f"{model.name}: no admissible motion leads from the start to the end, because {text} never changes and is "
                f"{here:.6g} at the start and {beyond:.6g} at the end; give an end where it is {here:.6g}."
            )


def check_inside(c: Controlled, limits: Limits, point: Point, start: Array, end: End) -> None:
    """Refuse bounds that exclude the start or the end, and obstacles around them."""
    for where, states in (("start", start), ("end", end.target)):
        for s, value, low, high in zip(c.states, states, limits.low, limits.high, strict=False):
            if value < low or value > high:
                raise IllPosedSystem(
                    f"{c.model.name}: the {where} has {s.name} = {value:.6g}, outside its bounds from {low:g} to {high:g}; "
                    f"widen them, or change the {where}."
                )
        place = {**point, **dict(zip(c.states, states, strict=True))}
        fine = {s for s, value in place.items() if not math.isnan(value)} - {time} - set(c.model.velocities)
        for row in limits.rows:
            if row.value.free_symbols <= fine and (value := _value(row.value, place)) < row.low - NOTHING:
                raise IllPosedSystem(
                    f"{c.model.name}: the {where} violates {row.label} by {row.low - value:.3g}; move it, or the obstacle."
                )


def named(model: Model, given: Any, what: str) -> dict[str, Any]:
    """A dict by name, as it was given."""
    if not isinstance(given, Mapping):
        raise InadmissibleState(f"{model.name}: the {what} is {given!r:.60}; give a dict from names to numbers.")
    return {state_name(model, key): value for key, value in given.items()}


def _refuse_velocities(model: Model, given: Mapping[str, Any], what: str) -> None:
    if found := [name for name in given if name in _moving(model)]:
        raise InadmissibleState(
            f"{model.name}: the {what} has {found[0]}, but a plan by speeds chooses the velocities; leave it out, or plan with "
            "`inputs`, forces by coordinate."
        )


def _moving(model: Model) -> set[str]:
    """The names of velocities and of rates of coordinates."""
    return {w.name for w in model.velocities} | {f"{q.name}'" for q in model.coordinates}


def _turned(
    model: Model, values: dict[str, float], point: Point, modulo: Any, turns: Mapping[str, int]
) -> dict[str, int]:
    """Add to the angles in ``modulo`` the full turns that bring them nearest to the start, and ``turns``."""
    names = [modulo] if isinstance(modulo, str) else list(modulo)
    added = {}
    for name in names:
        if name not in values or symbol(name) not in model.coordinates:
            raise Refusal(f"{model.name}: `modulo` has {name!r:.60}; name angles that the end gives.")
        nearest = round((point[symbol(name)] - values[name]) / math.tau)
        added[name] = nearest + turns.get(name, 0)
        values[name] += math.tau * added[name]
    return added


def _value(F: Expr, place: Mapping[Symbol, float]) -> float:
    return float(evaluate_ball(F, {s: place[s] for s in F.free_symbols}, 16))
