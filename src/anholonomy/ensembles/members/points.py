"""Where members are: time, coordinates, velocities and parameters, a row each, completed from what was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.base import Array
from anholonomy.ensembles.members.in_batches import quick_states
from anholonomy.ensembles.starts import Columns
from anholonomy.refusals import InadmissibleState
from anholonomy.simulate.problem import start_point
from anholonomy.symbolic.expressions import Symbol, symbol, time
from anholonomy.system.model import Model

__all__ = ["ROOM", "Points", "all_parameters", "as_columns", "complete", "repeated"]

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
        except InadmissibleState as problem:
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
        raise InadmissibleState(f"{told(refused[0][0])}: {refused[0][1]}{more}")
    return Points(np.full(count, columns.t), q, w, np.broadcast_to(p, (count, p.shape[1])))
