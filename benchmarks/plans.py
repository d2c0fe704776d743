"""Plans: the same two problems by us, by collocation written by hand in CasADi, and by opty; and a hundred random pairs.

Mesh, tolerance of IPOPT and first guess are the same for all; no one refines. opty is looked for and left out where it is not
installed: it needs cyipopt, and so the headers of IPOPT.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from anholonomy import System
from anholonomy.catalogue import skate
from anholonomy.plans import nonlinear_programme as transcription
from anholonomy.plans.collocation import DEGREE
from anholonomy.plans.read_task import read_cost, read_end, read_limits, read_start, start_states
from anholonomy.plans.search import Session, attempt, first_guesses
from anholonomy.plans.task import Task, controlled
from benchmarks.by_casadi import collocated
from benchmarks.table import Table
from benchmarks.timing import once, seconds
from tests.plans.reeds_shepp import shortest

__all__ = ["PROBLEMS", "Problem", "run"]

Solved: TypeAlias = tuple[float, Callable[[float], Any], Any]
"""Cost, controls as a function of time, and the times between which that is smooth."""
INTERVALS = 20
PAIRS = 100


@dataclass(frozen=True)
class Problem:
    """A problem in plain functions, for those who write everything by hand: rates, cost and what must not be negative."""

    name: str
    system: System
    start: dict[str, float]
    end: dict[str, float]
    cost: str
    horizon: float
    states: int
    controls: int
    begin: tuple[float, ...]
    goal: tuple[float, ...]
    rates: Callable[[Any, Any, Any], list[Any]]
    price: Callable[[Any, Any], Any]
    clear: Callable[[Any], Any] | None
    bound: float
    words: dict[str, Any]


def _skate_rates(x: Any, u: Any, f: Any) -> list[Any]:
    return [u[0] * f.cos(x[2]), u[0] * f.sin(x[2]), u[1]]


def _sleigh_rates(x: Any, u: Any, f: Any) -> list[Any]:
    """A skate of mass 1 and moment 1/2 by its speed and turning rate, thrust and torque."""
    return [x[3] * f.cos(x[2]), x[3] * f.sin(x[2]), x[4], u[0], 2 * u[1]]


PROBLEMS = (
    Problem(
        "unicycle around a crate",
        skate(),
        {"x": 0, "y": 0, "theta": 0},
        {"x": 4, "y": 0, "theta": 0},
        "u^2 + omega^2",
        6.0,
        3,
        2,
        (0, 0, 0),
        (4, 0, 0),
        _skate_rates,
        lambda x, u: u[0] ** 2 + u[1] ** 2,
        lambda x: (x[0] - 2) ** 2 + (x[1] + 0.2) ** 2 - 1,
        1.0,
        {"bounds": {"u": (-1, 1), "omega": (-1, 1)}, "obstacles": ["(x - 2)^2 + (y + 0.2)^2 >= 1"]},
    ),
    Problem(
        "skate by thrust and torque",
        skate(),
        {"x": 0, "y": 0, "theta": 0, "x'": 0, "y'": 0, "theta'": 0},
        {"x": 1, "y": 1, "theta": 0, "u": 0, "omega": 0},
        "F^2 + tau^2",
        4.0,
        5,
        2,
        (0, 0, 0, 0, 0),
        (1, 1, 0, 0, 0),
        _sleigh_rates,
        lambda x, u: u[0] ** 2 + u[1] ** 2,
        None,
        3.0,
        {
            "bounds": {"F": (-3, 3), "tau": (-3, 3)},
            "inputs": {"x": "F*cos(theta)", "y": "F*sin(theta)", "theta": "tau"},
        },
    ),
)


def run() -> list[Table]:
    return [_beside(), _pairs()]


def _beside() -> Table:
    rows = []
    for problem in PROBLEMS:
        calls: dict[str, Callable[[], Solved]] = {
            "anholonomy, first": lambda problem=problem: _ours(problem, fresh=True),
            "anholonomy, again": lambda problem=problem: _ours(problem, fresh=False),
            "CasADi by hand": lambda problem=problem: collocated(problem, INTERVALS, DEGREE, expand=False),
            "CasADi by hand, expanded": lambda problem=problem: collocated(problem, INTERVALS, DEGREE, expand=True),
        }
        if find_spec("opty"):
            from benchmarks.by_opty import by_opty

            calls["opty"] = lambda problem=problem: by_opty(problem, INTERVALS * DEGREE + 1)
        found = {
            who: min((once(call) for _ in range(1 if who == "opty" else 3)), key=lambda each: each[0])
            for who, call in calls.items()
        }
        unit = found["CasADi by hand, expanded"][0]
        for who, (spent, (cost, controls, edges)) in found.items():
            missed = f"{arrival(problem, controls, edges):.0e}"
            rows.append([problem.name, who, seconds(spent), f"{spent / unit:.2g}×", f"{cost:.6f}", missed])
    notes = [
        f"{INTERVALS} intervals with {DEGREE} points each, opty as many nodes; IPOPT with MUMPS at 1e-9; the straight line as first guess. "
        "opty writes C and compiles it, once a problem. The last column is how far from the end SciPy's DOP853 at 1e-12 arrives with the controls that were found.",
        "" if find_spec("opty") else "opty is not installed here.",
    ]
    columns = ["problem", "by", "build and solve", "beside by hand", "cost", "misses the end by"]
    return Table("Plans on one mesh", columns, rows, [note for note in notes if note])


def _ours(problem: Problem, fresh: bool) -> Solved:
    if fresh:
        transcription._solver.cache_clear()
        transcription._problem.cache_clear()
    task = _task(problem)
    best = attempt(task, next(iter(first_guesses(task, INTERVALS))), Session(None, None), warm=False)
    curve = best.curve

    def controls(t: float) -> Any:
        k = int(np.clip(np.searchsorted(curve.edges, t, "left") - 1, 0, INTERVALS - 1))
        part = (t - curve.edges[k]) / (curve.edges[k + 1] - curve.edges[k])
        return curve.controls(np.array([k]), np.array([part]))[0]

    return best.cost, controls, curve.edges


def _task(problem: Problem) -> Task:
    words = dict(problem.words)
    inputs = words.pop("inputs", None)
    point = read_start(problem.system.model, problem.start, inputs is not None)
    c = controlled(problem.system.model, inputs, None, point)
    end = read_end(c, problem.end, point, (), ())
    limits = read_limits(c, words.get("bounds"), words.get("obstacles"), None)
    return Task(c, start_states(c, point), 0.0, end, read_cost(c, problem.cost), limits, problem.horizon)


def arrival(problem: Problem, controls: Callable[[float], Any], edges: Any) -> float:
    """How far from the goal an integration with the controls arrives, piece after piece."""
    from scipy.integrate import solve_ivp

    x = np.array(problem.begin, dtype=float)
    for a, b in pairwise(edges):
        inside = lambda t, x, a=a, b=b: problem.rates(x, controls(min(max(t, a + 1e-12), b)), np)
        x = solve_ivp(inside, (a, b), x, method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    return float(np.abs(x - np.array(problem.goal)).max())


def _pairs() -> Table:
    draw, system = np.random.default_rng(13), skate()
    bounds = {"u": (-1, 1), "omega": (-1, 1)}
    spent, excess, solved, missed = [], [], 0, []
    for _ in range(PAIRS):
        (x, y, X, Y), (a, b) = draw.uniform(-3, 3, 4), draw.uniform(-np.pi, np.pi, 2)
        words = {"cost": "time", "bounds": bounds, "modulo": "theta"}
        took, plan = once(
            lambda s={"x": x, "y": y, "theta": a}, e={"x": X, "y": Y, "theta": b}, w=words: system.plan(s, e, **w)
        )
        ahead = (np.cos(a) * (X - x) + np.sin(a) * (Y - y), np.cos(a) * (Y - y) - np.sin(a) * (X - x))
        spent.append(took)
        excess.append(plan.cost / shortest(*ahead, b - a) - 1)
        missed.append(max(map(abs, plan.mismatch.values())))
        solved += plan.converged
    best = np.mean(np.abs(excess) < 1e-3)
    row = [
        f"{solved} of {PAIRS}",
        seconds(float(np.median(spent))),
        seconds(float(np.quantile(spent, 0.9))),
        seconds(float(max(spent))),
        f"{best:.0%}",
        f"{np.median(np.abs(excess)):.0e}",
        f"{max(missed):.0e}",
    ]
    columns = [
        "solved",
        "median",
        "nine of ten within",
        "longest",
        "shortest path found",
        "median excess",
        "misses the end by at most",
    ]
    note = (
        "Least time of a unicycle with |v| ≤ 1 and |ω| ≤ 1 between random poses in a square of side 6, end headings modulo 2π; solved means that the "
        "simulator arrives within 1e-6. The shortest path is that of Reeds and Shepp, by their formulas; the others are local minima."
    )
    return Table("A hundred random pairs of a unicycle", columns, [row], [note])
