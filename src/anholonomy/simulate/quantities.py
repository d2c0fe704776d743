r"""What an event may ask of a motion besides its state: accelerations, reactions, multipliers, energy.

They are the observables of the equations under names that a user writes: ``x''``, ``reaction_x``, ``lambda1``, ``energy``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import lower
from anholonomy.symbolic.expressions import Symbol, Vector, free_symbols, time, unused
from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.compile.backends.base import Function

__all__ = ["Values", "named_values", "quantities", "values_from"]

Values: TypeAlias = Callable[[Array | float, Array, Array], Array]
"""Functions at times, states and parameters, one state or a batch."""


def quantities(model: Model) -> dict[Symbol, int]:
    """The names, and the place of each among the observables.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> [s.name for s in quantities(chaplygin_sleigh())]
    ["x''", "y''", "theta''", 'reaction_x', 'reaction_y', 'reaction_theta', 'lambda1', 'energy']
    """
    size, rows = len(model.velocities), len(model.constraints)
    reactions = [unused(f"reaction_{a}", model.names.__contains__) for a in model.directions]
    names = [*model.accelerations, *reactions, *model.multipliers]
    places = {name: size + k for k, name in enumerate(names)}
    if model.momenta_a is None:
        places[unused("energy", model.names.__contains__)] = 3 * size + 2 * rows + len(model.held)
    return places


def named_values(model: Model, times: Array, states: Array, observed: Array, p: Array) -> dict[Symbol, Array | float]:
    """Everything that a function of the motion may use, along it: from states and observables, a row for each time."""
    known: dict[Symbol, Array | float] = {time: times, **dict(zip(model.parameter_symbols, map(float, p), strict=True))}
    known |= dict(zip(model.coordinates, states.T, strict=False))
    known |= dict(zip(model.velocities, observed.T, strict=False))
    return known | {s: observed[:, k] for s, k in quantities(model).items()}


def values_from(model: Model, observe: Function, functions: Vector) -> Values:
    """Functions of coordinates, velocities, time, parameters and quantities, by way of the observables."""
    asked = {s: k for s, k in quantities(model).items() if s in free_symbols(functions)}
    velocities, width = len(model.velocities), len(model.coordinates)
    columns = [*range(velocities), *asked.values()]
    if all(g in asked for g in functions):
        bare = [asked[g] for g in functions]
        return lambda t, x, p: observe(t, x, p)[bare]
    inputs = (*model.coordinates, *model.velocities, *asked)
    function = fast_function(lower(inputs, model.parameter_symbols, (), functions))
    return lambda t, x, p: function(t, np.concatenate([np.asarray(x)[:width], observe(t, x, p)[columns]]), p)
