"""One motion in pieces: integrate in one chart, change to another where the frame wears out, switch modes, stop at events, take signals anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, final

import numpy as np

from anholonomy.algebra.expressions import Symbol, Vector, time
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import IntegrationError, StateError
from anholonomy.base.tolerances import MACHINE
from anholonomy.equations.lagrangian import energy
from anholonomy.motion.charts.one_motion import RunnableEquations, runnable_at, runnable_at_start
from anholonomy.motion.charts.projection import PutBack, projector
from anholonomy.motion.driver.modes import Leg, Mode, Switch, SwitchWatch
from anholonomy.motion.driver.step_limits import declared_limits
from anholonomy.motion.events.contact_losses import passages, rounding
from anholonomy.motion.events.one_motion import (
    NOISE,
    Event,
    begun,
    ended,
    ends_low,
    finer,
    locate,
    noise,
    passes,
    refined,
)
from anholonomy.motion.integrators.base import (
    AbstractIntegrator,
    Flags,
    Flow,
    Limits,
    Outcome,
    Progress,
    Solution,
    StopCondition,
    Watch,
    first_of,
)
from anholonomy.motion.integrators.choice import SMALL, Work, choose_integrator, turns
from anholonomy.motion.observables.one_motion import named_values, quantities
from anholonomy.motion.problem.one_motion import Problem
from anholonomy.motion.signals.kinds import NotFinite
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import Program
from anholonomy.system.frames.default import pole_hint

__all__ = ["Piece", "Run", "cut"]


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


# The parameters along a motion: constant, anew at every break of a signal, or asked all the time.


@final
class DrivenParameters:
    """The parameters, as what drives the inputs has them now; ``failure`` is what a function of the user last failed with."""

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
            raise IntegrationError(
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


# The motion, piece by piece.


_MAX_PIECES = 1_000_000
"""Pieces after which a motion is given up."""
_STALLED = 20
"""Switches at one time after which a motion is given up."""
_GOOD = 0.4
"""A frame of this quality is gone back to without looking for a better one: the best there is has hardly twice as much."""
_SOUND = 0.2
"""Not where a pivot is so much smaller than it was at first."""
_PAUSE, _SHORT_PAUSE = 64, 8
"""Steps between two projections onto a group, and of all velocities onto their constraints: rates keep both, so that as many errors of a
step stay as small as the motion's own."""
_WORN = 1e-4
"""A frame that cannot be exchanged is given up when a pivot is this small beside what it was."""


