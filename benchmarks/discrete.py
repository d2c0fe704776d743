"""Order and drift of the discrete methods, measured on six systems; the table of ``docs/discrete.md``.

    python -m benchmarks.discrete

The page is written anew from its measured part on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.motion.discrete import METHODS
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import lower

PAGE = Path(__file__).parents[1] / "docs" / "discrete.md"
MARK = "<!-- measured by python -m benchmarks.discrete -->\n"


@dataclass(frozen=True)
class Case:
    """A system of the catalogue, how it is stepped, and laws of its motion besides energy.

    ``momentum`` belongs to an admissible translation, ``law`` to none; ``density`` is that of its invariant measure in coordinates and
    the ``free`` velocities.
    """

    key: str
    step: float = 0.05
    until: float = 200.0
    momentum: str = ""
    law: str = ""
    density: str = ""
    free: tuple[str, ...] = ()


CASES = (
    Case("nonholonomic-oscillator", law="m*(1 + y^2)*x'^2 + kx*x^2", density="sqrt(1 + y^2)", free=("x'", "y'")),
    Case("free-particle", momentum="x'", law="sqrt(1 + x^2)*y'", density="sqrt(1 + x^2)", free=("x'", "y'")),
    Case("rolling-disk", momentum="phi'", law="theta'", density="1", free=("theta'", "phi'")),
    Case("knife-edge", momentum="phi'"),
    Case("chaplygin-sleigh"),
    Case("leaning-disc", step=0.01, until=20.0),
)


@dataclass(frozen=True)
class Found:
    """What was measured: see the words of the page."""

    order: float
    energy: float
    growth: float
    nodes: float
    midpoints: float
    back: float
    momentum: float | None
    law: float | None
    measure: float | None


@lru_cache
def system(key: str) -> ah.System:
    return ENTRIES[key].make()


def error(case: Case, method: str, step: float, until: float) -> float:
    """The largest error at the end, against the motion at machine precision."""
    made = system(case.key)
    exact = made.simulate(ENTRIES[case.key].start, times=[0, until])
    run = made.simulate(ENTRIES[case.key].start, until=until, step=step, integrator=method)
    return max(float(abs(run.data[name][-1] - exact.data[name][-1]).max()) for name in ("q", "velocity"))


def order(case: Case, method: str) -> float:
    """By how many powers of two the error falls where steps are halved."""
    until = 2.0
    errors = [error(case, method, step, until) for step in (case.step / 2, case.step / 4)]
    return float(np.log2(errors[0] / errors[1])) if errors[0] > 1e-12 else np.inf


def at_midpoints(run: ah.Motion) -> float:
    """The largest residual of the constraints at the middle of steps, with the velocity of the chord."""
    model = run.system.model.independent
    program = lower(
        (*model.coordinates, *model.velocities), model.parameter_symbols, (), [c.expression for c in model.constraints]
    )
    q, t = run.data["q"].values, run.time.values
    middle, chord = (q[1:] + q[:-1]) / 2, np.diff(q, axis=0) / np.diff(t)[:, None]
    p = np.array([float(run.system.parameters[s.name] or 0) for s in model.parameter_symbols])
    out = NumpyBackend().compile(program)((t[1:] + t[:-1]) / 2, np.hstack([middle, chord]).T, p)
    return float(np.abs(out).max())


def there_and_back(case: Case, method: str, steps: int = 100) -> float:
    """How far from the start one is after so many steps and as many back."""
    made, end = system(case.key), case.step * steps
    there = made.simulate(ENTRIES[case.key].start, until=end, step=case.step, integrator=method)
    back = made.simulate(state(there, -1), until=0, step=case.step, integrator=method)
    return max(float(abs(back.data[name][-1] - there.data[name][0]).max()) for name in ("q", "velocity"))


def state(run: ah.Motion, k: int) -> dict[str, float]:
    names = [*map(str, run.data["coordinate"].values), *map(str, run.data["direction"].values)]
    return {name: float(run[name][k]) for name in names} | {"t": float(run.time[k])}


def volume(case: Case, method: str) -> float | None:
    """How far the invariant measure is from kept in one step, relative to its length: by differences of the map."""
    if not case.density:
        return None
    made = system(case.key)
    names = [*(s.name for s in made.coordinates), *case.free]
    begin = dict(ENTRIES[case.key].start) | {s.name: 0.3 for s in made.coordinates}
    begin = {name: float(begin[name]) for name in names}
    small = 1e-4

    def after(name: str, change: float) -> Any:
        run = made.simulate({**begin, name: begin[name] + change}, until=case.step, step=case.step, integrator=method)
        return np.array([float(run[other][-1]) for other in names])

    columns = [
        (8 * (after(n, small) - after(n, -small)) - after(n, 2 * small) + after(n, -2 * small)) / (12 * small)
        for n in names
    ]
    run = made.simulate(begin, until=case.step, step=case.step, integrator=method)
    density = run[case.density].values
    return float(abs(np.linalg.det(np.array(columns)) * density[-1] / density[0] - 1)) / case.step


def change(run: ah.Motion, law: str) -> float | None:
    """The largest change of a law along a motion, relative to its size."""
    if not law:
        return None
    values = run[law].values
    return float(np.abs(values - values[0]).max() / np.abs(values).max())


def measured(case: Case, method: str) -> Found:
    """All of it."""
    made = system(case.key)
    run = made.simulate(ENTRIES[case.key].start, until=case.until, step=case.step, integrator=method)
    assert run.is_complete, run.outcome
    off = np.abs(run.energy.values - run.energy.values[0])
    quarter = len(off) // 4
    size = float(np.abs(run.energy.values).max())
    return Found(
        order(case, method),
        float(off.max()) / size,
        float(off[-quarter:].max() / max(off[:quarter].max(), 1e-300)),
        float(abs(run.constraint_residual).max()),
        at_midpoints(run),
        there_and_back(case, method),
        change(run, case.momentum),
        change(run, case.law),
        volume(case, method),
    )


def table() -> str:
    """The measured part of the page."""
    head = [
        "system",
        "method",
        "order",
        "energy",
        "growth",
        "nodes",
        "midpoints",
        "there and back",
        "momentum",
        "law",
        "measure",
    ]
    rows = [" | ".join(head), " | ".join("---" for _ in head)]
    for case in CASES:
        for method in METHODS:
            found = measured(case, method)
            numbers = [found.energy, found.nodes, found.midpoints, found.back, found.momentum, found.law, found.measure]
            said = ["" if value is None else "0" if value < 1e-11 else f"{value:.0e}" for value in numbers]
            rounding = found.energy < 1e-11
            shown = "exact" if np.isinf(found.order) else f"{found.order:.2f}"
            growth = "" if rounding else f"{found.growth:.1f}"
            rows.append(" | ".join([case.key, f"`{method}`", shown, said[0], growth, *said[1:]]))
    return "\n".join(f"| {row} |" for row in rows) + "\n"


if __name__ == "__main__":
    kept, _, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    PAGE.write_text(kept + MARK + "\n" + table(), encoding="utf-8")
