"""The parameters along a motion: constant, anew at every break of a signal, or asked all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.lazy import cached_property
from anholonomy.refusals import IntegrationProblem
from anholonomy.simulate.pieces.mode import Mode
from anholonomy.simulate.pieces.piece import Along
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.simulate.problem import Problem
from anholonomy.simulate.signals.kinds import NotFinite

__all__ = ["Driver"]


@final
class Driver:
    """What the parameters are now; ``failure`` is what a function of the user last failed with."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.driven, self.failure = problem, problem.driven, ""
        self.parameters = problem.parameters
        self.forward = 1.0 if problem.grid[-1] >= problem.grid[0] else -1.0

    @cached_property
    def breaks(self) -> Array:
        """Where the coefficients of signals change, in the order of the motion."""
        grid = self.problem.grid
        return self.driven.breaks(float(grid[0]), float(grid[-1]), grid)

    def until_break(self, t: float, grid: Array) -> Array:
        """The times of the grid before the next break, and the break; its own values belong to what follows."""
        ahead = self.breaks[np.searchsorted(self.forward * self.breaks, self.forward * t, "right") :]
        if not ahead.size or self.forward * (grid[-1] - ahead[0]) < 0:
            return grid
        return np.append(grid[self.forward * (ahead[0] - grid) > 0], ahead[0])

    def at(self, runnable: RunnableEquations, t: float, x: Array) -> Array:
        """The parameters from a time on, those of signals anew."""
        driven, p = self.driven, self.parameters
        values = runnable.events(driven.seen) if driven else None
        return driven.parameters(p, t, self.forward, lambda: driven.state(values, t, x, p)) if values else p

    def drive(self, runnable: RunnableEquations, mode: Mode | None) -> Callable[[float, Array], Array] | None:
        """The parameters of the flow where a function of the user changes them all the time."""
        if not self.driven.asks_always:
            return None
        if mode is not None:
            raise IntegrationProblem(
                f"{self.problem.model.name}: its forces jump or kink, and where they do cannot be told with an input that is a Python "
                "function; give a sampling time, or the feedback as a text."
            )

        def parameters(t: float, x: Array) -> Array:
            try:
                return self.at(runnable, t, x)
            except NotFinite as reason:  # which a shorter step may still avoid
                self.failure = str(reason)
                return np.full(self.parameters.size, np.nan)

        return parameters

    def along(self, runnable: RunnableEquations) -> Along:
        """The parameters along a piece: a column for each time where they change all the time."""
        p = self.parameters
        if not self.driven.asks_always:
            return lambda times, states: p

        def parameters(times: Array | float, states: Array) -> Array:
            if not np.ndim(times):
                return self.at(runnable, float(times), states)
            rows = [self.at(runnable, float(t), x) for t, x in zip(np.atleast_1d(times), states, strict=True)]
            return np.stack(rows, axis=-1) if rows else p

        return parameters
