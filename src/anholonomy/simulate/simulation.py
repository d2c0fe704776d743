"""From a system and a start to a trajectory: pose the problem, integrate it piece by piece, look at the motion.

The reduced equations (Hamel's quasi-velocities) are integrated by default, because they cannot leave the
constraints. Principles in full velocities are put back on the constraints after every step.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from anholonomy._version import __version__
from anholonomy.compile.backends.base import Array
from anholonomy.simulate.integrators.base import Progress
from anholonomy.simulate.losses import told_losses
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.pieces import Piece, Run
from anholonomy.simulate.problem import Problem
from anholonomy.simulate.schema import Speeds, dataset, with_events
from anholonomy.system.files import to_toml

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["simulate"]


def simulate(problem: Problem, progress: Progress | None = None) -> xr.Dataset:
    """The motion on the grid of the problem; ``progress`` is called with the fraction done."""
    run = Run(problem, _fraction(progress, problem.grid))
    pieces = run.integrate()
    times = np.concatenate([piece.solution.times for piece in pieces])
    observed = np.concatenate([piece.observed() for piece in pieces])
    width = len(problem.model.coordinates)
    q = np.concatenate([piece.solution.states[:, :width] for piece in pieces])
    data = dataset(problem.model, times, q, observed, _speeds(problem, pieces), _provenance(problem, run, pieces))
    events = [event for piece in pieces for event in piece.events]
    if not events:
        return data
    at_events = np.concatenate([piece.at_events() for piece in pieces])
    places = np.array([event.state[:width] for event in events])
    return with_events(data, [event.name for event in events], [event.time for event in events], places, at_events)


def _speeds(problem: Problem, pieces: list[Piece]) -> Speeds:
    """The speeds of each piece that have no other place in the dataset."""
    width, elsewhere = len(problem.model.coordinates), set(problem.model.velocities)
    used = [[u for u in piece.chart.equations.speeds if u not in elsewhere] for piece in pieces]
    costates = set(pieces[0].chart.equations.costates)
    names = list(dict.fromkeys(u for speeds in used for u in speeds if u not in costates))
    charts = list(dict.fromkeys(piece.chart for piece in pieces))
    values, frames = [], []
    for piece in pieces:
        speeds = piece.chart.equations.speeds
        rows = np.full((piece.solution.times.size, len(names)), np.nan)
        for k, u in enumerate(names):
            if u in speeds:
                rows[:, k] = piece.solution.states[:, width + speeds.index(u)]
        values.append(rows)
        frames.append(np.full(len(rows), charts.index(piece.chart)))
    return Speeds(tuple(u.name for u in names), np.concatenate(values), np.concatenate(frames))


def _provenance(problem: Problem, run: Run, pieces: list[Piece]) -> dict[str, object]:
    """Where the numbers came from."""
    names = (s.name for s in problem.model.parameter_symbols)
    sided = problem.watchlist.sided
    stopped = any(event.name in problem.watchlist.stopping for event in pieces[-1].events)
    met = [(event.name, event.time) for piece in pieces for event in piece.events]
    ending = Outcome.REACHED_END.value if run.is_complete and not stopped else run.ending
    costates = pieces[0].chart.equations.costates
    return {
        "declaration": to_toml(problem.declared),
        "parameters": json.dumps(dict(zip(names, map(float, problem.parameters), strict=True))),
        "principle": problem.principle.name,
        **({"costates": " ".join(mu.name for mu in costates)} if costates else {}),
        **({"one_sided": json.dumps(sided)} if sided else {}),
        **({"asked": json.dumps(problem.asked)} if problem.asked else {}),
        **run.notes,
        "tolerance": problem.tolerance,
        "outcome": ending + told_losses(sided, met[:-1] if stopped else met),
        "complete": int(run.is_complete),
        "steps": sum(piece.solution.steps for piece in pieces),
        "charts": len(pieces) - run.legs,
        "anholonomy": __version__,
    }


def _fraction(progress: Progress | None, grid: Array) -> Progress | None:
    """Progress in time as progress from 0 to 1."""
    if progress is None or grid.size < 2:
        return progress
    return lambda t: progress((t - grid[0]) / (grid[-1] - grid[0]))
