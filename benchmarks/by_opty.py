"""The same problems by opty: midpoint rule on as many nodes, obstacles as bounded equations beside those of the motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

if TYPE_CHECKING:
    from benchmarks.plans import Problem, Solved

__all__ = ["by_opty"]


def by_opty(problem: Problem, nodes: int) -> Solved:
    """Cost, controls and nodes."""
    from opty import Problem as Direct
    from opty import create_objective_function

    t = dynamicsymbols._t
    x = [sm.Function(f"x{k}")(t) for k in range(problem.states)]
    u = [sm.Function(f"u{k}")(t) for k in range(problem.controls)]
    equations = [xk.diff(t) - rate for xk, rate in zip(x, problem.rates(x, u, sm), strict=True)]
    bounds = {}
    if problem.clear is not None:
        bounds[len(equations)] = (0.0, np.inf)
        equations.append(problem.clear(x))
    h = problem.horizon / (nodes - 1)
    price, slope = create_objective_function(
        sm.Integral(problem.price(x, u), t), x, u, (), nodes, node_time_interval=h, integration_method="midpoint"
    )
    ends = [xk.func(0.0) - v for xk, v in zip(x, problem.begin, strict=True)]
    ends += [xk.func(problem.horizon) - v for xk, v in zip(x, problem.goal, strict=True)]
    direct = Direct(
        price, slope, sm.Matrix(equations), x, nodes, h, instance_constraints=tuple(ends), time_symbol=t,
        bounds=dict.fromkeys(u, (-problem.bound, problem.bound)), integration_method="midpoint",
        **({"eom_bounds": bounds} if bounds else {}),
    )  # fmt: skip
    direct.add_option("print_level", 0)
    direct.add_option("sb", "yes")
    direct.add_option("tol", 1e-9)
    s = np.linspace(0, 1, nodes)
    line = [a + s * (b - a) for a, b in zip(problem.begin, problem.goal, strict=True)]
    found, said = direct.solve(np.concatenate([*line, *(np.full(nodes, 0.1) for _ in u)]))
    values = found[problem.states * nodes :].reshape(problem.controls, nodes)
    times = np.linspace(0, problem.horizon, nodes)
    at = lambda when: [np.interp(when, times, row) for row in values]
    return float(said["obj_val"]), at, times
