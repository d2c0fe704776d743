"""A block of members, integrated in rounds: in one chart as far as it serves, in the next from there on; who cannot go with others goes alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.base import Array
from anholonomy.ensembles.kernel.kernel import Block, Halt
from anholonomy.ensembles.members.flights import Flight, flight, obstacle
from anholonomy.ensembles.members.points import Points
from anholonomy.ensembles.question import Question
from anholonomy.refusals import InadmissibleState
from anholonomy.simulate.events.contact_losses import told_losses
from anholonomy.simulate.events.find import Event
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.pieces.charts import Chart, open_chart, reopen_chart
from anholonomy.simulate.pieces.integrate import declared_limits, timed
from anholonomy.simulate.problem import pose
from anholonomy.simulate.simulation import simulate

__all__ = ["Answer", "answered"]

_ROUNDS = 60
"""Charts after which the members that are still on their way go alone."""
_UNFINISHED, _ARRIVED, _LEFT, _TINY, _NOT_FINITE, _TOO_MANY = range(6)
_ENDS = {_TINY: Outcome.STEP_TOO_SMALL, _NOT_FINITE: Outcome.NOT_FINITE, _TOO_MANY: Outcome.TOO_MANY_STEPS}


@final
@dataclass
class Answer:
    """What became of members: samples (member, time, value), where each stopped, the sentences of those that did not reach the end, and events."""

    q: Array
    w: Array
    stop_times: Array
    complete: NDArray[np.bool_]
    said: dict[int, str] = field(default_factory=dict)
    events: dict[int, list[tuple[str, float]]] = field(default_factory=dict)
    alone: int = 0

    @classmethod
    def room(cls, question: Question, count: int) -> Answer:
        model, size = question.model, question.grid.size
        return cls(
            np.full((count, size, len(model.coordinates)), np.nan),
            np.full((count, size, len(model.velocities)), np.nan),
            np.full(count, question.grid[0]),
            np.zeros(count, dtype=bool),
        )


def answered(question: Question, points: Points, halt: Halt) -> Answer:
    """The motions from some points; without those that were on their way when it was halted."""
    return _Rounds(question, points, halt).run()


@final
class _Rounds:
    """Members on their way: where each is, which sample comes next."""

    def __init__(self, question: Question, points: Points, halt: Halt) -> None:
        self.question, self.starts, self.halt = question, points, halt
        self.points = Points(points.t.copy(), points.q.copy(), points.w.copy(), points.p)
        count = len(points.t)
        self.answer = Answer.room(question, count)
        self.next = np.zeros(count, dtype=np.int64)
        self.pending = np.ones(count, dtype=bool)
        self.left_alone: list[int] = []
        self.charts: list[Chart] = []

    def run(self) -> Answer:
        question = self.question
        goes_alone = question.options["integrator"] is not None or bool(question.watchlist)
        for _ in range(0 if goes_alone else _ROUNDS):
            if not self.pending.any() or self.halt[0]:
                break
            self.round()
        for i in sorted({*self.left_alone, *map(int, np.flatnonzero(self.pending))}):
            if not self.halt[0]:
                self.alone(i)
        return self.answer

    def round(self) -> None:
        """All members that a chart for the first of them serves, as far as it does."""
        waiting = np.flatnonzero(self.pending)
        ready = self.chart_for(int(waiting[0]))
        if ready is None:
            self.put_aside(waiting[:1])
            return
        x, quality = ready.states(self.points[waiting])
        goes = ready.serves(quality)
        if not goes[0]:
            self.put_aside(waiting[:1])
            return
        who, x = waiting[goes], x[goes]
        p = self.points.p[who]
        grid, limits = self.question.grid, self.limits(p)
        block = ready.kernel.integrate(
            self.points.t[who],
            x,
            p,
            grid,
            self.question.tolerance,
            self.halt,
            first=self.next[who],
            ends=limits[1],
            longest=limits[0],
            duration=abs(float(grid[-1] - grid[0])),
        )
        self.collect(ready, who, p, block)

    def limits(self, p: Array) -> tuple[Array, Array]:
        """The longest steps and the stops of members, a row each or one for all."""
        question = self.question
        found = [declared_limits(question.model, row, question.grid, question.limits) for row in self._distinct(p)]
        rows = [_stops(question.grid, each.breaks) for each in found]
        width = max(row.size for row in rows)
        padded = np.array([np.append(row, np.full(width - row.size, row[-1])) for row in rows])
        return np.array([each.longest for each in found]), padded

    def _distinct(self, p: Array) -> Array:
        """One row of parameters where steps do not depend on them."""
        model = self.question.model
        names = {s for part in timed(model.with_free_parameters) for s in part.free_symbols}
        used = [k for k, s in enumerate(model.parameter_symbols) if s in names]
        return p if used and np.ptp(p[:, used], axis=0).any() else p[:1]

    def chart_for(self, i: int) -> Flight | None:
        """A chart that is good where a member is."""
        question, point = self.question, self.points.point(self.question.model, i)
        try:
            fresh = self.points.t[i] == question.grid[0]
            parameters = self.points.p[i]
            chart = (
                open_chart(question.derivation, point, parameters)
                if fresh
                else reopen_chart(question.derivation, point)
            )
            if obstacle(chart):
                return None
            return flight(chart, float(self.points.t[i]), chart.state(point), parameters)
        except InadmissibleState:
            return None

    def put_aside(self, who: NDArray[np.int64]) -> None:
        self.left_alone += map(int, who)
        self.pending[who] = False

    def collect(self, ready: Flight, who: NDArray[np.int64], p: Array, block: Block) -> None:
        """Take over the samples of a round, and see who goes on."""
        answer, grid = self.answer, self.question.grid
        places = np.arange(grid.size)
        new = (places >= self.next[who][:, None]) & (places < block.filled[:, None])
        rows, columns = np.nonzero(new)
        if rows.size == new.size:  # all of them, as they lie
            found = ready.points(
                np.tile(grid, len(who)), block.out.reshape(rows.size, -1), np.repeat(p, grid.size, axis=0)
            )
        else:
            found = ready.points(grid[columns], block.out[rows, columns], p[rows])
        answer.q[who[rows], columns], answer.w[who[rows], columns] = found.q, found.w
        self.next[who] = block.filled
        answer.stop_times[who] = block.stop_times
        arrived = block.status == _ARRIVED
        answer.complete[who[arrived]] = True
        self.pending[who[block.status != _LEFT]] = False
        moved = block.status == _LEFT
        ends = ready.points(block.stop_times[moved], block.stop_states[moved], p[moved])
        self.points.t[who[moved]], self.points.q[who[moved]], self.points.w[who[moved]] = ends.t, ends.q, ends.w
        self.put_aside(who[moved & (block.steps == 0)])  # the next chart would be this one
        for status, outcome in _ENDS.items():
            for i, t in zip(who[block.status == status], block.stop_times[block.status == status], strict=True):
                self.answer.said[int(i)] = f"{outcome} (t = {t:.6g})"

    def alone(self, i: int) -> None:
        """A member by itself, as `simulate` integrates it."""
        question, answer = self.question, self.answer
        model, point = question.model, self.starts.point(question.model, i)
        names = (*model.coordinates, *model.velocities)
        parameters = {s.name: point[s] for s in model.parameter_symbols}
        start = {**{s.name: point[s] for s in names}, "t": float(self.starts.t[i])}
        problem = pose(
            question.declared,
            question.derivation,
            start,
            None,
            question.grid,
            parameters=parameters,
            tolerance=question.tolerance,
            project=True,
            **question.options,
        )
        record = simulate(problem)
        times, size = record.times, question.grid.size
        reached = np.isin(times, question.grid)
        count = int(reached.sum())
        assert count <= size
        answer.q[i, :count] = record.configurations[reached]
        seen = np.concatenate([piece.observed()["velocity"] for piece in record.pieces])
        answer.w[i, :count] = seen[reached]
        answer.stop_times[i] = times[-1]
        answer.complete[i] = record.run.is_complete and count == size
        answer.alone += 1
        met: list[Event] = [event for piece in record.pieces for event in piece.events]
        if met:
            answer.events[i] = [(event.name, float(event.time)) for event in met]
        lost = told_losses(question.watchlist.sided, [(event.name, event.time) for event in met])
        if not answer.complete[i] or lost:
            ending = Outcome.REACHED_END.value if answer.complete[i] else record.run.ending
            answer.said[i] = ending + lost


def _stops(grid: Array, breaks: Array) -> Array:
    """Where steps must end, in the order in which they come."""
    direction = 1.0 if grid[-1] >= grid[0] else -1.0
    begin, end = direction * grid[0], direction * grid[-1]
    along = np.unique(direction * breaks)
    return np.asarray(direction * np.append(along[(along > begin) & (along < end)], end))
