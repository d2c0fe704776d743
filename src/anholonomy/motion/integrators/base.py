r"""An integrator: $\dot x = f(t, x, p)$, a start and a grid of times in, the states on the grid out.

How a method steps is its own business; that the grid is honoured, that a partial result is returned
with the reason, and that Ctrl-C loses nothing is the business of every one of them. Here are what they share: the flow, the limits of steps,
the request, the solution and its outcome, the base class, and the conditions that end a motion, looked at for many steps at once.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from importlib.util import find_spec
from typing import ClassVar, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.base.errors import IntegrationError
from anholonomy.base.tolerances import MACHINE
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.program import Program

__all__ = [
    "FREE",
    "LOOKS",
    "AbstractIntegrator",
    "Flag",
    "Flags",
    "Flow",
    "Limits",
    "OnStep",
    "Outcome",
    "Pace",
    "Progress",
    "Request",
    "Solution",
    "StopCondition",
    "Trail",
    "Watch",
    "first_of",
    "rounding_sizes",
    "typical_sizes",
]


class Outcome(Enum):
    """Why the motion ends where it ends; the value is the sentence a user reads.

    >>> str(Outcome.REACHED_END)
    'the motion was integrated to the end'
    """

    REACHED_END = "the motion was integrated to the end"
    STOPPED = "the integration was stopped where it was asked to stop"
    INTERRUPTED = "the integration was interrupted; the motion up to that time is kept"
    NOT_FINITE = "the state ceased to be finite: the motion escapes or its equations become singular there"
    STEP_TOO_SMALL = "the steps became too small to advance the time: the motion nears a singularity"
    HOPELESS = (
        "at this pace the end would not be reached: it is too far, the motion nears a singularity, "
        "or a force that jumps (abs, sign) holds it"
    )
    HELD_SHORT = (
        "at this pace the end would not be reached: the steps are as long as they may be, by max_step or by what the "
        "declaration's functions of time demand; allow longer ones (max_step=) or ask for a shorter motion"
    )
    TOO_MANY_STEPS = "the number of steps allowed was used up before the end"

    def __str__(self) -> str:
        return self.value

    @property
    def is_complete(self) -> bool:
        """True when the motion covers all the times that were asked for."""
        return self is Outcome.REACHED_END


OnStep: TypeAlias = Callable[[float, Array], "Array | bool | None"]
"""Called with time and state after a step, or after some steps: False stops, an array replaces the state, None goes on."""
Watch: TypeAlias = Callable[[Array, Array], "int | None"]
"""Called with the times and states of some steps in a row: the first of them at which the motion stops, None where it goes on."""
Progress: TypeAlias = Callable[[float], None]

LOOKS = 0.1
"""Seconds between two looks at interrupts and progress; also what an interrupt may lose."""
MAX_STEPS = 50_000_000
"""Steps after which an integration is given up rather than left to run for ever."""


@final
@dataclass(frozen=True)
class Flow:
    """A program whose outputs are the rates of its states, and the values of its parameters.

    Attributes
    ----------
    drive
        The parameters at a time and a state, where they change all the time; only an integrator in Python can ask it.
    duration
        How long the whole motion lasts, of which this may be a short part; 0 where it is the whole.
    """

    program: Program
    parameters: Array
    drive: Callable[[float, Array], Array] | None = None
    duration: float = 0.0

    def __post_init__(self) -> None:
        if len(self.program.outputs) != len(self.program.states):
            raise ValueError("a flow has one rate for every state")
        if len(self.parameters) != len(self.program.parameters):
            raise ValueError("a flow has one value for every parameter")

    def parameters_at(self, t: float, x: Array) -> Array:
        return self.parameters if self.drive is None else self.drive(t, x)


@final
@dataclass(frozen=True)
class Solution:
    """The states at those of the requested times that were reached.

    Attributes
    ----------
    times, states
        Shapes (reached,) and (reached, states); shorter than asked unless the outcome is REACHED_END.
    stop_time, stop_state
        Where the integration ended, which need not be on the grid; another integration can start there.
    steps
        Accepted steps.
    statistics
        What the method counts besides: evaluations, rejected steps.
    """

    times: Array
    states: Array
    outcome: Outcome
    stop_time: float
    stop_state: Array
    steps: int
    statistics: dict[str, int] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The outcome in a sentence, with the time where the motion ended early."""
        return str(self.outcome) + ("" if self.outcome.is_complete else f" (t = {self.stop_time:.6g})")


@final
@dataclass(frozen=True, eq=False)
class Limits:
    """How far a step may go: no farther than ``longest``, and over none of the ``breaks``, where one ends and another begins."""

    longest: float = np.inf
    breaks: Array = field(default_factory=lambda: np.empty(0))

    def __and__(self, other: Limits) -> Limits:
        """Both at once."""
        return Limits(min(self.longest, other.longest), np.concatenate([self.breaks, other.breaks]))


WATCHED = 64
"""Steps that are watched together: so many are lost where the first of them is the last."""
FIRST_WATCHED = 8
"""The same at the beginning."""
FREE = Limits()
"""Steps as long as the method finds right."""


