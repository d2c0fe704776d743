r"""The motion as a vector field on the constraint submanifold, compiled with its derivatives, and vectors that its linearised flow transports.

The motion as a vector field on the constraint submanifold, with its derivatives.

.. math:: x = (q, u) \mapsto z = (q, w), \qquad \dot z = f(x), \qquad g(q) = 0

The speeds $u$ of an adapted frame parametrise the admissible velocities $w$. Derivatives are those of the program, direction by direction
and for many states at once; no expression is differentiated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Symbol, free_symbols, symbol, time
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.algebra.numbers.doubles import kernel
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import IntegrationError, NotSupportedError
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import TYPED
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.evaluation import speeds_at
from anholonomy.equations.principles import formulation, suited
from anholonomy.geometry.adapted_frame import FAIR
from anholonomy.motion.charts.one_motion import frame_quality
from anholonomy.motion.driver.step_limits import declared_limits
from anholonomy.motion.integrators.base import FREE, Flow
from anholonomy.motion.integrators.choice import choose_integrator
from anholonomy.programs.backends import BACKENDS, fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.derivatives import along_direction
from anholonomy.programs.of_equations import Compiled
from anholonomy.programs.program import Program, lower
from anholonomy.system.model import Model

__all__ = [
    "Jet",
    "VectorField",
    "is_timed",
    "refuse_driven",
    "vector_field",
    "tangent",
    "CarriedVectors",
    "carried_along",
]


_OFTEN = 25
"""So many calls take as long by interpretation as making machine code does."""


@final
@dataclass(frozen=True)
class Jet(Shown):
    """States of the motion with their rates, what holds positions, and the energy; ``by_x`` has the derivatives along $x$ (and inputs).

    The arrays have a row for each state: ``z`` and ``rate`` in coordinates and velocities; the derivatives have a further axis.
    """

    z: Array
    rate: Array
    held: Array
    energy: Array
    by_x: Jet | None = None

    @property
    def slopes(self) -> Jet:
        assert self.by_x is not None
        return self.by_x


@final
@dataclass(frozen=True)
class VectorField(Shown):
    """The rates of coordinates and velocities on the constraints, for values of the parameters that are given with the states."""

    equations: EquationsOfMotion

    @property
    def model(self) -> Model:
        return self.equations.model

    @property
    def names(self) -> tuple[str, ...]:
        """What ``z`` holds: coordinates, then velocities."""
        return tuple(s.name for s in (*self.model.coordinates, *self.model.velocities))

    @cached_property
    def program(self) -> Program:
        """$(z, \\dot z, g, E)$ from $(q, u)$."""
        e, seen = self.equations, self.equations.observables
        sections = {
            "z": (*self.model.coordinates, *self.model.velocities),
            "rate": (*e.coordinate_rates, *seen.accelerations),
            "held": seen.positions,
            "energy": seen.energy,
        }
        return lower(e.state, self.model.parameter_symbols, seen.steps, sections)

    def at(self, x: Array, p: Array, t: float | Array = 0.0) -> Jet:
        """At states, a row each; ``p`` has the parameters, in one row or a row for each state; and so may ``t``."""
        out = _plain(self.program)(t, x.T, np.broadcast_to(p, (len(x), p.shape[-1])).T).T
        return _jet(out, self.program)

    def jet(self, x: Array, p: Array, inputs: tuple[str, ...] = (), t: float | Array = 0.0) -> Jet:
        """With derivatives by the entries of ``x``, and then by parameters."""
        count, width = len(x), x.shape[1] + len(inputs)
        function = _along(self.program, tuple(self.model.parameter_symbols.index(symbol(s)) for s in inputs))
        states = np.repeat(x, width, axis=0)
        values = np.repeat(np.broadcast_to(p, (count, p.shape[-1])), width, axis=0)
        directions = np.tile(np.eye(width), (count, 1))
        times = t if isinstance(t, float | int) else np.repeat(t, width)
        out = function(times, np.hstack([states, directions]).T, values.T).T.reshape(count, width, -1)
        size = len(self.program.outputs)
        return _jet(out[:, 0, :size], self.program, _jet(np.swapaxes(out[:, :, size:], 1, 2), self.program))

    def state(self, point: Mapping[Symbol, float]) -> Array:
        """The coordinates and speeds of a state."""
        with precision(20):
            values = speeds_at(self.equations, {s: ball(value) for s, value in point.items()})
            return np.array([float(values[s].mid()) for s in self.equations.state])

    def on_positions(self, x: Array, p: Array, held: tuple[int, ...] = (), t: float | Array = 0.0) -> Array:
        """States with coordinates moved onto what holds positions, by the shortest way; entries in ``held`` stay."""
        n, function = len(self.model.coordinates), _positions(self.model)
        if function is None:
            return x
        free = [k for k in range(n) if k not in held]
        values = np.broadcast_to(p, (len(x), p.shape[-1])).T
        for _ in range(20):
            out = function(t, x[:, :n].T, values).T.reshape(len(x), -1, n + 1)
            good = np.flatnonzero(np.isfinite(out).all(axis=(1, 2)))  # others stay where they are
            g, slopes = out[good, :, 0], out[good, :, 1:][:, :, free]
            x = x.copy()
            x[good[:, None], free] -= np.einsum("kij,kj->ki", np.linalg.pinv(slopes), g)
            if np.abs(g).max(initial=0.0) < 1e-15:
                break
        return x


def _jet(out: Array, program: Program, by_x: Jet | None = None) -> Jet:
    """The outputs of the program, along the second axis, by name."""
    where = program.slices
    return Jet(out[:, where["z"]], out[:, where["rate"]], out[:, where["held"]], out[:, where["energy"]], by_x)


@lru_cache(maxsize=32)
def _positions(model: Model) -> Function | None:
    """What holds positions, each with its derivatives by the coordinates; None where nothing does."""
    held = [c.position for c in model.on_positions if c.position is not None]
    entries = [entry for g in held for entry in (g, *gradient(g, model.coordinates))]
    return (
        BACKENDS["numpy"].compile(lower(model.coordinates, model.parameter_symbols, (), entries)) if entries else None
    )


@final
class _Often:
    """A program that is interpreted at first and becomes machine code where it is called again and again.

    The last answer is kept: who accepts a trial state, or asks for its linear part, asks the same once more.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.calls = program, 0
        self.function: Function = BACKENDS["numpy"].compile(program)
        self.last: tuple[float | Array, Array, Array, Array] | None = None

    def __call__(self, t: float | Array, x: Array, p: Array) -> Array:
        if self.last is not None and all(map(np.array_equal, self.last, (t, x, p))):
            return self.last[3]
        self.calls += 1
        if self.calls == _OFTEN:
            self.function = fast_function(self.program)
        out = self.function(t, x, p)
        out.flags.writeable = False
        self.last = t, x.copy(), p.copy(), out
        return out


