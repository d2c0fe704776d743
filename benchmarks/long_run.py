"""What is left of energy and constraints after a long run of the leaning disc?"""

from __future__ import annotations

import numpy as np

from anholonomy.simulate.integrators.base import Flow as Integrand
from anholonomy.simulate.integrators.taylor import Taylor
from benchmarks.cases import CASES
from benchmarks.ours import energy_and_residual, flow, full_state
from benchmarks.sympy_route import KaneRoute
from benchmarks.table import Table
from benchmarks.timing import once, seconds

__all__ = ["run"]

LONG, SHORT = 1e4, 1e3
CASE = next(case for case in CASES if case.name == "leaning disc")


def run() -> list[Table]:
    system, long, short = CASE.make(), np.linspace(0.0, LONG, 1001), np.linspace(0.0, SHORT, 1001)
    count = len(system.coordinates)
    rows = []
    for name, options in (("ours, default", {}), ("ours, multipliers, projected", {"by": "lagrange-dalembert"})):
        system.simulate(CASE.start, times=long[:2] / LONG, **options)
        spent, motion = once(lambda options=options: system.simulate(CASE.start, times=long, **options))
        rows.append(_row(name, LONG, spent, motion["q"].values, motion["velocity"].values))
    made = flow(system, CASE.start, "lagrange-dalembert")
    integrand = Integrand(made.straight, made.parameters)
    spent, found = once(lambda: Taylor().integrate(integrand, made.start, long, tolerance=float(np.finfo(float).eps)))
    rows.append(_row("multipliers, not projected", LONG, spent, found.states[:, :count], found.states[:, count:]))
    point = full_state(system, CASE.start)
    route = KaneRoute(CASE.kane(), dict(system.parameters))
    start = route.state(*(np.array([point[s] for s in names]) for names in (system.coordinates, system.velocities)))
    spent, states = once(lambda: route.solve(start, short, 1e-9))
    rows.append(_row("SymPy Kane, SciPy DOP853 1e-09", SHORT, spent, states[:, :count], route.velocities(states)))
    columns = ["route", "until t =", "time", "relative energy drift", "constraint residual"]
    notes = [
        "The largest over 1001 times. SciPy is stopped at a tenth of the time, because ten times as long would take a "
        "minute or more; its drift grows in proportion."
    ]
    return [Table("A long run of the leaning disc", columns, rows, notes)]


def _row(name: str, until: float, spent: float, q: np.ndarray, v: np.ndarray) -> list[str]:
    drift, residual = energy_and_residual(CASE.make(), q, v)
    return [name, f"{until:g}", seconds(spent), f"{drift:.0e}", f"{residual:.0e}"]
