"""What is left of energy and constraints after a long run of the leaning disc?"""

from __future__ import annotations

import numpy as np

from anholonomy.motion.integrators.base import Flow as Integrand
from anholonomy.motion.integrators.taylor import Taylor
from benchmarks.cases import CASES
from benchmarks.ours import energy_and_residual, flow, full_state
from benchmarks.sympy_route import KaneRoute
from benchmarks.table import Table
from benchmarks.timing import once, seconds

__all__ = ["run"]

UNTIL = 1e4
CASE = next(case for case in CASES if case.name == "leaning disc")


def run() -> list[Table]:
    system, grid = CASE.make(), np.linspace(0.0, UNTIL, 1001)
    count = len(system.coordinates)
    rows = []
    for name, options in (("ours, default", {}), ("ours, multipliers, projected", {"by": "lagrange-dalembert"})):
        system.simulate(CASE.start, times=grid[:2] / UNTIL, **options)
        spent, motion = once(lambda options=options: system.simulate(CASE.start, times=grid, **options))
        rows.append(_row(name, spent, motion["q"].values, motion["velocity"].values))
    made = flow(system, CASE.start, "lagrange-dalembert")
    integrand = Integrand(made.straight, made.parameters)
    spent, found = once(lambda: Taylor().integrate(integrand, made.start, grid, tolerance=float(np.finfo(float).eps)))
    rows.append(_row("multipliers, not projected", spent, found.states[:, :count], found.states[:, count:]))
    point = full_state(system, CASE.start)
    route = KaneRoute(CASE.kane(), dict(system.parameters))
    start = route.state(*(np.array([point[s] for s in names]) for names in (system.coordinates, system.velocities)))
    spent, states = once(lambda: route.solve(start, grid, 1e-9))
    rows.append(_row("SymPy Kane, SciPy DOP853 1e-09", spent, states[:, :count], route.velocities(states)))
    columns = ["route", "time", "relative energy drift", "constraint residual"]
    notes = [
        f"To t = {UNTIL:g}; the largest over 1001 times. Where the heading has turned by thousands of radians its own "
        "rounding shows in a residual that is computed from it, about 1e-12."
    ]
    return [Table("A long run of the leaning disc", columns, rows, notes)]


def _row(name: str, spent: float, q: np.ndarray, v: np.ndarray) -> list[str]:
    drift, residual = energy_and_residual(CASE.make(), q, v)
    return [name, seconds(spent), f"{drift:.0e}", f"{residual:.0e}"]
