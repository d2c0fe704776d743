"""Is a call as fast as its kernel? Whole warm calls of `simulate` beside the integration inside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from anholonomy import System
from anholonomy.catalogue import ENTRIES
from anholonomy.simulate.integrators.base import AbstractIntegrator, Solution
from benchmarks.table import Table
from benchmarks.timing import best, best_in_turn, once, seconds, times

__all__ = ["run"]

_ALLOWED = 1.5, 2e-3
"""A call may take so many times its integrations, and so many seconds."""
_SLEIGH = {"x": 0.0, "y": 0.0, "theta": 0.0, "x'": 1.0, "theta'": 0.5}


def run() -> list[Table]:
    return [_calls(), _sweeps(), _bicycle()]


def _calls() -> Table:
    rows = []
    for key, entry in ENTRIES.items():
        system, inside = entry.make(), _Stopwatch()

        def call(system: System = system, start: Mapping[str, float] = entry.start, until: float = entry.until) -> Any:
            return system.simulate(dict(start), until=until)

        first, _ = once(call)
        whole = best(call, cap=2.0)
        kernel = min(inside.during(call) for _ in range(5))
        met = "yes" if whole <= _ALLOWED[0] * kernel + _ALLOWED[1] else "no"
        rows.append([key, seconds(first), seconds(whole), seconds(kernel), times(whole / kernel), met])
    columns = ["system", "first call", "warm call", "its integrations", "ratio", "≤ 1.5 × + 2 ms"]
    notes = [
        "The catalogue's own motion of each, at machine precision, 1001 samples; what is observed besides is computed when asked for. "
        "First calls share what is imported."
    ]
    return Table("Whole calls", columns, rows, notes)


class _Stopwatch:
    """Seconds that calls spend in integrators."""

    def during(self, call: Callable[[], Any]) -> float:
        spent, plain = 0.0, AbstractIntegrator.integrate

        def timed(integrator: AbstractIntegrator, *args: Any, **words: Any) -> Solution:
            nonlocal spent
            seconds, solution = once(lambda: plain(integrator, *args, **words))
            spent += seconds
            return solution

        AbstractIntegrator.integrate = timed  # type: ignore[method-assign, misc]
        try:
            call()
        finally:
            AbstractIntegrator.integrate = plain  # type: ignore[method-assign, misc]
        return spent


def _sweeps() -> Table:
    sleigh, count = ENTRIES["chaplygin-sleigh"].make(), 1000
    sweeps: dict[str, Callable[[int], Any]] = {
        "starts": lambda k: sleigh.simulate({**_SLEIGH, "x'": 1 + k / count}, until=20),
        "starts, the last x read": lambda k: sleigh.simulate({**_SLEIGH, "x'": 1 + k / count}, until=20)["x"][-1],
        "parameters": lambda k: sleigh.simulate(_SLEIGH, until=20, parameters={"a": 0.1 + k / count}),
        "systems": lambda k: sleigh.with_parameters(a=0.1 + k / count).simulate(_SLEIGH, until=20),
    }
    rows = []
    for name, one in sweeps.items():
        one(0)
        spent = min(once(lambda one=one: [one(k) for k in range(count)])[0] for _ in range(2))
        rows.append([name, seconds(spent / count), f"{count / spent:.0f}"])
    return Table("A thousand sleighs in a loop", ["over", "one run", "runs a second"], rows, ["Each to t = 20."])


def _bicycle() -> Table:
    from scipy.integrate import solve_ivp

    entry = ENTRIES["whipple-bicycle"]
    bicycle = entry.make()
    rates = bicycle.derive("kane", at=entry.start).function()
    start = dict(entry.start)
    x = bicycle.derive("kane", at=entry.start).function(of="state")
    full = bicycle.simulate(start, until=0.1)
    x0 = x(0.0, [float(full[name][0]) for name in x.inputs])
    p = np.array(list(bicycle.parameters.values()), dtype=float)
    grid = np.linspace(0, 20, 1001)
    calls: dict[str, Callable[[], Any]] = {
        "simulate, whole call": lambda: bicycle.simulate(start, until=20, tolerance=1e-9),
        "SciPy's DOP853 on our rates": lambda: solve_ivp(
            lambda t, y: rates(t, y, p), (0, 20), x0, method="DOP853", rtol=1e-9, atol=1e-9, t_eval=grid
        ),
    }
    for call in calls.values():
        call()
    spent = best_in_turn(calls, 10)
    batch = np.tile(x0[:, None], (1, 20_000))
    state = best(lambda: rates(0.0, batch, p)) / batch.shape[1]
    rows = [[name, seconds(value), times(value / spent["simulate, whole call"])] for name, value in spent.items()]
    rows.append(["one right-hand side in a batch", seconds(state), ""])
    return Table("The bicycle to t = 20 at 1e-9", ["what", "time", "beside ours"], rows)
