"""The eigenvalues of the bicycle at 200 speeds: from its nonlinear declaration, beside SymPy's own linearisation of the same model."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numpy as np
import sympy

from benchmarks import sympy_bicycle
from benchmarks.table import Table
from benchmarks.timing import as_users_do, seconds, times

__all__ = ["run", "sympy_eigenvalues"]

SPEEDS = np.linspace(0, 10, 200)
OURS = """
from time import perf_counter, process_time
import anholonomy as ah
began, worked = perf_counter(), process_time()
branch = ah.catalogue.whipple_bicycle().stability.steady_motion(fixed={"x'": 5.0}).follow("x'", 0, 10)
branch.eigenvalues
drawn = perf_counter(), process_time()
branch.critical
print(drawn[0] - began, drawn[1] - worked, perf_counter() - began, process_time() - worked)
print(*(each.value for each in branch.critical))
print(*abs(branch.eigenvalues).max(axis=1))
"""


def run() -> list[Table]:
    done = [_fresh() for _ in range(3)]
    wall, work, whole, whole_work = np.min([each[0] for each in done], axis=0)
    (weave, capsize), ours = done[0][1], done[0][2]
    began, worked = perf_counter(), process_time()
    theirs, stages = sympy_eigenvalues()
    their_wall, their_work = perf_counter() - began, process_time() - worked
    gap = float(np.abs(np.abs(theirs).max(axis=1) - ours).max())
    if gap > 1e-8:
        raise SystemExit(f"the eigenvalues differ by {gap:.1e}, so that times cannot be compared.")
    rows = [
        ["ours", seconds(wall), seconds(work), "1×"],
        ["ours, with weave and capsize speed", seconds(whole), seconds(whole_work), times(whole_work / work)],
        ["SymPy KanesMethod, linearize, lambdify", seconds(their_wall), seconds(their_work), times(their_work / work)],
    ]
    said = ", ".join(f"{name} {seconds(value)}" for name, value in stages.items())
    notes = [
        f"Declaration, derivation, linearisation and 200 speeds from 0 to 10 m/s, in a fresh process after import. SymPy: {said}, as in "
        f"its own test. The largest eigenvalues agree to {gap:.0e}; weave {weave:.13f} m/s, "
        f"capsize {capsize:.13f} m/s.",
    ]
    columns = ["by", "wall time", "processor time", "beside ours"]
    return [Table("The bicycle's eigenvalues at 200 speeds", columns, rows, notes)]


def _fresh() -> tuple[list[float], list[float], np.ndarray]:
    command = [sys.executable, "-c", OURS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=as_users_do())
    spent, critical, sizes = ([float(word) for word in line.split()] for line in done.stdout.splitlines())
    return spent, critical, np.array(sizes)


def sympy_eigenvalues(speeds: np.ndarray = SPEEDS) -> tuple[np.ndarray, dict[str, float]]:
    """A row for each speed, and the seconds of each stage."""
    stages: dict[str, float] = {}

    def timed(name: str, call: Callable[[], Any]) -> Any:
        began = perf_counter()
        result = call()
        stages[name] = perf_counter() - began
        return result

    method = timed("derives", sympy_bicycle.bicycle)
    matrix = timed("linearises", lambda: _linearised(method))
    found = timed("evaluates", lambda: [np.linalg.eigvals(np.array(matrix(float(v)), dtype=float)) for v in speeds])
    return np.array(found), stages


def _linearised(method: sympy_bicycle.KanesMethod) -> Callable[[float], np.ndarray]:
    """The matrix about the straight motion, as a function of the speed."""
    speed = sympy.Symbol("speed")
    u = {str(each.func): each for each in method.u}
    moving = {u["u3"]: speed / sympy.Symbol("WRrad"), u["u6"]: speed / sympy.Symbol("WFrad")}
    still = dict.fromkeys((*method.q, *method.u, *(each.diff() for each in method.u)), 0)
    A, *_ = method.linearize(A_and_B=True, op_point=still | moving, linear_solver="CRAMER")
    return sympy.lambdify(
        speed, A.xreplace({sympy.Symbol(name): value for name, value in sympy_bicycle.values().items()})
    )