@final
@dataclass(frozen=True)
class Request:
    """What `AbstractIntegrator.integrate` was asked, checked."""

    flow: Flow
    start: Array
    times: Array
    tolerance: float
    on_step: OnStep | None
    watch: Watch | None
    progress: Progress | None
    max_steps: int
    sizes: Array
    limits: Limits = FREE
    pause: int = 1

    @property
    def shows_every_step(self) -> bool:
        """Whether `on_step` must see each of them, so that none can be made before it has."""
        return self.on_step is not None and self.pause == 1

    @property
    def direction(self) -> float:
        """1 forward in time, -1 backward."""
        return float(np.sign(self.times[-1] - self.times[0]))

    def reached(self, time: float) -> int:
        """How many of the times lie no later than one that was reached."""
        return int(np.searchsorted(self.direction * self.times, self.direction * time, "right"))

    @property
    def stops(self) -> Array:
        """Where steps must end, in the order in which they come: the breaks on the way and the last of the times."""
        if not self.limits.breaks.size:
            return self.times[-1:]
        begin, end = (self.direction * float(t) for t in self.times[[0, -1]])
        along = np.unique(self.direction * self.limits.breaks)
        along = np.concatenate([[begin], along[(along > begin) & (along < end)], [end]])
        # What is a few roundings from the next stop is no place for a step.
        apart = np.diff(along) > 100 * np.spacing(max(abs(begin), abs(end)))
        return self.direction * np.append(along[1:-1][apart[:-1] & apart[1:]], end)


@final
class Trail:
    """Steps of a motion that its watch has not seen yet."""

    def __init__(self, request: Request) -> None:
        self.watch = request.watch
        # What changes the state after a step must see whether it is the last.
        self.room = 1 if request.shows_every_step else FIRST_WATCHED
        self.steps: list[tuple[float, Array]] = []

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def is_full(self) -> bool:
        return len(self.steps) >= self.room

    def add(self, time: float, state: Array) -> None:
        if self.watch is not None:
            self.steps.append((time, state))

    def watched(self) -> tuple[int, float, Array] | None:
        """Show them to the watch: the place, time and state of the first at which it stops, None where it goes on."""
        if self.watch is None or not self.steps:
            return None
        steps, self.steps = self.steps, []
        self.room = min(2 * self.room, WATCHED) if self.room > 1 else 1
        last = self.watch(np.array([time for time, _ in steps]), np.array([state for _, state in steps]))
        return None if last is None else (last, *steps[last])


def typical_sizes(flow: Flow, start: Array, times: Array) -> Array:
    """How small each state is, at most 1: an error is tolerated relative to this, so that units do not matter.

    A state's size is that of its start or of its change during a hundredth of the motion. One that is nothing beside
    the others tells nothing, and gets the smallest size there is.
    """
    with np.errstate(all="ignore"):
        rates = _rates(flow.program)(times[0], start, flow.parameters_at(times[0], start))
        sizes = np.maximum(np.abs(start), np.abs(rates) * (flow.duration or abs(times[-1] - times[0])) / 100)
    if not np.isfinite(sizes).all() or not sizes.any():
        return np.ones_like(start)
    known = sizes > 1e-13 * sizes.max()
    floored: Array = np.minimum(np.where(known, sizes, sizes[known].min()), 1.0)
    return floored


def rounding_sizes(flow: Flow, t: float, x: Array, sizes: Array, length: float, tolerance: float) -> Array:
    r"""How large each state counts so that rounding is tolerated, $\delta f_i\,h/\varepsilon$: a rate that is a difference is no better.

    What rounding makes of the rates, $\delta f$, is seen where the states are moved by it. The time $h$ is a hundredth of the motion,
    or that in which the states change by themselves. A shorter step would only be as wrong in every part of its length.
    """
    rates = _rates(flow.program)
    with np.errstate(all="ignore"):
        here, scale = rates(t, x, flow.parameters), sizes + np.abs(x)
        moved = [rates(t, x * (1 + MACHINE * shift), flow.parameters) for shift in _shifts(x.size)]
        pace = np.linalg.norm(here / scale) / np.linalg.norm(x / scale)
        noise = np.max([np.abs(other - here) for other in moved], axis=0)
        raised: Array = np.minimum(4 * noise * min(length / 100, 1 / pace) / tolerance, 1.0)
    return np.maximum(sizes, np.where(np.isfinite(raised), raised, 0.0))


@lru_cache(maxsize=64)
def _shifts(count: int) -> Array:
    """Ways of rounding so many numbers, always the same."""
    return np.random.default_rng(0).uniform(-1, 1, (4, count))


@lru_cache(maxsize=64)
def _rates(program: Program) -> Function:
    return fast_function(program)


