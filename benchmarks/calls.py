"""Is a call as fast as its kernel? Whole warm calls of `simulate` beside the integration inside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from anholonomy import System
from anholonomy.catalogue import ENTRIES, n_trailer
from anholonomy.motion.integrators.base import AbstractIntegrator, Solution
from benchmarks.table import Table
from benchmarks.timing import best, once, seconds, times, warmed

__all__ = ["run"]

_ALLOWED = 1.5, 2e-3
"""A call may take so many times its integrations, and so many seconds."""
TRAILERS = (1, 4, 8, 16, 32)
_SLEIGH = {"x": 0.0, "y": 0.0, "theta": 0.0, "x'": 1.0, "theta'": 0.5}


def run() -> list[Table]:
    return [_calls(), _sweeps()]


def _motions() -> Iterator[tuple[str, System, Mapping[str, float], float]]:
    """Those of the catalogue, and of longer and longer trains."""
    for key, entry in ENTRIES.items():
        yield key, entry.make(), entry.start, entry.until
    for n in TRAILERS:
        bent = {f"theta{i}": 0.3 * (-1) ** i for i in range(n + 1)}
        yield f"{n}-trailer", n_trailer(n), {"x": 0.0, "y": 0.0, "x'": 1.0, "theta0'": 0.2, **bent}, 12.0


def _calls() -> Table:
    rows = []
    for key, system, start, until in _motions():
        inside = _Stopwatch()

        def call(system: System = system, start: Mapping[str, float] = start, until: float = until) -> Any:
            return system.simulate(dict(start), until=until)

        first, _ = once(call)
        whole = best(warmed(call), cap=2.0)
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
