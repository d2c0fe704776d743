r"""What an event may ask of a motion besides its state: accelerations, reactions, multipliers, energy.

They are the observables of the equations under names that a user writes: ``x''``, ``reaction_x``, ``lambda1``, ``energy``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def quantities(model: Model) -> dict[Symbol, tuple[str, int]]:
    """The names, each with the observable that it is an entry of, and its place there.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> [s.name for s in quantities(chaplygin_sleigh())]
    ["x''", "y''", "theta''", 'reaction_x', 'reaction_y', 'reaction_theta', 'lambda1', 'energy']
    """
    taken = model.names.__contains__
    names = {
        "acceleration": model.accelerations,
        "reaction": [unused(f"reaction_{a}", taken) for a in model.directions],
        "multiplier": model.multipliers,
        "energy": [unused("energy", taken)] if model.momenta_a is None else [],
    }
    return {name: (section, k) for section, symbols in names.items() for k, name in enumerate(symbols)}


def named_values(
    model: Model, times: Array, states: Array, observed: Mapping[str, Array], p: Array
) -> dict[Symbol, Array | float]:
    """Everything that a function of the motion may use, along it: from states and observables, a row for each time."""
    known: dict[Symbol, Array | float] = {time: times, **dict(zip(model.parameter_symbols, p, strict=True))}
    known |= dict(zip(model.coordinates, states.T, strict=False))
    known |= dict(zip(model.velocities, observed["velocity"].T, strict=True))
    return known | {s: observed[section][:, k] for s, (section, k) in quantities(model).items()}


def values_from(model: Model, observe: Function, slices: Mapping[str, slice], functions: Vector) -> Values:
    """Functions of coordinates, velocities, time, parameters and quantities, by way of the observables, which lie in ``slices``."""
    places = {s: slices[section].start + k for s, (section, k) in quantities(model).items()}
    asked = {s: k for s, k in places.items() if s in free_symbols(functions)}
    velocities, width = slices["velocity"], len(model.coordinates)
    columns = [*range(velocities.start, velocities.stop), *asked.values()]
    if all(g in asked for g in functions):
        bare = [asked[g] for g in functions]
        return lambda t, x, p: observe(t, x, p)[bare]
    inputs = (*model.coordinates, *model.velocities, *asked)
    function = fast_function(lower(inputs, model.parameter_symbols, (), functions))
    return lambda t, x, p: function(t, np.concatenate([np.asarray(x)[:width], observe(t, x, p)[columns]]), p)