@final
class Pace:
    """Tells when an integration will not end: at the pace of its last steps it would need far more than it may take."""

    def __init__(self, request: Request, window: int = 20_000) -> None:
        self.request, self.window = request, window
        self.steps, self.time = 0, float(request.times[0])

    def verdict(self, steps: int, time: float) -> Outcome | None:
        """Why it will not end, None while it may; asked now and then with the steps made and the time reached."""
        made = steps - self.steps
        if made < self.window:
            return None
        gained, left = abs(time - self.time), abs(float(self.request.times[-1]) - time)
        self.steps, self.time = steps, time
        if made * left <= 20 * self.request.max_steps * gained:
            return None
        return Outcome.HELD_SHORT if 2 * gained > made * self.request.limits.longest else Outcome.HOPELESS


@lru_cache
def _is_installed(package: str) -> bool:
    """Looked up once: it takes as long as a short motion."""
    return find_spec(package) is not None


class AbstractIntegrator(abc.ABC):
    """One method of numerical integration."""

    name: ClassVar[str]
    title: ClassVar[str]
    """How it integrates, in a few words."""
    chosen: ClassVar[str]
    """When it is taken without being asked for."""
    package: ClassVar[str] = ""
    """What must be installed for it."""
    wants_straight: ClassVar[bool] = False
    """Whether it wants a program without linear systems: written out, with pivots chosen at the start."""
    reason: str = ""
    """Why this method was chosen, where `choose_integrator` chose it."""

    @classmethod
    @final
    def obstacle(cls, program: Program) -> str:
        """Why it cannot take a program; empty when it can."""
        if cls.package and not _is_installed(cls.package):
            return f"{cls.package} is not installed"
        if cls.wants_straight and not program.is_straight and not program.has_least_squares:
            return "the program has linear systems to factorise"
        return cls._obstacle(program)

    @classmethod
    def _obstacle(cls, program: Program) -> str:
        """What else it cannot take: by default, systems whose rank is found as they are solved."""
        return (
            "the constraints may be dependent, so that their rank is found at every step"
            if program.has_least_squares
            else ""
        )

    @final
    def integrate(
        self,
        flow: Flow,
        start: Array,
        times: Array,
        *,
        tolerance: float,
        on_step: OnStep | None = None,
        watch: Watch | None = None,
        progress: Progress | None = None,
        max_steps: int = MAX_STEPS,
        limits: Limits = FREE,
        pause: int = 1,
    ) -> Solution:
        """Integrate from ``start`` at ``times[0]`` and report the states at all ``times``.

        ``times`` increases or decreases strictly. ``tolerance`` is the error allowed in a step, relative
        to the state and absolute where the state is below one. Between steps the states come from an
        interpolant of the method's own order. Raises `IntegrationError` where the question makes no
        sense; an integration that cannot go on is no error but an outcome. ``limits`` bound the steps from outside.
        ``on_step`` sees the state after a step and may change it; with ``pause``, an integrator may call it after that many steps instead. ``watch`` sees several at once and stops at one.
        """
        grid = np.array(times, dtype=float)
        state = np.array(start, dtype=float)
        self._refuse_unless_sensible(flow, state, grid, tolerance)
        sizes = typical_sizes(flow, state, grid)
        request = Request(flow, state, grid, tolerance, on_step, watch, progress, max_steps, sizes, limits, pause)
        if grid.size == 1:
            return Solution(grid, state[None, :], Outcome.REACHED_END, float(grid[0]), state, 0)
        return self._integrate(request)

    @abc.abstractmethod
    def _integrate(self, request: Request) -> Solution:
        """The method itself; the request has at least two times."""

    @staticmethod
    def _refuse_unless_sensible(flow: Flow, start: Array, times: Array, tolerance: float) -> None:
        if start.shape != (len(flow.program.states),):
            raise IntegrationError(
                f"the start has {start.size} values and the system {len(flow.program.states)} states."
            )
        if not (np.isfinite(start).all() and np.isfinite(flow.parameters).all()):
            raise IntegrationError("the start and the parameters must be finite numbers.")
        if times.ndim != 1 or times.size == 0 or not np.isfinite(times).all():
            raise IntegrationError("the times must be finite numbers, the first of them the initial time.")
        gaps = np.diff(times)
        if times.size > 1 and not ((gaps > 0).all() or (gaps < 0).all()):
            raise IntegrationError("the times must increase, or decrease, from each to the next.")
        if not 0 < tolerance < 1:
            raise IntegrationError(f"the tolerance must lie between 0 and 1, and {tolerance} does not.")


Flag: TypeAlias = NDArray[np.bool_]
Flags: TypeAlias = Callable[[Array, Array], Flag]
"""From the times and states of steps in a row to whether each is one at which to stop."""


@final
@dataclass(frozen=True)
class StopCondition:
    """A reason to stop, and whom to tell the place among the steps, and the time, where it is the one that did."""

    flags: Flags
    told: Callable[[int, float], None] = lambda place, time: None


def first_of(conditions: Sequence[StopCondition]) -> Watch | None:
    """Stop at the first step at which any of the conditions holds; of several there, the first in order is told."""
    if not conditions:
        return None

    def watch(times: Array, states: Array) -> int | None:
        held = np.array([condition.flags(times, states) for condition in conditions])
        if not held.any():
            return None
        place = int(np.argmax(held.any(axis=0)))
        conditions[int(np.argmax(held[:, place]))].told(place, float(times[place]))
        return place

    return watch
