"""How does the effort grow with the number of trailers?"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np

from benchmarks.table import Table
from benchmarks.timing import best, cold, once, seconds, times

__all__ = ["run"]

SIZES = (1, 2, 4, 8, 16, 32, 64)
LIMIT = 15.0
STATES = 200


def run() -> list[Table]:
    ours = {n: _ours(n) for n in SIZES}
    theirs = {method: _until_too_slow(method) for method in ("kane", "lagrange")}
    rows = [
        [str(n), *ours[n][1:], *(_beside(ours[n][0], theirs[method].get(n, "")) for method in theirs)] for n in SIZES
    ]
    columns = [
        "trailers",
        "declare",
        "derive",
        "lower",
        "compile",
        "right-hand side",
        "operations",
        "KanesMethod",
        "LagrangesMethod",
    ]
    notes = [
        f"Ours: Kane's equations, caches empty, machine code by LLVM; the right-hand side is one state of a batch of {STATES}. "
        "SymPy: up to the mass matrix and the forcing, each in a fresh process whose start is not counted, given up after "
        f"{LIMIT:g} s, and not tried where the trend says half as much again; the ratio is to declare and derive together."
    ]
    return [Table("Growth: a car with n trailers", columns, rows, notes)]


def _ours(n: int) -> list[Any]:
    from anholonomy import catalogue
    from anholonomy.programs.backends import llvm_runtime as native  # noqa: F401  (its import is not what is timed)
    from anholonomy.programs.backends.llvm import LlvmBackend
    from anholonomy.programs.of_equations import Compiled
    from benchmarks.ours import parameters

    spent = []
    for _ in range(3 if n <= 8 else 1):
        cold()
        declare, system = once(lambda: catalogue.n_trailer(n))
        derive, equations = once(lambda system=system: system.derive("kane"))
        lower, program = once(lambda equations=equations: Compiled(equations.data).rates)
        compiling, function = once(lambda program=program: LlvmBackend().compile(program))
        spent.append((declare, derive, lower, compiling))
    x = np.random.default_rng(3).uniform(-1, 1, (len(program.states), STATES))
    p = parameters(system)
    one = best(lambda: function(0.0, x, p)) / STATES
    parts = [min(each) for each in zip(*spent, strict=True)]
    return [parts[0] + parts[1], *map(seconds, (*parts, one)), f"{program.operations:,}"]


def _beside(ours: float, theirs: float | str) -> str:
    """What the other took, and how many times ours that is."""
    return f"{seconds(theirs)}, {times(theirs / ours)}" if isinstance(theirs, float) else theirs


def _until_too_slow(method: str) -> dict[int, float | str]:
    found: dict[int, float | str] = {}
    spent: list[float] = []
    for n in SIZES:
        if len(spent) > 1 and spent[-1] ** 2 / spent[-2] > 1.5 * LIMIT:
            found[n] = "not tried"
            break
        command = [sys.executable, "-m", "benchmarks.growth", method, str(n)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
        except subprocess.TimeoutExpired:
            found[n] = f"> {LIMIT:g} s"
            break
        spent.append(float(done.stdout))
        found[n] = spent[-1]
    return found


def _theirs(method: str, n: int) -> float:
    from benchmarks import sympy_kane, sympy_lagrange

    make = {"kane": sympy_kane.trailer, "lagrange": sympy_lagrange.trailer}[method]
    return once(lambda: make(n))[0]


if __name__ == "__main__":
    print(_theirs(sys.argv[1], int(sys.argv[2])))
