r"""Derivatives of a motion by parameters and by its start, integrated along it; varied starts stay on the constraints.

.. math:: \dot x = f(t, x, p), \qquad \dot v = D_x f\,v + D_p f\,\delta p, \qquad v^+ = v^- + (f^- - f^+)\,\delta t^*

The second equation is integrated beside the first, piece by piece as the motion was: into another chart the vectors go as changes of
coordinates and velocities, and where forces jump, the time of the jump is moved by $\delta t^* = -\delta u/\dot u$.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Symbol, Vector, free_symbols, time
from anholonomy.algebra.numbers.doubles import kernel
from anholonomy.base.errors import IntegrationError, NotSupportedError, StateError, UnknownNameError, quoted
from anholonomy.base.tolerances import NOTHING, VANISHES
from anholonomy.fitting.data import functions_of
from anholonomy.language.arguments import is_list
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.charts.one_motion import RunnableEquations
from anholonomy.motion.driver.modes import Mode
from anholonomy.motion.driver.one_motion import Piece
from anholonomy.motion.further_times import driving, rederived, state_at
from anholonomy.motion.integrators.base import Flow
from anholonomy.motion.integrators.choice import choose_integrator
from anholonomy.motion.observables.one_motion import quantity_values
from anholonomy.motion.problem.one_motion import pose
from anholonomy.motion.signals.kinds import Continuous, Held
from anholonomy.motion.simulate import Record, simulate
from anholonomy.motion.trajectory import Trajectory
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.derivatives import along_direction, jacobian
from anholonomy.programs.program import Program, lower
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import state_name

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Beginning", "bounds_of", "names_of", "sensitivity_of", "unknown_names", "varied"]

_ROUNDS = 30
"""Newton's steps onto the constraints."""


def sensitivity_of(motion: Trajectory, unknown: Sequence[str], of: Sequence[str] | None) -> xr.DataArray:
    """By names of parameters, coordinates and velocities; of the latter two, or of what ``of`` names."""
    import xarray as xr

    record = motion._source if isinstance(motion._source, Record) else _again(motion)
    problem = record.problem
    if record.pieces[0].runnable.equations.costates:
        raise NotSupportedError(
            f"{problem.model.name}: the derivatives of a vakonomic motion are not covered; take a mechanical one."
        )
    model = problem.model
    names = unknown_names(problem.declared, unknown)
    if of is not None and not is_list(of):
        raise UnknownNameError(
            f"{model.name}: `of` is {quoted(of)}; give a list of names, such as [{model.coordinates[0].name!r}]."
        )
    asked = list(map(str, of)) if of is not None else names_of(model)
    functions = functions_of(model, asked)
    starts = [name for name in names if name not in model.parameters]
    beginning = Beginning.of(model, problem.point, names_of(model), starts)
    _, slopes = varied(record, beginning.directions(names, problem.parameters)).values(functions)
    coords: dict[str, Any] = {"time": record.times, "quantity": asked, "unknown": list(names)}
    return xr.DataArray(slopes, coords=coords, dims=("time", "quantity", "unknown"), name="sensitivity")


def _again(motion: Trajectory) -> Record:
    """A motion that was loaded, integrated once more as it was."""
    declared, derivation = rederived(motion)
    tolerance = float(motion.data.attrs["tolerance"])
    return simulate(
        pose(
            declared,
            derivation,
            state_at(motion, 0),
            times=motion.time.values,
            tolerance=tolerance,
            project=True,
            inputs=driving(motion) or None,
        )
    )


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


