"""A block of members, integrated in rounds: in one chart as far as it serves, in the next from there on.

Members that cannot go side by side, or not any further, are integrated one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.equations.lagrangian import energy, potential_of
from anholonomy.motion.charts.many_motions import Flight, flight_at
from anholonomy.motion.charts.one_motion import has_jumped
from anholonomy.motion.driver.step_limits import bounds
from anholonomy.motion.events.contact_losses import told_losses
from anholonomy.motion.events.many_motions import met_events
from anholonomy.motion.events.one_motion import Event, finer, refined
from anholonomy.motion.integrators import RungeKutta, Taylor
from anholonomy.motion.integrators.base import Outcome
from anholonomy.motion.integrators.lanes import Block, Halt
from anholonomy.motion.integrators.lanes_layout import ARRIVED, LEFT, NOT_FINITE, TINY, TOO_MANY
from anholonomy.motion.integrators.taylor_lanes import by_taylor, is_faster
from anholonomy.motion.observables.many_motions import Observables
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.problem.one_motion import pose
from anholonomy.motion.signals.many_motions import from_time, legs
from anholonomy.motion.simulate import simulate
from anholonomy.motion.starts.many_motions import ROOM, Points, repeated
from anholonomy.programs.backends.base import Array

__all__ = ["Answer", "answered", "leading"]

_ROUNDS = 60
"""Charts after which the members that are still on their way go alone."""
_ENDS = {TINY: Outcome.STEP_TOO_SMALL, NOT_FINITE: Outcome.NOT_FINITE, TOO_MANY: Outcome.TOO_MANY_STEPS}


@final
@dataclass
class Answer:
    """What became of members: samples (member, time, value), where each stopped, the sentences of those that did not reach the end, and events."""

    q: Array
    w: Array
    stop_times: Array
    complete: NDArray[np.bool_]
    steps: NDArray[np.int64]
    said: dict[int, str] = field(default_factory=dict)
    events: dict[int, list[tuple[str, float]]] = field(default_factory=dict)
    solo: set[int] = field(default_factory=set)
    """Those that went alone."""
    end_q: Array | None = None
    end_w: Array | None = None
    """Where each member was at its end, or at the event that stopped it."""

    def end_at_last(self) -> None:
        """Those that were not stopped end with their last sample."""
        if self.end_q is None or self.end_w is None:
            self.end_q, self.end_w = self.q[:, -1].copy(), self.w[:, -1].copy()
            return
        others = np.isnan(self.end_q).all(axis=1)
        self.end_q[others], self.end_w[others] = self.q[others, -1], self.w[others, -1]

    def at(self, places: NDArray[np.intp]) -> Answer:
        """The same with some of the samples."""
        if places.size == self.q.shape[1]:
            return self
        return replace(self, q=self.q[:, places], w=self.w[:, places])

    @property
    def alone(self) -> int:
        return len(self.solo)

    def take(self, who: NDArray[np.intp], other: Answer) -> None:
        """Put in what became of some members when they were asked again."""
        for each in ("q", "w", "stop_times", "complete", "steps", "end_q", "end_w"):
            if getattr(self, each) is not None:
                getattr(self, each)[who] = getattr(other, each)
        for i, member in enumerate(map(int, who)):
            self.said.pop(member, None)
            self.events.pop(member, None)
            if i in other.said:
                self.said[member] = other.said[i]
            if i in other.events:
                self.events[member] = other.events[i]
        self.solo |= {int(who[i]) for i in other.solo}

    def stop(self, i: int, name: str, t: float, q: Array, w: Array, after: NDArray[np.bool_]) -> None:
        """End a member at an event."""
        if self.end_q is None or self.end_w is None:
            self.end_q, self.end_w = np.full_like(self.q[:, -1], np.nan), np.full_like(self.w[:, -1], np.nan)
        self.end_q[i], self.end_w[i] = q, w
        self.q[i, after], self.w[i, after] = np.nan, np.nan
        self.stop_times[i], self.complete[i] = t, True
        self.said[i] = f"the motion was stopped by the event {name} (t = {t:.6g})"

    @classmethod
    def room(cls, question: Question, count: int) -> Answer:
        model, size = question.model, question.grid.size
        return cls(
            np.full((count, size, len(model.coordinates)), np.nan),
            np.full((count, size, len(model.velocities)), np.nan),
            np.full(count, question.grid[0]),
            np.zeros(count, dtype=bool),
            np.zeros(count, dtype=np.int64),
        )


@final
@dataclass(frozen=True)
class Lead:
    """The chart of the first member of all, which others try first, and how good it is there."""

    ready: Flight
    quality: float


def leading(question: Question, points: Points) -> Lead | None:
    """The lead of the first of some points; None where it has none."""
    if (ready := flight_at(question.derivation, question.model, points, 0)) is None:
        return None
    first = points[:1]
    x, quality = ready.states(first)
    if not quality[0] > 0:
        return None
    ready.points(first.t, x, first.p)  # so that all of it is compiled once, before several threads need it
    return Lead(ready, float(quality[0]))


def answered(question: Question, points: Points, halt: Halt, lead: Lead | None = None) -> Answer:
    """The motions from some points; without those that were on their way when it was halted."""
    if question.driven:
        return _leg_by_leg(question, points, halt)
    answer = _Rounds(question, points, halt, lead).run()
    if question.watchlist:
        _look_again(question, points, halt, answer)
    return answer


def _look_again(question: Question, points: Points, halt: Halt, answer: Answer) -> None:
    """Members whose motions turn too often for the samples on which events were looked for, with more of them."""
    size = refined(question.grid)[0].size
    needed = np.array([finer(int(n), size, size) for n in answer.steps])
    needed[list(answer.solo)] = 0  # who was looked at as `simulate` does it
    width = 8 * (answer.q.shape[2] + answer.w.shape[2])
    waiting = np.argsort(needed, kind="stable")[np.count_nonzero(needed == 0) :]
    while waiting.size and not halt[0]:
        who = np.sort(waiting[-max(1, ROOM // int(width * needed[waiting[-1]])) :])
        waiting = waiting[~np.isin(waiting, who)]
        answer.take(who, _Rounds(question, points[who], halt, None, int(needed[who].max())).run())


def _leg_by_leg(question: Question, points: Points, halt: Halt) -> Answer:
    """Motions driven by data: from knot to knot, with new coefficients from each."""
    driven, forward, grid = question.driven, question.forward, question.grid
    whole, who, model = Answer.room(question, len(points.t)), np.arange(len(points.t)), question.whole
    whole.end_q, whole.end_w = np.full_like(whole.q[:, -1], np.nan), np.full_like(whole.w[:, -1], np.nan)
    for begin, end in pairwise(legs(driven, grid)):
        inside = (forward * (grid - begin) >= 0) & (forward * (grid - end) <= 0)
        own = np.unique(forward * np.concatenate([[begin], grid[inside], [end]])) * forward
        points = replace(points, p=from_time(driven, points.p, float(begin), forward))
        part = replace(question, declared=model, grid=own, driven=replace(driven, signals={}))
        found = _Rounds(part, points, halt, leading(part, points)).run()
        places = np.searchsorted(forward * own, forward * grid[inside])
        whole.q[np.ix_(who, inside)], whole.w[np.ix_(who, inside)] = found.q[:, places], found.w[:, places]
        whole.steps[who] += found.steps
        whole.stop_times[who], whole.end_q[who], whole.end_w[who] = found.stop_times, found.end_q, found.end_w
        whole.said |= {int(who[i]): text for i, text in found.said.items()}
        for i, met in found.events.items():
            whole.events.setdefault(int(who[i]), []).extend(met)
        whole.solo |= {int(who[i]) for i in found.solo}
        stopped = found.stop_times != end
        whole.complete[who] = found.complete & ((end == grid[-1]) | stopped)
        on = found.complete & ~stopped
        if halt[0] or not on.any():
            break
        who = who[on]
        points = Points(np.full(len(who), end), found.q[on, -1], found.w[on, -1], points[on].p)
    return whole


@final
class _Rounds:
    """Members on their way: where each is, which sample comes next."""

    def __init__(
        self, question: Question, points: Points, halt: Halt, lead: Lead | None, samples: int | None = None
    ) -> None:
        self.question, self.starts, self.halt, self.lead, self.samples = question, points, halt, lead, samples
        self.points = points
        count = len(points.t)
        self.answer = Answer.room(question, count)
        self.next = np.zeros(count, dtype=np.int64)
        self.pending = np.ones(count, dtype=bool)
        self.left_alone: list[int] = []

    def run(self) -> Answer:
        asked = self.question
        goes_alone = asked.options["integrator"] not in (None, RungeKutta.name, Taylor.name)
        fine, places = asked.grid, np.arange(asked.grid.size)
        if asked.watchlist:
            fine, places = refined(asked.grid) if self.samples is None else refined(asked.grid, self.samples)
        if not goes_alone and asked.watchlist:
            self.question = replace(asked, grid=fine)
            self.answer = Answer.room(self.question, len(self.points.t))
        for _ in range(0 if goes_alone else _ROUNDS):
            if not self.pending.any() or self.halt[0]:
                break
            self.round()
        self.put_aside(np.flatnonzero(self.jumped()))
        left = {*self.left_alone, *map(int, np.flatnonzero(self.pending))}
        if not goes_alone and asked.watchlist:
            left |= self.look_for_events(left)
            self.question, self.answer = asked, self.answer.at(places)
        self.answer.end_at_last()
        for i in sorted(left):
            if not self.halt[0]:
                self.alone(i)
        return self.answer

    def jumped(self) -> NDArray[np.bool_]:
        """Which members have lost an energy that is conserved: these went over a pole."""
        model, answer = self.question.model, self.answer
        jumped = np.zeros(len(self.starts.t), dtype=bool)
        if not (potential := potential_of(model)) or not answer.complete.any():
            return jumped
        there = Points(answer.stop_times, answer.q[:, -1], answer.w[:, -1], self.starts.p)
        functions = Observables(model, self.question.derivation, ("energy", "potential"), (*energy(model), *potential))
        begun, now = functions.values(self.starts), functions.values(there)
        jumped = has_jumped(now[0], now[1], (begun[0], begun[1]))
        return np.asarray(jumped & answer.complete)

    def look_for_events(self, others: set[int]) -> set[int]:
        """Note the events of members that went together, up to the first that stops each; those that must go alone after all."""
        question, answer = self.question, self.answer
        who = np.array([i for i in range(len(self.points.t)) if i not in others], dtype=np.int64)
        if not who.size:
            return set()
        size = question.grid.size
        samples = Points(
            np.tile(question.grid, who.size),
            answer.q[who].reshape(who.size * size, -1),
            answer.w[who].reshape(who.size * size, -1),
            repeated(self.points[who].p, size),
        )
        met = met_events(
            question, samples, who.size, partial(flight_at, question.derivation, question.model), self.halt
        )
        forward, names, stopping = question.forward, question.watchlist.names, question.watchlist.stopping
        stopped: set[int] = set()
        for j in np.lexsort((forward * met.points.t, met.member)):
            i, name, t = int(who[met.member[j]]), names[met.number[j]], float(met.points.t[j])
            if i in stopped:
                continue
            answer.events.setdefault(i, []).append((name, t))
            if name in stopping:
                stopped.add(i)
                self.answer.stop(i, name, t, met.points.q[j], met.points.w[j], forward * (question.grid - t) > 0)
        return {int(i) for i in who[met.alone]}

    def round(self) -> None:
        """All members that a chart for the first of them serves, or that of the lead, as far as it does."""
        waiting = np.flatnonzero(self.pending)
        lead, self.lead = self.lead, None
        ready = self.chart_for(int(waiting[0])) if lead is None else lead.ready
        if ready is None:
            self.put_aside(waiting[:1])
            return
        some = self.points if waiting.size == len(self.points.t) else self.points[waiting]
        x, quality = ready.states(some)
        goes = ready.serves(quality, float(quality[0]) if lead is None else lead.quality)
        if lead is None and not goes[0]:
            self.put_aside(waiting[:1])
            return
        if not goes.any():
            return
        who, x, p = (waiting, x, some.p) if goes.all() else (waiting[goes], x[goes], some[goes].p)
        grid, limits = self.question.grid, bounds(self.question, p)
        if self.goes_by_series(ready, who, limits):
            block = by_taylor(ready.program, float(grid[0]), x, p, grid, self.question.tolerance, self.halt)
            if (there := block.status == ARRIVED).all() or self.halt[0]:
                self.collect(ready, who, p, block)
                return
            # The others are watched step by step, to say how they end.
            if there.any():
                self.collect(ready, who[there], p[there], block.of(there))
                who, x, p = who[~there], x[~there], p[~there]
        elif self.question.options["integrator"] == Taylor.name:
            self.put_aside(who)
            return
        block = ready.kernel.integrate(
            self.points.t[who],
            x,
            p[:1] if p.strides[0] == 0 else p,
            grid,
            self.question.tolerance,
            self.halt,
            first=self.next[who],
            ends=limits[1],
            longest=limits[0],
            duration=abs(float(grid[-1] - grid[0])),
        )
        self.collect(ready, who, p, block)

    def goes_by_series(self, ready: Flight, who: NDArray[np.int64], limits: tuple[Array, Array]) -> bool:
        """Whether members go from their start to the end by Taylor series: where nothing must be watched and that is faster, or wanted."""
        asked = self.question.options["integrator"]
        if asked == RungeKutta.name or ready.kernel.watching is not None or self.next[who].any():
            return False
        if asked is None and not is_faster(ready.program, self.question.tolerance, self.question.members):
            return False
        return limits[1].shape[1] == 1 and not np.isfinite(limits[0]).any() and not Taylor.obstacle(ready.program)

    def chart_for(self, i: int) -> Flight | None:
        """A chart that is good where a member is."""
        begins = bool(self.points.t[i] == self.question.grid[0])
        return flight_at(self.question.derivation, self.question.model, self.points, i, begins)

    def put_aside(self, who: NDArray[np.int64]) -> None:
        self.left_alone += map(int, who)
        self.pending[who] = False

    def collect(self, ready: Flight, who: NDArray[np.int64], p: Array, block: Block) -> None:
        """Take over the samples of a round, and see who goes on."""
        answer, grid = self.answer, self.question.grid
        if grid.size > 1 and not self.next[who].any() and (block.filled == grid.size).all():  # all of them, as they lie
            count, rest = len(who), grid.size - 1
            states = block.out[:, 1:].reshape(count * rest, -1)
            found = ready.points(np.tile(grid[1:], count), states, repeated(p, rest))
            here = slice(None) if count == len(answer.q) else who
            answer.q[here, 0], answer.w[here, 0] = self.points.q[here], self.points.w[here]  # where they began
            answer.q[here, 1:] = found.q.reshape(count, rest, -1)
            answer.w[here, 1:] = found.w.reshape(count, rest, -1)
        else:
            places = np.arange(grid.size)
            new = (places >= self.next[who][:, None]) & (places < block.filled[:, None])
            rows, columns = np.nonzero(new)
            found = ready.points(grid[columns], block.out[rows, columns], p[rows])
            answer.q[who[rows], columns], answer.w[who[rows], columns] = found.q, found.w
        self.next[who] = block.filled
        answer.stop_times[who] = block.stop_times
        answer.steps[who] += block.steps
        arrived = block.status == ARRIVED
        answer.complete[who[arrived]] = True
        self.pending[who[block.status != LEFT]] = False
        if arrived.all():
            return
        moved = block.status == LEFT
        ends = ready.points(block.stop_times[moved], block.stop_states[moved], p[moved])
        if self.points is self.starts:  # which stay as they are
            self.points = Points(self.starts.t.copy(), self.starts.q.copy(), self.starts.w.copy(), self.starts.p)
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
            question.whole,
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
        answer.q[i], answer.w[i] = np.nan, np.nan  # it may have gone with others before, and further
        answer.q[i, :count] = record.configurations[reached]
        seen = np.concatenate([piece.observed()["velocity"] for piece in record.pieces])
        answer.w[i, :count] = seen[reached]
        answer.stop_times[i] = times[-1]
        answer.complete[i] = record.run.is_complete
        if answer.complete[i] and answer.end_q is not None and answer.end_w is not None:
            answer.end_q[i], answer.end_w[i] = record.configurations[-1], seen[-1]
        answer.solo.add(i)
        answer.steps[i] = sum(piece.solution.steps for piece in record.pieces)
        met: list[Event] = [event for piece in record.pieces for event in piece.events]
        if met:
            answer.events[i] = [(event.name, float(event.time)) for event in met]
        stopped = bool(met) and met[-1].name in question.watchlist.stopping
        before = [(event.name, event.time) for event in (met[:-1] if stopped else met)]
        lost = told_losses(question.watchlist.sided, before)
        if count < size or stopped or lost:
            ending = record.run.ending if count < size or stopped else Outcome.REACHED_END.value
            answer.said[i] = ending + lost
