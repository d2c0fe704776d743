"""SciPy's methods.

SciPy's methods on the compiled rates: the integrators that are always there.

Slower than the others, since every stage passes through Python, but with implicit methods for stiff
equations (``Radau``, ``BDF``, and ``LSODA``, which switches by itself).
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, ClassVar, final

import numpy as np

from anholonomy.base.errors import UnknownNameError
from anholonomy.motion.integrators.base import LOOKS, AbstractIntegrator, Array, Outcome, Pace, Request, Solution
from anholonomy.programs.backends.base import Function, Unsupported
from anholonomy.programs.backends.llvm import LlvmBackend
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import Program

__all__ = ["Scipy"]


@final
class Scipy(AbstractIntegrator):
    """One of SciPy's solvers, ``DOP853`` unless another is named.

    >>> import symengine
    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.motion.integrators.base import Flow
    >>> x, v = symengine.symbols("x v")
    >>> oscillator = Flow(lower([x, v], [], [], [v, -x]), np.array([]))
    >>> run = Scipy("LSODA").integrate(oscillator, [1.0, 0.0], np.linspace(0, 2 * np.pi, 5), tolerance=1e-8)
    >>> bool(abs(run.states[:, 0] - np.cos(run.times)).max() < 1e-6)
    True
    """

    name = "scipy"
    title = "SciPy's DOP853 on the compiled rates"
    chosen = 'nothing faster is installed; constraints that may become dependent (`redundant="keep"`)'
    methods: ClassVar[tuple[str, ...]] = ("DOP853", "LSODA", "Radau", "BDF", "RK45")

    @classmethod
    def _obstacle(cls, program: Program) -> str:
        return ""

    def __init__(self, method: str = "DOP853") -> None:
        if method not in self.methods:
            raise UnknownNameError(f"SciPy has no method {method!r} here; there are {', '.join(self.methods)}.")
        self.method = method

    def _integrate(self, request: Request) -> Solution:
        return _Run(request, self.method).solution()


def _rates(program: Program) -> Function:
    """Machine code where this machine can make it, the interpreter otherwise."""
    try:
        return LlvmBackend().compile(program)
    except (ImportError, Unsupported):
        return NumpyBackend().compile(program)


@final
class _Run:
    """One integration: SciPy's solver, and the grid filled so far."""

    def __init__(self, request: Request, method: str) -> None:
        self.request, self.method = request, method
        self.rates = _rates(request.flow.program)
        self.out = np.empty((request.times.size, request.start.size))
        self.out[0] = request.start
        self.filled, self.steps, self.evaluations, self.stops = 1, 0, 0, request.stops
        self.now, self.state = float(request.times[0]), request.start

    def solution(self) -> Solution:
        try:
            outcome = self._run()
        except KeyboardInterrupt:
            outcome = Outcome.INTERRUPTED
        times, states = self.request.times[: self.filled].copy(), self.out[: self.filled].copy()
        statistics = {"evaluations": self.evaluations}
        return Solution(times, states, outcome, self.now, self.state, self.steps, statistics)

    def _rate(self, t: float, x: Array) -> Array:
        self.evaluations += 1
        return self.rates(t, x, self.request.flow.parameters_at(t, x))

    def _solver(self) -> Any:
        import scipy.integrate

        # SciPy warns below a hundred roundings and then uses that.
        tolerance = max(self.request.tolerance, 100 * np.finfo(float).eps)
        make = getattr(scipy.integrate, self.method)
        return make(
            self._rate,
            self.now,
            self.state,
            float(self.stops[0]),
            max_step=self.request.limits.longest,
            rtol=tolerance,
            atol=tolerance * self.request.sizes,
        )

    def _run(self) -> Outcome:
        request = self.request
        if not np.isfinite(self._rate(self.now, self.state)).all():
            return Outcome.NOT_FINITE
        solver, looked, pace = self._solver(), perf_counter(), Pace(request, window=1_000)
        while self.steps < request.max_steps:
            with np.errstate(all="ignore"):
                solver.step()
            if solver.status == "failed":
                finite = np.isfinite(self._rate(solver.t, solver.y)).all() and np.isfinite(solver.y).all()
                return Outcome.STEP_TOO_SMALL if finite else Outcome.NOT_FINITE
            if not np.isfinite(solver.y).all():
                return Outcome.NOT_FINITE
            self._accept(solver)
            if solver.status == "finished" and self.stops.size > 1:
                self.stops = self.stops[1:]
                solver = self._solver()
            if request.watch is not None and request.watch(np.array([self.now]), self.state[None]) is not None:
                return Outcome.STOPPED
            if request.on_step is not None:
                verdict = request.on_step(self.now, self.state.copy())
                if verdict is False:
                    return Outcome.STOPPED
                if isinstance(verdict, np.ndarray) and not np.array_equal(verdict, self.state):
                    self.state = verdict.astype(float)
                    if solver.status == "running":
                        solver = self._solver()
            if (why := pace.verdict(self.steps, self.now)) is not None:
                return why
            if request.progress is not None and perf_counter() - looked > LOOKS:
                looked = perf_counter()
                request.progress(self.now)
            if solver.status == "finished":
                return Outcome.REACHED_END
        return Outcome.TOO_MANY_STEPS

    def _accept(self, solver: Any) -> None:
        self.now, self.state = float(solver.t), solver.y.copy()
        self.steps += 1
        times, direction = self.request.times, self.request.direction
        passed = self.filled + int(np.searchsorted(direction * times[self.filled :], direction * self.now, "right"))
        if passed > self.filled:
            inside = times[self.filled : passed]
            self.out[self.filled : passed] = solver.dense_output()(inside).T
            if inside[-1] == self.now:
                self.out[passed - 1] = self.state
            self.filled = passed
