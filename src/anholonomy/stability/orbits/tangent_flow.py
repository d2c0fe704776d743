r"""The flow with vectors that it carries, $\dot x = f(x)$, $\dot v = Df(x)\,v$, in speeds that are regular as long as the motion stays near.

The frame is chosen anew where it has become poor; vectors go over as changes of coordinates and velocities, which all frames share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.compile.derivatives import along_direction
from anholonomy.compile.lowering import Compiled
from anholonomy.compile.program import Program
from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion
from anholonomy.refusals import IntegrationProblem
from anholonomy.simulate.integrators.base import FREE, Flow
from anholonomy.simulate.integrators.choose import choose_integrator
from anholonomy.simulate.pieces.integrate import declared_limits
from anholonomy.simulate.pieces.runnable_equations import frame_quality
from anholonomy.stability.symmetries import tangent
from anholonomy.stability.vector_field import VectorField, vector_field
from anholonomy.symbolic.expressions import Symbol, time

__all__ = ["CarriedVectors", "carried_along"]

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
        raise IntegrationProblem(f"{start.field.model.name}: the motion ends before t = {until:g}: {solution.message}.")
    end = solution.stop_state
    x = start.field.on_positions(end[None, :size], start.p, t=until)[0]
    return replace(start, x=x, vectors=end[size:].reshape(count, size).T, t=until)


@lru_cache(maxsize=16)
def _program(equations: EquationsOfMotion, count: int) -> Program:
    return along_direction(Compiled(equations).rates, count=count)
