"""From a system and a start to a trajectory: complete the start, open a chart, integrate, look at the motion.

The reduced equations (Hamel's quasi-velocities) are integrated by default, because they cannot leave the
constraints. Principles in full velocities are put back on the constraints after every step.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy._version import __version__
from anholonomy.compile.backends.base import Array
from anholonomy.formulations import formulation
from anholonomy.formulations.base import AbstractFormulation
from anholonomy.refusals import InadmissibleState, IntegrationProblem, UnknownName
from anholonomy.simulate.charts import Chart, open_chart, reopen_chart
from anholonomy.simulate.integrators.base import Flow, OnStep, Progress, Solution
from anholonomy.simulate.integrators.choose import choose_integrator
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.projection import projector
from anholonomy.simulate.schema import dataset
from anholonomy.symbolic.balls import precision
from anholonomy.symbolic.expressions import Symbol, time
from anholonomy.system.files import to_toml
from anholonomy.system.model import Model
from anholonomy.system.states import complete_state

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["simulate"]

SAMPLES = 1001
"""How many times a motion is reported at when only its end is given."""
MACHINE = float(np.finfo(float).eps)

_MAX_CHARTS = 100_000


def simulate(
    model: Model,
    start: Mapping[str, object],
    until: float | None = None,
    times: Sequence[float] | Array | None = None,
    *,
    by: str | AbstractFormulation | None = None,
    parameters: Mapping[str, float] | None = None,
    tolerance: float = MACHINE,
    integrator: str | None = None,
    project: bool = False,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Integrate the motion from ``start`` and return it on a grid of times.

    ``progress`` is called with the fraction done. ``until`` gives the end (the start is at ``t`` of ``start``, or 0), ``times`` the grid itself.
    """
    principle = _principle(model, by)
    _check_tolerance(model, tolerance)
    values = {**_overriding(model, parameters), **start} if isinstance(start, Mapping) else start
    with precision(30):
        point = {s: float(v.mid()) for s, v in complete_state(model, values, project).items()}
    grid = _grid(model, start, point[time], until, times)
    point[time] = float(grid[0])
    p = np.array([point[s] for s in model.parameter_symbols])
    run = _Run(model, principle, p, tolerance, integrator, _fraction(progress, grid))
    pieces = run.integrate(point, grid)
    observed = np.concatenate([piece.observed for piece in pieces])
    reached = np.concatenate([piece.solution.times for piece in pieces])
    width = len(model.coordinates)
    q = np.concatenate([piece.solution.states[:, :width] for piece in pieces])
    return dataset(model, reached, q, observed, run.provenance(pieces, reached.size == grid.size))


@dataclass
class _Piece:
    """A stretch of motion in one chart."""

    chart: Chart
    solution: Solution
    observed: Array


@dataclass
class _Run:
    """One simulation: what does not change from chart to chart."""

    model: Model
    principle: AbstractFormulation
    p: Array
    tolerance: float
    integrator_name: str | None
    progress: Progress | None
    notes: dict[str, str] = field(default_factory=dict)
    dead_end: str = ""

    def integrate(self, point: dict[Symbol, float], grid: Array) -> list[_Piece]:
        pieces: list[_Piece] = []
        try:
            chart: Chart | None = open_chart(self.model, self.principle, point, self.p)
            while chart is not None and len(pieces) < _MAX_CHARTS:
                pieces.append(self.piece(chart, point, grid))
                grid = grid[pieces[-1].solution.times.size :]
                chart, point = self.next_chart(pieces, grid)
        except KeyboardInterrupt:  # between two pieces; within one the integrator keeps what it has
            if not pieces:
                raise
            self.dead_end = f"{Outcome.INTERRUPTED} (t = {pieces[-1].solution.stop_time:.6g})"
        return pieces

    def next_chart(self, pieces: Sequence[_Piece], left: Array) -> tuple[Chart | None, dict[Symbol, float]]:
        """Where and in which chart the motion goes on; None when it has ended."""
        last, solution = pieces[-1], pieces[-1].solution
        done = solution.outcome not in (Outcome.STOPPED, Outcome.NOT_FINITE, Outcome.STEP_TOO_SMALL)
        if done or not left.size or not np.isfinite(solution.stop_state).all():
            return None, {}
        if self.progress is not None:  # a short piece may end before the integrator says anything
            self.progress(solution.stop_time)
        point = self.point_at(last.chart, solution)
        try:
            following = reopen_chart(self.model, self.principle, point)
        except InadmissibleState as problem:
            self.dead_end = (
                f"the motion reached a state where it cannot go on (t = {solution.stop_time:.6g}): {problem}"
            )
            return None, {}
        if solution.outcome is not Outcome.STOPPED and (following is last.chart or len(pieces) > 1):
            return None, {}
        return following, point

    def piece(self, chart: Chart, point: dict[Symbol, float], grid: Array) -> _Piece:
        x, t = chart.state(point), point[time]
        # A later chart starts between two times of the grid.
        times = grid if grid[0] == t else np.concatenate([[t], grid])
        straight = chart.straight(t, x, self.p)
        chosen = choose_integrator(straight, self.tolerance, self.integrator_name)
        program = straight if chosen.name == "taylor" else chart.compiled.rates
        self.notes = {"integrator": chosen.name, "integrator_reason": chosen.reason}
        solution = chosen.integrate(
            Flow(program, self.p),
            x,
            times,
            tolerance=self.tolerance,
            on_step=self.on_step(chart, t, x),
            progress=self.progress,
        )
        if times is not grid:
            solution = Solution(
                solution.times[1:], solution.states[1:], solution.outcome,
                solution.stop_time, solution.stop_state, solution.steps, solution.statistics,
            )  # fmt: skip
        return _Piece(chart, solution, chart.observe_all(solution.times, solution.states, self.p))

    def on_step(self, chart: Chart, t: float, x: Array) -> OnStep | None:
        """Watch the chart, or put full velocities back on the constraints."""
        if chart.equations.speeds == self.model.velocities and self.model.constraints:
            return projector(self.model, self.p)
        return chart.watch(t, x, self.p)

    def point_at(self, chart: Chart, solution: Solution) -> dict[Symbol, float]:
        """Where a piece ended, in coordinates and velocities."""
        velocities = chart.observe(solution.stop_time, solution.stop_state, self.p)[: len(self.model.velocities)]
        values = [*solution.stop_state[: len(self.model.coordinates)], *velocities]
        point = dict(zip((*self.model.coordinates, *self.model.velocities), map(float, values), strict=True))
        parameters = dict(zip(self.model.parameter_symbols, map(float, self.p), strict=True))
        return {**point, **parameters, time: solution.stop_time}

    def provenance(self, pieces: Sequence[_Piece], complete: bool) -> dict[str, object]:
        last = pieces[-1].solution
        values = dict(zip((s.name for s in self.model.parameter_symbols), map(float, self.p), strict=True))
        return {
            "declaration": to_toml(self.model),
            "parameters": json.dumps(values),
            "principle": self.principle.name,
            **self.notes,
            "tolerance": self.tolerance,
            "outcome": Outcome.REACHED_END.value if complete else self.dead_end or last.message,
            "complete": int(complete),
            "steps": sum(piece.solution.steps for piece in pieces),
            "charts": len(pieces),
            "anholonomy": __version__,
        }


