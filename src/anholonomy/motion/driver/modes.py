r"""Motion with held signs: the mode, the flow in it, and where forces jump, moduli kink and roots touch zero.

Between switches the sign $s_k$ of every switching function $u_k$ is held (`anholonomy.programs.of_equations`), so that steps are smooth;
after each, the watch looks whether a switching function has left its side, $s_k u_k < 0$, or dipped and come back. The time is located by
integrating again from the step's beginning. There the motion goes on with the other sign if this leads on, $-s_k\dot u_k > 0$; where
both sides lead back, it is held, as by dry friction, and ends with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias, final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector
from anholonomy.algebra.switching import is_positive
from anholonomy.base.caching import cached_property
from anholonomy.base.tolerances import NOTHING
from anholonomy.language.writing import to_text
from anholonomy.motion.integrators.base import AbstractIntegrator, Flag, Flow, Limits, OnStep, Progress, Solution, Watch
from anholonomy.programs.backends.base import Array
from anholonomy.programs.of_equations import Modes

__all__ = ["Leg", "Mode", "Switch", "SwitchWatch"]


Watched: TypeAlias = tuple[Array, Array, Array, Array]
"""Switching functions, their rates, radicands that may touch zero, their rates."""


@final
@dataclass(frozen=True, eq=False)
class Mode:
    """Equations of motion in one mode: the signs of their switching functions, 0 for one that rests at zero."""

    modes: Modes
    parameters: Array
    signs: Array
    duration: float

    @classmethod
    def at(cls, modes: Modes, parameters: Array, t: float, x: Array, duration: float) -> Mode:
        """The mode of a state; where a switching function is zero, the side that leads on."""
        mode = cls(modes, parameters, np.ones(len(modes.switches)), duration)
        for _ in modes.switches:  # a function may have others inside it
            mode = mode.with_signs(np.sign(mode.watched(t, x)[0]))
        for k in map(int, np.flatnonzero(mode.signs == 0)):
            mode = mode.leading_on(k, t, x)
        return mode

    def on_sides_of(self, t: float, x: Array) -> Mode:
        """The mode with the signs that the switching functions have at a state; those that rest go on to rest."""
        mode = self
        for _ in self.signs:  # a function may have others inside it
            mode = mode.with_signs(np.where(self.signs == 0, 0.0, np.sign(mode.watched(t, x)[0])))
        return mode

    def leading_on(self, k: int, t: float, x: Array) -> Mode:
        """The mode on the side of a switching function at zero that leads away from it; it rests there where neither does.

        Where both do, the declared value at zero decides: ``if(x < 0, -1, 1)`` pushes upward there, and ``sign(x)`` not at all.
        """
        sides = [s for s in (1.0, -1.0) if s * self.with_sign(k, s).heading(k, t, x) > 0]
        declared = float(np.sign(self.with_sign(k, 0.0).heading(k, t, x)))
        return self.with_sign(k, sides[0] if len(sides) == 1 else declared if len(sides) == 2 else 0.0)

    def with_signs(self, signs: Array) -> Mode:
        return Mode(self.modes, self.parameters, signs, self.duration)

    def with_sign(self, k: int, sign: float) -> Mode:
        signs = self.signs.copy()
        signs[k] = sign
        return self.with_signs(signs)

    @property
    def forward(self) -> float:
        """1 forward in time, -1 backward."""
        return 1.0 if self.duration > 0 else -1.0

    @cached_property
    def all_parameters(self) -> Array:
        """Those of the system and the signs."""
        return np.concatenate([self.parameters, self.signs])

    @cached_property
    def _edges(self) -> Array:
        """The places of the radicands that are not positive for these values of the parameters."""
        return _edges(self.modes.touches, self.modes.equations.model.parameter_symbols, tuple(self.parameters.tolist()))

    def watched(self, t: float | Array, x: Array) -> Watched:
        r"""Switching functions $u$, their rates, radicands $r$ that may touch zero, their rates; of many states, a column each."""
        values = self.modes.watch(t, x, self.all_parameters)
        count, half = len(self.modes.switches), len(values) // 2
        return (
            values[:count],
            values[half : half + count],
            values[count + self._edges],
            values[half + count + self._edges],
        )

    def rates(self, t: float, x: Array) -> Array:
        """The rates of the states."""
        padded = np.concatenate([x, np.zeros(len(self.modes.switches))])
        return self.modes.move(t, padded, self.all_parameters)[: x.size]

    def heading(self, k: int, t: float, x: Array) -> float:
        """Where a switching function at zero goes, as the motion does: its rate, or the rate of that where it has none."""
        rate = float(self.watched(t, x)[1][k])
        if rate == 0.0:
            step = 1e-7 * self.duration
            rate = float(self.watched(t + step, x + step * self.rates(t, x))[1][k])
        return rate * self.forward

    def leaves_rest(self, k: int, t: float, x: Array) -> bool:
        """Whether a switching function that rested at zero no longer does, measured by what its sign makes of it."""
        here = self.watched(t, x)
        sides = [float(self.with_sign(k, s).watched(t, x)[1][k]) for s in (1.0, -1.0)]
        return bool(abs(here[1][k]) > NOTHING * abs(sides[0] - sides[1]) and here[0][k] != 0)

    def said(self, k: int) -> str:
        """A switching function as text."""
        return _text(self.modes.switches[k])

    def edge(self, j: int) -> str:
        """A radicand as text."""
        return _text(self.modes.touches[self._edges[j]])


@lru_cache(maxsize=64)
def _edges(touches: Vector, symbols: tuple[Symbol, ...], parameters: tuple[float, ...]) -> Array:
    values = dict(zip(symbols, map(symengine.RealDouble, parameters), strict=True))
    return np.array([j for j, r in enumerate(touches) if not is_positive(r.xreplace(values))], dtype=int)


def _text(function: Expr) -> str:
    hidden = any(s.name.startswith("$") for s in function.free_symbols)
    return "a term of the equations" if hidden else to_text(function)


# The flow in a mode.


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


# Where a mode ends.


_SOON = 1e-10
"""A root touches zero where at its pace it would be there within this part of the motion's time."""
_TOUCHED = 1e-18
"""A radicand that fell to this part of itself and rises again touched zero."""
_THROUGH = 0.1
"""A root may have gone through zero where its pace at both ends of a step foretells less than minus this part of it."""
_SIMPLE = 0.01
"""A zero is simple where a function is less than this part of itself at the time that its rate foretells."""
_DEEP = 0.5
"""A radicand that seems to fall to less than this part of its ends, and rises again, may have touched zero."""
_BETWEEN = np.linspace(0, 1, 18)[1:-1]
_CUBICS = np.array(
    [
        (1 + 2 * _BETWEEN) * (1 - _BETWEEN) ** 2,
        _BETWEEN * (1 - _BETWEEN) ** 2,
        _BETWEEN**2 * (3 - 2 * _BETWEEN),
        _BETWEEN**2 * (_BETWEEN - 1),
    ]
).T
"""What values and rates at the ends of a step weigh at places between them."""
_BRIEF = 1e-6
"""The part of a step over which slopes are taken."""


