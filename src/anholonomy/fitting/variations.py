r"""Derivatives of a motion by parameters and by its start, carried along it.

.. math:: \dot x = f(t, x, p), \qquad \dot v = D_x f\,v + D_p f\,\delta p, \qquad v^+ = v^- + (f^- - f^+)\,\delta t^*

The second equation is integrated beside the first, piece by piece as the motion was: into another chart the vectors go as changes of
coordinates and velocities, and where forces jump, the time of the jump is moved by $\delta t^* = -\delta u/\dot u$.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import final

import numpy as np
import symengine

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array, Function
from anholonomy.compile.derivatives import along_direction, jacobian
from anholonomy.compile.program import Program
from anholonomy.refusals import IntegrationProblem, NotCovered
from anholonomy.simulate.events.quantities import quantities
from anholonomy.simulate.integrators.base import Flow
from anholonomy.simulate.integrators.choose import choose_integrator
from anholonomy.simulate.pieces.mode import Mode
from anholonomy.simulate.pieces.piece import Piece
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.simulate.signals.kinds import Continuous, Held
from anholonomy.simulate.simulation import Record
from anholonomy.symbolic.expressions import Vector, time
from anholonomy.tolerances import VANISHES

__all__ = ["Directions", "Varied", "varied"]


@final
@dataclass(frozen=True, eq=False)
class Directions:
    """Ways to change a motion, a column each: ``start`` has the changes of coordinates and velocities, ``parameters`` their places or None."""

    start: Array
    parameters: tuple[int | None, ...]

    def of_parameters(self, count: int) -> Array:
        """The changes of all parameters."""
        found = np.zeros((count, len(self.parameters)))
        for k, place in enumerate(self.parameters):
            if place is not None:
                found[place, k] = 1.0
        return found


@final
@dataclass(frozen=True, eq=False)
class Varied:
    """A motion with vectors along it: for each piece an array (time, state, direction)."""

    record: Record
    directions: Directions
    vectors: tuple[Array, ...]

    def values(self, functions: Vector) -> tuple[Array, Array]:
        """Functions of what `quantities` names along the motion, (time, function), and their derivatives, (time, function, direction)."""
        values, slopes = [], []
        for piece, V in zip(self.record.pieces, self.vectors, strict=True):
            solution, p = piece.solution, piece.parameters
            count, size, width = V.shape
            if not count:
                continue
            moved = self.directions.of_parameters(p.size)
            used = tuple(k for k in range(p.size) if moved[k].any())
            function = _observing(piece.runnable, functions, used)
            x = np.repeat(solution.states[:, :size], width, axis=0)
            v = np.swapaxes(V, 1, 2).reshape(count * width, size)
            along = np.tile(moved[list(used)].T, (count, 1))
            times = np.repeat(solution.times, width)
            out = function(times, np.hstack([x, v, along]).T, p).T.reshape(count, width, 2, len(functions))
            values.append(out[:, 0, 0])
            slopes.append(np.swapaxes(out[:, :, 1], 1, 2))
        return np.concatenate(values), np.concatenate(slopes)


def varied(record: Record, directions: Directions) -> Varied:
    """The motion of a record with vectors carried along it."""
    problem = record.problem
    _refuse_functions(record)
    moved = directions.of_parameters(problem.parameters.size)
    first, found, point = record.pieces[0], list[Array](), problem.point
    t, x = point[time], first.runnable.state(point)
    V = _as_states(first.runnable, t, x, first.parameters, directions.start, moved)
    for piece, following in zip(record.pieces, (*record.pieces[1:], None), strict=True):
        stretch = _carried(record, piece, t, x, V, directions)
        found.append(stretch[0])
        t, x, V = piece.solution.stop_time, piece.solution.stop_state, stretch[1]
        if following is None:
            break
        if following.runnable is piece.runnable:
            V = V if piece.mode is None or following.mode is None else _past_switch(piece, following.mode, V, moved)
        else:
            z = _of_state(piece.runnable, t, x, piece.parameters, V, moved)
            x = following.runnable.state(record.run.point_from(piece.runnable, t, x))
            V = _as_states(following.runnable, t, x, following.parameters, z, moved)
    return Varied(record, directions, tuple(found))


def _refuse_functions(record: Record) -> None:
    for name, signal in record.problem.driven.signals.items():
        if isinstance(signal, Held | Continuous):
            raise NotCovered(
                f"{record.problem.declared.name}: the input {name} is a Python function, whose derivative nobody knows; give it as a text "
                "or as data."
            )


def _carried(record: Record, piece: Piece, t: float, x: Array, V: Array, directions: Directions) -> tuple[Array, Array]:
    """The vectors at the times of a piece, and at its end."""
    size, width, solution = x.size, V.shape[1], piece.solution
    program = _varied_rates(piece.runnable, piece.mode is not None, directions.parameters)
    p = piece.parameters if piece.mode is None else piece.mode.all_parameters
    inside = solution.times[solution.times != t]
    grid = np.concatenate(
        [[t], inside, [] if inside.size and inside[-1] == solution.stop_time else [solution.stop_time]]
    )
    grid = grid if grid[0] != grid[-1] else grid[:1]
    begin = np.concatenate([x, V.T.ravel()])
    chosen = choose_integrator(program, VANISHES, "runge-kutta")
    limits = record.run.limits
    done = chosen.integrate(Flow(program, p), begin, grid, tolerance=VANISHES, limits=limits)
    if not done.outcome.is_complete:
        raise IntegrationProblem(
            f"{record.problem.model.name}: the derivatives of the motion cannot be carried beyond t = {done.stop_time:.6g}: "
            f"{done.message}."
        )
    vectors = np.swapaxes(done.states[:, size:].reshape(-1, width, size), 1, 2)
    first = 0 if solution.times.size and solution.times[0] == t else 1
    return vectors[first : first + solution.times.size], vectors[-1]


def _past_switch(piece: Piece, after: Mode, V: Array, moved: Array) -> Array:
    """The vectors where forces jump: whoever comes to the switch earlier has been under the other force for longer."""
    before, t, x = piece.mode, piece.solution.stop_time, piece.solution.stop_state
    assert before is not None
    jump = before.rates(t, x) - after.rates(t, x)
    pace = before.watched(t, x)[1]
    signs = np.zeros((len(before.signs), moved.shape[1]))
    slopes = _jacobian(before.modes.watched)(t, x, before.all_parameters).reshape(
        -1, x.size + before.all_parameters.size
    )
    du = slopes @ np.vstack([V, moved, signs])
    for k in map(int, np.flatnonzero(before.signs != after.signs)):
        if before.signs[k] != 0 and pace[k] != 0:  # what rested leaves without a jump
            return V - np.outer(jump, du[k] / pace[k])
    return V


def _of_state(runnable: RunnableEquations, t: float, x: Array, p: Array, V: Array, moved: Array) -> Array:
    """Vectors as changes of coordinates and velocities."""
    by_x, by_p = _slopes(runnable, t, x, p)
    return np.asarray(by_x @ V + by_p @ moved)


def _as_states(runnable: RunnableEquations, t: float, x: Array, p: Array, z: Array, moved: Array) -> Array:
    """Changes of coordinates and velocities as vectors of a chart."""
    by_x, by_p = _slopes(runnable, t, x, p)
    return np.asarray(np.linalg.lstsq(by_x, z - by_p @ moved, rcond=None)[0])


def _slopes(runnable: RunnableEquations, t: float, x: Array, p: Array) -> tuple[Array, Array]:
    """The derivatives of coordinates and velocities by the states and parameters of a chart."""
    model = runnable.equations.model
    program = runnable.compiled.values_of((*model.coordinates, *model.velocities))
    J = _jacobian(program)(t, x, p).reshape(-1, x.size + p.size)
    return J[:, : x.size], J[:, x.size :]


@lru_cache(maxsize=64)
def _jacobian(program: Program) -> Function:
    return fast_function(jacobian(program, (*program.states, *program.parameters)))


@lru_cache(maxsize=64)
def _varied_rates(runnable: RunnableEquations, switching: bool, parameters: tuple[int | None, ...]) -> Program:
    """Rates of the states and of so many vectors, which parameters may push besides."""
    size, modes = len(runnable.equations.state), runnable.compiled.modes
    program = runnable.compiled.rates if not switching or modes is None else modes.rates
    program = replace(program, states=program.states[:size], outputs=program.outputs[:size])
    one = symengine.Integer(1)
    besides = [{} if place is None else {program.parameters[place]: one} for place in parameters]
    return along_direction(program, count=len(parameters), besides=besides)


@lru_cache(maxsize=64)
def _observing(runnable: RunnableEquations, functions: Vector, parameters: tuple[int, ...]) -> Function:
    """Functions of the motion and their rates, where the states and some parameters have rates."""
    seen, model = runnable.equations.observables, runnable.equations.model
    parts = {
        "acceleration": seen.accelerations,
        "reaction": seen.reactions,
        "multiplier": seen.multipliers,
        "energy": seen.energy,
    }
    meant = {name: parts[section][k] for name, (section, k) in quantities(model).items()}
    program = runnable.compiled.observing(tuple(f.xreplace(meant) for f in functions))
    by = (*program.states, *(program.parameters[k] for k in parameters))
    return fast_function(along_direction(program, by))
