r"""A plan carried out: the system integrated with the controls of a curve, what the motion violates and by how much.

On each interval the controls are polynomials, $c(t) = \sum_j a_j s^j$ with $s = (t - t_k)/h_k$, so that one program serves all of
them. The integration starts where the plan does and is never put back on the curve: where it ends says how good the plan is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, final

import numpy as np
import symengine

from anholonomy._version import __version__
from anholonomy.algebra.expressions import matrix_vector, symbol, time
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.base.caching import cached_property
from anholonomy.base.tolerances import EXACT
from anholonomy.equations.lagrangian import energy, variational_derivative
from anholonomy.language.writing import brief
from anholonomy.motion.dataset.one_motion import PLANNED, Speeds, dataset
from anholonomy.motion.integrators.base import Flow, Outcome
from anholonomy.motion.integrators.choice import choose_integrator
from anholonomy.plans.collocation import Curve, function_of, integral, monomials, radau, sizes
from anholonomy.plans.search import LIMITS_KEPT, Attempt, unhurried
from anholonomy.plans.task import Controlled, Task
from anholonomy.programs.backends.base import Array
from anholonomy.programs.derivatives import along_direction
from anholonomy.programs.program import Program, lower
from anholonomy.system.declaration.toml import to_toml
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["CarriedOut", "Judged", "carry_out", "judged"]

_SAMPLES = 1000
"""Samples of the motion that is reported."""
_SHORT = 80
"""Characters of an expression in a sentence."""


def carry_out(task: Task, curve: Curve) -> CarriedOut:
    """Integrate the system with the controls of a curve, interval after interval."""
    c, program = task.controlled, _driven(task.controlled, curve.points.shape[1])
    integrator = choose_integrator(program, 1e-9, against_series="the controls change from piece to piece")
    coefficients = monomials(radau(curve.points.shape[1]).points) @ curve.points[:, :, curve.width :]
    edges, x, aside = curve.edges, curve.start, sizes(curve)
    count = max(2, -(-_SAMPLES // curve.shares.size))
    times, states, controls, changes, ends = [edges[:1]], [x[None]], [], [], []
    outcome, steps = Outcome.REACHED_END, 0
    powers = np.arange(coefficients.shape[1])
    for k, a in enumerate(coefficients):
        h = edges[k + 1] - edges[k]
        grid = np.linspace(edges[k], edges[k + 1], count + 1)
        flow = Flow(program, np.concatenate([c.values, a.T.ravel(), [edges[k], h], aside]))
        solution = integrator.integrate(flow, x + aside, grid, tolerance=EXACT)
        s = ((grid - edges[k]) / h)[:, None]
        kept = slice(0 if k == 0 else 1, solution.times.size)
        times.append(grid[1 : solution.times.size])
        states.append(solution.states[1:] - aside)
        controls.append((s**powers @ a)[kept])
        changes.append((powers * s ** np.maximum(powers - 1, 0) @ a)[kept] / h)
        x, outcome, steps = solution.stop_state - aside, solution.outcome, steps + solution.steps
        ends.append(x)
        if not outcome.is_complete:
            break
    return CarriedOut(
        task,
        curve,
        np.concatenate(times),
        np.concatenate(states),
        np.concatenate(controls),
        np.concatenate(changes),
        np.array(ends),
        outcome,
        steps,
        integrator.name,
        integrator.reason,
    )


@final
@dataclass(frozen=True, eq=False)
class CarriedOut:
    """The integrated motion: times, states, controls and the rates of these, a row for each time; and how it ended."""

    task: Task
    curve: Curve
    times: Array
    states: Array
    controls: Array
    changes: Array
    edges: Array
    """The states where intervals end, a row for each."""
    outcome: Outcome
    steps: int
    integrator: str
    reason: str

    @property
    def mismatch(self) -> dict[str, float]:
        """By how much it misses the end, for each name that the end gives."""
        t = self.task
        names = [s.name for s in t.controlled.states]
        missed = {names[k]: float(self.states[-1, k] - value) for k, value in t.end.fixed.items()}
        if t.end.functions:
            values = function_of(t.end_program)(self.times[-1], self.states[-1], t.controlled.values)
            missed |= dict(zip(t.end.labels, (values - t.end.values).tolist(), strict=True))
        return missed

    @property
    def residual(self) -> float:
        """The largest difference from the curve at the ends of its intervals, beside the size of each state, or 1."""
        collocated = self.curve.points[: len(self.edges), -1, : self.curve.width]
        scale = np.maximum(np.abs(collocated).max(axis=0), 1.0)
        return float((np.abs(self.edges - collocated) / scale).max()) if self.outcome.is_complete else np.inf

    @cached_property
    def seen(self) -> dict[str, Array]:
        """Velocities, accelerations, reactions and what else a trajectory has, a row for each time."""
        c, p, n = self.task.controlled, self.task.controlled.values, len(self.task.controlled.model.coordinates)
        rates = function_of(self.task.program)(self.times, self._inputs.T, p)[: self.curve.width].T
        moving = np.hstack([self._inputs, rates, self.changes, np.ones((self.times.size, 1))])
        w = len(c.model.velocities)
        both = function_of(_velocities(c))(self.times, moving.T, p).T
        program = _observables(c)
        others = [k for k, u in enumerate(c.controls) if u not in c.model.velocities]
        given = np.hstack([self.states[:, :n], both, self.controls[:, others]])
        values = function_of(program)(self.times, given.T, p).T
        found = {name: values[:, part] for name, part in program.slices.items()}
        return {"velocity": both[:, :w], "acceleration": both[:, w:], **found}

    @property
    def _inputs(self) -> Array:
        return np.hstack([self.states, self.controls])

    @cached_property
    def limited(self) -> Array:
        """The limited functions along the motion, a row for each."""
        values = function_of(self.task.program)(self.times, self._inputs.T, self.task.controlled.values)
        return np.asarray(values[self.task.width + 1 :])

    def dataset(self, declared: Model) -> xr.Dataset:
        """The motion in the schema of trajectories."""
        c, n = self.task.controlled, len(declared.coordinates)
        every = dict(zip((*c.states[n:], *c.controls), np.hstack([self.states[:, n:], self.controls]).T, strict=True))
        inputs = {u.name: every.pop(u) for u in c.controls} if c.by_inputs else {}
        own = {u.name: values for u, values in every.items() if u not in declared.velocities}
        table = np.column_stack(list(own.values())) if own else np.empty((self.times.size, 0))
        speeds = Speeds(tuple(own), table, np.zeros(self.times.size, int))
        said = {
            "declaration": to_toml(declared),
            "parameters": json.dumps({p.name: float(v) for p, v in zip(c.parameters, c.values, strict=True)}),
            "principle": PLANNED,
            "integrator": self.integrator,
            "integrator_reason": self.reason,
            "tolerance": EXACT,
            "outcome": str(self.outcome),
            "complete": int(self.outcome.is_complete),
            "steps": self.steps,
            "charts": 1,
            "anholonomy": __version__,
        }
        return dataset(declared.independent, self.times, self.states[:, :n], self.seen, speeds, said, inputs)


@lru_cache(maxsize=32)
def _driven(c: Controlled, degree: int) -> Program:
    """The rates of the states where the controls are polynomials in time, whose coefficients are parameters.

    The states are moved aside by their sizes, other parameters: an integrator would take rounding in one that rests for its size.
    """
    a = [[symbol(f"$a{b}_{j}") for j in range(degree)] for b, _ in enumerate(c.controls)]
    begin, length = symbol("$begin"), symbol("$length")
    s = (time - begin) / length
    steps = [
        Assign(u, symengine.Add(*(x * s**j for j, x in enumerate(row)))) for u, row in zip(c.controls, a, strict=True)
    ]
    moved, aside = ([symbol(f"${word}{k}") for k, _ in enumerate(c.states)] for word in ("moved", "aside"))
    back = [Assign(x, y - z) for x, y, z in zip(c.states, moved, aside, strict=True)]
    parameters = (*c.parameters, *(x for row in a for x in row), begin, length, *aside)
    return lower(moved, parameters, (*back, *steps, *c.steps), c.rates)


@lru_cache(maxsize=32)
def _velocities(c: Controlled) -> Program:
    """Velocities and accelerations, from states, controls and the rates of both."""
    program = lower((*c.states, *c.controls), c.parameters, c.steps, c.model.velocities)
    return along_direction(program, (*program.states, time))


@lru_cache(maxsize=32)
def _observables(c: Controlled) -> Program:
    r"""Reactions $E - Q$, residuals, positions and energy, from coordinates, velocities, accelerations and controls.

    Where speeds are the controls, what drives them is part of the reactions.
    """
    model = c.model
    E = variational_derivative(model)
    inertial = matrix_vector(E.mass_ab, model.accelerations)
    reactions = tuple(a + b - Q for a, b, Q in zip(inertial, E.bias_a, model.forces_a, strict=True))
    sections = {
        "reaction": reactions,
        "residual": tuple(each.expression for each in model.constraints),
        "position": tuple(each.position for each in model.on_positions if each.position is not None),
        "energy": energy(model),
    }
    controls = tuple(u for u in c.controls if u not in model.velocities)
    inputs = (*model.coordinates, *model.velocities, *model.accelerations, *controls)
    return lower(inputs, c.parameters, (), sections)


# What can be said for and against the plan, in a sentence and in a table.


def judged(task: Task, best: Attempt, carried: CarriedOut, tolerance: float, stopped: str) -> Judged:
    """The plan with its verdict."""
    name = task.controlled.model.name
    violations = sorted(_violations(task, carried, tolerance), reverse=True)
    fine = best.keeps_all and not violations
    if fine and task.horizon is None and not task.cost.degree and best.at_longest:
        said = (
            f"the cost still falls at T = {best.curve.duration:.3g}; give a horizon, or a price of time such as '1 + …'"
        )
        return Judged(task, best, carried, tolerance, False, f"{name}: {said}.")
    if fine and best.settled and not stopped:
        missed = max(map(abs, carried.mismatch.values()))
        said = f"a plan was found that misses the end by {missed:.1e} when it is carried out"
        return Judged(task, best, carried, tolerance, True, f"{name}: {said}.")
    if fine:
        why = stopped or f"the search ended with {best.status}"
        return Judged(
            task,
            best,
            carried,
            tolerance,
            False,
            f"{name}: a plan was found, but none cheaper was looked for to the end, because {why}.",
        )
    what = violations[0][1] if violations else f"the rates of the system are violated by {best.violation:.2g}"
    why = f" before {stopped}" if stopped else ""
    pivots = " and ".join(brief(pivot, longest=_SHORT) for pivot in task.controlled.pivots)
    others = f"other `speeds`, since these fail where {pivots} vanishes, " if pivots else ""
    cure = f"give {others}more time, wider bounds, a guess, or another end"
    return Judged(
        task, best, carried, tolerance, False, f"{name}: no plan was found{why}: in the best one, {what}; {cure}."
    )


@final
@dataclass(frozen=True, eq=False)
class Judged:
    """A plan with its task, as it was found and as it was carried out.

    Attributes
    ----------
    converged
        Whether it is optimal (near others), keeps its limits, and reaches the end when it is carried out, all to the tolerance.
    verdict
        The same in a sentence: what was reached, or what is violated and by how much.
    """

    task: Task
    best: Attempt
    carried: CarriedOut
    tolerance: float
    converged: bool
    verdict: str

    @cached_property
    def cost(self) -> float:
        """The cost, in the words it was asked in."""
        c, priced = self.task.controlled, self.task.cost
        program = lower((*c.states, *c.controls), c.parameters, c.steps, (priced.integrand,))
        return integral(self.task, self.carried.curve, program, 0)

    @cached_property
    def lines(self) -> list[tuple[str, str]]:
        """Rows of name and text."""
        t, curve = self.task, self.carried.curve
        kind = "inputs" if t.controlled.by_inputs else "speeds"
        missed = self.carried.mismatch
        rows = [
            ("verdict", self.verdict),
            ("cost", f"{self.cost:.10g} ({t.cost.text})"),
            ("time", f"{curve.duration:.10g}{_about_time(t)}"),
            ("controls", f"{kind} {_named(t.controlled)}"),
            ("mesh", f"{curve.shares.size} intervals, polynomials of degree {curve.points.shape[1]}"),
            ("iterations", f"{self.best.iterations} for the last mesh"),
            ("misses the end by", ", ".join(f"{name} {value:.1e}" for name, value in missed.items())),
            ("residual", f"{self.carried.residual:.1e} after integration, at a tolerance of {self.tolerance:.0e}"),
            ("integrator", self.carried.integrator),
        ]
        if t.end.turns:
            rows.append(
                (
                    "turns",
                    ", ".join(f"{name} ends {turn:+d} full turns on" for name, turn in t.end.turns.items() if turn),
                )
            )
        if t.limits.rows:
            rows.append(("limits", f"violated by {max(0.0, *(v for v, _ in _of_limits(t, self.carried))):.1e} at most"))
        return [(name, text) for name, text in rows if text]


def _named(c: Controlled) -> str:
    """The controls, and the numbers by which they may be called, too."""
    numbers = {u: f" ({name})" for name, u in c.numbered.items()}
    return ", ".join(u.name + numbers.get(u, "") for u in c.controls)


def _about_time(task: Task) -> str:
    if task.horizon is not None:
        return ", as asked"
    if unhurried(task) is task:
        return ", free"
    slower = "slower is cheaper" if task.cost.degree > 1 else "slower costs the same"
    return f", the shortest for this way within the bounds; {slower}"


def _violations(task: Task, carried: CarriedOut, tolerance: float) -> Iterator[tuple[float, str]]:
    """How much beyond what is tolerated, as a factor, and a clause about it."""
    sizes = {
        s.name: max(1.0, abs(v)) for s, v in zip(task.controlled.states, np.nan_to_num(task.end.target), strict=True)
    }
    if not carried.outcome.is_complete:
        yield np.inf, f"the integration ends early ({carried.outcome})"
    for name, missed in carried.mismatch.items():
        if not abs(missed) <= tolerance * sizes.get(name, 1.0):
            yield abs(missed) / tolerance, f"{name} misses its value at the end by {abs(missed):.3g}"
    for violation, label in _of_limits(task, carried):
        if violation > LIMITS_KEPT * tolerance:
            yield violation / tolerance, f"{label} is violated by {violation:.3g}"


def _of_limits(task: Task, carried: CarriedOut) -> Iterator[tuple[float, str]]:
    """The greatest violation of each limited function and each bound along the motion."""
    for row, values in zip(task.limits.rows, carried.limited, strict=True):
        yield float(max((row.low - values).max(), (values - row.high).max())), row.label
    own = (*task.controlled.states, *task.controlled.controls)
    values = np.hstack([carried.states, carried.controls]).T
    for s, series, low, high in zip(own, values, task.limits.low, task.limits.high, strict=True):
        yield float(max((low - series).max(), (series - high).max())), f"the bound of {s.name}"
