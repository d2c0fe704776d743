"""Runge and Kutta's method of order eight (DOP853) for one motion, compiled from end to end.

The rates are machine code of the program, the steps are machine code too (`dop853`), and Python is
entered ten times a second to look for an interrupt, and after every ``pause`` steps if the caller changes the state. Linear systems in the program are factorised as they come, so nothing needs unrolling.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from time import perf_counter
from typing import Any, final

import numpy as np

from anholonomy.motion.integrators.base import (
    LOOKS,
    AbstractIntegrator,
    Outcome,
    Pace,
    Request,
    Solution,
    rounding_sizes,
)
from anholonomy.programs.backends.base import Array
from anholonomy.programs.backends.llvm import LlvmBackend, compile_machine_code

__all__ = ["RungeKutta", "dop853_tables", "hairer", "step"]

_FIRST, _WATCHED = 64, 256
"""Attempts before the first look at the watch, which takes longer than they do, and at most between two: never more than before them."""
_SHORTEST = float(np.finfo(float).tiny)
_CHUNK = 200
"""Attempts between two looks at what rounding makes of the rates."""


@final
class RungeKutta(AbstractIntegrator):
    """DOP853 of Hairer and Wanner: order 8, dense output of order 7, rounding errors carried along.

    >>> import symengine
    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.motion.integrators.base import Flow
    >>> x, v = symengine.symbols("x v")
    >>> oscillator = Flow(lower([x, v], [], [], [v, -x]), np.array([]))
    >>> run = RungeKutta().integrate(oscillator, [1.0, 0.0], np.linspace(0, 2 * np.pi, 5), tolerance=1e-10)
    >>> bool(abs(run.states[:, 0] - np.cos(run.times)).max() < 1e-9)
    True
    """

    name = "runge-kutta"
    title = "DOP853, machine code throughout (LLVM, Numba)"
    chosen = "larger systems"
    package = "numba"

    def _integrate(self, request: Request) -> Solution:
        return _Run(request).solution()


@lru_cache(maxsize=1)
def dop853_tables() -> tuple[Array, ...]:
    """A (16 × 16), B, C, E5, E3 and D, each padded to the sixteen stages."""
    found = hairer()
    return tuple(
        np.ascontiguousarray(table, dtype=float) for table in (found.A, found.B, found.C, found.E5, found.E3, found.D)
    )


@lru_cache(maxsize=1)
def hairer() -> Any:
    """SciPy's file of coefficients by itself: with all of `scipy.integrate` around it takes half a second."""
    folder = (spec := find_spec("scipy")) and spec.submodule_search_locations
    place = Path(*(folder or ()), "integrate", "_ivp", "dop853_coefficients.py")
    if not place.is_file():
        return import_module("scipy.integrate._ivp.dop853_coefficients")
    found = spec_from_file_location("dop853_coefficients", place)
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


def step(rates: Callable[[float, Array], Array], t: float, h: float, x: Array) -> Array:
    """One step of order eight without a choice of its size, of as many states at once as ``rates`` takes."""
    tables, stages = hairer(), list[Array]()
    for a, c in zip(tables.A[:12, :12], tables.C[:12], strict=True):
        moved = x + h * sum((weight * k for weight, k in zip(a, stages, strict=False) if weight), np.zeros_like(x))
        stages.append(rates(t + c * h, moved))
    return np.asarray(x + h * sum((weight * k for weight, k in zip(tables.B, stages, strict=True)), np.zeros_like(x)))


def first_step(rate: Array, ahead: Array, trial: float, scale: Array) -> float:
    """A first step for order 8 from the rates at the start and a ``trial`` step ahead ([HNW93]_ §II.4)."""
    slope = float(np.sqrt(np.mean((rate / scale) ** 2)))
    curvature = float(np.sqrt(np.mean(((ahead - rate) / scale) ** 2))) / trial
    steepest = max(slope, curvature)
    guess = max(1e-6, trial * 1e-3) if steepest <= 1e-15 else (0.01 / steepest) ** (1 / 8)
    return min(100 * trial, guess)


