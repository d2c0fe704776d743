"""How long does one right-hand side take, and a hundred thousand at once?"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sympy

from anholonomy import Equations, System
from anholonomy.programs.backends.heyoka import HeyokaBackend
from anholonomy.programs.backends.llvm import LlvmBackend
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.of_equations import Compiled
from benchmarks.cases import CASES, Case
from benchmarks.ours import parameters
from benchmarks.sympy_route import KaneRoute
from benchmarks.table import Table
from benchmarks.timing import best, best_in_turn, seconds, times

__all__ = ["run"]

BATCH = 100_000
BY_HAND = {
    "C, -O2": ("sleigh", "-O2"),
    "C, -O3 -march=native": ("sleigh", "-O3 -march=native"),
    "C for the vectoriser, -ffast-math": ("sleigh_apart", "-O3 -march=native -ffast-math"),
}
Rates = Callable[[np.ndarray], np.ndarray]


def run() -> list[Table]:
    import heyoka

    threads = heyoka.get_nthreads()
    heyoka.set_nthreads(1)
    try:
        return [_table(case) for case in CASES[:2]]
    finally:
        heyoka.set_nthreads(threads)


def _table(case: Case) -> Table:
    system, rng = case.make(), np.random.default_rng(2)
    equations = system.derive().simplified
    p = parameters(system)
    x = rng.uniform(-1, 1, (len(equations.state), BATCH))
    program = (compiled := Compiled(equations.data)).straight(compiled.rates, x[:, 0], p, 0.0)
    rows: list[tuple[str, Rates]] = []
    for backend in (LlvmBackend(), HeyokaBackend(), NumpyBackend()):
        function = backend.compile(program)
        rows.append((f"ours, {backend.name}", lambda x, f=function: f(0.0, x, p)))
    rows.append(("SymPy lambdify, our equations", _lambdified(system, equations)))
    if case.name == "sleigh":
        rows += _by_hand(p).items()
    expected = rows[0][1](x)
    kane = KaneRoute(case.kane(), dict(system.parameters))
    kane_state = rng.uniform(-1, 1, len(kane.q) + len(kane.u))
    one_call = {name: best(lambda f=f: f(x[:, 0].copy())) for name, f in rows}
    batch = best_in_turn({name: lambda f=f: f(x) for name, f in rows})
    yardsticks = [batch[name] for name in BY_HAND if name in batch][1:]
    words = []
    for name, f in rows:
        one, many = one_call[name], batch[name]
        gap = float(np.abs(f(x) - expected).max())
        ratios = [times(many / yardstick) for yardstick in yardsticks]
        words.append([name, seconds(one), seconds(many / BATCH), *ratios, f"{gap:.0e}"])
    one = best(lambda: kane.rates(0.0, kane_state))
    words.append(["SymPy lambdify, KanesMethod", seconds(one), *[""] * (2 + len(yardsticks))])
    columns = ["right-hand side", "one call", f"a state in a batch of {BATCH:,}"]
    columns += ["beside C", "beside vectorised C"] if yardsticks else []
    columns.append("difference")
    notes = [
        f"{program.operations} operations; one thread. The last column is the largest difference from the first row. "
        "`KanesMethod` has no batch: its equations are solved by `numpy.linalg.solve`, one state at a time."
    ]
    if case.name == "sleigh" and not yardsticks:
        notes.append("No C compiler was found, so that its rows are missing.")
    return Table(f"Right-hand side: {case.name}", columns, words, notes)


def _lambdified(system: System, equations: Equations) -> Rates:
    """The reduced equations solved symbolically, which small systems allow, then `lambdify`."""
    K, right, _ = equations.sympy()
    state = [sympy.Symbol(s.name) for s in equations.state]
    symbols = [sympy.Symbol(name) for name in system.parameters]
    w = sympy.Matrix([sympy.Symbol(v.name) for v in system.velocities])
    given = {sympy.Symbol(d.target.name): sympy.sympify(d.value) for d in equations.data.definitions}
    rates = [*w.xreplace(given), *K.LUsolve(right)]
    function = sympy.lambdify([*state, *symbols], rates, cse=True)
    values = list(system.parameters.values())
    return lambda x: np.array(function(*x, *values))


def _by_hand(p: np.ndarray) -> dict[str, Rates]:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    return {name: _compiled(compiler, *how, p) for name, how in BY_HAND.items()} if compiler else {}


def _compiled(compiler: str, entry: str, flags: str, p: np.ndarray) -> Rates:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "sleigh.so"
        source = Path(__file__).with_name("sleigh.c")
        command = [compiler, *flags.split(), "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
        subprocess.run(command, check=True)
        function = getattr(ctypes.CDLL(str(library)), entry)
    pointer, number = ctypes.c_void_p, ctypes.c_double
    function.argtypes = [ctypes.c_size_t, pointer, number, number, number, pointer]
    function.restype = None

    def rates(x: np.ndarray) -> np.ndarray:
        out = np.empty_like(x)
        function(x.size // 5, x.ctypes.data, *p, out.ctypes.data)
        return out

    return rates
