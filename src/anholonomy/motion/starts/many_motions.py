"""Many starts: read into columns, decided in doubles all at once as one start is, and completed to a row for each member.

A user gives a dict of arrays, a table or a list of dicts; a number serves all members. Members for which doubles leave a doubt are
decided one by one, with more digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.expressions import Symbol, symbol, time
from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.errors import IntegrationError, StateError, UnknownNameError, quoted
from anholonomy.base.tolerances import CLEAR, EXACT, MACHINE
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.memory import refuse_unless_free
from anholonomy.motion.problem.one_motion import start_point
from anholonomy.motion.starts.one_motion import NOISE, entries_of, roundings, rows_of
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.program import lower
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import finite_number, state_name
from anholonomy.system.states.speeds_from_rates import coordinate_rates
from anholonomy.system.warnings import warn_of_degrees

__all__ = ["ROOM", "Columns", "Points", "as_columns", "complete", "quick_states", "read_starts", "repeated", "table"]


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
    >>> columns = read_starts(skate().model, {"x": 0, "y": 0, "theta": [0.1, 0.2], "x'": 1, "theta'": 0}, {"m": [1, 2]})
    >>> columns.count, columns.member(1)["theta"], columns.values(1)
    (2, 0.2, {'m': 2.0})
    """
    given = {state_name(model, key): value for key, value in table(model, starts).items()}
    if hasattr(parameters, "columns"):
        parameters = table(model, parameters)
    if parameters is not None and not isinstance(parameters, Mapping):
        raise IntegrationError(
            f"{model.name}: `parameters` is {quoted(parameters)}; give a dict from names to numbers."
        )
    _refuse_unknown(model, given, parameters or {})
    columns = {name: _column(model, name, value) for name, value in given.items()}
    values = {name: _column(model, name, value) for name, value in (parameters or {}).items()}
    values |= {name: columns.pop(name) for name in list(columns) if name in model.parameters}
    count = _count(model, columns | values)
    begins = columns.pop(time.name, np.array([0.0 if t is None else t]))
    if np.ptp(begins):
        raise IntegrationError(f"{model.name}: members begin at different times t; give one for all.")
    lacking = [name for name, value in model.parameter_items if value is None and name not in values]
    if lacking:
        raise StateError(f"{model.name}: the parameter {lacking[0]} has no value; set it in `parameters`.")
    return Columns(count, columns, values, float(begins[0]))


def table(model: Model, starts: Any) -> dict[Any, Any]:
    """Names with what was given for each."""
    if starts is None:
        if not model.start:
            raise StateError(f"{model.name} declares no start; give `starts`, a dict from names to arrays.")
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
    raise StateError(
        f"{model.name}: `starts` is {quoted(starts)}; give a dict from names to arrays, a table of pandas or xarray, or a list of dicts."
    )


