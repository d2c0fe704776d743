r"""A plan carried out: the system integrated with the controls of a curve, and everything one may ask of that motion.

On each interval the controls are polynomials, $c(t) = \sum_j a_j s^j$ with $s = (t - t_k)/h_k$, so that one program serves all of
them. The integration starts where the plan does and is never put back on the curve: where it ends says how good the plan is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, final

import numpy as np
import symengine

from anholonomy._version import __version__
from anholonomy.compile.backends.base import Array
from anholonomy.compile.derivatives import along_direction
from anholonomy.compile.program import Program, lower
from anholonomy.formulations.euler_lagrange import energy, variational_derivative
from anholonomy.lazy import cached_property
from anholonomy.plans.asked.controlled import Controlled
from anholonomy.plans.asked.task import Task
from anholonomy.plans.collocation.curve import Curve
from anholonomy.plans.collocation.measures import function_of, sizes
from anholonomy.plans.collocation.radau import monomials, radau
from anholonomy.simulate.integrators.base import Flow
from anholonomy.simulate.integrators.choose import choose_integrator
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.trajectories.schema import PLANNED, Speeds, dataset
from anholonomy.symbolic.expressions import matrix_vector, symbol, time
from anholonomy.symbolic.steps.straight_line import Assign
from anholonomy.system.declaration.files import to_toml
from anholonomy.system.model import Model
from anholonomy.tolerances import EXACT

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["CarriedOut", "carry_out"]

_SAMPLES = 1000
"""Samples of the motion that is reported."""


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
