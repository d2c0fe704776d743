r"""The shortest path between two configurations, or that of least action in a given time.

Guesses from many speeds (`two_point_search`) lead to extremals by multiple shooting, these are made exact by simple shooting, and the one with
the least action is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import symengine

from anholonomy.algebra.expressions import Vector, dot, matrix_vector
from anholonomy.base.deadlines import ASIDE
from anholonomy.base.errors import ArgumentError, IntegrationError, NotSupportedError, StateError
from anholonomy.base.tolerances import NOTHING
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.language.arguments import expect_number, expect_whole
from anholonomy.language.writing import to_text
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import Program, lower
from anholonomy.system.model import Model
from anholonomy.vakonomic.shortest_paths.abnormal import Abnormal, abnormal
from anholonomy.vakonomic.shortest_paths.extremal import Extremal, Report, ends, turned
from anholonomy.vakonomic.shortest_paths.hamiltonian_flow import (
    HamiltonianFlow,
    configuration,
    flow_of,
    has_length,
    numbers_by_name,
)
from anholonomy.vakonomic.shortest_paths.two_point_search import Guesses, Shot, first_guesses, shoot

__all__ = ["exponential", "geodesic"]

_PIECES = 4
"""Pieces of multiple shooting at first."""
_ROUGH, _ARRIVED = 1e-7, 1e-9
"""What may be missed, beside the size of the way, by the joints of the pieces and by the end."""
_ALIKE = 0.01
"""Actions that differ less than by this share belong to guesses of one extremal, or of its mirror image."""
_COMPARED = 3
"""Extremals of different action that are compared, the shortest guesses first."""
_IN_VAIN = 4
"""Guesses that lead to no extremal, after which there may be none: the shortest path may be abnormal."""
_WORTH = 0.05
"""How much of the way a guess may miss to be worth shooting."""
_ON, _MET = 1e-9, 1e-8
"""How far from the surface its points may be, and from the end the path, beside the way."""
_POINTS, _FARTHER = 201, 8.0
"""Points of a path, and how many times the distance in coordinates it may be long."""


def geodesic(
    system: Any, start: object, end: object, duration: float | None, starts: int, modulo: object = ()
) -> Extremal:
    """The path from ``start`` to ``end``: shortest without ``duration``, and otherwise of least action in that time."""
    model: Model = system.model
    flow = flow_of(model)
    span = _times(flow, duration)
    starts = expect_whole(starts, f"{model.name}: `starts`", 1, 1000, refusal=ArgumentError)
    first, last = (
        configuration(model, each, what, t)
        for each, what, t in zip((start, end), ("the start", "the end"), span, strict=True)
    )
    for place, what, t in zip((first, last), ("start", "end"), span, strict=True):
        _refuse_singular(flow, place, what, t)
    return _shortest(system, first, last, duration, starts, turned(model, modulo))


def exponential(system: Any, start: object, covector: object, until: object) -> Extremal:
    """The extremal from a configuration with given momenta."""
    model: Model = system.model
    flow_of(model)
    first = configuration(model, start, "the start")
    momenta = numbers_by_name(model, covector, model.directions, "the covector", "direction")
    if missing := [name for name in model.directions if name not in momenta]:
        raise StateError(f"{model.name}: the covector lacks {', '.join(missing)}; give a momentum for every direction.")
    length = expect_number(
        until,
        f"{model.name}: `until`",
        "the time where the path ends, a positive number",
        above=0,
        refusal=ArgumentError,
    )
    return Extremal(system, tuple(first.tolist()), tuple(momenta[name] for name in model.directions), length)


def _times(flow: HamiltonianFlow, duration: object) -> tuple[float, float]:
    model = flow.model
    if duration is None:
        if not has_length(flow):
            raise IntegrationError(
                f"{model.name}: with a potential, time or affine constraints a path has an action and no length; give `duration`, the "
                "time that it takes."
            )
        return 0.0, 1.0
    give = "the time of the path, a positive number"
    return 0.0, expect_number(duration, f"{model.name}: `duration`", give, above=0, refusal=ArgumentError)


def _refuse_singular(flow: HamiltonianFlow, place: Array, what: str, t: float) -> None:
    """Refuse a place where the Lagrangian's coefficients or those of the constraints are no finite numbers."""
    model, (mass, linear, potential) = flow.model, flow.parts
    entries = [*(e for row in mass for e in row), *linear, potential, *(e for row in model.matrix_na for e in row)]
    with np.errstate(all="ignore"):
        values = flow.value(lower(model.coordinates, model.parameter_symbols, [], entries), t, place)
    if not np.isfinite(values).all():
        where = ", ".join(f"{q} = {v:.6g}" for q, v in zip(model.coordinates, place.tolist(), strict=True))
        raise NotSupportedError(
            f"{model.name}: the metric, the potential or a constraint is not finite at the {what} ({where}); give another {what}, where it is."
        )


