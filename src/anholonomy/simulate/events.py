r"""Events: the times at which a function $g(q, w, t)$ of the motion passes through zero.

Sign changes are looked for on a grid that is at least as fine as the output, using the integrator's dense output;
each is then located to rounding by integrating again from the grid time before it. Two zeros closer than the grid
spacing cancel and are not seen; ask for more output times to see them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.base import Array
from anholonomy.language.door import expression
from anholonomy.refusals import IntegrationProblem, UnknownName
from anholonomy.symbolic.expressions import Vector
from anholonomy.system.model import Model

__all__ = ["Event", "Watchlist", "locate", "refined"]

_LEAST = 2000
"""Grid points of a motion that is searched for events."""


@final
@dataclass(frozen=True)
class Watchlist:
    """Named functions to watch, and those whose zero ends the motion."""

    names: tuple[str, ...]
    functions: Vector
    stopping: frozenset[str]

    @classmethod
    def of(cls, model: Model, events: Mapping[str, object] | None, stop: str | Sequence[str]) -> Watchlist:
        """Parse the user's events; every symbol must be one of the system's."""
        if events is not None and not isinstance(events, Mapping):
            raise IntegrationProblem(f"{model.name}: `events` is {events!r}; give a dict from names to expressions.")
        if not isinstance(stop, str | Sequence):
            raise IntegrationProblem(f"{model.name}: `stop` is {stop!r}; give the name of an event, or several.")
        given = dict(events or {})
        functions = []
        for name, value in given.items():
            g = expression(value, f"the event {name!r}").xreplace(model.named)
            if unknown := sorted(s.name for s in g.free_symbols if s.name not in model.names):
                raise UnknownName(
                    f"{model.name}: the event {name!r} uses {unknown[0]}, which the system does not know; "
                    f"the names are {', '.join(sorted(model.names))}."
                )
            functions.append(g)
        stopping = [stop] if isinstance(stop, str) and stop else list(stop)
        if missing := [name for name in stopping if name not in given]:
            raise UnknownName(
                f"{model.name}: the motion is to stop at {missing[0]!r}, which is not among the events; "
                "declare it in `events`."
            )
        return cls(tuple(given), tuple(functions), frozenset(stopping))

    def __bool__(self) -> bool:
        return bool(self.names)


@final
@dataclass(frozen=True)
class Event:
    """One zero of one function, with the integrated state there."""

    name: str
    time: float
    state: Array


def refined(times: Array) -> tuple[Array, NDArray[np.intp]]:
    """A finer grid and the places of the given times in it.

    >>> fine, places = refined(np.array([0.0, 1.0]))
    >>> len(fine) >= 2000, fine[places]
    (True, array([0., 1.]))
    """
    if times.size < 2:
        return times, np.arange(times.size)
    pieces = max(1, -(-_LEAST // (times.size - 1)))
    fractions = np.arange(pieces) / pieces
    inner = (times[:-1, None] + np.diff(times)[:, None] * fractions).ravel()
    return np.append(inner, times[-1]), np.arange(times.size) * pieces


def locate(
    watch: Watchlist,
    times: Array,
    states: Array,
    values: Array,
    move: Callable[[float, Array, float], Array],
    value: Callable[[float, Array], Array],
) -> list[Event]:
    """Every sign change on the grid, in order of time, up to the first that stops the motion.

    ``values`` has a row for each function; ``move(t, x, s)`` is the state at ``s`` from ``x`` at ``t`` and
    ``value(t, x)`` the functions at a state.
    """
    crossings = [
        (i, k)
        for k, row in enumerate(values)
        for i in np.flatnonzero((np.sign(row[:-1]) * np.sign(row[1:]) <= 0) & (row[:-1] != 0.0))
    ]
    met = (_refine(watch.names[k], k, times[i], times[i + 1], states[i], move, value) for i, k in sorted(crossings))
    found = [event for event in met if event is not None]
    found.sort(key=lambda event: event.time * np.sign(times[-1] - times[0]))
    for count, event in enumerate(found, start=1):
        if event.name in watch.stopping:
            return found[:count]
    return found


def _refine(
    name: str,
    k: int,
    before: float,
    after: float,
    x: Array,
    move: Callable[[float, Array, float], Array],
    value: Callable[[float, Array], Array],
) -> Event | None:
    """The zero between two times, or None where the function jumps or leaves its domain instead."""
    from scipy.optimize import brentq

    def g(s: float) -> float:
        return float(value(s, move(before, x, s))[k])

    ends = g(before), g(after)
    # The grid's end point may evaluate to the other side of a rounding error when integrated again.
    if ends[1] == 0.0 or np.sign(ends[0]) == np.sign(ends[1]):
        time = after
    else:
        try:
            time = brentq(g, before, after, xtol=1e-15, rtol=1e-15)
        except ValueError:  # not a number somewhere between
            return None
    state = move(before, x, float(time))
    # At a pole or a jump the sign changes while the function stays large.
    if not abs(float(value(float(time), state)[k])) <= 1e-3 * max(map(abs, ends)):
        return None
    return Event(name, float(time), state)