@final
@dataclass(frozen=True)
class Switch:
    """Where a mode ends, and what comes after: another mode, or the end of the motion with a sentence."""

    time: float
    state: Array
    mode: Mode | None = None
    ending: str = ""


@final
class SwitchWatch:
    """Looks after every step whether the mode has ended; `switch` then says where."""

    def __init__(self, mode: Mode, t: float, x: Array) -> None:
        self.mode = mode
        self.before = t, x, mode.watched(t, x)
        self.steps: _Step | None = None
        self.ended: _Step | None = None

    def flags(self, times: Array, states: Array) -> Flag:
        """Which of some steps may have ended the mode; they begin where those before them ended."""
        t0, x0, before = self.before
        t, x = np.concatenate([[t0], times])[:, None], np.concatenate([x0[None], states])
        values = zip(before, self.mode.watched(times, states.T), strict=True)
        u, du, r, dr = (np.concatenate([early[None], late.T]) for early, late in values)
        first, last = (u[:-1], du[:-1], r[:-1], dr[:-1]), (u[1:], du[1:], r[1:], dr[1:])
        self.steps = _Step(self.mode, t[:-1], x[:-1], first, t[1:], x[1:], last)
        self.before = self.steps.row(-1).end
        return self.steps.suspects

    def told(self, place: int, time: float) -> None:
        """The mode ended within that one of the steps."""
        assert self.steps is not None
        self.ended = self.steps.row(place)

    def switch(self, leg: Leg) -> Switch | None:
        """The first end of the mode within the last step; where one only came near, the end of the step; None while it lasts."""
        if (step := self.ended) is None:
            return None
        found = [*step.crossings(leg), *step.touches(leg)] or [Switch(step.later, step.there, self.mode)]
        return min(found, key=lambda switch: abs(switch.time - step.time))


