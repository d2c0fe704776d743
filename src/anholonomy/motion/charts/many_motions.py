"""A chart made ready for many members: its kernel, its speeds from velocities, $u = S^{+}(w - s)$, and velocities from speeds.

What the chart must not lose on the way is one program: its frame, pivots, divisors and the signs of what jumps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.base.caching import cached_property
from anholonomy.base.errors import StateError
from anholonomy.equations.derivation import Derivation
from anholonomy.geometry.adapted_frame import AS_GOOD, SHRUNK, WORSE
from anholonomy.motion.charts.one_motion import RunnableEquations, runnable_at, runnable_at_start
from anholonomy.motion.charts.projection import projector
from anholonomy.motion.integrators.lanes import Kernel, Watching, kernel_of
from anholonomy.motion.starts.many_motions import Points, as_columns
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.program import Program, joined, lower
from anholonomy.system.model import Model

__all__ = ["Flight", "flight", "flight_at", "obstacle"]


@lru_cache(maxsize=64)
def watching(runnable: RunnableEquations, straight: Program) -> Watching | None:
    """What is watched of the motions in a chart by a program; None where nothing can fail."""
    e, compiled = runnable.equations, runnable.compiled
    model, modes, span = e.model, compiled.modes, compiled.span
    own = straight.of_pivots if straight.pivots else None
    jumps = touched = None
    if modes is not None:
        inputs = e.state, model.parameter_symbols, e.unknown_steps
        jumps = lower(*inputs, modes.switches) if modes.switches else None
        touched = lower(*inputs, modes.touches) if modes.touches else None
    shrinking = [each for each in (compiled.pivots, own, touched) if each is not None]
    programs = [each for each in (span, *shrinking, compiled.divisors, jumps) if each is not None]
    if not programs:
        return None
    vectors = 0 if span is None else len(span.outputs) // len(model.velocities)
    return Watching(
        joined(programs),
        vectors,
        len(model.velocities) if vectors else 0,
        sum(len(each.outputs) for each in shrinking),
        WORSE,
        SHRUNK,
    )


def obstacle(runnable: RunnableEquations) -> str:
    """Why the motions in a chart cannot go side by side; empty where they can."""
    e = runnable.equations
    if e.costates or e.speed_values or e.frame is None:
        return "its speeds are none of a frame"
    if e.speeds[: len(e.model.velocities)] == e.model.velocities and e.model.velocity_constraints:
        return "its states are projected onto the constraints after every few steps"
    if e.model.spare_constraints:
        return "constraints are exchanged on the way"
    return "ranks are found at every step" if runnable.compiled.rates.has_least_squares else ""


@final
@dataclass(frozen=True, eq=False)
class Flight:
    """Equations with machine code for many members."""

    runnable: RunnableEquations
    kernel: Kernel
    program: Program
    """The rates of which the kernel was made."""

    @cached_property
    def _vectors(self) -> Function:
        """The vectors $S$ of the frame and its shift $s$, from coordinates."""
        e = self.runnable.equations
        assert e.frame is not None
        entries = [*(entry for row in e.frame.span_ba for entry in row), *e.frame.offset_a]
        return fast_function(lower(e.model.coordinates, e.model.parameter_symbols, e.frame.definitions, entries))

    @cached_property
    def _velocities(self) -> Function:
        return fast_function(self.runnable.compiled.values_of(self.runnable.equations.model.velocities))

    def states(self, points: Points) -> tuple[Array, Array]:
        """The states of points, a row each, and how far the frame is from failing there."""
        e = self.runnable.equations
        if e.speeds == e.model.velocities:
            return np.hstack([points.q, points.w]), np.ones(len(points.q))
        from anholonomy.motion.charts.compiled_frames import speeds

        count, n = points.q.shape
        x, quality = np.empty((count, n + len(e.speeds))), np.empty(count)
        x[:, :n] = points.q
        with np.errstate(all="ignore"):
            values = self._vectors(points.t, points.q.T, as_columns(points.p))
        speeds(values, np.ascontiguousarray(points.w.T), len(e.speeds), x, quality)
        return x, quality

    def serves(self, quality: Array, first: float | None = None) -> NDArray[np.bool_]:
        """Which of some members may go in this frame, chosen for the first of them, or for another of the quality ``first``."""
        if self.runnable.span is None:
            return np.asarray(quality > 0)
        return np.asarray(quality > AS_GOOD * min(float(quality[0]) if first is None else first, 1.0))

    def points(self, t: Array, x: Array, p: Array) -> Points:
        """States, a row each, as points; on the group where there is one."""
        model = self.runnable.equations.model
        if model.invariants and len(x):
            back = projector(model, p.T, False)
            x = x if back is None else back(t, x)
        if not len(x):
            return Points(t, x[:, : len(model.coordinates)], np.empty((0, len(model.velocities))), p)
        if self.runnable.equations.speeds == model.velocities:
            w = x[:, len(model.coordinates) :]
        else:
            w = self._velocities(t, x.T, as_columns(p)).T
        return Points(t, x[:, : len(model.coordinates)], w, p)


def flight(runnable: RunnableEquations, t: float, x: Array, p: Array) -> Flight:
    """Equations made ready, their pivots chosen at a state."""
    straight = runnable.straight(t, x, p)
    return _flight(runnable, kernel_of(straight, watching(runnable, straight)), straight)


def flight_at(derivation: Derivation, model: Model, points: Points, i: int, begins: bool = True) -> Flight | None:
    """Equations made ready where a member begins, or is on its way; None where they cannot serve others."""
    point, p = points.point(model, i), points.p[i]
    try:
        runnable = runnable_at_start(derivation, point, p) if begins else runnable_at(derivation, point)
        return None if obstacle(runnable) else flight(runnable, float(points.t[i]), runnable.state(point), p)
    except StateError:
        return None


@lru_cache(maxsize=64)
def _flight(runnable: RunnableEquations, kernel: Kernel, straight: Program) -> Flight:
    return Flight(runnable, kernel, straight)
