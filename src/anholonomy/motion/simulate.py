"""The verb for one motion, and the record that it leaves: pieces as a dataset.

The reduced equations (Kane's or Hamel's, in quasi-velocities) are integrated by default, because they cannot leave the
constraints. Principles in full velocities are projected onto them after every eighth step, and after every step where a
constraint is on positions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from anholonomy._version import __version__
from anholonomy.base.caching import cached_property
from anholonomy.motion.dataset.one_motion import Speeds, dataset, over_time, with_events
from anholonomy.motion.driver.one_motion import Piece, Run
from anholonomy.motion.events.contact_losses import told_losses
from anholonomy.motion.integrators.base import Outcome, Progress
from anholonomy.motion.problem.one_motion import Problem
from anholonomy.programs.backends.base import Array
from anholonomy.system.constraints import Constraint
from anholonomy.system.declaration.toml import to_toml

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Record", "simulate"]


def simulate(problem: Problem, progress: Progress | None = None) -> Record:
    """The motion on the grid of the problem; ``progress`` is called with the fraction done."""
    run = Run(problem, _fraction(progress, problem.grid))
    return Record(problem, run, tuple(run.integrate()))


@final
@dataclass(frozen=True, eq=False)
class Record:
    """What an integration left: the states of every piece. What one may ask of them is computed when it is asked."""

    problem: Problem
    run: Run
    pieces: tuple[Piece, ...]

    @cached_property
    def times(self) -> Array:
        return np.concatenate([piece.solution.times for piece in self.pieces])

    @cached_property
    def configurations(self) -> Array:
        """The coordinates, a row for each time."""
        width = len(self.problem.model.coordinates)
        return np.concatenate([piece.solution.states[:, :width] for piece in self.pieces])

    @cached_property
    def inputs(self) -> dict[str, Array]:
        """What the inputs were at the times."""
        written = self.problem.driven.written
        if not written:
            return {}
        rows = np.concatenate([piece.values(tuple(written.values())) for piece in self.pieces])
        return dict(zip(written, rows.T, strict=True))

    def coordinate(self, name: object) -> xr.DataArray | None:
        """A coordinate over time, by its name, without the rest of the dataset; None where it is none."""
        names = [q.name for q in self.problem.model.coordinates]
        if name not in names:
            return None
        return over_time(str(name), self.times, self.configurations[:, names.index(str(name))])

    @cached_property
    def dataset(self) -> xr.Dataset:
        """Everything in the schema of trajectories."""
        problem, pieces = self.problem, self.pieces
        rows = _rows(problem, pieces)
        observed = _joined([_in_rows(piece, rows) for piece in pieces])
        speeds, attributes = _speeds(problem, pieces), _provenance(problem, self.run, pieces)
        model = problem.model.replaced(constraints=rows)
        data = dataset(model, self.times, self.configurations, observed, speeds, attributes, self.inputs)
        events = [event for piece in pieces for event in piece.events]
        if not events:
            return data
        velocities = _joined([piece.at_events() for piece in pieces])["velocity"]
        places = np.array([event.state[: self.configurations.shape[1]] for event in events])
        return with_events(data, [event.name for event in events], [event.time for event in events], places, velocities)


def _rows(problem: Problem, pieces: tuple[Piece, ...]) -> tuple[Constraint, ...]:
    """The constraints in force on some piece: where some follow from others, these may be exchanged on the way."""
    used = {c.label: c for piece in pieces for c in piece.runnable.equations.model.constraints}
    return tuple({c.label: c for c in (*problem.model.constraints, *used.values())}.values())


def _in_rows(piece: Piece, rows: tuple[Constraint, ...]) -> dict[str, Array]:
    """What is observed, with a column for each of the constraints: one that others stand in for has no multiplier of its own."""
    observed, own = piece.observed(), [c.label for c in piece.runnable.equations.model.constraints]
    if own == [c.label for c in rows]:
        return observed
    times, states = piece.solution.times, piece.solution.states
    multipliers = np.zeros((times.size, len(rows)))
    for k, c in enumerate(rows):
        if c.label in own:
            multipliers[:, k] = observed["multiplier"][:, own.index(c.label)]
    residuals = piece.runnable.events(tuple(c.expression for c in rows))
    residual = residuals(times, states.T, piece.parameters_at(times, states)).T if times.size else multipliers
    return {**observed, "multiplier": multipliers, "residual": residual}


def _joined(parts: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _speeds(problem: Problem, pieces: tuple[Piece, ...]) -> Speeds:
    """The speeds of each piece that have no other place in the dataset."""
    width, elsewhere = len(problem.model.coordinates), set(problem.model.velocities)
    used = [[u for u in piece.runnable.equations.speeds if u not in elsewhere] for piece in pieces]
    costates = set(pieces[0].runnable.equations.costates)
    names = list(dict.fromkeys(u for speeds in used for u in speeds if u not in costates))
    runnables = list(dict.fromkeys(piece.runnable for piece in pieces))
    values, frames = [], []
    for piece in pieces:
        speeds = piece.runnable.equations.speeds
        rows = np.full((piece.solution.times.size, len(names)), np.nan)
        for k, u in enumerate(names):
            if u in speeds:
                rows[:, k] = piece.solution.states[:, width + speeds.index(u)]
        values.append(rows)
        frames.append(np.full(len(rows), runnables.index(piece.runnable)))
    return Speeds(tuple(u.name for u in names), np.concatenate(values), np.concatenate(frames))


def _provenance(problem: Problem, run: Run, pieces: tuple[Piece, ...]) -> dict[str, object]:
    """Where the numbers came from."""
    values = zip((s.name for s in problem.model.parameter_symbols), map(float, problem.parameters), strict=True)
    asked = {**problem.asked, **({"inputs": problem.driven.words()} if problem.driven else {})}
    sided = problem.watchlist.sided
    stopped = any(event.name in problem.watchlist.stopping for event in pieces[-1].events)
    met = [(event.name, event.time) for piece in pieces for event in piece.events]
    ending = Outcome.REACHED_END.value if run.is_complete and not stopped else run.ending
    costates = pieces[0].runnable.equations.costates
    return {
        "declaration": to_toml(problem.declared),
        "parameters": json.dumps({name: value for name, value in values if not name.startswith("$")}),
        "principle": problem.derivation.principle.name,
        **({"costates": " ".join(mu.name for mu in costates)} if costates else {}),
        **({"one_sided": json.dumps(sided)} if sided else {}),
        **({"asked": json.dumps(asked)} if asked else {}),
        **_method(run),
        "tolerance": problem.tolerance,
        "outcome": ending + told_losses(sided, met[:-1] if stopped else met),
        "complete": int(run.is_complete),
        "steps": sum(piece.solution.steps for piece in pieces),
        "charts": len(pieces) - run.legs,
        "anholonomy": __version__,
    }


def _method(run: Run) -> dict[str, str]:
    """The integrator of the last piece, and why it was chosen."""
    chosen = run.integrator
    return {} if chosen is None else {"integrator": chosen.name, "integrator_reason": chosen.reason}


def _fraction(progress: Progress | None, grid: Array) -> Progress | None:
    """Progress in time as progress from 0 to 1."""
    if progress is None or grid.size < 2:
        return progress
    return lambda t: progress((t - grid[0]) / (grid[-1] - grid[0]))
