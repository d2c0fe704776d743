"""How long from a declaration to the equations of motion?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import anholonomy as ah
from anholonomy.equations.principles import PRINCIPLES
from benchmarks.cases import CASES, Case
from benchmarks.ours import full_state
from benchmarks.sympy_route import KaneRoute, lagrange_accelerations
from benchmarks.table import Table
from benchmarks.timing import cold, once, seconds, times

__all__ = ["disagreement", "run"]


def principles(system: ah.System) -> list[str]:
    """Every principle that covers the system and has its motions."""
    return [f.name for f in PRINCIPLES if f.agrees and f.covers(system.model)]


def disagreement(case: Case, states: int = 3) -> float:
    """The largest difference between accelerations, ours by every principle and SymPy's by both methods."""
    system, rng = case.make(), np.random.default_rng(1)
    values = dict(system.parameters)
    kane, lagrange = KaneRoute(case.kane(), values), case.lagrange()
    worst = 0.0
    for _ in range(states):
        given = {q.name: rng.uniform(-1, 1) for q in system.coordinates} | {w: rng.uniform(-2, 2) for w in case.free}
        point = full_state(system, given)
        q = np.array([point[s] for s in system.coordinates])
        v = np.array([point[s] for s in system.velocities])
        state = {s.name: point[s] for s in (*system.coordinates, *system.velocities)}
        found = [list(system.derive(by).accelerations(state).values()) for by in principles(system)]
        found += [kane.accelerations(q, v), lagrange_accelerations(lagrange, values, q, v)]
        worst = max(worst, max(float(np.abs(np.array(a) - found[0]).max()) for a in found))
    return worst / (1 + float(np.abs(found[0]).max()))


def run() -> list[Table]:
    rows = []
    for case in CASES:
        gap = disagreement(case)
        if gap > 1e-10:
            raise SystemExit(f"{case.name}: the accelerations differ by {gap:.1e}, so that times cannot be compared.")
        calls = {by: lambda by=by, make=case.make: make().derive(by) for by in principles(case.make())}
        calls |= {
            "SymPy KanesMethod": case.kane,
            "SymPy LagrangesMethod": case.lagrange,
            "declaration alone": case.make,
        }
        spent = _cold_in_turn(calls)
        for by, value in spent.items():
            rows.append([case.name, by, seconds(value), times(value / spent["hamel"]), f"{gap:.0e}"])
    columns = ["system", "by", "declare and derive", "beside hamel", "disagreement"]
    notes = [
        "From the declaration (ours: text, checked; SymPy's: bodies, points and frames, or a Lagrangian) to the linear "
        "equations for the accelerations, caches empty. Before anything is timed the accelerations of all are "
        "compared at three random admissible states; the last column is the largest relative difference."
    ]
    return [Table("Derivation", columns, rows, notes)]


def _cold_in_turn(calls: Mapping[str, Callable[[], Any]], rounds: int = 2) -> dict[str, float]:
    """Seconds of the fastest call of each, every one with empty caches."""
    fastest = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            cold()
            fastest[name] = min(fastest[name], once(call)[0])
    return fastest