def _shortest(
    system: Any, first: Array, last: Array, duration: float | None, starts: int, angles: Sequence[str] = ()
) -> Extremal:
    """The best path between two configurations in numbers, of those that end full turns of some angles on."""
    model: Model = system.model
    found: list[Extremal] = []
    for end, words in ends(model, first, last, angles):
        if duration is None and np.array_equal(first, end):
            if angles:
                continue  # to stay is no path; a full turn may be
            raise NotSupportedError(
                f"{model.name}: start and end are the same, and the shortest path is to stay; give another end."
            )
        path = _between(system, first, end, duration, starts)
        found.append(replace(path, report=replace(path.report, turns=words)))
    return min(found, key=lambda path: (not path.report.converged, path.cost if path.report.converged else 0.0))


def _between(system: Any, first: Array, last: Array, duration: float | None, starts: int) -> Extremal:
    flow = flow_of(system.model)
    span = (0.0, 1.0 if duration is None else float(duration))
    _refuse_unreachable(flow.model, first, last, span)
    special = _abnormal(system, flow, first, last, duration)
    guesses = first_guesses(flow, first, last, span, starts)
    found = list(_shots(flow, guesses, last, _IN_VAIN if special is None else 1))
    scale = _scale(guesses, last)
    good = [(shot, action) for shot, action in found if shot.miss <= _ARRIVED * scale]
    if not good:
        return special or _missed(system, flow, guesses, found, last)
    shot, _ = min(good, key=lambda each: each[1])
    path = _path(system, flow, shot, duration, len(good))
    return path if special is None or path.length <= special.length * (1 + _ROUGH) else special


def _scale(guesses: Guesses, last: Array) -> float:
    """How far the paths go."""
    return float(
        max(1e-300, np.abs(guesses.configurations - last).max(where=np.isfinite(guesses.configurations), initial=0.0))
    )


def _shots(flow: HamiltonianFlow, guesses: Guesses, last: Array, most_in_vain: int) -> Iterator[tuple[Shot, float]]:
    """The extremals that guesses lead to, with their actions; guesses of one action are tried once, and only some of those that are longer."""
    scale, known, in_vain = _scale(guesses, last), list[float](), 0
    for k in np.argsort(guesses.actions).tolist():
        action = float(guesses.actions[k])
        if not guesses.misses[k] <= _WORTH * scale or any(abs(action - each) <= _ALIKE * abs(each) for each in known):
            continue
        states = np.concatenate([guesses.configurations[k], guesses.momenta[k]], axis=1)
        nodes = np.linspace(0, len(guesses.times) - 1, _PIECES + 1).round().astype(int)
        rough = shoot(flow, guesses.times[nodes], states[nodes[:-1]], last, _ROUGH * scale, 1e-9)
        shot = shoot(flow, guesses.times[[0, -1]], rough.states[:1], last, 1e-14 * scale, 1e-12)
        exact = _action(flow, shot)
        good = shot.miss <= _ARRIVED * scale
        known += [action, exact] if good else []
        in_vain += not good
        yield shot, exact
        if len(known) >= 2 * _COMPARED or in_vain >= most_in_vain:
            return


def _action(flow: HamiltonianFlow, shot: Shot) -> float:
    start = np.concatenate([shot.states[0], [0.0, 0.0]])
    return float(flow.along(flow.measured, start, shot.times[[0, -1]], 1e-10)[-1, -2])


def _path(system: Any, flow: HamiltonianFlow, shot: Shot, duration: float | None, count: int) -> Extremal:
    width = len(flow.model.coordinates)
    q, p = shot.states[0][:width], shot.states[0][width:]
    length = float(shot.times[-1])
    if duration is None:
        # The clock of a shortest path is its length: unit speed.
        start = np.concatenate([shot.states[0], [0.0, 0.0]])
        length = float(flow.along(flow.measured, start, shot.times[[0, -1]])[-1, -1])
        p = p / length
    return Extremal(
        system, tuple(q.tolist()), tuple(p.tolist()), length, Report(True, shot.miss, shot.iterations, count)
    )


def _missed(
    system: Any, flow: HamiltonianFlow, guesses: Guesses, found: Sequence[tuple[Shot, float]], last: Array
) -> Extremal:
    """The best guess, with what it misses; what shooting came to does not count where it missed more."""
    k = int(np.nanargmin(guesses.misses))
    misses = [shot.miss for shot, _ in found if np.isfinite(shot.miss)]
    iterations = sum(shot.iterations for shot, _ in found)
    gap = guesses.configurations[k, -1] - last
    worst = flow.model.coordinates[int(np.argmax(np.abs(gap)))].name
    report = Report(False, float(guesses.misses[k]), iterations, 0, worst, min(misses, default=float("nan")))
    q, p = guesses.configurations[k], guesses.momenta[k]
    return Extremal(
        system, tuple(q[0].tolist()), tuple(p[0].tolist()), float(guesses.times[-1]), report, (guesses.times, q, p)
    )


