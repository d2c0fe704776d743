"""A stretch of motion in one chart, and what may be asked of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.simulate.events.find import Event
from anholonomy.simulate.integrators.base import Solution
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.pieces.mode import Mode
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.symbolic.expressions import Vector

__all__ = ["Along", "Piece", "cut", "with_end"]

Along: TypeAlias = Callable[[Any, Array], Array]
"""The parameters at times and states."""


@final
@dataclass(frozen=True)
class Piece:
    """A stretch of motion in one chart and one mode, with the events met on it."""

    runnable: RunnableEquations
    solution: Solution
    events: tuple[Event, ...]
    parameters: Array
    mode: Mode | None = None
    along: Along | None = None

    def parameters_at(self, times: Array, states: Array) -> Array:
        """Those of the piece, or a column for each time where they change all the time."""
        return self.parameters if self.along is None else self.along(times, states)

    def observed(self) -> dict[str, Array]:
        """What one may ask of the states at the reported times, a row each."""
        times, states = self.solution.times, self.solution.states
        return self.runnable.observe_all(times, states, self.parameters_at(times, states))

    def at_events(self) -> dict[str, Array]:
        """The same at the events."""
        times = np.array([event.time for event in self.events])
        states = np.array([event.state for event in self.events])
        return self.runnable.observe_all(times, states, self.parameters_at(times, states))

    def values(self, functions: Vector) -> Array:
        """Functions of coordinates, velocities, time and parameters at the reported times, a row each."""
        times, states = self.solution.times, self.solution.states
        if not times.size:
            return np.empty((0, len(functions)))
        return self.runnable.events(functions)(times, states.T, self.parameters_at(times, states)).T


def cut(solution: Solution, t: float, x: Array) -> Solution:
    """The stretch up to a time within it."""
    began = solution.times[0]
    kept = np.abs(solution.times - began) <= abs(t - began)
    return replace(
        solution,
        times=solution.times[kept],
        states=solution.states[kept],
        outcome=Outcome.STOPPED,
        stop_time=t,
        stop_state=x,
    )


def with_end(solution: Solution) -> Solution:
    """A motion that ended early keeps the state it reached as its last sample."""
    if (solution.times.size and solution.times[-1] == solution.stop_time) or not np.isfinite(solution.stop_state).all():
        return solution
    return replace(
        solution,
        times=np.append(solution.times, solution.stop_time),
        states=np.vstack([solution.states, solution.stop_state]),
    )
