"""Many motions beside other ways to make them: SciPy in a loop, diffrax mapped, C with OpenMP, heyoka's batch reused by hand; kernel and whole call."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import numpy as np

from anholonomy import System
from anholonomy.catalogue import ENTRIES
from anholonomy.motion.charts.many_motions import Flight, flight
from anholonomy.motion.charts.one_motion import runnable_at_start
from anholonomy.motion.driver.devices import workers
from anholonomy.motion.integrators.runge_kutta import dop853_tables
from anholonomy.motion.problem.many_motions import asked
from anholonomy.motion.problem.one_motion import derivation_for
from anholonomy.motion.starts.many_motions import complete
from anholonomy.programs.backends.c import c_function, c_solver
from anholonomy.programs.backends.heyoka import variables_and_outputs
from benchmarks.table import Table

__all__ = ["Case", "cases", "measured", "run"]

TOLERANCE, UNTIL = 1e-8, 20.0
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A system with the starts of many members."""

    system: System
    starts: dict[str, np.ndarray | float]
    until: float
    count: int

    def ready(self) -> tuple[Flight, np.ndarray, np.ndarray]:
        """The kernel of the members' chart, their states and parameters."""
        question = asked(
            self.system.model,
            derivation_for(self.system.model, None),
            self.starts,
            self.until,
            None,
            tolerance=TOLERANCE,
        )
        points = complete(question.model, question.columns, False)
        point = points.point(question.model, 0)
        runnable = runnable_at_start(question.derivation, point, points.p[0])
        ready = flight(runnable, 0.0, runnable.state(point), points.p[0])
        return ready, ready.states(points)[0], points.p[0]