@lru_cache(maxsize=32)
def _plain(program: Program) -> _Often:
    return _Often(program)


@lru_cache(maxsize=32)
def _along(program: Program, inputs: tuple[int, ...]) -> _Often:
    by = (*program.states, *(program.parameters[k] for k in inputs))
    return _Often(along_direction(program, by))


def is_timed(model: Model) -> bool:
    """Whether anything that is declared depends on time."""
    said = [model.lagrangian, *model.forces_a, *(model.momenta_a or ()), *(c.expression for c in model.constraints)]
    return time in free_symbols(said)


def refuse_driven(model: Model) -> None:
    """Refuse a motion whose neighbours are not known: what drives it is no part of the declaration."""
    if open_ := [name for name, value in model.parameter_items if value is None]:
        raise NotSupportedError(
            f"{model.name}: {', '.join(open_)} has no value of its own, so that neighbours of the motion are not known; write its feedback "
            "into `forces`, or give it a value."
        )


def vector_field(model: Model, point: dict[Symbol, float], timed: bool = False) -> VectorField:
    """In a frame that is regular at a state; Kane's equations where they apply, which make the shortest programs.

    What depends on time is refused unless ``timed``.
    """
    model = model.independent
    if not timed and is_timed(model):
        raise NotSupportedError(
            f"{model.name} depends on time, so that no motion of it is steady; take t out of its declaration, or linearise along a motion."
        )
    kane = formulation("kane")
    principle = kane if kane.covers(model) else suited(model)
    derivation = Derivation.for_all_values(model, principle)
    good = derivation.frame is None or frame_quality(derivation.frame, point) > FAIR
    return VectorField((derivation if good else derivation.at(point)).equations)