@final
class _Run:
    """One integration: the arrays that the compiled steps update."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.code = compile_machine_code(request.flow.program)
        self.rate = LlvmBackend().compile(request.flow.program)
        self.x = request.start.copy()
        self.lost = np.zeros_like(self.x)
        self.k = np.zeros((16, self.x.size))
        self.p = np.ascontiguousarray(request.flow.parameters, dtype=float)
        self.out = np.empty((request.times.size, self.x.size))
        self.out[0] = self.x
        self.counts = np.array([1, 0, 0, 0, 0, 0, 0], dtype=np.int64)
        self.limits = request.stops, float(request.limits.longest)
        self.clock = np.array([request.times[0], 0.0])
        self.sizes = request.sizes
        self.looked_at = 0
        room = 0 if request.watch is None else _WATCHED
        self.trail = np.empty(room), np.empty((room, self.x.size))

    def solution(self) -> Solution:
        try:
            outcome = self._run()
        except KeyboardInterrupt:
            outcome = Outcome.INTERRUPTED
        filled, steps, rejected, evaluations = (int(count) for count in self.counts[:4])
        statistics = {"rejected": rejected, "evaluations": evaluations}
        where = float(self.clock[0]), self.x.copy()
        times = self.request.times[:filled].copy()
        return Solution(times, self.out[:filled].copy(), outcome, *where, steps, statistics)

    def _begin(self) -> bool:
        """Choose the first step; False where the rates are not finite."""
        request, now = self.request, float(self.clock[0])
        self.k[0] = self.rate(now, self.x, self.p)
        if not np.isfinite(self.k[0]).all():
            return False
        scale = request.tolerance * (request.sizes + np.abs(self.x))
        with np.errstate(over="ignore"):
            sizes = [float(np.sqrt(np.mean((v / scale) ** 2))) for v in (self.x, self.k[0])]
        trial = 1e-6 if min(sizes) < 1e-5 else 0.01 * sizes[0] / sizes[1]
        length = abs(float(request.times[-1] - request.times[0]))
        # Rates near the end of doubles have no size in units of what is tolerated.
        trial = min(trial if trial > 0 else _SHORTEST, length)
        shift = request.direction * trial
        ahead = self.rate(now + shift, self.x + shift * self.k[0], self.p)
        with np.errstate(all="ignore"):
            step = first_step(self.k[0], ahead, trial, scale)
        self.clock[1] = request.direction * min(step if np.isfinite(step) else trial, length)
        self.counts[3] += 2
        return True

    def _run(self) -> Outcome:
        from anholonomy.motion.integrators import dop853

        request = self.request
        if not self._begin():
            return Outcome.NOT_FINITE
        most = _CHUNK if request.watch is None else _WATCHED
        most = most if request.on_step is None else min(most, request.pause)
        grant = min(most, _FIRST if request.watch else _CHUNK)
        looked, pace = perf_counter(), Pace(request)
        while (attempts := int(self.counts[1] + self.counts[2])) < request.max_steps:
            began, accepted = perf_counter(), int(self.counts[1])
            self._look_at_rounding(attempts)
            status = dop853.advance(
                *((self.code.address, self.p), (self.clock, self.x, self.lost, self.k), dop853_tables()),
                *((request.times, self.out), (request.tolerance, self.sizes), self.counts, self.limits, self.trail),
                min(grant, request.max_steps - attempts),
            )
            if self._is_stopped(accepted):
                return Outcome.STOPPED
            if status == dop853.TINY:
                return Outcome.NOT_FINITE if self.counts[4] == 2 else Outcome.STEP_TOO_SMALL
            if request.on_step is not None and self.counts[1] > accepted and not self._shown():
                return Outcome.STOPPED
            if request.watch is not None:
                grant = min(2 * grant, most)
            else:
                grant = int(min(most, max(1, grant * min(10.0, LOOKS / max(perf_counter() - began, 1e-6)))))
            if (why := pace.verdict(attempts, float(self.clock[0]))) is not None:
                return why
            if request.progress is not None and perf_counter() - looked > LOOKS:
                looked = perf_counter()
                request.progress(float(self.clock[0]))
            if status == dop853.END:
                return Outcome.REACHED_END
        return Outcome.TOO_MANY_STEPS

    def _look_at_rounding(self, attempts: int) -> None:
        """Every so often, tolerate what no step can avoid."""
        if attempts - self.looked_at >= _CHUNK:
            request, self.looked_at = self.request, attempts
            length = abs(float(request.times[-1] - request.times[0]))
            where = float(self.clock[0]), self.x, request.sizes
            self.sizes = rounding_sizes(request.flow, *where, length, request.tolerance)

    def _is_stopped(self, accepted: int) -> bool:
        """Whether the watch stops at one of the steps since ``accepted``, which then is the last."""
        made = int(self.counts[1]) - accepted
        if self.request.watch is None or not made:
            return False
        times, states = self.trail
        if (last := self.request.watch(times[:made], states[:made])) is None:
            return False
        self.clock[0], self.x[:] = times[last], states[last]
        self.counts[0], self.counts[1] = self.request.reached(float(times[last])), accepted + last + 1
        return True

    def _shown(self) -> bool:
        """Show the step to the caller; False when it is to be the last."""
        assert self.request.on_step is not None
        now = float(self.clock[0])
        verdict = self.request.on_step(now, self.x.copy())
        if isinstance(verdict, np.ndarray):
            self.x[:] = verdict
            self.lost[:] = 0.0
            self.k[0] = self.rate(now, self.x, self.p)
            self.counts[3] += 1
        return verdict is not False
