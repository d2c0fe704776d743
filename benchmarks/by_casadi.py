"""Collocation as one writes it by hand in CasADi: a loop over intervals and points, variables and constraints in lists."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from benchmarks.plans import Problem, Solved

__all__ = ["collocated"]


def collocated(problem: Problem, intervals: int, degree: int, expand: bool) -> Solved:
    """Cost, controls and edges; ``expand`` writes the graph out in scalars."""
    import casadi as ca

    n, m, h = problem.states, problem.controls, problem.horizon / intervals
    points = np.append(0.0, ca.collocation_points(degree, "radau"))
    C, B = _tables(points)
    g, glow, ghigh, cost = [], [], [], 0
    line = lambda s: np.array(problem.begin) + s * (np.array(problem.goal) - np.array(problem.begin))
    x = ca.MX.sym("x0", n)
    w, w0, low, high = [x], [*problem.begin], [*problem.begin], [*problem.begin]
    controls = []
    for k in range(intervals):
        inner = [ca.MX.sym(f"x{k}_{j}", n) for j in range(degree)]
        own = [ca.MX.sym(f"u{k}_{j}", m) for j in range(degree)]
        for j in range(degree):
            w += [inner[j], own[j]]
            w0 += [*line((k + points[j + 1]) / intervals), *(0.1,) * m]
            last = k == intervals - 1 and j == degree - 1
            low += [*(problem.goal if last else (-np.inf,) * n), *(-problem.bound,) * m]
            high += [*(problem.goal if last else (np.inf,) * n), *(problem.bound,) * m]
            slope = C[0, j + 1] * x + sum(C[r + 1, j + 1] * inner[r] for r in range(degree))
            g.append(h * ca.vertcat(*problem.rates(inner[j], own[j], ca)) - slope)
            glow += [0.0] * n
            ghigh += [0.0] * n
            if problem.clear is not None:
                g.append(problem.clear(inner[j]))
                glow.append(0.0)
                ghigh.append(np.inf)
            cost += h * B[j + 1] * problem.price(inner[j], own[j])
        x = inner[-1]
        controls.append(ca.horzcat(*own))
    options = {"expand": expand, "print_time": False, "ipopt.print_level": 0, "ipopt.sb": "yes", "ipopt.tol": 1e-9}
    solver = ca.nlpsol("s", "ipopt", {"x": ca.vertcat(*w), "f": cost, "g": ca.vertcat(*g)}, options)
    found = solver(x0=w0, lbx=low, ubx=high, lbg=glow, ubg=ghigh)
    values = ca.Function("controls", [ca.vertcat(*w)], [ca.horzcat(*controls)])(found["x"]).full()
    at = partial(_controls, values.reshape(m, intervals, degree), points[1:], h)
    return float(found["f"]), at, h * np.arange(intervals + 1)


def _tables(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slopes of the polynomials at the points, and the weights of those inside."""
    size = points.size
    C = np.zeros((size, size))
    for j in range(size):
        p = np.poly1d([1.0])
        for r in range(size):
            if r != j:
                p *= np.poly1d([1.0, -points[r]]) / (points[j] - points[r])
        C[j] = np.polyder(p)(points)
    inner = np.linalg.solve(np.vander(points[1:], increasing=True).T, 1.0 / np.arange(1, size))
    return C, np.append(0.0, inner)


def _controls(values: np.ndarray, points: np.ndarray, h: float, t: float) -> np.ndarray:
    k = int(np.clip(np.ceil(t / h - 1e-9) - 1, 0, values.shape[1] - 1))
    powers = np.linalg.inv(np.vander(points, increasing=True))
    return values[:, k] @ powers.T @ (t / h - k) ** np.arange(points.size)
