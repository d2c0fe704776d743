"""Kernels on a GPU beside a hand-written one and JAX's `fori_loop`, and their results beside the CPU's.

python -m benchmarks.gpu save results/kernels     # here: bundles, starts, and where the CPU arrives
python benchmarks/gpu.py results/kernels          # there: needs NumPy, CuPy and, for its rows, JAX
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
STEPS = {"chaplygin_sleigh": 20_000, "chaplygin_ball": 4_000, "leaning_disc": 4_000, "whipple_bicycle": 400}
"""Steps of the classical method that each member makes."""
STEP = 0.001
MEMBERS = 1 << 20
TOGETHER = 64
"""Members whose motion the CPU knows."""
UNTIL = 2.0


def save(folder: Path) -> None:
    """Bundles of the systems, random starts around their own, and where the CPU arrives from some of them."""
    import anholonomy as ah
    from anholonomy.catalogue import ENTRIES

    for name in STEPS:
        system = getattr(ah.catalogue, name)()
        (entry,) = (each for each in ENTRIES.values() if each.make.__name__ == name)
        kernel = system.derive().kernel(at=entry.start)
        kernel.save(folder / name)
        first = system.simulate(entry.start, times=[0, 1], by=kernel.names["principle"])
        state = np.array([float(first[s][0]) for s in kernel.names["state"]])
        draw = np.random.default_rng(1)
        free = np.array([s not in {q.name for q in system.coordinates} for s in kernel.names["state"]])
        starts = state[:, None] + np.where(free[:, None], 0.02 * draw.normal(size=(state.size, TOGETHER)), 0.0)
        run = kernel(dict(zip(kernel.names["state"], starts, strict=True)), [0, UNTIL], device="cpu", tolerance=1e-13)
        np.savez(folder / name / "starts.npz", starts=starts, ends=run.ends)
        print(name, kernel, run.outcome(0), float(np.abs(run.ends).max()))


def measure(folder: Path) -> None:
    """All rows, with the name of the card."""
    import cupy

    print(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(), "CuPy", cupy.__version__)
    row = "{:<18} {:<26} {:>12} {:>9} {:>10} {:>9}"
    print(row.format("system", "by", "G steps/s", "registers", "local byte", "error"))
    for name, steps in STEPS.items():
        for label, rate, registers, local, error in rows(folder / name, steps):
            print(row.format(name, label, f"{rate / 1e9:.3f}", registers, local, error), flush=True)
    _adaptive(folder / "chaplygin_sleigh")


def rows(place: Path, steps: int) -> Any:
    launcher, kept = _launcher(place), np.load(place / "starts.npz")
    names = launcher.names["state"]
    starts = np.tile(kept["starts"], (1, MEMBERS // TOGETHER))
    given, times = dict(zip(names, starts, strict=True)), [0.0, steps * STEP]
    for precision in ("double", "single"):
        for _ in range(2):
            run = launcher(given, times, method="rk4", step=STEP, precision=precision)
        registers, local = _resources(launcher, precision)
        yield f"generated, {precision}", MEMBERS * steps / run.seconds, registers, local, ""
    exact = launcher(given, [0.0, UNTIL], method="dop853", tolerance=1e-10)
    error = np.abs(exact.ends[:, :TOGETHER] - kept["ends"]).max() / np.abs(kept["ends"]).max()
    yield "dop853 at 1e-10", exact.steps.sum() / exact.seconds, "", "", f"{error:.0e}"
    if place.name == "chaplygin_sleigh":
        for precision in ("double", "single"):
            yield f"by hand, {precision}", _by_hand(starts, steps, precision), "", "", ""
    yield from _by_jax(launcher, starts, steps)


def _launcher(place: Path) -> Any:
    spec = importlib.util.spec_from_file_location("launcher", place / "launcher.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["launcher"] = module
    spec.loader.exec_module(module)
    return module.Launcher.load(place)


def _resources(launcher: Any, precision: str) -> tuple[int, int]:
    fixed = {name: float(value) for name, value in launcher.names["parameters"].items()}
    code = sys.modules["launcher"]._Cuda.compiled(launcher._defined(fixed, ()), "rk4", precision)
    return code.num_regs, code.local_size_bytes


def _by_hand(starts: np.ndarray, steps: int, precision: str) -> float:
    import cupy

    real = "double" if precision == "double" else "float"
    source = (HERE / "gpu_sleigh.cu").read_text()
    kernel = cupy.RawModule(code=source, options=("--std=c++17", f"-DREAL={real}")).get_function("sleigh")
    x = cupy.asarray(starts, dtype=real)
    ends = cupy.empty_like(x)
    seconds = []
    for _ in range(3):
        began, ended = cupy.cuda.Event(), cupy.cuda.Event()
        began.record()
        kernel((MEMBERS // 128,), (128,), (np.int32(MEMBERS), np.int32(steps), STEP, x, ends))
        ended.record()
        ended.synchronize()
        seconds.append(cupy.cuda.get_elapsed_time(began, ended) / 1e3)
    return MEMBERS * steps / min(seconds)


def _by_jax(launcher: Any, starts: np.ndarray, steps: int) -> Any:
    """The same rates, read off the kernel's text, in `fori_loop`."""
    try:
        import jax
    except ImportError:
        return
    jax.config.update("jax_enable_x64", True)
    jnp, names = jax.numpy, launcher.names
    values = {f"P{i}": float(value) for i, value in enumerate(names["parameters"].values())}
    place = Path("/tmp") / "rates_by_jax.py"
    place.write_text(_python(launcher.source, values), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("rates_by_jax", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    f, few = module.rates, max(10, steps // 20)

    @jax.jit
    def go(x: Any) -> Any:
        def one(_: int, x: Any) -> Any:
            k1 = f(x)
            k2 = f(x + STEP / 2 * k1)
            k3 = f(x + STEP / 2 * k2)
            return x + STEP / 6 * (k1 + 2 * (k2 + k3) + f(x + STEP * k3))

        return jax.lax.fori_loop(0, few, one, x)

    x = jnp.asarray(starts)
    began = perf_counter()
    go(x).block_until_ready()
    first = perf_counter() - began
    began = perf_counter()
    go(x).block_until_ready()
    yield f"JAX ({first:.0f} s to compile)", MEMBERS * few / (perf_counter() - began), "", "", ""


def _python(source: str, values: dict[str, float]) -> str:
    """The rates of a kernel as Python for JAX arrays."""
    text = source[source.index("void rates(") :]
    body = text[text.index("{") + 1 : text.index("\n}")]
    body = re.sub(r"real (\w+), (\w+); both\((.*), &\w+, &\w+\);", r"\1, \2 = jnp.sin(\3), jnp.cos(\3)", body)
    body = re.sub(r"const real ", "", body).replace(";", "").replace("(void)t (void)x (void)p", "out = {}")
    body = re.sub(r"R\(([^()]*)\)", r"(\1)", body)
    body = re.sub(r"\b(sqrt|sin|cos|tan|exp|log|pow)\(", r"jnp.\1(", body).replace("jnp.jnp.", "jnp.")
    body = re.sub(r"\brsqrt\(", "1 / jnp.sqrt(", body)
    head = "\n".join(["import jax.numpy as jnp", *(f"{name} = {value!r}" for name, value in values.items())])
    return f"{head}\n\n\ndef rates(x):\n{body}\n    return jnp.stack([jnp.broadcast_to(out[i], x[0].shape) for i in range(len(out))])\n"


def _adaptive(place: Path) -> None:
    """A million sleighs to t = 20 at 1e-8."""
    launcher, kept = _launcher(place), np.load(place / "starts.npz")
    draw = np.random.default_rng(2)
    given = dict(zip(launcher.names["state"], np.repeat(kept["starts"][:, :1], 1_000_000, axis=1), strict=True))
    given["theta"] = draw.uniform(-3, 3, 1_000_000)
    for method in ("dopri5", "dop853"):
        for _ in range(2):
            began = perf_counter()
            run = launcher(given, [0.0, 20.0], method=method, tolerance=1e-8)
            whole = perf_counter() - began
        print(
            f"10^6 sleighs to t = 20 at 1e-8, {method}: kernel {run.seconds * 1e3:.2f} ms, call {whole:.2f} s, {set(run.outcomes.tolist())}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["save"]:
        save(Path(sys.argv[2]))
    else:
        measure(Path(sys.argv[1]))