def tangent(held: Array) -> Array:
    """Directions of $x$ that keep what holds positions, a column each."""
    return kernel(held, tolerance=TYPED)


# The flow with vectors that it carries, $\dot x = f(x)$, $\dot v = Df(x)\,v$, in speeds that are regular as long as the motion stays near.
#
# The frame is chosen anew where it has become poor; vectors go over as changes of coordinates and velocities, which all frames share.


_POOR = 0.02
"""A frame of this quality is exchanged."""


@final
@dataclass(frozen=True, eq=False)
class CarriedVectors:
    """A state with vectors at it, a column each."""

    field: VectorField
    x: Array
    vectors: Array
    p: Array
    t: float = 0.0

    @classmethod
    def at(cls, field: VectorField, x: Array, p: Array, vectors: Array | None = None, t: float = 0.0) -> CarriedVectors:
        """With a basis of all directions that keep positions, unless vectors are given."""
        basis = tangent(field.jet(x[None], p, t=t).slopes.held[0]) if vectors is None else vectors
        return cls(field, x, basis, p, t)

    @property
    def z(self) -> Array:
        """Coordinates and velocities."""
        return np.asarray(self.field.at(self.x[None], self.p, self.t).z[0])

    def in_z(self) -> Array:
        """The vectors as changes of coordinates and velocities."""
        return np.asarray(self.field.jet(self.x[None], self.p, t=self.t).slopes.z[0] @ self.vectors)

    def orthonormal(self) -> tuple[CarriedVectors, Array]:
        """Orthonormal vectors that span the same spaces, and the factors by which they had grown."""
        Q, R = np.linalg.qr(self.vectors)
        return replace(self, vectors=Q), np.abs(np.diag(R))

    def in_good_frame(self) -> CarriedVectors:
        """The same in a frame that is regular here, where this one is no longer."""
        model = self.field.model
        names = (*model.coordinates, *model.velocities)
        point: dict[Symbol, float] = dict(zip(names, map(float, self.z), strict=True))
        point |= dict(zip(model.parameter_symbols, map(float, self.p), strict=True)) | {time: self.t}
        frame = self.field.equations.frame
        if frame is None or not frame.may_fail or frame_quality(frame, point) > _POOR:
            return self
        other = vector_field(model, point, timed=True)
        x = other.state(point)
        slopes = other.jet(x[None], self.p, t=self.t).slopes.z[0]
        return replace(self, field=other, x=x, vectors=np.linalg.lstsq(slopes, self.in_z(), rcond=None)[0])


def carried_along(start: CarriedVectors, until: float, tolerance: float) -> CarriedVectors:
    """The state and its vectors at a later time; refused where the motion ends before."""
    count, size = start.vectors.shape[1], start.x.size
    program = _program(start.field.equations, count)
    begin = np.concatenate([start.x, start.vectors.T.ravel()])
    chosen = choose_integrator(program, tolerance, "runge-kutta")
    times = np.array([start.t, until])
    limits = declared_limits(start.field.model, start.p, times, FREE)
    solution = chosen.integrate(Flow(program, start.p), begin, times, tolerance=tolerance, limits=limits)
    if not solution.outcome.is_complete:
        raise IntegrationError(f"{start.field.model.name}: the motion ends before t = {until:g}: {solution.message}.")
    end = solution.stop_state
    x = start.field.on_positions(end[None, :size], start.p, t=until)[0]
    return replace(start, x=x, vectors=end[size:].reshape(count, size).T, t=until)


@lru_cache(maxsize=16)
def _program(equations: EquationsOfMotion, count: int) -> Program:
    return along_direction(Compiled(equations).rates, count=count)
