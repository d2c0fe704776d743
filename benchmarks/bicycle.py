"""The benchmark bicycle: from its declaration to a motion to t = 20, beside the same through SymPy and SciPy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from anholonomy.catalogue import ENTRIES
from benchmarks import sympy_bicycle
from benchmarks.sympy_route import KaneRoute
from benchmarks.table import Table
from benchmarks.timing import as_users_do, best, best_in_turn, cold, once, seconds, times

__all__ = ["run"]

ENTRY = ENTRIES["whipple-bicycle"]
GRID, TOLERANCE = np.linspace(0, 20, 1001), 1e-9
FIRST = """
from time import perf_counter
import anholonomy as ah
entry = ah.catalogue.ENTRIES["whipple-bicycle"]
began = perf_counter()
entry.make().simulate(dict(entry.start), until=20, tolerance=1e-9)
print(perf_counter() - began)
"""


def run() -> list[Table]:
    return [_derivation(), _motion()]


def _derivation() -> Table:
    calls = {"ours, kane": lambda: ENTRY.make().derive("kane"), "SymPy KanesMethod": sympy_bicycle.bicycle}
    spent = {}
    for name, call in calls.items():
        cold()
        spent[name] = min(_cold_once(call) for _ in range(3))
    rows = [[name, seconds(value), times(value / spent["ours, kane"])] for name, value in spent.items()]
    return Table("The bicycle, declared and derived", ["by", "time", "beside ours"], rows, ["Caches empty."])


def _cold_once(call: Callable[[], Any]) -> float:
    cold()
    return once(call)[0]


def _motion() -> Table:
    bicycle, start = ENTRY.make(), dict(ENTRY.start)
    rates, x0, p = _our_rates(bicycle, start)
    method = sympy_bicycle.bicycle()
    route = KaneRoute(method, sympy_bicycle.values())
    theirs = sympy_bicycle.pushed(method, start["x'"], start["roll'"])
    calls: dict[str, Callable[[], Any]] = {
        "simulate, whole call": lambda: bicycle.simulate(start, until=20, tolerance=TOLERANCE),
        "SciPy's DOP853 on our rates": lambda: solve_ivp(
            lambda t, y: rates(t, y, p), (0, 20), x0, "DOP853", GRID, rtol=TOLERANCE, atol=TOLERANCE
        ),
        "SymPy Kane, lambdify, SciPy's DOP853": lambda: route.solve(theirs, GRID, TOLERANCE),
    }
    gap = np.abs(calls["simulate, whole call"]()["roll"].values - route.solve(theirs, GRID, TOLERANCE)[:, 1]).max()
    if gap > 1e-7:
        raise SystemExit(f"the bicycles lean differently, by {gap:.1e}, so that times cannot be compared.")
    spent = best_in_turn(calls, 10)
    rows = [[name, seconds(value), times(value / spent["simulate, whole call"])] for name, value in spent.items()]
    batch = np.tile(x0[:, None], (1, 20_000))
    for _ in range(5):  # code for many at a time is made once many were asked for
        rates(0.0, batch, p)
    rows.append(["one right-hand side in a batch", seconds(best(lambda: rates(0.0, batch, p)) / batch.shape[1]), ""])
    rows.append(["declared and moved in a fresh process, after import", seconds(min(_first() for _ in range(3))), ""])
    notes = [f"The leans agree to {gap:.0e}. Warm calls take turns; the fastest counts."]
    return Table("The bicycle to t = 20 at 1e-9", ["what", "time", "beside ours"], rows, notes)


def _our_rates(bicycle: Any, start: dict[str, float]) -> tuple[Any, np.ndarray, np.ndarray]:
    equations = bicycle.derive("kane", at=start)
    state, full = equations.function(of="state"), bicycle.simulate(start, until=0.1)
    x0 = state(0.0, [float(full[name][0]) for name in state.inputs])
    return equations.function(), x0, np.array(list(bicycle.parameters.values()), dtype=float)


def _first() -> float:
    command = [sys.executable, "-c", FIRST]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=as_users_do())
    return float(done.stdout)
