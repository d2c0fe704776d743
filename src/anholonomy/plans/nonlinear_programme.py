r"""The nonlinear programme of a task on a mesh: built once for its program, reused for all ends and bounds, solved by IPOPT.

.. math:: \min\ \sigma\,T \sum_k r_k \sum_i b_i\,L_{ki} + \sum_j w_j\,(x_{N j} - \hat x_j)^2, \qquad
   \sum_j D_{ij}\,x_{kj} = r_k T f_{ki}, \qquad \underline c \le c_{ki} \le \overline c, \qquad \sum_k r_k = 1

Unknowns are the states at the points of collocation, the coefficients of the controls in Bernstein's polynomials, which bound them
everywhere between, the shares $r_k$ of the intervals, fixed or free, and the time $T$.
One CasADi function is mapped over all points. With $\sigma = 0$ and free ends it finds the motion that ends nearest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, final

import numpy as np

from anholonomy.base.errors import Error
from anholonomy.plans.collocation import DEGREE, Curve, bernstein, radau
from anholonomy.plans.task import Task
from anholonomy.programs.backends.base import Array
from anholonomy.programs.backends.casadi import casadi_function
from anholonomy.programs.program import Program

__all__ = ["Transcription", "refuse_without_casadi"]

_WRITTEN_OUT = 40_000
"""Operations on all points together up to which the graph is written out in scalars: slower to build, faster to run."""
_LONGEST = 1e3
"""Free time may become so many times longer or shorter than first guessed."""
_WARM = {"ipopt.mu_init": 1e-4} | {
    f"ipopt.{room}": 1e-6 for room in ("bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac")
}
"""A guess that is nearly a solution is not pushed away from its bounds."""
_MOVES = 2.0
"""A share of the mesh that is free may change by this factor."""


def refuse_without_casadi() -> None:
    """One sentence where the extra is missing."""
    try:
        import casadi  # noqa: F401
    except ImportError:
        raise Error(
            "planning needs CasADi, which is not installed; `pip install anholonomy[plan]` brings it."
        ) from None


@final
class Solver(NamedTuple):
    """A nonlinear programme with its solver, the object that watches it, and its constraints as a function."""

    solve: Any
    watch: Any
    constraints: Any


@final
@dataclass(frozen=True, eq=False)
class Transcription:
    """A task on a mesh of so many intervals."""

    task: Task
    intervals: int

    def solver(self, warm: bool) -> Solver:
        """The solver, for guesses that are nearly solutions or for others."""
        t = self.task
        end = t.end_program if t.end.functions else None
        return _solver(t.program, t.width, self.intervals, end, len(t.end.combined), warm)

    def packed(self, curve: Curve) -> Array:
        """The unknowns of a curve."""
        points, n = curve.points.copy(), self.task.width
        points[:, :, n:] = np.linalg.solve(bernstein(DEGREE), points[:, :, n:])
        return np.concatenate([curve.start, points.ravel(), curve.shares, [curve.duration]])

    def unpacked(self, unknowns: Array) -> Curve:
        n, size = self.task.width, len(self.task.program.states)
        points = unknowns[n : -self.intervals - 1].reshape(self.intervals, DEGREE, size).copy()
        points[:, :, n:] = bernstein(DEGREE) @ points[:, :, n:]
        shares = unknowns[-self.intervals - 1 : -1].copy()
        return Curve(unknowns[:n].copy(), points, shares, float(unknowns[-1]), self.task.begin)

    def bounds(self, curve: Curve, ends: bool, moving: bool) -> tuple[Array, Array]:
        """The least and greatest values of the unknowns; ``ends`` holds the end, ``moving`` frees the mesh."""
        t, K = self.task, self.intervals
        low, high = (np.tile(b, (K, DEGREE, 1)) for b in (t.limits.low, t.limits.high))
        if ends:
            for k, value in t.end.fixed.items():
                low[-1, -1, k] = high[-1, -1, k] = value
            for k, room in t.end.near.items():
                low[-1, -1, k] = max(low[-1, -1, k], t.end.target[k] - room)
                high[-1, -1, k] = min(high[-1, -1, k], t.end.target[k] + room)
        shares = (curve.shares / _MOVES, curve.shares * _MOVES) if moving else (curve.shares, curve.shares)
        time = (curve.duration / _LONGEST, curve.duration * _LONGEST) if t.horizon is None else (t.horizon, t.horizon)
        return (
            np.concatenate([t.start, low.ravel(), shares[0], time[:1]]),
            np.concatenate([t.start, high.ravel(), shares[1], time[1:]]),
        )

    def constraint_bounds(self, ends: bool, moving: bool, slack: float = 0.0) -> tuple[Array, Array]:
        """The least and greatest values of the constraints; ``slack`` widens the limited functions."""
        t, points = self.task, self.intervals * DEGREE
        low, high = t.bounds_of_limited
        zeros, whole = np.zeros(points * t.width), [1.0] if moving else [-np.inf]
        held = np.zeros(len(t.end.combined)) if ends else np.full(len(t.end.combined), np.inf)
        return (
            np.concatenate([zeros, np.tile(low - slack, points), whole, -held]),
            np.concatenate([zeros, np.tile(high + slack, points), [1.0] if moving else [np.inf], held]),
        )

    def parameters(self, ends: bool) -> Array:
        """Values of the parameters, the time of the start, weights of cost and nearness, the end."""
        t = self.task
        known = np.isfinite(t.end.target)
        weights = np.zeros(t.width) if ends else known.astype(float)
        C, wanted = t.end.combined, t.end.values
        return np.concatenate(
            [
                t.controlled.values,
                [t.begin, float(ends)],
                weights,
                np.where(known, t.end.target, 0.0),
                C.T.ravel(),
                wanted,
            ]
        )


@lru_cache(maxsize=24)
def _solver(program: Program, n: int, K: int, end: Program | None, held: int, warm: bool) -> Solver:
    problem = _problem(program, n, K, end, held)
    return _with_ipopt(problem, program.operations * K * DEGREE <= _WRITTEN_OUT, warm)


@lru_cache(maxsize=24)
def _problem(program: Program, n: int, K: int, end: Program | None, held: int) -> dict[str, Any]:
    import casadi as ca

    size, rule = len(program.states), radau(DEGREE)
    start, Z, shares, T = (
        ca.MX.sym("start", n),
        ca.MX.sym("points", size, K * DEGREE),
        ca.MX.sym("shares", K),
        ca.MX.sym("T"),
    )
    values, begin, sigma = ca.MX.sym("p", len(program.parameters)), ca.MX.sym("begin"), ca.MX.sym("sigma")
    weights, target = ca.MX.sym("weights", n), ca.MX.sym("target", n)
    lengths = (shares * T).T
    since = begin + T * ca.horzcat(0, ca.cumsum(shares).T[:, : K - 1])
    times = ca.reshape(ca.vertcat(*(since + s * lengths for s in rule.points)), 1, K * DEGREE)
    at = [list(range(i, K * DEGREE, DEGREE)) for i in range(DEGREE)]
    controls = [sum(b * Z[n:, places] for b, places in zip(row, at, strict=True)) for row in bernstein(DEGREE)]
    in_order = [i * K + k for k in range(K) for i in range(DEGREE)]
    inputs = ca.vertcat(Z[:n, :], ca.horzcat(*controls)[:, in_order])
    F = casadi_function(program).map("points", "serial", K * DEGREE, [2], [])(times, inputs, values)
    x = [Z[:n, places] for places in at]
    x.insert(0, ca.horzcat(start, x[-1][:, : K - 1]))
    steps = ca.repmat(lengths, n, 1)
    defects = [
        sum((rule.slopes[i, j] * x[j] for j in range(1, DEGREE + 1)), rule.slopes[i, 0] * x[0]) - steps * F[:n, at[i]]
        for i in range(DEGREE)
    ]
    cost = sum(rule.weights[i] * ca.dot(lengths, F[n, at[i]]) for i in range(DEGREE))
    last = Z[:n, K * DEGREE - 1]
    objective = sigma * cost + ca.dot(weights, (last - target) ** 2)
    rows = [ca.vec(ca.vertcat(*defects)), ca.vec(F[n + 1 :, :]), ca.sum1(shares)]
    parameters = [values, begin, sigma, weights, target]
    if end is not None:
        C, wanted = ca.MX.sym("C", held, len(end.outputs)), ca.MX.sym("wanted", len(end.outputs))
        rows.append(C @ (casadi_function(end)(begin + T, last, values) - wanted))
        parameters += [ca.vec(C), wanted]
    unknowns = ca.vertcat(start, ca.vec(Z), shares, T)
    return {"x": unknowns, "f": objective, "g": ca.vertcat(*rows), "p": ca.vertcat(*parameters)}


def _with_ipopt(problem: dict[str, Any], expand: bool, warm: bool) -> Solver:
    import casadi as ca

    watch = _watch(*(problem[key].numel() for key in ("x", "g", "p")))
    options = {
        "iteration_callback": watch,
        "iteration_callback_ignore_errors": False,
        "expand": expand,
        "print_time": False,
        "show_eval_warnings": False,
        "ipopt.print_level": 0,
        "ipopt.sb": "yes",
        "ipopt.tol": 1e-9,
        "ipopt.acceptable_tol": 1e-7,
        "ipopt.max_iter": 1000,
        "error_on_fail": False,
        **(_WARM if warm else {}),
    }
    solve = ca.nlpsol("plan", "ipopt", problem, options)
    return Solver(solve, watch, ca.Function("rows", [problem["x"], problem["p"]], [problem["g"]]))


def _watch(x: int, g: int, p: int) -> Any:
    """What CasADi calls with every iterate; ``heard`` is set for each solution and says whether to stop."""
    import casadi as ca

    @final
    class Watch(ca.Callback):
        def __init__(self) -> None:
            ca.Callback.__init__(self)
            self.heard: Any = None
            self.construct("watch", {})

        def get_n_in(self) -> int:
            return int(ca.nlpsol_n_out())

        def get_n_out(self) -> int:
            return 1

        def get_name_in(self, i: int) -> str:
            return str(ca.nlpsol_out(i))

        def get_name_out(self, i: int) -> str:
            return "stop"

        def get_sparsity_in(self, i: int) -> Any:
            sizes = {"f": 1, "x": x, "lam_x": x, "g": g, "lam_g": g, "lam_p": p}
            return ca.Sparsity.dense(sizes.get(ca.nlpsol_out(i), 0), 1)

        def eval(self, arguments: Any) -> list[int]:
            return [int(bool(self.heard and self.heard(arguments[0])))]

    return Watch()
