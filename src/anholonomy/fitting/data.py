"""Measured data in whatever a user holds, as a table of times and named quantities, with gaps where nothing was measured."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Vector, time
from anholonomy.base.errors import FileError, IntegrationError, UnknownNameError, quoted
from anholonomy.base.files import path_of
from anholonomy.language.arguments import expression, is_list
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.observables.one_motion import quantities
from anholonomy.motion.trajectory import Trajectory
from anholonomy.programs.backends.base import Array
from anholonomy.system.model import Model
from anholonomy.system.states.speeds_from_rates import rates_in_speeds

__all__ = ["Measured", "functions_of", "measured"]

_TIMES = ("time", "t")
"""How a column of times may be called."""


def measured(
    model: Model, data: Any, observed: Sequence[str] | None, sigma: Any, modulo: str | Sequence[str] = ()
) -> Measured:
    """Data read and checked; ``observed`` chooses columns, ``sigma`` are the errors, ``modulo`` angles but for full turns."""
    times, columns = _table(model, data)
    if observed is not None:
        observed = _names(model, "observed", observed)
        if missing := [name for name in observed if name not in columns]:
            raise UnknownNameError(
                f"{model.name}: the data have no {quoted(missing[0])}; they have {', '.join(columns) or 'nothing'}."
            )
        columns = {name: columns[name] for name in observed}
    driven = {u: columns.pop(u) for u in model.inputs if u in columns}
    if not columns:
        raise IntegrationError(
            f"{model.name}: the data have times and nothing measured; add a column such as {model.coordinates[0]}."
        )
    if times.ndim != 1 or not times.size or not np.isfinite(times).all():
        raise IntegrationError(
            f"{model.name}: the times of the data must be finite numbers in one column, at least one."
        )
    for name, column in columns.items():
        if column.shape != times.shape:
            raise IntegrationError(
                f"{model.name}: the data have {times.size} times and {column.size} values of {name}; give as many."
            )
        if np.isinf(column).any():
            raise IntegrationError(
                f"{model.name}: the measured {name} is not finite at t = {times[np.isinf(column)][0]:g}; leave it out, or write NaN for a gap."
            )
    try:
        functions = functions_of(model, list(columns))
    except UnknownNameError as problem:
        raise UnknownNameError(f"{problem} Columns are chosen with `observed`.") from None
    grid, places = np.unique(times, return_inverse=True)
    values = np.column_stack(list(columns.values()))
    errors = _errors(model, sigma, list(columns), values)
    turning = _names(model, "modulo", modulo)
    if unknown := [name for name in turning if name not in columns]:
        raise UnknownNameError(f"{model.name}: `modulo` has {quoted(unknown[0])}, and the data {', '.join(columns)}.")
    angles = tuple(list(columns).index(name) for name in turning)
    return Measured(grid, places, tuple(columns), functions, values, errors, _signals(times, driven), angles)


@final
@dataclass(frozen=True, eq=False)
class Measured:
    """Times, in order and each once, and values (row, quantity), each row at the time of its place; NaN where nothing was measured.

    Attributes
    ----------
    functions
        The quantities as expressions in coordinates, velocities and what else a motion has.
    sigma
        The errors of the values; None where they are unknown and all alike.
    signals
        Times and values of the columns that have the names of inputs.
    angles
        The places of the quantities that are known but for full turns.
    """

    times: Array
    places: Any
    names: tuple[str, ...]
    functions: Vector
    values: Array
    sigma: Array | None
    signals: dict[str, tuple[Array, Array]]
    angles: tuple[int, ...] = ()

    def apart(self, computed: Array) -> Array:
        """Measured minus computed, a row each; angles by the shorter way round."""
        found = self.values - computed
        for k in self.angles:
            found[:, k] = np.pi - (np.pi - found[:, k]) % (2 * np.pi)
        return found

    @property
    def known(self) -> Any:
        """Where there are values."""
        return np.isfinite(self.values)

    @property
    def count(self) -> int:
        return int(self.known.sum())

    def first(self, name: str) -> float | None:
        """The first measured value of a quantity at the first time; None where there is none."""
        if name not in self.names:
            return None
        column = self.values[self.places == 0, self.names.index(name)]
        known = column[np.isfinite(column)]
        return float(known[0]) if known.size else None


def _names(model: Model, word: str, given: Any) -> list[str]:
    """Names of columns, or one alone."""
    found = [given] if isinstance(given, str) else list(given) if is_list(given) else [None]
    if not all(isinstance(name, str) for name in found):
        raise UnknownNameError(f"{model.name}: `{word}` is {quoted(given)}; give a list of names of columns.")
    return [str(name) for name in found]


def _signals(times: Array, columns: Mapping[str, Array]) -> dict[str, tuple[Array, Array]]:
    """Each at increasing times, without gaps."""
    found = {}
    for name, column in columns.items():
        known = np.isfinite(column)
        grid, places = np.unique(times[known], return_index=True)
        found[name] = grid, column[known][places]
    return found


def _table(model: Model, data: Any) -> tuple[Array, dict[str, Array]]:
    """The times and the columns by name."""
    if isinstance(data, str | Path):
        data = _from_csv(data)
    if isinstance(data, Trajectory):
        names = [s.name for s in (*data.model.coordinates, *data.model.velocities)]
        return data.time.values, {name: np.asarray(data[name].values, dtype=float) for name in names}
    if hasattr(data, "dims"):  # xarray's
        return _labelled(model, data)
    if hasattr(data, "columns"):  # pandas'
        columns = {str(name): data[name] for name in data.columns}
        index = getattr(data.index, "name", None)
        data = (
            columns
            if any(name in columns for name in _TIMES) or index not in _TIMES
            else {index: data.index, **columns}
        )
    if not isinstance(data, Mapping):
        raise IntegrationError(
            f"{model.name}: {type(data).__name__} is no data; give a table with a column `time`: a dict, a DataFrame, a Dataset, a motion."
        )
    found = {str(name): _numbers(model, str(name), column) for name, column in data.items()}
    own = {s.name for s in model.coordinates}
    called = [name for name in _TIMES if name in found and name not in own]
    if not called:
        raise IntegrationError(f"{model.name}: the data have no times; add a column `time`.")
    return found.pop(called[0]), found


def _labelled(model: Model, data: Any) -> tuple[Array, dict[str, Array]]:
    """A Dataset, or an array with a name or with a further dimension whose labels are names."""
    if "time" not in data.coords and "time" not in getattr(data, "data_vars", ()):
        raise IntegrationError(f"{model.name}: the data have no times; add a coordinate `time`.")
    arrays = list(data.data_vars.values()) if hasattr(data, "data_vars") else [data]
    if data.attrs.get("schema") is not None and "velocity" in data:  # of a motion, its state
        arrays = [data["q"], data["velocity"]]
    columns: dict[str, Array] = {}
    for array in arrays:
        if array.name == "time" or "time" not in array.dims or array.ndim > 2:
            continue
        if array.ndim == 1:
            columns[str(array.name)] = _numbers(model, str(array.name), array.values)
            continue
        (other,) = (d for d in array.dims if d != "time")
        for label in array[other].values:
            columns[str(label)] = _numbers(model, str(label), array.sel({other: label}).values)
    return _numbers(model, "time", data["time"].values), columns


def _numbers(model: Model, name: str, column: Any) -> Array:
    try:
        return np.atleast_1d(np.asarray(column, dtype=float))
    except (TypeError, ValueError, OverflowError):
        raise IntegrationError(
            f"{model.name}: the column {name} of the data holds something that is no number; drop it."
        ) from None


def _from_csv(path: str | Path) -> dict[str, list[float]]:
    """A table in a file: names in the first line, numbers below, nothing between two commas for a gap."""
    try:
        text = path_of(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise FileError(
            f"{path!s:.200} cannot be read ({getattr(problem, 'strerror', None) or 'no text'}); give a table in CSV."
        ) from None
    rows = [row for row in csv.reader(StringIO(text)) if row and not row[0].startswith("#")]
    if not rows:
        raise FileError(f"{path!s:.200} is empty; give a table with names in its first line.")
    names, found = [name.strip() for name in rows[0]], dict[str, list[float]]()
    for k, name in enumerate(names):
        cells = [row[k].strip() if k < len(row) else "" for row in rows[1:]]
        try:
            found[name] = [float(cell) if cell else np.nan for cell in cells]
        except ValueError:
            raise FileError(f"{path!s:.200}: the column {name} holds something that is no number; drop it.") from None
    return found


def _errors(model: Model, sigma: Any, names: list[str], values: Array) -> Array | None:
    """The errors of the values, from a number, or numbers or columns by name."""
    if sigma is None:
        return None
    given = sigma if isinstance(sigma, Mapping) else dict.fromkeys(names, sigma)
    if unknown := [name for name in given if name not in names]:
        raise UnknownNameError(f"{model.name}: `sigma` has {quoted(unknown[0])}, and the data {', '.join(names)}.")
    if missing := [name for name in names if name not in given]:
        raise IntegrationError(f"{model.name}: `sigma` says nothing of {missing[0]}; give its error too.")
    found = np.empty_like(values)
    for k, name in enumerate(names):
        column = _numbers(model, f"{name} of `sigma`", given[name])
        if column.size not in (1, len(values)) or not (column > 0).all() or not np.isfinite(column).all():
            raise IntegrationError(
                f"{model.name}: the error of {name} must be positive, one number or one for each row."
            )
        found[:, k] = column
    return found


def functions_of(model: Model, names: Sequence[str]) -> Vector:
    """What names and texts mean, in coordinates, velocities and what else a motion has."""
    return tuple(_function(model, name) for name in names)


def _function(model: Model, name: str) -> Any:
    f = expression(name, f"{quoted(name)}").xreplace({**model.named, **rates_in_speeds(model)})
    known = {*model.coordinates, *model.velocities, *model.parameter_symbols, *quantities(model), time}
    for s in sorted(f.free_symbols - known, key=str):
        near = near_symbol(s.name, [each.name for each in known])
        hint = f"did you mean {near}?" if near else f"a motion has {', '.join(sorted(each.name for each in known))}."
        raise UnknownNameError(f"{model.name}: {quoted(name)} has {s.name}, which the motion has not; {hint}")
    return f
