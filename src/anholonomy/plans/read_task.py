r"""The task of a plan read from a user's arguments: cost, bounds, obstacles, the two ends, and whether one can be reached from the other.

A function $F$ with $X_a(F) = 0$ for all admissible directions keeps its value, so that it must be the same at both ends; and of
coordinates that such a function ties together not all can be prescribed independently:

.. math:: T^{\mathsf T} N = 0, \quad N = \partial F, \qquad \operatorname{range}(S T) = \operatorname{range}(C^{\mathsf T}),
   \qquad C\,(S q - q_1) = 0

with $S$ the choice of coordinates that the end names.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient, jacobian
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, matrix_vector, symbol, time
from anholonomy.algebra.numbers.balls import ball, evaluate_ball, precision
from anholonomy.algebra.numbers.doubles import kernel, split
from anholonomy.algebra.zero_test import homogeneity
from anholonomy.base.deadlines import ASIDE
from anholonomy.base.errors import ArgumentError, Error, NotSupportedError, StateError, UnknownNameError, quoted
from anholonomy.base.tolerances import NOTHING
from anholonomy.base.verdict import Verdict
from anholonomy.equations.evaluation import speeds_at
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.language.arguments import expect_mapping, expression, is_list, name_of
from anholonomy.language.parser import parse_inequality
from anholonomy.language.suggestions import near_symbol
from anholonomy.language.writing import to_text
from anholonomy.plans.task import Controlled, Cost, End, Limit, Limits
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.derivatives import jacobian as jacobian_of_program
from anholonomy.programs.program import lower
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import complete_positions, complete_state, finite_number, state_name

__all__ = [
    "check_inside",
    "kept_functions",
    "read_cost",
    "read_end",
    "read_limits",
    "read_start",
    "refuse_other_leaf",
    "start_states",
]

Point: TypeAlias = Mapping[Symbol, float]
"""A start: coordinates, time and parameters, and velocities where they count."""
_DEGREES = (1, 2, 3, 4)
"""Of a cost in the speeds, that are looked for."""
_NEAR = 0.25
"""Where coordinates depend on each other, the end is no farther from what was asked than this part of their size."""


# Costs: words (time, effort, length) or any expression in coordinates, velocities, speeds, inputs and time.


def read_cost(c: Controlled, given: Any) -> Cost:
    """The cost that a word or an expression names.

    With free time and no price on it, slower is cheaper, or as cheap: its degree in the speeds says so.
    """
    integrand = _integrand(c, given)
    degree = _degree(c, integrand)
    smooth = integrand**2 if degree == 1 else integrand
    return Cost(given if isinstance(given, str) else to_text(integrand), integrand, smooth, degree)


def _integrand(c: Controlled, given: Any) -> Expr:
    if given == "time":
        return symengine.Integer(1)
    if given == "effort":
        return symengine.Add(*(u**2 for u in c.controls))
    if given == "length":
        if c.model.momenta_a is not None:
            raise NotSupportedError(
                f"{c.model.name} has no Lagrangian, and so no length; give the cost as an expression."
            )
        w = c.model.velocities
        metric = jacobian(gradient(c.model.lagrangian, w), w)
        return symengine.sqrt(dot(w, matrix_vector(metric, w)))
    return _read_expression(c, given, "the cost")


def _degree(c: Controlled, integrand: Expr) -> int:
    """The degree in the speeds, where speeds and nothing else decide how fast a plan is carried out."""
    if not c.can_be_slowed or time in integrand.free_symbols:
        return 0
    speeds = tuple(dict.fromkeys((*c.controls, *c.model.velocities)))
    return next((k for k in _DEGREES if homogeneity(integrand, speeds, k) is Verdict.PROVEN), 0)


def _read_expression(c: Controlled, given: Any, what: str) -> Expr:
    """An expression in what a plan knows; a name that it does not know is refused with the nearest one."""
    return _known(c, expression(given, f"{c.model.name}: {what}"), what)


def _known(c: Controlled, value: Expr, what: str) -> Expr:
    for name in sorted(s.name for s in value.free_symbols):
        if name not in c.names and not any(s.name == name for s in c.model.named):
            near = near_symbol(name, c.names)
            kind = "inputs" if c.by_inputs else "speeds"
            controls = ", ".join(u.name for u in c.controls)
            cure = (
                f"did you mean {near}?" if near else f"it knows coordinates, velocities, the {kind} {controls}, and t."
            )
            raise UnknownNameError(f"{c.model.name}: {name} appears in {what}, but the plan does not know it; {cure}")
    return c.read(value)


# Bounds of names, and obstacles as inequalities that the points of a body keep.


def read_limits(c: Controlled, bounds: Any, obstacles: Any, body: Any) -> Limits:
    """The bounds and obstacles that a user gave, in the order of states and controls."""
    name, own = c.model.name, (*c.states, *c.controls)
    if bounds is not None and not isinstance(bounds, Mapping):
        raise ArgumentError(f"{name}: `bounds` is {quoted(bounds)}; give pairs by name, such as {{'u1': (-1, 1)}}.")
    low, high, rows = np.full(len(own), -np.inf), np.full(len(own), np.inf), list[Limit]()
    for key, pair in (bounds or {}).items():
        bounded = _bounded(c, key)
        least, most = _pair(name, bounded.name, pair)
        if bounded in own:
            low[own.index(bounded)], high[own.index(bounded)] = least, most
        else:
            rows.append(Limit(bounded.name, c.read(bounded), least, most))
    outside = tuple(_obstacles(name, obstacles))
    points = list(_points(c, body))
    for text, value in outside:
        value = _known(c, value, f"the obstacle {text}")
        rows += (Limit(text, each) for each in dict.fromkeys(value.xreplace(point) for point in points))
    return Limits(low, high, tuple(rows), tuple(value for _, value in outside), tuple(points))


def _bounded(c: Controlled, key: object) -> Symbol:
    """The coordinate, velocity, speed or input that a bound is of."""
    named = name_of(key, f"{c.model.name}: a name in `bounds`")
    able = c.names - set(c.model.parameters) - {"t"} | {u.name for u in c.controls}
    if named not in able:
        near = near_symbol(named, able)
        cure = f"did you mean {near}?" if near else f"it can bound {', '.join(sorted(able))}."
        raise UnknownNameError(f"{c.model.name}: `bounds` has {named}, which the plan does not know; {cure}")
    return c.numbered.get(named, symbol(named))


def _pair(name: str, bounded: str, pair: Any) -> tuple[float, float]:
    if not is_list(pair) or len(pair) != 2:
        raise ArgumentError(
            f"{name}: the bound of {bounded} is {quoted(pair)}; give a pair (least, greatest), with None for what is open."
        )
    least, most = (
        otherwise if end is None else _number(end, f"{name}: the bound of {bounded}")
        for end, otherwise in zip(pair, (-np.inf, np.inf), strict=True)
    )
    if least > most:
        raise ArgumentError(
            f"{name}: the bounds of {bounded} leave nothing between {least:g} and {most:g}; exchange them."
        )
    return least, most


def _number(value: object, what: str) -> float:
    """A finite number, from a number or a text such as ``"pi/4"``."""
    with precision(30):
        found = finite_number(value)
        if found is None:
            raise ArgumentError(f"{what} is {quoted(value)}; give a finite number, such as 0.5 or, as a text, 'pi/4'.")
        return float(found.mid())


def _obstacles(name: str, given: Any) -> Iterator[tuple[str, Expr]]:
    if given is None:
        return
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ArgumentError(
            f"{name}: `obstacles` is {quoted(given)}; give a list of inequalities that hold outside, such as ['x^2 + y^2 >= 1']."
        )
    for k, text in enumerate(given, 1):
        yield str(text), parse_inequality(text, what=f"{name}: obstacle {k}")


def _points(c: Controlled, body: Any) -> Iterator[dict[Symbol, Expr]]:
    """What stands for coordinates in obstacles, a dict for each point of the body; the configuration itself by default."""
    if body is None:
        yield {}
        return
    if not is_list(body) or not body or not all(isinstance(point, Mapping) for point in body):
        raise ArgumentError(
            f"{c.model.name}: `body` is {quoted(body)}; give a list of points, such as [{{'x': 'x + cos(theta)', 'y': 'y + sin(theta)'}}]."
        )
    names = {q.name for q in c.model.coordinates}
    for point in body:
        if foreign := [key for key in point if key not in names]:
            near = near_symbol(str(foreign[0]), names)
            cure = f"did you mean {near}?" if near else f"its coordinates are {', '.join(sorted(names))}."
            raise UnknownNameError(
                f"{c.model.name}: a point of `body` has {foreign[0]!r}, which is no coordinate; {cure}"
            )
        yield {symbol(key): _read_expression(c, value, f"a point of `body`, {key},") for key, value in point.items()}


# The two ends.


def read_start(model: Model, start: Any, dynamic: bool) -> dict[Symbol, float]:
    """The start with its time and the parameters: coordinates, and of a plan by inputs velocities."""
    given = _named(model, model.start if start is None else start, "start")
    if start is None and not dynamic:
        given = {name: value for name, value in given.items() if name not in _moving(model)}
    if not given:
        raise StateError(f"{model.name} declares no start; give one, a dict from names to numbers.")
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
    given = _named(model, end, "end")
    if not given:
        raise StateError(f"{model.name}: the end is empty; give a value for one coordinate at least.")
    able = {q.name for q in model.coordinates}
    able |= {s.name for s in (*c.states, *model.velocities)} if c.by_inputs else set()
    if not c.by_inputs:
        _refuse_velocities(model, given, "end")
    for name in given:
        if name not in able:
            near = near_symbol(name, able)
            cure = f"did you mean {near}?" if near else f"the names are {', '.join(sorted(able))}."
            raise StateError(f"{model.name}: the end has {name}, which the plan does not know; {cure}")
    values = {name: _number(value, f"{model.name}: {name} at the end") for name, value in given.items()}
    turned = _turned(model, values, point, modulo, turns or {})
    return _conditions(c, values, point, kept, turned)


def _turned(
    model: Model, values: dict[str, float], point: Point, modulo: Any, turns: Mapping[str, int]
) -> dict[str, int]:
    """Add to the angles in ``modulo`` the full turns that bring them nearest to the start, and ``turns``."""
    names = [modulo] if isinstance(modulo, str) else list(modulo)
    added = {}
    for name in names:
        if name not in values or symbol(name) not in model.coordinates:
            raise Error(f"{model.name}: `modulo` has {quoted(name)}; name angles that the end gives.")
        nearest = round((point[symbol(name)] - values[name]) / math.tau)
        added[name] = nearest + turns.get(name, 0)
        values[name] += math.tau * added[name]
    return added


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
    slopes = jacobian_of_program(program, program.states[len(c.states) - len(speeds) :])
    J = fast_function(slopes)(0.0, x, c.values).reshape(len(names), len(speeds))
    gap = np.array([values[name] for name in names]) - fast_function(program)(0.0, x, c.values)
    missed = gap - J @ np.linalg.lstsq(J, gap, rcond=None)[0]
    if (worst := float(np.abs(missed).max())) > NOTHING * max(1.0, float(np.abs(gap).max())):
        name = names[int(np.abs(missed).argmax())]
        raise StateError(
            f"{c.model.name}: the velocities at the end violate the constraints, {name} by {worst:.3g}; give others, or leave some out."
        )
    return _range(J)


def _range(A: Array) -> Array:
    """An orthonormal basis of the range, in rows; the unit matrix where that is everything."""
    spanned, left = split(A, 1.0)
    return np.asarray(spanned.T) if left.size else np.eye(len(A))


def _parameters(c: Controlled) -> dict[Symbol, float]:
    return dict(zip(c.parameters, c.values.tolist(), strict=True))


def _named(model: Model, given: Any, what: str) -> dict[str, Any]:
    """A dict by name, as it was given."""
    expect_mapping(given, f"{model.name}: the {what}", "a dict from names to numbers", verb="is", refusal=StateError)
    return {state_name(model, key): value for key, value in given.items()}


def _refuse_velocities(model: Model, given: Mapping[str, Any], what: str) -> None:
    if found := [name for name in given if name in _moving(model)]:
        raise StateError(
            f"{model.name}: the {what} has {found[0]}, but a plan by speeds chooses the velocities; leave it out, or plan with "
            "`inputs`, forces by coordinate."
        )


def _moving(model: Model) -> set[str]:
    """The names of velocities and of rates of coordinates."""
    return {w.name for w in model.velocities} | {f"{q.name}'" for q in model.coordinates}


# Can the end be reached from the start?


def kept_functions(model: Model) -> Vector:
    """Functions of the configuration that no admissible motion changes: invariants of coordinates, and those of leaves."""
    held = tuple(c.position for c in model.independent.on_positions if c.position is not None)
    try:
        return (*held, *Distribution.of(model.independent).leaves(ASIDE).functions)
    except NotSupportedError:  # constraints that are not linear have no distribution
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
            raise StateError(
                f"{model.name}: no admissible motion leads from the start to the end, because {text} never changes and is "
                f"{here:.6g} at the start and {beyond:.6g} at the end; give an end where it is {here:.6g}."
            )


def check_inside(c: Controlled, limits: Limits, point: Point, start: Array, end: End) -> None:
    """Refuse bounds that exclude the start or the end, and obstacles around them."""
    for where, states in (("start", start), ("end", end.target)):
        for s, value, low, high in zip(c.states, states, limits.low, limits.high, strict=False):
            if value < low or value > high:
                raise ArgumentError(
                    f"{c.model.name}: the {where} has {s.name} = {value:.6g}, outside its bounds from {low:g} to {high:g}; "
                    f"widen them, or change the {where}."
                )
        place = {**point, **dict(zip(c.states, states, strict=True))}
        fine = {s for s, value in place.items() if not math.isnan(value)} - {time} - set(c.model.velocities)
        for row in limits.rows:
            if row.value.free_symbols <= fine and (value := _value(row.value, place)) < row.low - NOTHING:
                raise ArgumentError(
                    f"{c.model.name}: the {where} violates {row.label} by {row.low - value:.3g}; move it, or the obstacle."
                )


def _value(F: Expr, place: Mapping[Symbol, float]) -> float:
    return float(evaluate_ball(F, {s: place[s] for s in F.free_symbols}, 16))
