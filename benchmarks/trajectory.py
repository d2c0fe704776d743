"""One motion to t = 100: how long, and how exact?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anholonomy import System
from anholonomy.motion.integrators.base import Flow as Integrand
from anholonomy.motion.integrators.choice import choose_integrator
from benchmarks.cases import CASES, Case
from benchmarks.ours import Flow, energy_and_residual, flow, full_state, reference
from benchmarks.sympy_route import KaneRoute
from benchmarks.table import Table
from benchmarks.timing import best_in_turn, cold, once, seconds, times

__all__ = ["run"]

UNTIL, ROUNDS = 100.0, 3
GRID = np.linspace(0.0, UNTIL, 1001)
MACHINE = float(np.finfo(float).eps)
OURS = (
    ("ours, default", {}),
    ("ours, taylor 1e-12", {"tolerance": 1e-12, "integrator": "taylor"}),
    ("ours, runge-kutta 1e-9", {"tolerance": 1e-9, "integrator": "runge-kutta"}),
)
THEIRS = (
    ("SymPy Kane, SciPy DOP853 1e-9", 1e-9, False),
    ("the same, lambdify with math", 1e-9, True),
    ("the same at 1e-13", 1e-13, True),
)


def run() -> list[Table]:
    return [_table(case) for case in CASES]


@dataclass(frozen=True)
class Entrant:
    """A route made ready: the whole call, the integrator alone, and the motion (coordinates, velocities)."""

    set_up: float
    simulate: Callable[[], Any]
    integrate: Callable[[], Any]
    motion: tuple[np.ndarray, np.ndarray]


def _table(case: Case) -> Table:
    system = case.make()
    for _, options in OURS:  # imports, and the machine code that serves every system
        system.simulate(case.start, times=GRID[:2], **options)
    entrants = {name: _ours(case, options) for name, options in OURS}
    entrants |= {name: _theirs(case, system, tolerance, scalar) for name, tolerance, scalar in THEIRS}
    whole = best_in_turn({name: entrant.simulate for name, entrant in entrants.items()}, ROUNDS)
    inside = best_in_turn({name: entrant.integrate for name, entrant in entrants.items()}, ROUNDS)
    for name, entrant in entrants.items():
        if entrant.simulate is entrant.integrate:
            whole[name] = inside[name] = min(whole[name], inside[name])
    slow = whole[THEIRS[0][0]]
    exact = reference(flow(system, case.start), GRID)[:, : len(system.coordinates)]
    rows = []
    for name, entrant in entrants.items():
        q, v = entrant.motion
        error = float(np.abs(q - exact).max())
        accuracy = [f"{value:.0e}" for value in (error, *energy_and_residual(system, q, v))]
        spent = [word for each in (whole, inside) for word in (seconds(each[name]), times(slow / each[name]))]
        rows.append([name, seconds(entrant.set_up), *spent, *accuracy])
    columns = ["route", "set-up", "simulate", "faster", "integrator", "faster", "error", "energy", "residual"]
    notes = [
        "Set-up: from the declaration to code, caches empty. Simulate: the whole call when it is made again; "
        "accelerations, reactions and energy are computed when asked for, and are not in it. Integrator: the states alone, as "
        "from `solve_ivp`. Error: largest difference of a coordinate, at any of the times, from a Taylor solution in extended "
        "precision; energy: largest relative change; residual: largest violation of a constraint."
    ]
    return Table(f"One motion to t = {UNTIL:g}: {case.name}", columns, rows, notes)


def _ours(case: Case, options: dict[str, Any]) -> Entrant:
    cold()
    first, _ = once(lambda: case.make().simulate(case.start, times=GRID, **options))
    system = case.make()
    again, motion = once(lambda: system.simulate(case.start, times=GRID, **options))
    return Entrant(
        first - again,
        lambda: system.simulate(case.start, times=GRID, **options),
        _integrator(flow(system, case.start), options),
        (motion.data["q"].values, motion.data["velocity"].values),
    )


def _integrator(made: Flow, options: dict[str, Any]) -> Callable[[], Any]:
    tolerance = options.get("tolerance", MACHINE)
    chosen = choose_integrator(made.straight, tolerance, options.get("integrator"))
    program = made.straight if chosen.name == "taylor" else made.rates
    integrand = Integrand(program, made.parameters)
    return lambda: chosen.integrate(integrand, made.start, GRID, tolerance=tolerance)


def _theirs(case: Case, system: System, tolerance: float, scalar: bool) -> Entrant:
    cold()
    set_up, route = once(lambda: KaneRoute(case.kane(), dict(system.parameters), scalar))
    point = full_state(system, case.start)
    start = route.state(*(np.array([point[s] for s in names]) for names in (system.coordinates, system.velocities)))
    states = route.solve(start, GRID, tolerance)

    def solve() -> np.ndarray:
        return route.solve(start, GRID, tolerance)

    return Entrant(set_up, solve, solve, (states[:, : len(route.q)], route.velocities(states)))