def _refuse_functions(record: Record) -> None:
    for name, signal in record.problem.driven.signals.items():
        if isinstance(signal, Held | Continuous):
            raise NotSupportedError(
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
        raise IntegrationError(
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
    meant = quantity_values(runnable.equations, free_symbols(functions))
    program = runnable.compiled.observing(tuple(f.xreplace(meant) for f in functions))
    by = (*program.states, *(program.parameters[k] for k in parameters))
    return fast_function(along_direction(program, by))


# Starts that move on the constraints: what of a start may be varied by itself, and what follows.
#
# .. math:: c(z, t, p) = 0, \qquad C\,\delta z = -D_p c\,\delta p, \qquad \delta z_K \text{ chosen}
#
# Of the coordinates the unknown ones are independent, then as many of the given ones, in the order given, as the constraints leave free;
# then the same of the velocities. The rest follows from these.


@final
@dataclass(frozen=True, eq=False)
class Beginning:
    """A start $z$ at a time, with the places in $z$ that are held or varied; the others follow.

    Attributes
    ----------
    follow
        The names that were given, but follow from the constraints where the unknown ones change.
    """

    model: Model
    z: Array
    t: float
    kept: tuple[int, ...]
    follow: tuple[str, ...]

    @classmethod
    def of(cls, model: Model, point: Mapping[Symbol, float], given: Sequence[str], unknown: Sequence[str]) -> Beginning:
        """From a complete state, the names that were given, and those among them that are unknown."""
        names = names_of(model)
        z, p = np.array([point[s] for s in _symbols_of(model)]), np.array([point[s] for s in model.parameter_symbols])
        free = kernel(_constraints_at(model, z, point[time], p)[1])
        wanted = [*unknown, *(n for n in given if n not in unknown), *(n for n in names if n not in (*given, *unknown))]
        # A velocity follows from coordinates, never the other way.
        order = sorted(wanted, key=lambda name: names.index(name) >= len(model.coordinates))
        kept, basis = list[int](), np.empty((0, free.shape[1]))
        for name in order:
            row = free[names.index(name)]
            left = row - basis.T @ (basis @ row)
            if np.linalg.norm(left) > NOTHING * max(float(np.linalg.norm(row)), NOTHING) and len(kept) < free.shape[1]:
                kept.append(names.index(name))
                basis = np.vstack([basis, left / np.linalg.norm(left)])
            elif name in unknown:
                others = [n for n in unknown if n != name and names.index(n) in kept] or ["the coordinates"]
                raise StateError(
                    f"{model.name}: on the constraints the unknown start of {name} is determined by {', '.join(others)}; leave it out."
                )
        follow = tuple(n for n in given if n not in unknown and names.index(n) not in kept)
        return cls(model, z, point[time], tuple(kept), follow)

    def moved(self, values: Mapping[str, float], p: Array) -> Beginning:
        """With other values of some names; what follows is put on the constraints by Newton's method, from where it was."""
        names, z = names_of(self.model), self.z.copy()
        for name, value in values.items():
            z[names.index(name)] = value
        others = [k for k in range(z.size) if k not in self.kept]
        for _ in range(_ROUNDS):
            c, C, _ = _constraints_at(self.model, z, self.t, p)
            if not others or not np.isfinite(c).all() or not np.isfinite(C).all():
                break
            step = np.linalg.lstsq(C[:, others], -c, rcond=None)[0]
            z[others] += step
            if np.abs(step).max(initial=0.0) <= 1e-15 * max(1.0, float(np.abs(z).max())):
                break
        size = np.abs(_constraints_at(self.model, z, self.t, p)[0]).max(initial=0.0)
        if not size <= 1e-9 * max(1.0, float(np.abs(z).max())):
            raise StateError(f"{self.model.name}: no start with these values satisfies the constraints.")
        return replace(self, z=z)

    def directions(self, unknown: Sequence[str], p: Array) -> Directions:
        """How the start changes with each unknown, a parameter or an entry of the start."""
        names, parameters = names_of(self.model), [s.name for s in self.model.parameter_symbols]
        _, C, by_p = _constraints_at(self.model, self.z, self.t, p)
        held = np.eye(self.z.size)[list(self.kept)]
        columns, places = [], list[int | None]()
        for name in unknown:
            place = parameters.index(name) if name in parameters else None
            pushed = np.zeros(len(C)) if place is None else -by_p[:, place]
            own = held[:, names.index(name)] if place is None else np.zeros(len(held))
            columns.append(np.linalg.lstsq(np.vstack([C, held]), np.concatenate([pushed, own]), rcond=None)[0])
            places.append(place)
        return Directions(np.stack(columns, axis=1), tuple(places))

    @property
    def state(self) -> dict[str, float]:
        """The start as `simulate` takes it."""
        return {**dict(zip(names_of(self.model), map(float, self.z), strict=True)), time.name: self.t}


def _constraints_at(model: Model, z: Array, t: float, p: Array) -> tuple[Array, Array, Array]:
    """What must vanish, and its derivatives by $z$ and by the parameters."""
    program, values, slopes = _compiled(model.with_free_parameters)
    J = slopes(t, z, p).reshape(len(program.outputs), z.size + p.size)
    return values(t, z, p), J[:, : z.size], J[:, z.size :]


@lru_cache(maxsize=64)
def _compiled(model: Model) -> tuple[Program, Function, Function]:
    held = [c.position for c in model.on_positions if c.position is not None]
    program = lower(
        _symbols_of(model), model.parameter_symbols, (), [*held, *(c.expression for c in model.velocity_constraints)]
    )
    by = (*program.states, *program.parameters)
    return program, fast_function(program), fast_function(jacobian(program, by))


def _symbols_of(model: Model) -> tuple[Symbol, ...]:
    return (*model.coordinates, *model.velocities)


def names_of(model: Model) -> list[str]:
    """What $z$ holds."""
    return [s.name for s in _symbols_of(model)]


# Unknowns by name, and their bounds.


def unknown_names(model: Model, unknown: Any, word: str = "unknown") -> tuple[str, ...]:
    """The names, each a parameter or an entry of the start."""
    if isinstance(unknown, str) or not is_list(unknown) or not len(unknown):
        raise UnknownNameError(
            f"{model.name}: `{word}` is {quoted(unknown)}; give a list of names, such as [{next(iter(model.parameters), model.coordinates[0].name)!r}]."
        )
    names, known = [state_name(model, each) for each in unknown], [*model.parameters, *names_of(model)]
    for name in names:
        if name not in known:
            near = near_symbol(name, known)
            hint = f"did you mean {near}? There" if near else "there"
            raise UnknownNameError(
                f"{model.name}: `{word}` has {quoted(name)}, which is no parameter, coordinate or velocity; {hint} are {', '.join(known)}."
            )
    if twice := [name for name in names if names.count(name) > 1]:
        raise UnknownNameError(f"{model.name}: `{word}` has {twice[0]} twice; keep one of them.")
    return tuple(names)


def bounds_of(model: Model, names: tuple[str, ...], bounds: Any) -> tuple[Array, Array]:
    """The least and the greatest value of each unknown."""
    if bounds is not None and not isinstance(bounds, Mapping):
        raise IntegrationError(
            f"{model.name}: `bounds` is {quoted(bounds)}; give pairs by name, such as {{{names[0]!r}: (0, None)}}."
        )
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    for name, pair in (bounds or {}).items():
        if name not in names:
            raise UnknownNameError(
                f"{model.name}: `bounds` has {quoted(name)}, which is not unknown; unknown are {', '.join(names)}."
            )
        k = names.index(name)
        try:
            ends = [end if value is None else float(value) for value, end in zip(pair, (-np.inf, np.inf), strict=True)]
        except (TypeError, ValueError):
            ends = [np.nan, np.nan]
        if not ends[0] < ends[1]:
            raise IntegrationError(
                f"{model.name}: the bounds of {name} are {quoted(pair)}; give the least and the greatest value, such as (0, None)."
            )
        low[k], high[k] = ends
    return low, high
