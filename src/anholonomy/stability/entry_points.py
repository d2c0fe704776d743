"""The functions behind the verbs on stability: arguments given by name are checked and turned into numbers.

What users give, in their names: a state near by, what is held, which coordinates to use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from anholonomy.algebra.expressions import Symbol, symbol
from anholonomy.base.errors import IntegrationProblem, UnknownName
from anholonomy.base.tolerances import HALF
from anholonomy.language.suggestions import did_you_mean
from anholonomy.motion.problem.one_motion import check_tolerance, start_point
from anholonomy.motion.trajectory import Trajectory
from anholonomy.motion.vector_field import VectorField, field_at, refuse_driven
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry, symmetries
from anholonomy.stability.linear_part import velocities_of_symmetries
from anholonomy.stability.linearization import LinearAlong, Linearization, linear_along
from anholonomy.stability.periodic_orbit import Orbit, closed_orbit
from anholonomy.stability.steady_motion import SteadyMotion
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import finite_number

__all__ = ["linearize", "periodic", "steady_motion"]


def steady_motion(
    model: Model, given: Mapping[str, object], near: Mapping[str, object] | None, inputs: Sequence[str]
) -> SteadyMotion:
    """The steady motion nearest to a state, with the inputs that it needs."""
    for word, said in (("given", given), *((("near", near),) if near is not None else ())):
        _refuse_nameless(model, word, said)
    inputs = _names(model, inputs)
    values = _given(model, given, model.inputs)
    for name in inputs:
        _known(model, name, model.inputs, "inputs", "input")
        if name in values:
            raise UnknownName(f"{model.name}: {name} is given and solved for; leave it out of `given`, or of `inputs`.")
    point = _near(model, {**(near if near is not None else model.start or {}), **values})
    field, x, p = field_at(model, point)
    names = [s.name for s in model.parameter_symbols]
    found = symmetries(field, x, p, inputs=tuple(map(names.index, inputs)))
    held = {name: value for name, value in values.items() if name not in model.inputs}
    return SteadyMotion.near(field, found, x, p, held, inputs)


def linearize(
    model: Model,
    at: Mapping[str, object] | SteadyMotion | Trajectory,
    coordinates: Sequence[str] | None,
    inputs: Sequence[str],
) -> Linearization | LinearAlong:
    """The linear part at a state, or along a motion."""
    if isinstance(at, Trajectory):
        _refuse_another(model, at)
        refuse_driven(at.model)
        names = [s.name for s in (*model.coordinates, *model.velocities)]
        for name in coordinates or ():
            _known(model, name, names, "coordinates", "coordinate or velocity")
        return linear_along(model, at, None if coordinates is None else [names.index(name) for name in coordinates])
    if isinstance(at, SteadyMotion):
        _refuse_another(model, at.field)
        field, x, p = at.field, at.x, at.p
    else:
        _refuse_nameless(model, "at", at)
        idle = dict.fromkeys(model.inputs, 0.0)
        field, x, p = field_at(model, start_point(model.independent, (), {**idle, **at}, False))
    inputs = _names(model, inputs) or model.inputs
    for name in inputs:
        _known(model, name, [s.name for s in model.parameter_symbols], "inputs", "input or parameter")
    places = None if coordinates is None else _places(field, x, p, coordinates)
    return Linearization.at(field, x, p, _symmetries(field, x, p, inputs), inputs, places)


def periodic(
    model: Model,
    near: Trajectory | Mapping[str, object],
    period: float | None,
    given: Mapping[str, object],
    by_symmetries: bool,
    tolerance: float,
    simulate: Callable[..., Any],
) -> Orbit:
    """The closed orbit near a motion or a state."""
    check_tolerance(model, tolerance)
    if period is not None and not (isinstance(period, int | float) and 0 < period < np.inf):
        raise IntegrationProblem(f"{model.name}: period={period!r:.60} is no duration; give a positive number.")
    values = _given(model, given)
    if isinstance(near, Trajectory):
        _refuse_another(model, near)
        run = near
    else:
        if period is None:
            raise IntegrationProblem(
                f"{model.name}: the period cannot be seen from one state; give a motion that nearly closes, or the `period`."
            )
        begin = float(finite_number(near.get("t", 0.0)) or 0.0) if "t" in near else 0.0
        run = simulate(near, times=np.linspace(begin, begin + 1.001 * float(period), 101))
    refuse_driven(run.model)
    return closed_orbit(
        model.independent, run, None if period is None else float(period), values, by_symmetries, tolerance, simulate
    )


def _names(model: Model, inputs: object) -> tuple[str, ...]:
    """Names of inputs, one or several."""
    if not isinstance(inputs, str | Sequence):
        raise UnknownName(f"{model.name}: `inputs` is {inputs!r:.60}; give names of inputs, such as ['tau'].")
    return tuple(dict.fromkeys((inputs,) if isinstance(inputs, str) else inputs))


def _refuse_nameless(model: Model, word: str, said: object) -> None:
    if not isinstance(said, Mapping):
        raise IntegrationProblem(
            f"{model.name}: `{word}` is {said!r:.60}; give values by name, such as {{{model.coordinates[0].name!r}: 0.1}}."
        )


def _refuse_another(model: Model, run: Trajectory | VectorField) -> None:
    own = (*model.coordinates, *model.velocities, *map(symbol, model.inputs))
    if (*run.model.coordinates, *run.model.velocities, *map(symbol, run.model.inputs)) != own:
        raise IntegrationProblem(f"{model.name}: the motion is one of {run.model.name}; give one of this system.")


def _symmetries(field: VectorField, x: Array, p: Array, inputs: tuple[str, ...] = ()) -> tuple[Symmetry, ...]:
    """Those that keep what the inputs do, too, where these carry the motion; otherwise all."""
    if inputs:
        names = [s.name for s in field.model.parameter_symbols]
        found = symmetries(field, x, p, inputs=tuple(map(names.index, inputs)))
        here = field.at(x[None], p)
        if velocities_of_symmetries(here.z[0], here.rate[0], found)[1] <= HALF:
            return tuple(replace(each, keeps_inputs=True) for each in found)
    return symmetries(field, x, p)


def _near(model: Model, values: Mapping[str, object]) -> dict[Symbol, float]:
    """A state from what is known of it: what is not is zero, or the identity of a group; then it is put on the constraints."""
    rest = {
        q.name: float(value)
        for q, value in zip(model.coordinates, model.frame.origin or [0.0] * len(model.coordinates), strict=True)
    }
    still = {w.name: 0.0 for w in model.velocities}
    idle = dict.fromkeys(model.inputs, 0.0)
    return start_point(model.independent, (), {**rest, **still, **idle, **values}, True)


def _given(model: Model, given: Mapping[str, object], more: Sequence[str] = ()) -> dict[str, float]:
    names = [*(s.name for s in (*model.coordinates, *model.velocities)), *more]
    found = {}
    for name, value in given.items():
        _known(model, name, names, "given", "coordinate or velocity")
        if (number := finite_number(value)) is None:
            raise IntegrationProblem(
                f"{model.name}: {name} = {value!r:.60} is not a finite number; give one, such as 0.5."
            )
        found[str(name)] = float(number.mid())
    return found


def _known(model: Model, name: object, names: Sequence[str], word: str, kind: str) -> None:
    if name not in names:
        raise UnknownName(
            f"{model.name}: `{word}` has {str(name)!r:.60}, which is no {kind}; {did_you_mean(str(name), names)}"
            f"there are {', '.join(names)}."
        )


def _places(field: VectorField, x: Array, p: Array, coordinates: Sequence[str]) -> tuple[int, ...]:
    """Those of coordinates and velocities, as many as there are independent ones."""
    for name in coordinates:
        _known(field.model, name, field.names, "coordinates", "coordinate or velocity")
    places = tuple(field.names.index(name) for name in coordinates)
    usual = Linearization.at(field, x, p, ()).part
    H = field.jet(x[None], p).slopes.z[0]
    if len(places) != len(usual.places) or np.linalg.matrix_rank(H[list(places)], tol=1e-9) < len(places):
        said = ", ".join(field.names[k] for k in usual.places)
        raise UnknownName(
            f"{field.model.name}: {', '.join(coordinates)} do not describe the motions near this state; give {len(usual.places)} "
            f"independent ones, such as {said}."
        )
    return places