def _fraction(progress: Progress | None, grid: Array) -> Progress | None:
    """Progress in time as progress from 0 to 1."""
    if progress is None or grid.size < 2:
        return progress
    return lambda t: progress((t - grid[0]) / (grid[-1] - grid[0]))


def _principle(model: Model, by: str | AbstractFormulation | None) -> AbstractFormulation:
    if by is not None:
        return formulation(by)
    reduced = formulation("hamel")
    return reduced if reduced.covers(model) else formulation("lagrange-dalembert")


def _grid(model: Model, start: Mapping[str, object], t0: float, until: float | None, times: Any) -> Array:
    """The times to report, the first being the time of the start."""
    if (until is None) == (times is None):
        raise IntegrationProblem(f"{model.name}: give either `until` or `times`, to say how long the motion lasts.")
    if until is not None:
        if not isinstance(until, Real) or not np.isfinite(float(until)):
            raise IntegrationProblem(
                f"{model.name}: until={until!r} is not a finite number; give one, or `times` for a list."
            )
        if until == t0:
            raise IntegrationProblem(
                f"{model.name}: until={until!r} is the time of the start, t={t0:g}; give another end."
            )
        return np.linspace(t0, float(until), SAMPLES)
    try:
        grid = np.asarray(times, dtype=float)
    except (TypeError, ValueError):
        raise IntegrationProblem(f"{model.name}: `times` must be a list of numbers.") from None
    if grid.ndim != 1 or grid.size == 0 or not np.isfinite(grid).all():
        raise IntegrationProblem(f"{model.name}: `times` must be a list of finite numbers, at least one.")
    gaps = np.diff(grid)
    if not ((gaps > 0).all() or (gaps < 0).all()):
        raise IntegrationProblem(f"{model.name}: `times` must increase, or decrease, from each to the next; sort them.")
    if "t" in start and grid[0] != t0:
        raise IntegrationProblem(
            f"{model.name}: the start is at t={t0:g} but `times` begins at {grid[0]:g}; make them equal."
        )
    return grid


def _check_tolerance(model: Model, tolerance: object) -> None:
    if not isinstance(tolerance, Real) or not 0 < float(tolerance) < 1:
        raise IntegrationProblem(f"{model.name}: tolerance={tolerance!r} is not a number between 0 and 1; 1e-9 is one.")


def _overriding(model: Model, parameters: object) -> Mapping[str, object]:
    """Values that replace those of the system for one run."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        raise IntegrationProblem(f"{model.name}: `parameters` is {parameters!r}; give a dict from names to numbers.")
    if unknown := [p for p in parameters if p not in model.parameters]:
        known = ", ".join(model.parameters) or "none"
        raise UnknownName(f"{model.name} has no parameter {unknown[0]!r}; its parameters are {known}.")
    return parameters