# Ends that no admissible path reaches, because a function is constant along all of them: $X_a(F) = 0$ and $F(q_0) \ne F(q_1)$.


def _refuse_unreachable(model: Model, first: Array, last: Array, times: tuple[float, float]) -> None:
    """Refuse an end on another leaf than the start, with the integral that differs."""
    functions = _integrals(model)
    if not functions:
        return
    program = fast_function(lower(model.coordinates, model.parameter_symbols, [], functions))
    values = np.array([value for _, value in model.parameter_items], dtype=float)
    before, after = program(times[0], first, values), program(times[1], last, values)
    for F, one, other in zip(functions, before, after, strict=True):
        size = max(1.0, abs(one), abs(other))
        if np.isfinite([one, other]).all() and abs(one - other) > NOTHING * size:
            raise NotSupportedError(
                f"{model.name}: no admissible path leads there, because {to_text(F)} is constant along every one, and it is "
                f"{one:.6g} at the start and {other:.6g} at the end; choose an end where it is {one:.6g}."
            )


@lru_cache(maxsize=32)
def _integrals(model: Model) -> Vector:
    """Functions of configuration and time that are constant along all admissible paths."""
    return Distribution.of(model.independent).leaves(ASIDE).functions if model.constraints else ()


# The abnormal path between two configurations on Martinet's surface: where no normal extremal is found, it may be the shortest.
#
# .. math:: \dot q = \pm\frac{Y}{\sqrt{g(Y, Y)}}, \qquad W(q) = 0


def _abnormal(system: Any, flow: HamiltonianFlow, first: Array, last: Array, duration: float | None) -> Extremal | None:
    """The abnormal path to the end, where there is one and it has a length."""
    model = flow.model
    if duration is not None or len(model.constraints) != 1 or model.frame.size != 3 or model.invariants:
        return None
    try:
        found = abnormal(model)
    except NotSupportedError:
        return None
    curve = _along_surface(flow, found, first, last)
    if curve is None:
        return None
    times, q = curve
    none = np.full((len(times), model.frame.size), np.nan)
    miss = float(np.abs(q[-1] - last).max())
    report = Report(True, miss, abnormal=True)
    return Extremal(system, tuple(first.tolist()), tuple(none[0].tolist()), float(times[-1]), report, (times, q, none))


def _along_surface(flow: HamiltonianFlow, found: Abnormal, first: Array, last: Array) -> tuple[Array, Array] | None:
    """Times, which are lengths, and configurations of the abnormal path from ``first`` to ``last``; None where there is none."""
    if found.place is None or not found.field:
        return None
    model = flow.model

    def lowered(outputs: Vector) -> Program:
        return lower(model.coordinates, model.parameter_symbols, [], outputs)

    way, place = float(np.abs(last - first).max()), lowered((found.place,))
    if max(abs(flow.value(place, 0.0, q)[0]) for q in (first, last)) > _ON * max(1.0, way):
        return None
    rates = model.frame.coordinate_rates(found.field)
    speed = symengine.sqrt(dot(found.field, matrix_vector(flow.parts.mass_ab, found.field)))
    for sign in (1, -1):
        arrived = _followed(flow, lowered(tuple(sign * rates[q] / speed for q in model.coordinates)), first, last, way)
        if arrived is not None:
            return arrived
    return None


def _followed(
    flow: HamiltonianFlow, rate: Program, first: Array, last: Array, way: float
) -> tuple[Array, Array] | None:
    """The curve of a field until it meets the end, if it does."""
    from scipy.optimize import minimize_scalar

    with np.errstate(all="ignore"):
        speed = float(np.abs(flow.value(rate, 0.0, first)).max())
    if not np.isfinite(speed) or not speed > 0:
        return None
    times = np.linspace(0.0, _FARTHER * way / speed, 40 * _POINTS)
    states = flow.along(rate, first, times)
    if not np.isfinite(states).all():
        return None
    near = int(np.argmin(np.linalg.norm(states - last, axis=1)))
    before, after = max(near - 1, 0), min(near + 1, len(times) - 1)

    def apart(t: float) -> float:
        return float(np.sum((flow.along(rate, states[before], np.array([times[before], t]))[-1] - last) ** 2))

    best = minimize_scalar(apart, bounds=(times[before], times[after]), options={"xatol": 1e-13})
    if not np.sqrt(best.fun) <= _MET * max(1.0, way):
        return None
    some = np.linspace(0.0, float(best.x), _POINTS)
    return some, flow.along(rate, first, some)