@final
@dataclass
class Run:
    """One simulation: what does not change from chart to chart, and how it ended."""

    problem: Problem
    progress: Progress | None
    integrator: AbstractIntegrator | None = None
    ending: str = ""
    is_complete: bool = False
    has_crossed: bool = False
    against_series: str = ""
    switch: Switch | None = None
    legs: int = 0
    series: set[Program] = field(default_factory=set)
    first_pivots: dict[RunnableEquations, Array] = field(default_factory=dict)
    signs: dict[str, int] = field(default_factory=dict)

    def integrate(self) -> list[Piece]:
        """The motion, piece by piece; afterwards `ending` says why it is not longer."""
        problem, pieces = self.problem, list[Piece]()
        point, grid = problem.point, problem.grid
        try:
            runnable: RunnableEquations | None = runnable_at_start(problem.derivation, point, problem.parameters)
            while runnable is not None and len(pieces) < _MAX_PIECES:
                pieces.append(self.piece(runnable, point, grid))
                grid = grid[pieces[-1].solution.times.size :]
                runnable, point = self.next_runnable(pieces, grid)
        except StateError as reason:
            if not pieces:
                runnable_at(problem.derivation, point)  # which says so where the constraints are to blame
                raise
            self.ending = _stuck(pieces[-1].solution.stop_time, reason)
        except NotFinite as reason:
            if not pieces:
                raise IntegrationError(f"{problem.model.name}: {reason}; mend it, or begin elsewhere.") from reason
            self.ending = str(reason)
        except KeyboardInterrupt:  # between two pieces; within one the integrator keeps what it has
            if not pieces:
                raise
            self.ending = f"{Outcome.INTERRUPTED} (t = {pieces[-1].solution.stop_time:.6g})"
        self.ending = self.ending or self.told(pieces[-1].solution)
        self.is_complete = self.is_complete or not grid.size
        if not self.is_complete and not (self.has_crossed and pieces[-1].solution.times.size):
            pieces[-1] = replace(pieces[-1], solution=with_end(pieces[-1].solution))
        return pieces

    def told(self, solution: Solution) -> str:
        """How an integrator ended; what crawls may be at the pole of a support."""
        hint = pole_hint(self.problem.model) if solution.outcome is Outcome.HOPELESS else ""
        return solution.message + hint

    def piece(self, runnable: RunnableEquations, point: dict[Symbol, float], grid: Array) -> Piece:
        """Integrate in one chart as far as it goes."""
        x, t = runnable.state(point), point[time]
        self.driven.parameters = self.driven.at(runnable, t, x)
        self.first_pivots.setdefault(runnable, self.divided_by(runnable, t, x))
        # A later chart starts between two times of the grid.
        reported, grid = grid, self.driven.until_break(t, grid)
        times = grid if grid[0] == t else np.concatenate([[t], grid])
        mode = self.mode(runnable, t, x)
        leg = self.leg(runnable, mode, t, x)
        watch = None if mode is None else SwitchWatch(mode, t, x)
        fine, places = refined(times) if self.problem.watchlist else (times, np.arange(times.size))
        ends = self.watch(runnable, leg, watch, t, x)
        back = self.projector(runnable)
        on_step = None if back is None else lambda t, x: back(np.array([t]), x[None])[0]
        solution = leg.integrate(x, fine, on_step, ends, self.progress, self.pause(runnable))
        if self.problem.watchlist and (least := finer(solution.steps, solution.times.size, fine.size)):
            fine, places = refined(times, least)
            watch = None if mode is None else SwitchWatch(mode, t, x)
            ends = self.watch(runnable, leg, watch, t, x)
            solution = leg.integrate(x, fine, on_step, ends, self.progress, self.pause(runnable))
        if self.driven.failure and not solution.outcome.is_complete:
            self.ending = self.driven.failure
        switch = None if watch is None else watch.switch(leg)
        solution = solution if switch is None else cut(solution, switch.time, switch.state)
        events = self.events(runnable, leg, solution) if self.problem.watchlist else []
        if fine is not reported:
            kept = places[places < solution.times.size]
            kept = kept[grid is not times :]
            kept = kept if grid is reported else kept[: grid.size - 1]
            solution = replace(solution, times=solution.times[kept], states=solution.states[kept])
        solution = self.stopped(solution, events)
        self.switch = None if self.ending else switch
        along = self.driven.along(runnable) if self.problem.driven.asks_always else None
        return Piece(runnable, self.on_constraints(runnable, solution), tuple(events), self.parameters, mode, along)

    @cached_property
    def driven(self) -> DrivenParameters:
        return DrivenParameters(self.problem)

    @property
    def parameters(self) -> Array:
        """Those of the piece at hand."""
        return self.driven.parameters

    @property
    def duration(self) -> float:
        """From the first time to the last, negative backward."""
        return float(self.problem.grid[-1] - self.problem.grid[0])

    def mode(self, runnable: RunnableEquations, t: float, x: Array) -> Mode | None:
        """The mode of the equations from here on; None where they are smooth everywhere."""
        modes = runnable.compiled.modes
        if modes is None:
            return None
        if self.switch is not None and self.switch.mode is not None:
            return self.switch.mode
        return Mode.at(modes, self.parameters, t, x, self.duration)

    def leg(self, runnable: RunnableEquations, mode: Mode | None, t: float, x: Array) -> Leg:
        """The flow in a chart and a mode with its integrator."""
        problem = self.problem
        program = runnable.compiled.rates if mode is None else mode.modes.rates
        p = self.parameters if mode is None else mode.all_parameters
        start = np.concatenate([x, np.zeros(len(program.states) - x.size)])
        straight = runnable.straight(t, start, p, program)
        before = sum(other.operations for other in self.series if other != straight)
        work = Work(turns(Flow(program, p), t, start, self.duration) if straight.operations > SMALL else 0.0, before)
        chosen = choose_integrator(
            straight, problem.tolerance, problem.integrator, against_series=self.against_series, work=work
        )
        if chosen.wants_straight:
            self.series.add(straight)
            program = straight
        self.integrator = chosen
        flow = Flow(program, p, self.driven.drive(runnable, mode), abs(self.duration) if problem.driven else 0.0)
        return Leg(chosen, flow, x.size, problem.tolerance, self.limits, mode)

    @cached_property
    def limits(self) -> Limits:
        """How far steps may go: what the user allows and the declaration's own functions of time demand."""
        return declared_limits(self.problem.model, self.problem.parameters, self.problem.grid, self.problem.limits)

    def events(self, runnable: RunnableEquations, leg: Leg, solution: Solution) -> list[Event]:
        """The events on a stretch, found by integrating again from the grid time before each."""
        watch, along = self.problem.watchlist, self.driven.along(runnable)
        function = runnable.events(watch.functions)
        times, states = solution.times, solution.states
        if times.size and solution.stop_time != times[-1]:  # a piece may end between two times of the grid
            times, states = np.append(times, solution.stop_time), np.vstack([states, solution.stop_state])
        if not times.size:
            return []
        values = function(times, states.T, along(times, states))
        met = self.losses(runnable, times, states, values, solution.outcome is Outcome.REACHED_END)
        met += self.passages(runnable, times, states, values)
        span = float(self.problem.grid[0]), float(self.problem.grid[-1])
        return locate(watch, times, states, met, leg.move, lambda t, x: function(t, x, along(t, x)), span)

    def passages(
        self, runnable: RunnableEquations, times: Array, states: Array, values: Array
    ) -> list[tuple[int, int, int]]:
        """Where functions of the user pass through zero: two grid places and a function's number."""
        watch, model = self.problem.watchlist, runnable.equations.model
        p = self.driven.along(runnable)(times, states)
        asked = [k for k, row in enumerate(values[: watch.own]) if passes(row, 0.0) or ends_low(row)]
        if not asked:
            return []
        known = named_values(model, times, states, runnable.observe_all(times, states, p), p)
        names = (s for s, (section, _) in quantities(model).items() if section == "energy")
        whole = dict(zip(names, energy(model), strict=True))
        share = NOISE * max(self.problem.tolerance, MACHINE)
        floors = [noise(watch.functions[k].xreplace(whole), known, share) for k in asked]
        if times[0] == self.problem.grid[0]:
            floors = [begun(floor, values[k]) for k, floor in zip(asked, floors, strict=True)]
        if times[-1] == self.problem.grid[-1]:
            floors = [ended(floor, values[k], times) for k, floor in zip(asked, floors, strict=True)]
        return [(i, j, k) for k, floor in zip(asked, floors, strict=True) for i, j in passes(values[k], floor)]

    def losses(
        self, runnable: RunnableEquations, times: Array, states: Array, values: Array, is_last: bool
    ) -> list[tuple[int, int, int]]:
        """Where multipliers of one-sided constraints pass from positive to negative: two grid places and a function's number.

        The same ones whichever way the motion is integrated: what pulls at its earliest time was lost there.
        """
        watch, model = self.problem.watchlist, runnable.equations.model
        duration = float(self.problem.grid[-1] - self.problem.grid[0])
        labels, found = [c.label for c in model.constraints], []

        def noise(i: int, label: str) -> float:
            point = self.point_from(runnable, float(times[i]), states[i])
            p = self.driven.along(runnable)(float(times[i]), states[i])
            seen = runnable.observe_one("acceleration", float(times[i]), states[i], p)
            return float(rounding(model, point, seen, abs(duration))[labels.index(label)])

        for k, label in enumerate(watch.sided, start=watch.own):
            met, sign = passages(values[k], partial(noise, label=label), self.signs.get(label, 0), duration >= 0)
            found += [(i, j, k) for i, j in met]
            self.signs[label] = sign
            if is_last and duration < 0 and sign < 0:
                found.append((times.size - 1, times.size - 1, k))
        return found

    def stopped(self, solution: Solution, events: Sequence[Event]) -> Solution:
        """The stretch up to an event that ends the motion, with the state there as its last."""
        if not events or events[-1].name not in self.problem.watchlist.stopping:
            return solution
        last = events[-1]
        direction = np.sign(self.problem.grid[-1] - self.problem.grid[0])
        before = direction * (last.time - solution.times) > 0
        self.ending, self.is_complete = f"the motion was stopped by the event {last.name} (t = {last.time:.6g})", True
        return replace(
            solution,
            times=np.append(solution.times[before], last.time),
            states=np.vstack([solution.states[before], last.state[None]]),
            outcome=Outcome.STOPPED,
            stop_time=last.time,
            stop_state=last.state,
        )

    def next_runnable(
        self, pieces: Sequence[Piece], left: Array
    ) -> tuple[RunnableEquations | None, dict[Symbol, float]]:
        """Where and in which chart the motion goes on; None when it has ended."""
        last, solution, problem = pieces[-1], pieces[-1].solution, self.problem
        done = solution.outcome not in (
            Outcome.STOPPED,
            Outcome.NOT_FINITE,
            Outcome.STEP_TOO_SMALL,
            *([Outcome.REACHED_END] if left.size else []),
        )
        if self.switch is not None and self.switch.mode is None:
            self.ending = self.switch.ending
        if self.ending or done or not left.size or not np.isfinite(solution.stop_state).all():
            return None, {}
        if self.switch is not None:
            return self.after_switch(pieces)
        if solution.outcome is Outcome.REACHED_END:  # of a signal's break, where other coefficients begin
            self.legs += 1
            return last.runnable, self.point_from(last.runnable, solution.stop_time, solution.stop_state)
        if self.progress is not None:  # a short piece may end before the integrator says anything
            self.progress(solution.stop_time)
        point = self.point_from(last.runnable, solution.stop_time, solution.stop_state)
        if solution.outcome is Outcome.NOT_FINITE and self.may_do_without_series:
            # Derivatives may overflow where the rates do not, as those of 1/cosh(1000*t).
            self.against_series = "the Taylor series was not finite on the way"
            self.legs += 1
            return last.runnable, point
        try:
            following = self.familiar_runnable(pieces, point) or runnable_at(problem.derivation, point)
        except StateError as reason:
            self.ending = _stuck(solution.stop_time, reason)
            return None, {}
        if solution.outcome is not Outcome.STOPPED and (following is last.runnable or len(pieces) > 1):
            return None, {}
        if following is last.runnable and self.worn_out(following, point):
            self.crossed(solution.stop_time)
            return None, {}
        return following, point

    def familiar_runnable(self, pieces: Sequence[Piece], point: dict[Symbol, float]) -> RunnableEquations | None:
        """Of the charts before the last the one farthest from failing; None where it is not good: to choose a frame takes long."""
        others = dict.fromkeys(piece.runnable for piece in pieces if piece.runnable is not pieces[-1].runnable)
        found = [(self.quality_now(runnable, point), runnable) for runnable in others]
        quality, best = max(found, key=lambda each: each[0], default=(0.0, None))
        return best if quality > _GOOD else None

    def quality_now(self, runnable: RunnableEquations, point: dict[Symbol, float]) -> float:
        """How far a chart of before is from failing at a state; 0 where what it divides by has become small since."""
        p = self.parameters
        try:
            x = runnable.state(point)
        except StateError:
            return 0.0
        pivots = self.divided_by(runnable, point[time], x)
        lasts = bool((pivots > _SOUND * self.first_pivots.setdefault(runnable, pivots)).all())
        return runnable.quality_at(point[time], x, p) if lasts else 0.0

    def after_switch(self, pieces: Sequence[Piece]) -> tuple[RunnableEquations | None, dict[Symbol, float]]:
        """On in the same chart and another mode, unless switches follow each other without time going on."""
        last = pieces[-1]
        self.legs += 1
        recent = [piece.solution.stop_time for piece in pieces[-_STALLED:]]
        if len(recent) == _STALLED and len(set(recent)) == 1:
            self.ending = f"the forces jump to and fro without end (t = {recent[-1]:.6g}): no side of the jump leads on"
            return None, {}
        return last.runnable, self.point_from(last.runnable, last.solution.stop_time, last.solution.stop_state)

    @property
    def may_do_without_series(self) -> bool:
        """Whether another method can be tried where Taylor's series failed."""
        return self.integrator is not None and self.integrator.wants_straight and self.problem.integrator is None

    def watch(
        self, runnable: RunnableEquations, leg: Leg, switches: SwitchWatch | None, t: float, x: Array
    ) -> Watch | None:
        """What ends a piece: switches, the chart, and the pivots of its program."""
        p, straight = self.parameters, leg.flow.program
        pivots = runnable.watch_pivots(straight, t, leg.padded(x), leg.flow.parameters)
        padded = None if pivots is None else lambda t, x: pivots(t, leg.all_padded(x))
        possible = (
            None if switches is None else StopCondition(switches.flags, switches.told),
            self.condition(runnable.watch_divisors(t, x, p), lambda place, time: self.crossed(time)),
            self.condition(runnable.watch_energy(t, x, p), lambda place, time: self.crossed(time)),
            self.condition(runnable.watch(t, x, p)),
            self.condition(runnable.watch_rows(t, x, p)),
            self.condition(padded),
        )
        return first_of([each for each in possible if each is not None])

    @staticmethod
    def condition(flags: Flags | None, *told: Callable[[int, float], None]) -> StopCondition | None:
        return None if flags is None else StopCondition(flags, *told)

    def worn_out(self, runnable: RunnableEquations, point: dict[Symbol, float]) -> bool:
        """Whether the best frame there is one whose pivots have nearly vanished since it was first used."""
        now = self.divided_by(runnable, point[time], runnable.state(point))
        return bool((now < _WORN * self.first_pivots.setdefault(runnable, now)).any())

    def divided_by(self, runnable: RunnableEquations, t: float, x: Array) -> Array:
        """The sizes of what a chart's choice of frame and of constraints divides by."""
        p = self.parameters
        return np.append(runnable.pivots_at(t, x, p), runnable.independence_at(np.array([t]), x[None], p))

    def crossed(self, t: float) -> None:
        """A pole of the equations was reached or stepped over: what comes after is worth nothing."""
        name, self.has_crossed = self.problem.derivation.principle.name, True
        self.ending = (
            f"the motion reached a pole of the equations by {name} (t = {t:.6g}), where their coordinates or their choice of "
            "velocities fail; describe the system without it, or integrate by another principle"
            + pole_hint(self.problem.model)
        )

    def projector(self, runnable: RunnableEquations) -> PutBack | None:
        """How to put states back on the constraints; None for speeds that cannot leave them."""
        return projector(runnable.equations.model, self.parameters, self.has_all_velocities(runnable))

    def pause(self, runnable: RunnableEquations) -> int:
        """Steps between two projections: what is left only by errors of steps, and not by rates, can wait.

        Constraints on positions are left by the errors of velocities, too, which add up.
        """
        model = self.problem.model
        if not (self.has_all_velocities(runnable) and model.velocity_constraints):
            return _PAUSE
        return 1 if any(c.position is not None for c in model.velocity_constraints) else _SHORT_PAUSE

    def has_all_velocities(self, runnable: RunnableEquations) -> bool:
        """Whether the velocities themselves are integrated, so that they may leave the constraints."""
        velocities = self.problem.model.velocities
        return runnable.equations.speeds[: len(velocities)] == velocities

    def on_constraints(self, runnable: RunnableEquations, solution: Solution) -> Solution:
        """Samples between steps come from an interpolant, which knows nothing of the constraints; the end may be a step between two projections."""
        back = self.projector(runnable)
        if back is None:
            return solution
        end = back(np.array([solution.stop_time]), solution.stop_state[None])[0]
        states = back(solution.times, solution.states) if solution.times.size else solution.states
        return replace(solution, states=states, stop_state=end)

    def point_from(self, runnable: RunnableEquations, t: float, x: Array) -> dict[Symbol, float]:
        """A state of a chart in coordinates and velocities."""
        model, p = self.problem.model, self.parameters
        velocities = runnable.observe_one("velocity", t, x, p)
        values = [*x[: len(model.coordinates)], *velocities]
        point = dict(zip((*model.coordinates, *model.velocities), map(float, values), strict=True))
        parameters = dict(zip(model.parameter_symbols, map(float, p), strict=True))
        # No velocity determines a costate, so it is carried over.
        costates = {mu: float(x[runnable.equations.state.index(mu)]) for mu in runnable.equations.costates}
        return {**point, **costates, **parameters, time: t}


def _stuck(t: float, reason: StateError) -> str:
    return f"the motion reached a state where it cannot go on (t = {t:.6g}): {reason}"
