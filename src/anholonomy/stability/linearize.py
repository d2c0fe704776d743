r"""The question "What is the linear part of the motion?": at a state, about a steady motion, or along a motion.

.. math:: \delta\dot z = A\,\delta z + B\,\delta\tau
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from anholonomy.base.errors import UnknownNameError
from anholonomy.base.tolerances import HALF
from anholonomy.motion.problem.one_motion import start_point
from anholonomy.motion.trajectory import Trajectory
from anholonomy.motion.vector_field import VectorField, field_at, refuse_driven
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry, symmetries
from anholonomy.stability.exact_symmetries import proven_symmetries
from anholonomy.stability.linear_part import velocities_of_symmetries
from anholonomy.stability.linearization import LinearAlong, Linearization, linear_along
from anholonomy.stability.states_by_name import (
    input_names,
    parameter_places,
    refuse_another_system,
    refuse_nameless,
    refuse_unknown,
)
from anholonomy.stability.steady_motion import SteadyMotion
from anholonomy.system.model import Model

__all__ = ["linearize"]


def linearize(
    model: Model,
    at: Mapping[str, object] | SteadyMotion | Trajectory,
    coordinates: Sequence[str] | None,
    inputs: Sequence[str],
) -> Linearization | LinearAlong:
    """The linear part at a state, or along a motion."""
    if isinstance(at, Trajectory):
        refuse_another_system(model, at)
        refuse_driven(at.model)
        names = [s.name for s in (*model.coordinates, *model.velocities)]
        for name in coordinates or ():
            refuse_unknown(model, name, names, "coordinates", "coordinate or velocity")
        return linear_along(model, at, None if coordinates is None else [names.index(name) for name in coordinates])
    if isinstance(at, SteadyMotion):
        refuse_another_system(model, at.field)
        field, x, p = at.field, at.x, at.p
    else:
        refuse_nameless(model, "at", at)
        idle = dict.fromkeys(model.inputs, 0.0)
        field, x, p = field_at(model, start_point(model.independent, (), {**idle, **at}, False))
    inputs = input_names(model, inputs) or model.inputs
    for name in inputs:
        refuse_unknown(model, name, [s.name for s in model.parameter_symbols], "inputs", "input or parameter")
    places = None if coordinates is None else _places(field, x, p, coordinates)
    return Linearization.at(field, x, p, _symmetries(field, x, p, inputs), inputs, places)


def _symmetries(field: VectorField, x: Array, p: Array, inputs: tuple[str, ...]) -> tuple[Symmetry, ...]:
    """Those that keep what the inputs do, too, where these carry the motion; otherwise all."""
    if inputs:
        places = tuple(parameter_places(field.model, inputs))
        found = proven_symmetries(field, symmetries(field, x, p, inputs=places), x, p, places)
        here = field.at(x[None], p)
        if velocities_of_symmetries(here.z[0], here.rate[0], found)[1] <= HALF:
            return tuple(replace(each, keeps_inputs=True) for each in found)
    return proven_symmetries(field, symmetries(field, x, p), x, p)


def _places(field: VectorField, x: Array, p: Array, coordinates: Sequence[str]) -> tuple[int, ...]:
    """Those of coordinates and velocities, as many as there are independent ones."""
    for name in coordinates:
        refuse_unknown(field.model, name, field.names, "coordinates", "coordinate or velocity")
    places = tuple(field.names.index(name) for name in coordinates)
    usual = Linearization.at(field, x, p, ()).part
    H = field.jet(x[None], p).slopes.z[0]
    if len(places) != len(usual.places) or np.linalg.matrix_rank(H[list(places)], tol=1e-9) < len(places):
        said = ", ".join(field.names[k] for k in usual.places)
        raise UnknownNameError(
            f"{field.model.name}: {', '.join(coordinates)} do not describe the motions near this state; give {len(usual.places)} "
            f"independent ones, such as {said}."
        )
    return places