def _listed(model: Model, starts: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
    if not starts:
        raise StateError(f"{model.name}: `starts` is empty; give at least one member.")
    for i, start in enumerate(starts):
        if other := start.keys() ^ starts[0].keys():
            has, lacks = (i, 0) if sorted(map(str, other))[0] in map(str, start) else (0, i)
            raise StateError(
                f"{model.name}: member {has} gives {sorted(map(str, other))[0]} and member {lacks} does not; give the same names for all."
            )
    return {name: [start[name] for start in starts] for name in starts[0]}


def _refuse_unknown(model: Model, given: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
    known = sorted(model.names | {s.name for s in coordinate_rates(model)} | {time.name})
    for name in given:
        if name not in known:
            near = near_symbol(name, known)
            hint = f"did you mean {near}?" if near else f"the names are {', '.join(known)}."
            raise StateError(f"{model.name}: the starts have {name}, which the system does not know; {hint}")
    for name in parameters:
        if name not in model.parameters:
            listed = ", ".join(model.parameters) or "none"
            raise UnknownNameError(f"{model.name} has no parameter {name!r}; its parameters are {listed}.")
        if name in given:
            raise IntegrationError(f"{model.name}: {name} is in the starts and in `parameters`; give it once.")


def _column(model: Model, name: str, value: Any) -> Array:
    """Finite numbers, one for each member or one for all."""
    values = np.asarray(getattr(value, "values", value))
    if values.ndim > 1:
        raise StateError(f"{model.name}: {name} has {values.ndim} axes; give a number, or one for each member.")
    refuse_unless_free(9.0 * values.size, f"{model.name}: {name} for {values.size:,d} members", "give fewer at a time")
    flat = values.reshape(-1)
    if flat.dtype.kind not in "fiu":
        with precision(20):
            flat = np.array([_number(model, name, each, i) for i, each in enumerate(flat.tolist())])
    column = np.asarray(flat, dtype=float)
    if not column.size:
        raise StateError(f"{model.name}: {name} is empty; give a number for each member.")
    if not np.isfinite(column).all():
        i = int(np.flatnonzero(~np.isfinite(column))[0])
        raise StateError(f"{model.name}: member {i}: {name} = {column[i]} is not a finite number; give one.")
    return column


def _number(model: Model, name: str, value: object, i: int) -> float:
    if (number := finite_number(value)) is None:
        raise StateError(f"{model.name}: member {i}: {name} = {quoted(value)} is not a finite number; give one.")
    return float(number.mid())


def _count(model: Model, columns: Mapping[str, Array]) -> int:
    """How many members there are."""
    sizes = {name: values.size for name, values in columns.items() if values.size > 1}
    for name, size in sizes.items():
        first = next(iter(sizes))
        if size != sizes[first]:
            raise StateError(
                f"{model.name}: {first} has {sizes[first]} members and {name} {size}; give as many of each, or one for all."
            )
    return max(sizes.values(), default=1)


# Decided in doubles: which members are certain, and their missing velocities.


def quick_states(
    model: Model, given: Mapping[Symbol, Array], parameters: Array, t: float
) -> tuple[Array, Array, NDArray[np.bool_]] | None:
    """Coordinates and velocities, a row for each member, and which of them are certain; None where doubles decide none.

    ``given`` are columns of one length for coordinates and velocities; ``parameters`` has a row for each member, or one for all.
    """
    shape = model.with_free_parameters
    if (
        rows_of(shape) is None
        or not given.keys() >= set(model.coordinates)
        or not given.keys() <= {*model.coordinates, *model.velocities}
    ):
        return None
    from anholonomy.motion.starts.compiled_rows import settle

    count = next(iter(given.values())).size
    q, w, certain = (
        np.empty((count, len(model.coordinates))),
        np.zeros((count, len(model.velocities))),
        np.ones(count, dtype=bool),
    )
    for k, s in enumerate(model.coordinates):
        q[:, k] = given[s]
    for k, s in enumerate(model.velocities):
        if s in given:
            w[:, k] = given[s]
    missing = np.array([k for k, s in enumerate(model.velocities) if s not in given], dtype=np.int64)
    if (evaluate := _function(shape)) is not None:
        noisy = bool(missing.size or shape.independent.on_positions)
        with np.errstate(all="ignore"):
            values = _rows(evaluate, q, t, parameters, noisy)
        settle(values, len(shape.velocity_constraints), missing, (NOISE * MACHINE, CLEAR**-2, EXACT), w, certain)
    elif missing.size:
        return None
    if model.group and model.group.signs(q[0, : len(model.group.coordinates)]):
        size = len(model.group.coordinates)
        certain &= np.array([all(v > 0 for v in model.group.signs(row[:size]).values()) for row in q])
    if certain.any():
        first = int(np.argmax(certain))
        warn_of_degrees(model, {s: float(column[first]) for s, column in given.items()} | {time: t})
    return q, w, certain


def _rows(evaluate: Function, q: Array, t: float, p: Array, noisy: bool) -> Array:
    """$A$, $a$ and $g$ (way of rounding, entry, member); as given only where no noise counts."""
    n = q.shape[1]
    given = evaluate(t, q.T, p.T)
    if not noisy:
        return given[None]
    ways = roundings(n + 1 + p.shape[1])[1:]
    return np.stack([given, *(evaluate(t * k[n], (q * k[:n]).T, (p * k[n + 1 :]).T) for k in ways)])


@lru_cache(maxsize=64)
def _function(shape: Model) -> Function | None:
    """The rows as machine code for many members; None where there is nothing to compute."""
    entries = entries_of(shape)
    return fast_function(lower(shape.coordinates, shape.parameter_symbols, (), entries)) if entries else None


# Where members are: time, coordinates, velocities and parameters, a row each.


ROOM = 2**25
"""Bytes that the states of a block may take."""
_NAMED = 3
"""Members that a refusal names."""


def _is_shared(p: Array) -> bool:
    """Whether all members have the same parameters, which then lie in memory once."""
    return p.strides[0] == 0


def as_columns(p: Array) -> Array:
    """Parameters as functions take them, one column where it serves all."""
    return p[:1].T if _is_shared(p) else p.T


def repeated(p: Array, times: int) -> Array:
    """Each row several times."""
    return np.broadcast_to(p[:1], (len(p) * times, p.shape[1])) if _is_shared(p) else np.repeat(p, times, axis=0)


@final
@dataclass(frozen=True, eq=False)
class Points:
    """Rows of times, coordinates, velocities and parameters."""

    t: Array
    q: Array
    w: Array
    p: Array

    def __getitem__(self, chosen: Any) -> Points:
        t = self.t[chosen]
        p = np.broadcast_to(self.p[:1], (len(t), self.p.shape[1])) if _is_shared(self.p) else self.p[chosen]
        return Points(t, self.q[chosen], self.w[chosen], p)

    def point(self, model: Model, i: int) -> dict[Symbol, float]:
        """One of them by symbols."""
        names = (*model.coordinates, *model.velocities, *model.parameter_symbols)
        values = np.concatenate([self.q[i], self.w[i], self.p[i]])
        return {**dict(zip(names, values.tolist(), strict=True)), time: float(self.t[i])}


def all_parameters(model: Model, columns: Columns) -> Array:
    """The values of all parameters, a row for each member, or one where all have the same."""
    given = columns.parameters
    several = any(values.size > 1 for values in given.values())
    p = np.empty((columns.count if several else 1, len(model.parameter_items)))
    for k, (name, value) in enumerate(model.parameter_items):
        p[:, k] = given.get(name, value)
    return p


def complete(
    model: Model, columns: Columns, project: bool, told: Callable[[int], str] = "member {}".format, first: int = 0
) -> Points:
    """The admissible states that the columns describe; refused with the indices of those that are none."""
    p = all_parameters(model, columns)
    count = columns.count
    given = {symbol(name): np.broadcast_to(values, (count,)) for name, values in columns.states.items()}
    quick = quick_states(model, given, p, columns.t)
    q = np.empty((count, len(model.coordinates))) if quick is None else quick[0]
    w = np.empty((count, len(model.velocities))) if quick is None else quick[1]
    doubtful: NDArray[np.bool_] = np.ones(count, dtype=bool) if quick is None else ~quick[2]
    refused: list[tuple[int, str]] = []
    for i in map(int, np.flatnonzero(doubtful)):
        try:
            found = start_point(model, (), {**columns.values(i), time.name: columns.t, **columns.member(i)}, project)
        except StateError as problem:
            refused.append((i, str(problem)))
            if len(refused) >= _NAMED:
                break
            continue
        q[i] = [found[s] for s in model.coordinates]
        w[i] = [found[s] for s in model.velocities]
    if refused:
        others = ", ".join(str(first + i) for i, _ in refused[1:])
        more = f" The same is wrong with {'member' if len(refused) == 2 else 'members'} {others}" if others else ""
        more += "" if not others else " and perhaps more." if len(refused) >= _NAMED else "."
        raise StateError(f"{told(refused[0][0])}: {refused[0][1]}{more}")
    return Points(np.full(count, columns.t), q, w, np.broadcast_to(p, (count, p.shape[1])))