def cases(count: int = 10_000) -> dict[str, Case]:
    rng = np.random.default_rng(0)
    theta, u = rng.uniform(0, 6, count), rng.uniform(-1, 1, count)
    sleigh = {
        "x": 0.0,
        "y": 0.0,
        "theta": theta,
        "x'": u * np.cos(theta),
        "y'": u * np.sin(theta),
        "theta'": rng.uniform(-2, 2, count),
    }
    disc = {"x": 0.0, "y": 0.0, "psi": rng.uniform(0, 6, count), "theta": rng.uniform(-0.2, 0.2, count), "phi": 0.0}
    disc |= {"psi'": rng.uniform(-0.5, 0.5, count), "theta'": 0.0, "phi'": rng.uniform(3, 5, count)}
    few = max(count // 20, 8)
    bicycle = {name: float(value) for name, value in ENTRIES["whipple-bicycle"].start.items()}
    rolls = {**bicycle, "roll'": rng.uniform(-0.2, 0.2, few)}
    make = {key: ENTRIES[key].make() for key in ("chaplygin-sleigh", "leaning-disc", "whipple-bicycle")}
    return {
        "sleigh": Case(make["chaplygin-sleigh"], sleigh, UNTIL, count),
        "leaning disc": Case(make["leaning-disc"], disc, UNTIL, count),
        "bicycle": Case(make["whipple-bicycle"], rolls, 5.0, few),
    }


def by_kernel(ready: Flight, x: np.ndarray, p: np.ndarray, until: float) -> Callable[[], np.ndarray]:
    """Our kernel on every core, without starts and dataset."""
    halt, size = np.zeros(1, dtype=np.int64), 512

    def run() -> np.ndarray:
        with ThreadPoolExecutor(workers()) as pool:
            jobs = [
                pool.submit(
                    ready.kernel.integrate, np.zeros(len(part)), part, p[None], np.array([until]), TOLERANCE, halt
                )
                for part in np.array_split(x, max(len(x) // size, 1))
            ]
            return np.concatenate([job.result().stop_states for job in jobs])

    return run


def by_c(ready: Flight, x: np.ndarray, p: np.ndarray, until: float, folder: Path) -> Callable[[], np.ndarray] | None:
    """The same method in C with OpenMP, the rates as our export writes them; None without a compiler."""
    names = ("A", "B", "C", "E5", "E3")
    A, B, C, E5, E3, _ = dop853_tables()
    tables = (A[:12, :12], B[:12], C[:12], E5[:13], E3[:13])
    (folder / "coefficients.h").write_text("".join(map(_declared, names, tables)))
    program = ready.runnable.straight(0.0, x[0], p)
    text = c_function(program, "rates", "solve").replace("void rates", "static inline void rates", 1)
    (folder / "rates.h").write_text("\n".join([f"#define N {x.shape[1]}", c_solver("solve"), text]))
    words = ["-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC", "-w", f"-I{folder}"]
    try:
        subprocess.run(["cc", *words, str(_HERE / "ensemble.c"), "-o", str(folder / "ensemble.so"), "-lm"], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    library = ctypes.CDLL(str(folder / "ensemble.so"))
    pointer = ctypes.POINTER(ctypes.c_double)

    def run() -> np.ndarray:
        states, values = x.copy(), np.ascontiguousarray(p)
        library.ensemble(
            len(x),
            ctypes.c_double(until),
            states.ctypes.data_as(pointer),
            values.ctypes.data_as(pointer),
            ctypes.c_double(TOLERANCE),
        )
        return states

    return run


def _declared(name: str, table: np.ndarray) -> str:
    shape = "".join(f"[{n}]" for n in table.shape)
    rows = [f"{{{', '.join(map(repr, map(float, row)))}}}" for row in np.atleast_2d(table)]
    return f"static const double {name}{shape} = {rows[0] if table.ndim == 1 else '{' + ', '.join(rows) + '}'};\n"


def by_heyoka(ready: Flight, x: np.ndarray, p: np.ndarray, until: float) -> Callable[[], np.ndarray] | None:
    """One batched Taylor integrator a thread, reused by hand."""
    if find_spec("heyoka") is None:
        return None
    import heyoka

    program = ready.runnable.straight(0.0, x[0], p)
    if program.has_corners:
        return None
    variables, rates = variables_and_outputs(program)
    lanes = heyoka.recommended_simd_size()
    make = lambda: heyoka.taylor_adaptive_batch(
        list(zip(variables, rates, strict=True)),
        np.zeros((len(variables), lanes)),
        tol=TOLERANCE,
        compact_mode=program.operations > 80,
    )
    steppers = [make() for _ in range(workers())]

    def some(job: tuple[int, np.ndarray]) -> np.ndarray:
        stepper, part = steppers[job[0]], job[1]
        out = np.empty_like(part)
        stepper.pars[:] = p[: len(stepper.pars), None]
        for k in range(0, len(part) - lanes + 1, lanes):
            stepper.set_time(0.0)
            stepper.state[:] = part[k : k + lanes].T
            stepper.propagate_until(until)
            out[k : k + lanes] = stepper.state.T
        return out

    def run() -> np.ndarray:
        with ThreadPoolExecutor(workers()) as pool:
            return np.concatenate(list(pool.map(some, enumerate(np.array_split(x, workers())))))

    return run


def by_diffrax(ready: Flight, x: np.ndarray, p: np.ndarray, until: float) -> Callable[[], np.ndarray] | None:
    """`diffrax.diffeqsolve` with Dopri8, mapped over members and jitted; None where it is not installed."""
    if find_spec("diffrax") is None:
        return None
    import diffrax
    import jax

    from anholonomy.programs.backends.jax import jax_function

    rates = jax_function(ready.runnable.straight(0.0, x[0], p))
    term, steps = diffrax.ODETerm(rates), diffrax.PIDController(rtol=TOLERANCE, atol=TOLERANCE)

    def solve(start: jax.Array, values: jax.Array) -> jax.Array:
        options = {"stepsize_controller": steps, "max_steps": 100_000, "saveat": diffrax.SaveAt(t1=True)}
        found = diffrax.diffeqsolve(term, diffrax.Dopri8(), 0.0, until, 1e-2, start, values, **options)
        return found.ys[0]

    mapped = jax.jit(jax.vmap(solve, in_axes=(0, None)))

    def run() -> np.ndarray:
        with jax.enable_x64(True):
            return np.asarray(mapped(x, p))

    return run


def by_scipy(ready: Flight, x: np.ndarray, p: np.ndarray, until: float, few: int) -> Callable[[], np.ndarray]:
    """`solve_ivp` with our compiled rates in a loop over a few members."""
    from scipy.integrate import solve_ivp

    from anholonomy.programs.backends import fast_function

    rates = fast_function(ready.runnable.compiled.rates)
    solve = lambda start: solve_ivp(
        lambda t, y: rates(t, y, p), (0, until), start, method="DOP853", rtol=TOLERANCE, atol=TOLERANCE
    )
    return lambda: np.array([solve(start).y[:, -1] for start in x[:few]])


def rate(run: Callable[[], object], count: int, repeats: int = 5) -> float:
    """Members a second, the best of some."""
    run()
    best = np.inf
    for _ in range(repeats):
        began = perf_counter()
        run()
        best = min(best, perf_counter() - began)
    return count / best


def measured(case: Case) -> dict[str, float]:
    """Members a second by every way."""
    ready, x, p = case.ready()
    few = min(case.count, 20)
    with tempfile.TemporaryDirectory() as folder:
        ways = {
            "kernel": (by_kernel(ready, x, p, case.until), case.count),
            "C + OpenMP": (by_c(ready, x, p, case.until, Path(folder)), case.count),
            "heyoka batch": (by_heyoka(ready, x, p, case.until), case.count),
            "diffrax": (by_diffrax(ready, x, p, case.until), case.count),
            "SciPy loop": (by_scipy(ready, x, p, case.until, few), few),
            "whole call": (
                lambda: case.system.ensemble(case.starts, until=case.until, tolerance=TOLERANCE),
                case.count,
            ),
        }
        return {
            name: rate(run, count, 1 if name in ("SciPy loop", "diffrax") else 5)
            for name, (run, count) in ways.items()
            if run is not None
        }


WAYS = ("kernel", "whole call", "C + OpenMP", "heyoka batch", "diffrax", "SciPy loop")


def run() -> list[Table]:
    """Members a second, and what one costs as they become more."""
    rows = []
    for name, case in cases().items():
        found = measured(case)
        cells = [f"{found[way]:,.0f}" if way in found else "" for way in WAYS]
        ratios = [
            f"{found[way] / found['C + OpenMP']:.1f}" if "C + OpenMP" in found else ""
            for way in ("kernel", "whole call")
        ]
        rows.append([f"{name}, t = {case.until:g}", *cells, *ratios])
    columns = ("members a second", *WAYS, "kernel / C", "call / C")
    notes = [
        f"Tolerance {TOLERANCE:g}, {workers()} cores; C is DOP853 too, with the rates of our export and -O3 -march=native -ffast-math."
    ]
    return [Table("Ensembles beside other ways", columns, rows, notes), _growth()]


def _growth() -> Table:
    rows = []
    for count in (10**2, 10**3, 10**4, 10**5, 10**6):
        case = cases(count)["sleigh"]
        call = partial(case.system.ensemble, case.starts, until=UNTIL, tolerance=TOLERANCE, keep=["theta"])
        rows.append([f"{count:,d}", f"{1e6 / rate(call, count, 3 if count < 10**6 else 1):.2f} µs"])
    return Table("Sleighs, whole call", ("members", "a member"), rows)


if __name__ == "__main__":
    from rich.console import Console

    for each in run():
        each.show(Console())
