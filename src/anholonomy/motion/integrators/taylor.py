r"""Taylor's method for one motion, by heyoka: the series of the motion itself, to rounding error.

.. math:: x(t + h) = \sum_{k=0}^{N} x^{[k]}(t)\, h^k

heyoka computes the normalised derivatives $x^{[k]}$ by automatic differentiation and chooses $N$ by the
tolerance, about 20 for doubles, and $h$ by the size of the last terms. The same series is the dense
output, so a fine grid costs almost nothing.

The series knows nothing of corners: ``abs`` and ``sign`` make a motion that it would step across
without noticing, so such programs are left to the other methods.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Thread
from time import perf_counter
from typing import Any, ClassVar, final

import numpy as np

from anholonomy.base.tolerances import MACHINE
from anholonomy.motion.integrators.base import LOOKS, AbstractIntegrator, Outcome, Pace, Request, Solution, Trail
from anholonomy.programs.backends.base import Array, Unsupported
from anholonomy.programs.backends.heyoka import variables_and_outputs
from anholonomy.programs.program import Program

__all__ = ["Taylor"]

COMPACT_ABOVE = 80
"""Operations above which heyoka compiles in compact mode.

Measured on random programs: compact code takes 1 to 1.4 times as long to run and a quarter of the time
to compile at 120 operations, a seventh at 420."""


_WORTH = 1_000_000
"""Steps times operations after which code is optimised: it was made in a tenth of the time, and has cost half of that since by being
two to four times as slow. Counted, not timed, so that a script computes the same digits whenever it runs."""
_POOL_SIZE = 32
"""Compiled integrators that are kept for the next motion."""
_BELOW_ROUNDING = 1e-18
"""A tolerance with which heyoka adds terms until rounding ends the gain."""


@final
class Taylor(AbstractIntegrator):
    """Adaptive Taylor series by heyoka.

    >>> import symengine
    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.motion.integrators.base import Flow
    >>> x, v = symengine.symbols("x v")
    >>> oscillator = Flow(lower([x, v], [], [], [v, -x]), np.array([]))
    >>> run = Taylor().integrate(oscillator, [1.0, 0.0], np.linspace(0, 2 * np.pi, 5), tolerance=1e-16)
    >>> bool(abs(run.states[:, 0] - np.cos(run.times)).max() < 1e-15)
    True
    """

    name = "taylor"
    title = "Taylor series to rounding error (heyoka)"
    chosen = (
        "its code is compiled within about a second, for all charts together, or sooner than the "
        "other would be done; above a tolerance of 1e-12 only up to 200 operations, or for long motions"
    )
    package = "heyoka"
    wants_straight = True
    _pool: ClassVar[OrderedDict[tuple[Program, float], _Series]] = OrderedDict()

    @classmethod
    def _obstacle(cls, program: Program) -> str:
        corners = "a Taylor series cannot follow abs or sign across zero" if program.has_corners else ""
        return super()._obstacle(program) or corners

    def _integrate(self, request: Request) -> Solution:
        key = request.flow.program, _series_tolerance(request)
        # Taken out while in use, so that neither a thread nor a callback can share it.
        series = self._pool.pop(key, None) or _Series(*key)
        try:
            return _Run(series, request).solution()
        finally:
            self._pool[key] = series
            while len(self._pool) > _POOL_SIZE:
                self._pool.popitem(last=False)


def _series_tolerance(request: Request) -> float:
    """What the last term of the series may be, beside the largest state or 1.

    It is the error a step makes, always of the same sign: at the unit roundoff itself it adds up to a drift (leaning
    disc, t = 10⁴: 1e-12 in energy). Two orders more cost a fifth and end it (1e-14). heyoka measures all states by
    the largest; where some are much smaller the series goes on until they are as exact.
    """
    tolerance = _BELOW_ROUNDING if request.tolerance <= MACHINE else request.tolerance
    disparity = request.sizes.min() / max(1.0, np.abs(request.start).max())
    if disparity < 1e-2:  # in powers of ten, so that similar starts share a stepper
        tolerance *= 10.0 ** np.floor(np.log10(disparity))
    return float(max(tolerance, 1e-40))


@final
class _Series:
    """The stepper of a program: quickly made at first, and optimised once that is worth it."""

    def __init__(self, program: Program, tolerance: float) -> None:
        self.key = program, tolerance
        self.left: int | None = -(-_WORTH // max(program.operations, 1))
        """Steps that it will make before it is optimised; None when it is."""
        self.stepper = self._made(optimised=False)

    def grant(self, steps: int) -> int:
        """Of so many steps those that can be made before it must be asked again; it is optimised where none are left, at the state where it is."""
        if self.left == 0:
            old, self.stepper, self.left = self.stepper, self._made(optimised=True), None
            self.begin(old.time, old.state, old.pars)
        return steps if self.left is None else min(steps, self.left)

    def count(self, steps: int) -> None:
        """Note steps that were made."""
        self.left = None if self.left is None else self.left - steps

    def begin(self, time: float, state: Array, parameters: Array) -> None:
        self.stepper.time = time
        self.stepper.state[:] = state
        self.stepper.pars[:] = parameters[: len(self.stepper.pars)]

    def _made(self, optimised: bool) -> Any:
        build = _build if self.key[0].operations <= COMPACT_ABOVE else _build_aside
        return build(*self.key, optimised)


def _build(program: Program, tolerance: float, optimised: bool) -> Any:
    import heyoka

    if program.has_corners:
        raise Unsupported("a Taylor series cannot follow abs or sign across zero")
    variables, rates = variables_and_outputs(program)
    return heyoka.taylor_adaptive(
        list(zip(variables, rates, strict=True)),
        [0.0] * len(variables),
        tol=tolerance,
        compact_mode=program.operations > COMPACT_ABOVE,
        opt_level=int(optimised),  # more takes up to twice as long to compile, and runs no faster
    )


def _build_aside(program: Program, tolerance: float, optimised: bool) -> Any:
    """The same in a thread of its own, because an interrupt reaches only Python, and this may take long elsewhere."""
    from concurrent.futures import Future  # which brings the logging along

    done: Future[Any] = Future()

    def build() -> None:
        try:
            done.set_result(_build(program, tolerance, optimised))
        except BaseException as problem:
            done.set_exception(problem)

    thread = Thread(target=build, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOKS)
    return done.result()


@final
class _Run:
    """One integration: the grid filled so far and the steps taken."""

    def __init__(self, series: _Series, request: Request) -> None:
        self.series, self.request = series, request
        series.begin(request.times[0], request.start, request.flow.parameters)
        self.states = np.empty((len(request.times), len(request.start)))
        self.states[0] = request.start
        self.filled, self.steps, self.stops = 1, 0, request.stops
        self.trail = Trail(request)
        self.safe: tuple[float, Array] = float(request.times[0]), request.start.copy()

    def solution(self) -> Solution:
        try:
            seen = self.request.shows_every_step or self.request.watch is not None
            outcome = self._by_steps() if seen else self._by_chunks()
        except KeyboardInterrupt:
            outcome = Outcome.INTERRUPTED
        if self._is_stopped():
            outcome = Outcome.STOPPED
        times, (time, state) = self.request.times, self.safe
        filled = self.filled
        return Solution(times[:filled].copy(), self.states[:filled].copy(), outcome, time, state, self.steps)

    @property
    def stepper(self) -> Any:
        return self.series.stepper

    def _keep(self) -> None:
        self.safe = float(self.stepper.time), self.stepper.state.copy()

    def _by_chunks(self) -> Outcome:
        """As many steps at a time as fit into the patience, without returning to Python between them."""
        import heyoka

        chunk, pace = 200, Pace(self.request)
        while self.steps < self.request.max_steps:
            began = perf_counter()
            grid, ends_off = self._ahead()
            limit = min(chunk, self.request.max_steps - self.steps)
            limit = limit if self.request.on_step is None else min(limit, self.request.pause)
            limit = self.series.grant(limit)
            status, _, longest, count, _, values = self.stepper.propagate_grid(
                grid, max_steps=limit, max_delta_t=self.request.limits.longest
            )
            if status == heyoka.taylor_outcome.err_nf_state:
                # The chunk is lost; a step at a time the motion is kept up to where it ends.
                self.stepper.time, self.stepper.state[:] = self.safe
                return self._by_steps()
            reached = len(values) - 1 - (ends_off and len(values) == len(grid))
            self.states[self.filled : self.filled + reached] = values[1 : reached + 1]
            self.filled += reached
            self.steps += count
            self.series.count(count)
            self._fill()  # a chunk may end on a point of the grid
            self._keep()
            if not self._shown():
                return Outcome.STOPPED
            if self.request.progress is not None:
                self.request.progress(self.safe[0])
            # The last step that was granted may be the one that arrives.
            at_stop = status == heyoka.taylor_outcome.time_limit or self.safe[0] == self.stops[0]
            if at_stop and self._is_last():
                return Outcome.REACHED_END
            if (why := pace.verdict(self.steps, self.safe[0])) is not None:
                return why
            if not at_stop and 0 < longest < 4 * MACHINE * abs(self.safe[0]):
                return Outcome.STEP_TOO_SMALL
            spent = max(perf_counter() - began, 1e-6)
            chunk = int(max(1, chunk * min(10.0, LOOKS / spent)))
        return Outcome.TOO_MANY_STEPS

    def _by_steps(self) -> Outcome:
        """One step at a time, because the caller wants to see each or the next may be the last."""
        import heyoka

        progress, longest = self.request.progress, self.request.limits.longest
        looked, pace = perf_counter(), Pace(self.request)
        while self.steps < self.request.max_steps:
            end, _ = float(self.stops[0]), self.series.grant(1)
            status, *_ = self.stepper.propagate_until(end, max_steps=1, write_tc=True, max_delta_t=longest)
            if status == heyoka.taylor_outcome.err_nf_state:
                return Outcome.NOT_FINITE
            self.steps += 1
            self.series.count(1)
            self._fill()
            self._keep()
            self.trail.add(*self.safe)
            if self.trail.is_full and self._is_stopped():
                return Outcome.STOPPED
            if self.steps % self.request.pause == 0 and not self._shown():
                return Outcome.STOPPED
            at_stop = status == heyoka.taylor_outcome.time_limit
            if at_stop and self._is_last():
                return Outcome.REACHED_END
            if (why := pace.verdict(self.steps, self.safe[0])) is not None:
                return why
            if not at_stop and abs(self.stepper.last_h) < 4 * MACHINE * abs(self.safe[0]):
                return Outcome.STEP_TOO_SMALL
            if progress is not None and perf_counter() - looked > LOOKS:
                looked = perf_counter()
                progress(self.safe[0])
        return Outcome.TOO_MANY_STEPS

    def _shown(self) -> bool:
        """Show the last step to the caller, who may change its state; False when it is to be the last."""
        if self.request.on_step is None:
            return True
        verdict = self.request.on_step(*self.safe)
        if isinstance(verdict, np.ndarray):
            self.stepper.state[:] = verdict
            self._keep()
        return verdict is not False

    def _is_stopped(self) -> bool:
        """Whether the watch stops at one of the steps it was not shown yet, which then is the last."""
        made = len(self.trail)
        if (last := self.trail.watched()) is None:
            return False
        self.safe = last[1:]
        self.steps += last[0] + 1 - made
        self.filled = self.request.reached(self.safe[0])
        return True

    def _ahead(self) -> tuple[Array, bool]:
        """From now to the next stop: the times of the grid, and the stop itself where it is none of them."""
        times, stop, direction = self.request.times, self.stops[0], self.request.direction
        until = self.filled + int(np.searchsorted(direction * times[self.filled :], direction * stop, "right"))
        inside = times[self.filled : until]
        ends_off = not inside.size or inside[-1] != stop
        return np.concatenate([[self.stepper.time], inside, [stop] if ends_off else []]), ends_off

    def _is_last(self) -> bool:
        """Whether the stop that was reached is the end; the next one is aimed at otherwise."""
        self.stops = self.stops[1:]
        return not self.stops.size

    def _fill(self) -> None:
        """The grid points that the last step passed, from its Taylor series."""
        times, now, direction = self.request.times, self.stepper.time, self.request.direction
        while self.filled < len(times) and direction * (times[self.filled] - now) <= 0:
            self.states[self.filled] = self.stepper.update_d_output(times[self.filled])
            self.filled += 1
