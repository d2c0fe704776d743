"""Starts as a user gives them, in columns: a dict of arrays, a table, a list of dicts; a number serves all members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.ensembles.memory import refuse_unless_free
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.refusals import InadmissibleState, IntegrationProblem, UnknownName
from anholonomy.symbolic.expressions import time
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.system.model import Model
from anholonomy.system.states.numbers import finite_number
from anholonomy.system.states.rates import coordinate_rates
from anholonomy.system.states.states import state_name

__all__ = ["Columns", "read_starts", "table"]


@final
@dataclass(frozen=True, eq=False)
class Columns:
    """Names with their values: one for each member, or one for all. They may be the user's own arrays, which nobody here changes."""

    count: int
    states: dict[str, Array]
    parameters: dict[str, Array]
    t: float

    def member(self, i: int) -> dict[str, float]:
        """The start of one member, without its parameters."""
        return {name: _at(values, i) for name, values in self.states.items()}

    def values(self, i: int) -> dict[str, float]:
        """The parameters of one member that were given."""
        return {name: _at(values, i) for name, values in self.parameters.items()}

    def part(self, begin: int, end: int) -> Columns:
        """Some of the members."""

        def cut(columns: dict[str, Array]) -> dict[str, Array]:
            return {name: values if values.size == 1 else values[begin:end] for name, values in columns.items()}

        return Columns(end - begin, cut(self.states), cut(self.parameters), self.t)


def _at(values: Array, i: int) -> float:
    return float(values[i] if values.size > 1 else values[0])


def read_starts(model: Model, starts: Any, parameters: Mapping[str, Any] | None, t: float | None = None) -> Columns:
    """The columns; refused where names are unknown, lengths differ or a number is none, with the member's index.

    >>> from anholonomy.catalogue import skate
    >>> columns = read_starts(skate(), {"x": 0, "y": 0, "theta": [0.1, 0.2], "x'": 1, "theta'": 0}, {"m": [1, 2]})
    >>> columns.count, columns.member(1)["theta"], columns.values(1)
    (2, 0.2, {'m': 2.0})
    """
    given = {state_name(model, key): value for key, value in table(model, starts).items()}
    if hasattr(parameters, "columns"):
        parameters = table(model, parameters)
    if parameters is not None and not isinstance(parameters, Mapping):
        raise IntegrationProblem(
            f"{model.name}: `parameters` is {parameters!r:.60}; give a dict from names to numbers."
        )
    _refuse_unknown(model, given, parameters or {})
    columns = {name: _column(model, name, value) for name, value in given.items()}
    values = {name: _column(model, name, value) for name, value in (parameters or {}).items()}
    values |= {name: columns.pop(name) for name in list(columns) if name in model.parameters}
    count = _count(model, columns | values)
    begins = columns.pop(time.name, np.array([0.0 if t is None else t]))
    if np.ptp(begins):
        raise IntegrationProblem(f"{model.name}: members begin at different times t; give one for all.")
    lacking = [name for name, value in model.parameter_items if value is None and name not in values]
    if lacking:
        raise InadmissibleState(f"{model.name}: the parameter {lacking[0]} has no value; set it in `parameters`.")
    return Columns(count, columns, values, float(begins[0]))


def table(model: Model, starts: Any) -> dict[Any, Any]:
    """Names with what was given for each."""
    if starts is None:
        if not model.start:
            raise InadmissibleState(f"{model.name} declares no start; give `starts`, a dict from names to arrays.")
        return dict(model.start)
    if isinstance(starts, Mapping) and not hasattr(starts, "data_vars"):
        return dict(starts)
    if hasattr(starts, "data_vars"):  # a dataset of xarray
        known = {*model.names, time.name}  # an axis may be one of these, or only number the members
        names = [*starts.data_vars, *(name for name in starts.coords if name not in starts.dims or name in known)]
        return {name: np.asarray(starts[name].values) for name in names}
    if hasattr(starts, "columns"):  # a table of pandas
        return {name: np.asarray(starts[name]) for name in starts.columns}
    if isinstance(starts, Sequence) and not isinstance(starts, str) and all(isinstance(s, Mapping) for s in starts):
        return _listed(model, starts)
    raise InadmissibleState(
        f"{model.name}: `starts` is {starts!r:.60}; give a dict from names to arrays, a table of pandas or xarray, or a list of dicts."
    )


def _listed(model: Model, starts: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
    if not starts:
        raise InadmissibleState(f"{model.name}: `starts` is empty; give at least one member.")
    for i, start in enumerate(starts):
        if other := start.keys() ^ starts[0].keys():
            has, lacks = (i, 0) if sorted(map(str, other))[0] in map(str, start) else (0, i)
            raise InadmissibleState(
                f"{model.name}: member {has} gives {sorted(map(str, other))[0]} and member {lacks} does not; give the same names for all."
            )
    return {name: [start[name] for start in starts] for name in starts[0]}


def _refuse_unknown(model: Model, given: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
    known = sorted(model.names | {s.name for s in coordinate_rates(model)} | {time.name})
    for name in given:
        if name not in known:
            near = near_symbol(name, known)
            hint = f"did you mean {near}?" if near else f"the names are {', '.join(known)}."
            raise InadmissibleState(f"{model.name}: the starts have {name}, which the system does not know; {hint}")
    for name in parameters:
        if name not in model.parameters:
            listed = ", ".join(model.parameters) or "none"
            raise UnknownName(f"{model.name} has no parameter {name!r}; its parameters are {listed}.")
        if name in given:
            raise IntegrationProblem(f"{model.name}: {name} is in the starts and in `parameters`; give it once.")


def _column(model: Model, name: str, value: Any) -> Array:
    """Finite numbers, one for each member or one for all."""
    values = np.asarray(getattr(value, "values", value))
    if values.ndim > 1:
        raise InadmissibleState(f"{model.name}: {name} has {values.ndim} axes; give a number, or one for each member.")
    refuse_unless_free(9.0 * values.size, f"{model.name}: {name} for {values.size:,d} members", "give fewer at a time")
    flat = values.reshape(-1)
    if flat.dtype.kind not in "fiu":
        with precision(20):
            flat = np.array([_number(model, name, each, i) for i, each in enumerate(flat.tolist())])
    column = np.asarray(flat, dtype=float)
    if not column.size:
        raise InadmissibleState(f"{model.name}: {name} is empty; give a number for each member.")
    if not np.isfinite(column).all():
        i = int(np.flatnonzero(~np.isfinite(column))[0])
        raise InadmissibleState(f"{model.name}: member {i}: {name} = {column[i]} is not a finite number; give one.")
    return column


def _number(model: Model, name: str, value: object, i: int) -> float:
    if (number := finite_number(value)) is None:
        raise InadmissibleState(f"{model.name}: member {i}: {name} = {value!r:.60} is not a finite number; give one.")
    return float(number.mid())


def _count(model: Model, columns: Mapping[str, Array]) -> int:
    """How many members there are."""
    sizes = {name: values.size for name, values in columns.items() if values.size > 1}
    for name, size in sizes.items():
        first = next(iter(sizes))
        if size != sizes[first]:
            raise InadmissibleState(
                f"{model.name}: {first} has {sizes[first]} members and {name} {size}; give as many of each, or one for all."
            )
    return max(sizes.values(), default=1)
