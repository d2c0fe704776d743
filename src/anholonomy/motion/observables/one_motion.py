r"""What one may ask of a motion: accelerations, reactions, multipliers, energy, and expressions of them.

What one may ask of a computed motion by name or as an expression: $f(q, w, \dot w, R, \lambda, u, t)$ along it.

Everything that occurs is in the dataset, so nothing is integrated or derived again. Text is parsed, never evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from numbers import Number
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, symbol, time, unused
from anholonomy.base.errors import UnknownNameError
from anholonomy.language.arguments import expression
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.dataset.one_motion import asked_of, parameters_of
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.backends.numpy import NumpyArithmetic
from anholonomy.programs.program import lower
from anholonomy.system.model import Model
from anholonomy.system.states.speeds_from_rates import rates_in_speeds

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.programs.backends.base import Function

__all__ = ["Values", "named_values", "quantities", "values_from", "columns", "defined_speeds", "observed"]


# What an event may ask of a motion besides its state: accelerations, reactions, multipliers, energy.
#
# They are the observables of the equations under names that a user writes: ``x''``, ``reaction_x``, ``lambda1``, ``energy``.


Values: TypeAlias = Callable[[Array | float, Array, Array], Array]
"""Functions at times, states and parameters, one state or a batch."""


def quantities(model: Model) -> dict[Symbol, tuple[str, int]]:
    """The names, each with the observable that it is an entry of, and its place there.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> [s.name for s in quantities(chaplygin_sleigh().model)]
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


# What one may ask of a computed motion by name or as an expression: $f(q, w, \dot w, R, \lambda, u, t)$ along it.


def observed(data: xr.Dataset, model: Model, asked: object) -> xr.DataArray:
    """An expression along the motion in ``data``; a name that is none gets the nearest one that is."""
    import xarray as xr

    name = str(asked)
    if isinstance(asked, Number | tuple | list | slice):
        raise UnknownNameError(
            f"a motion is asked by name or expression, not by {name:.60}; samples are in `run.data`, as in run.data.isel(time=0)."
        )
    f = expression(asked, f"`{name:.60}`").xreplace({**model.named, **rates_in_speeds(model)})
    known = {**_parameters(data), **columns(data, model)}
    meant = defined_speeds(model, asked_of(data).get("speeds", {}))
    f = f.xreplace({u: value for u, value in meant.items() if u not in known})
    for s in sorted(f.free_symbols - known.keys(), key=str):
        raise UnknownNameError(_unknown(data, s.name, [k.name for k in known]))
    with np.errstate(all="ignore"):
        values = evaluate(f, NumpyArithmetic(), dict[Expr, object](known))
    along = np.broadcast_to(np.asarray(values, dtype=float), data.sizes["time"])
    return xr.DataArray(np.array(along), dims=("time",), coords={"time": data["time"]}, name=name)


def defined_speeds(model: Model, asked: str | Mapping[str, str]) -> dict[Symbol, Expr]:
    """The speeds that a user defined, by name, in the declaration or with a question: they have values also where others were integrated."""
    texts = {} if isinstance(asked, str) else {symbol(name): expression(text, name) for name, text in asked.items()}
    own = zip(map(symbol, model.speed_names or ()), model.speed_values or (), strict=False)
    return {**dict(own), **texts}


def _parameters(data: xr.Dataset) -> dict[Symbol, object]:
    return {symbol(name): np.float64(value) for name, value in parameters_of(data).items()}


def columns(data: xr.Dataset, model: Model) -> dict[Symbol, np.ndarray]:
    """Every name and its values over time: the time, coordinates, velocities, what `quantities` lists, and the speeds."""
    return dict(_columns_of(data, model))


def _columns_of(data: xr.Dataset, model: Model) -> Iterator[tuple[Symbol, np.ndarray]]:
    yield time, data["time"].values
    yield from _columns(data, "q", model.coordinates)
    yield from _columns(data, "velocity", model.velocities)
    labels = [str(label) for label in data["constraint"].values] if "multiplier" in data else []
    for name, (variable, k) in quantities(model).items():
        if variable != "multiplier":
            yield name, data[variable].values[:, k] if data[variable].ndim == 2 else data[variable].values
        elif (label := model.constraints[k].label) in labels:
            yield name, data["multiplier"].values[:, labels.index(label)]
    if "speed" in data and "chart" not in data.coords:
        yield from _columns(data, "speed", [symbol(str(u)) for u in data["speed_name"].values])
    if "input" in data:
        yield from _columns(data, "input", [symbol(str(name)) for name in data["input_name"].values])
    if "costate" in data:
        yield from _columns(data, "costate", [symbol(mu) for mu in str(data.attrs["costates"]).split()])


def _columns(
    data: xr.Dataset, variable: str, names: list[Symbol] | tuple[Symbol, ...]
) -> Iterator[tuple[Symbol, np.ndarray]]:
    yield from zip(names, data[variable].values.T, strict=True)


def _unknown(data: xr.Dataset, name: str, known: list[str]) -> str:
    system = data.attrs["system"]
    if "speed" in data and name in data["speed_name"].values:
        return (
            f"{system}: {name} was the speed of different frames along this motion, one a stretch (`run.data['chart']`); "
            "ask for velocities instead, or simulate with speeds of your own."
        )
    near = near_symbol(name, known)
    begin = f"did you mean {near}? It" if near else "it"
    return f"{system}: the motion has no {name!r}; {begin} has {', '.join(known)}, and expressions of these."
