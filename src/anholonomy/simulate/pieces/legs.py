"""A leg of a motion: one smooth flow and the integrator that follows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.simulate.integrators.base import AbstractIntegrator, Flow, Limits, OnStep, Progress, Solution, Watch
from anholonomy.simulate.pieces.mode import Mode

__all__ = ["Leg"]


@final
@dataclass(frozen=True)
class Leg:
    """A flow whose first ``size`` states are those of a chart; what follows are switching functions, which only steer the steps."""

    integrator: AbstractIntegrator
    flow: Flow
    size: int
    tolerance: float
    limits: Limits
    mode: Mode | None = None

    def padded(self, x: Array) -> Array:
        """A state of the chart as one of the flow."""
        return np.concatenate([x, np.zeros(len(self.flow.program.states) - self.size)])

    def all_padded(self, states: Array) -> Array:
        """The same for states along a motion, a row each."""
        more = len(self.flow.program.states) - self.size
        return np.pad(states, ((0, 0), (0, more))) if more else states

    def integrate(
        self,
        x: Array,
        times: Array,
        on_step: OnStep | None = None,
        watch: Watch | None = None,
        progress: Progress | None = None,
        pause: int = 1,
    ) -> Solution:
        """The states of the chart at the times."""
        solution = self.integrator.integrate(
            self.flow,
            self._start(float(times[0]), x),
            times,
            tolerance=self.tolerance,
            on_step=None if on_step is None else self._padded(on_step),
            watch=None if watch is None else lambda t, x: watch(t, x[:, : self.size]),
            progress=progress,
            limits=self.limits,
            pause=pause,
        )
        if len(self.flow.program.states) == self.size:
            return solution
        states, end = solution.states[:, : self.size], solution.stop_state[: self.size]
        return replace(solution, states=states, stop_state=end)

    def _start(self, t: float, x: Array) -> Array:
        """A state with the values of its switching functions: their size, where their rate vanishes and tells none."""
        if self.mode is None:
            return self.padded(x)
        return np.concatenate([x, np.nan_to_num(self.mode.watched(t, x)[0], posinf=0.0, neginf=0.0)])

    def move(self, t: float, x: Array, s: float) -> Array:
        """The state at the time ``s`` from ``x`` at ``t``."""
        return x if s == t else self.integrate(x, np.array([t, s])).stop_state

    def _padded(self, on_step: OnStep) -> OnStep:
        def padded(t: float, x: Array) -> Array | bool | None:
            verdict = on_step(t, x[: self.size])
            return np.concatenate([verdict, x[self.size :]]) if isinstance(verdict, np.ndarray) else verdict

        return padded if len(self.flow.program.states) > self.size else on_step