@final
@dataclass(frozen=True, eq=False)
class _Step:
    """A step in a mode, or some in a row: what was watched at both ends, the functions along the last axis."""

    mode: Mode
    time: Any
    here: Array
    before: Watched
    later: Any
    there: Array
    now: Watched

    def row(self, k: int) -> _Step:
        """One of some steps."""
        before, now = ((w[0][k], w[1][k], w[2][k], w[3][k]) for w in (self.before, self.now))
        times = float(self.time[k, 0]), float(self.later[k, 0])
        return _Step(self.mode, times[0], self.here[k], before, times[1], self.there[k], now)

    @property
    def end(self) -> tuple[float, Array, Watched]:
        return self.later, self.there, self.now

    @property
    def suspects(self) -> Flag:
        """Along which of some steps the mode may have ended."""
        moved = (self.crosses | self.dips).any(axis=-1) | self.nears.any(axis=-1)
        if not (rests := [int(k) for k in np.flatnonzero(self.mode.signs == 0)]):
            return np.asarray(moved)
        left = [
            any(self.mode.leaves_rest(k, float(t), x) for k in rests)
            for t, x in zip(self.later[:, 0], self.there, strict=True)
        ]
        return np.asarray(moved | np.array(left))

    @property
    def crosses(self) -> Any:
        """Which switching functions are on the wrong side; one that was there and comes back is so by the rounding of the switch."""
        signs, along = self.mode.signs, self.mode.forward * self.mode.signs
        comes_back = (signs * self.before[0] < 0) & (along * self.now[1] > 0)
        return (signs * self.now[0] < 0) & ~comes_back

    @property
    def dips(self) -> Any:
        """Which switching functions came towards zero and went away again."""
        along = self.mode.forward * self.mode.signs
        return (along * self.before[1] < 0) & (along * self.now[1] > 0)

    @property
    def nears(self) -> Any:
        """Which radicands fell towards zero and are about to be there, rose again, or should be below it."""
        (_, _, r0, dr0), (_, _, r1, dr1), forward = self.before, self.now, self.mode.forward
        if self._stays_away:
            return np.zeros(np.shape(r0), dtype=bool)
        with np.errstate(all="ignore"):
            soon = 2 * r1 <= -_SOON * abs(self.mode.duration) * forward * dr1
            pace = (dr0 / np.sqrt(r0) + dr1 / np.sqrt(r1)) / 4
            through = np.sqrt(r0) + (self.later - self.time) * pace < -_THROUGH * np.sqrt(np.maximum(r0, r1))
            dipped = (forward * dr1 > 0) & (
                _least(r0, dr0, r1, dr1, self.later - self.time) < _DEEP * np.minimum(r0, r1)
            )
        return (forward * dr0 <= 0) & (soon | dipped | through)

    @property
    def _stays_away(self) -> bool:
        """Whether no radicand can have come near: a cubic leaves its ends by less than 4/27 of its slopes times the step."""
        (_, _, r0, dr0), (_, _, r1, dr1) = self.before, self.now
        change = np.abs(self.later - self.time) * (np.abs(dr0) + np.abs(dr1))
        soon = _SOON * abs(self.mode.duration) * np.abs(dr1)
        return bool(((change < 3 * np.minimum(r0, r1)) & (soon < 2 * r1)).all())

    def watched(self, leg: Leg, t: float) -> Watched:
        """What is watched at a time within the step."""
        return self.mode.watched(t, leg.move(self.time, self.here, t))

    def crossings(self, leg: Leg) -> Iterator[Switch]:
        """Where switching functions leave their side."""
        for k, s in enumerate(self.mode.signs):
            if s == 0:
                if self.mode.leaves_rest(k, self.later, self.there):
                    yield self._from_rest(k)
            elif (late := self._beyond_zero(leg, k)) is not None:
                yield self._across(leg, k, late)

    def _from_rest(self, k: int) -> Switch:
        """To the side that leads on since something else changed; the motion is held where none does."""
        other = self.mode.leading_on(k, self.time, self.here)
        if other.signs[k] == 0:
            return Switch(self.time, self.here, None, _held(self.mode.said(k), self.time))
        return Switch(self.time, self.here, other)

    def _beyond_zero(self, leg: Leg, k: int) -> float | None:
        """A time at which a switching function is on the wrong side."""
        if self.crosses[k]:
            return float(self.later)
        if not self.dips[k]:
            return None
        lowest = _root(lambda t: float(self.watched(leg, t)[1][k]), self.time, self.later)
        return lowest if self.mode.signs[k] * self.watched(leg, lowest)[0][k] < 0 else None

    def _across(self, leg: Leg, k: int, late: float) -> Switch:
        """Through to the other side before a time, if that leads on."""

        def side(t: float) -> float:
            return float(self.mode.signs[k] * self.watched(leg, t)[0][k])

        halves = self.time + (late - self.time) * 0.5 ** np.arange(1, 40)
        early = next((float(t) for t in (self.time, *halves) if side(float(t)) > 0), None)  # it may begin at zero
        t = self.time if early is None else _root(side, early, late)
        x, other = leg.move(self.time, self.here, t), self.mode.with_sign(k, -self.mode.signs[k])
        if other.signs[k] * other.heading(k, t, x) < 0:
            return Switch(t, x, None, _held(self.mode.said(k), t))
        return Switch(t, x, other)

    def touches(self, leg: Leg) -> Iterator[Switch]:
        """Where radicands reach zero."""
        for j in map(int, np.flatnonzero(self.nears)):
            left = self._left(j)
            if 0 <= left * self.mode.forward <= _SOON * abs(self.mode.duration):
                yield self._through(leg, j, self.later + left)
            elif (lowest := self._lowest(leg, j)) is not None:
                yield self._through(leg, j, lowest)

    def _left(self, j: int) -> float:
        """The time from the end of the step to a radicand's zero, which is simple or, as of a sum of squares, double."""
        r, dr = self.now[2][j], self.now[3][j]
        simple = -float(r / dr)
        there = self.mode.watched(self.later + simple, self.there + simple * self.mode.rates(self.later, self.there))
        return simple if abs(there[2][j]) < _SIMPLE * r else 2 * simple

    def _lowest(self, leg: Leg, j: int) -> float | None:
        """Where a radicand is least within the step, if that is nothing beside its ends."""
        brief = _BRIEF * (self.later - self.time)

        def height(t: float) -> float:
            return float(self.watched(leg, t)[2][j])

        def slope(t: float) -> float:  # of the motion that was computed, in which the root may have changed its sign
            return height(t + brief) - height(t - brief)

        ends = self.time + brief, self.later - brief
        if slope(ends[0]) * slope(ends[1]) >= 0:
            return None
        lowest = _root(slope, *ends)
        return lowest if height(lowest) <= _TOUCHED * max(self.before[2][j], self.now[2][j]) else None

    def _through(self, leg: Leg, j: int, t: float) -> Switch:
        """Straight on through the zero of a root, if that leads away from it; what lies inside the root may change its sign there."""
        behind = self._straight(leg, t, 1e-12, 1e-14)
        mode = self.mode.on_sides_of(*behind)
        _, _, r, dr = mode.watched(*self._straight(leg, t, 1e-8, 1e-8))
        if r[j] > 0 and dr[j] * mode.forward > 0:
            return Switch(*behind, mode)
        where = f"the motion was brought to a point where {self.mode.edge(j)} vanishes (t = {t:.6g})"
        why = (
            "; the right-hand side jumps there and leads back to it, so that the motion is held"
            if np.isfinite(dr[j]) and r[j] > 0
            else "; beyond it the equations have no value"
        )
        return Switch(*self._straight(leg, t, 1e-12, 0.0), None, where + why)

    def _straight(self, leg: Leg, t: float, back: float, on: float) -> tuple[float, Array]:
        """From a little before a time straight to it or a little beyond, in parts of the motion's whole time."""
        sooner = min((t - back * self.mode.duration, self.later), key=lambda s: abs(s - self.time))
        start = sooner if (sooner - self.time) * self.mode.forward > 0 else self.time
        x = self.there if start == self.later else leg.move(self.time, self.here, start)
        later = t + on * self.mode.duration
        return later, x + (later - start) * self.mode.rates(start, x)


def _least(r0: Array, dr0: Array, r1: Array, dr1: Array, h: Any) -> Any:
    """The least of the cubics through values and rates at both ends of a step, at sixteen places between them."""
    return np.tensordot(_CUBICS, np.array([r0, h * dr0, r1, h * dr1]), 1).min(axis=0)


def _held(function: str, t: float) -> str:
    return (
        f"the motion was brought to {function} = 0 (t = {t:.6g}) and is held there by a force that jumps and leads back from "
        "both sides; to follow what comes after, declare what holds as a constraint"
    )


def _root(f: Callable[[float], float], a: float, b: float) -> float:
    from scipy.optimize import bisect, brentq

    if np.sign(f(a)) == np.sign(f(b)):  # by a rounding
        return b
    try:
        return float(brentq(f, a, b, xtol=1e-15, rtol=1e-15))
    except RuntimeError:
        return float(bisect(f, a, b, xtol=1e-15, rtol=1e-15))
