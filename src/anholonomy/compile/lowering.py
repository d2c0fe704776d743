"""Programs from equations of motion: the rates that an integrator needs, and what one may ask of a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array, Function
from anholonomy.compile.modes import Modes, modes_of
from anholonomy.compile.program import Program, lower
from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion
from anholonomy.lazy import cached_property
from anholonomy.symbolic.expressions import Vector
from anholonomy.symbolic.steps.straight_line import Solve

__all__ = ["Compiled"]


@final
@dataclass(frozen=True)
class Compiled:
    """Equations of motion as programs; each is made when it is first asked for."""

    equations: EquationsOfMotion

    def _lower(self, steps: tuple[object, ...], outputs: Vector | Mapping[str, Vector]) -> Program:
        e = self.equations
        return lower(e.state, e.model.parameter_symbols, steps, outputs)  # type: ignore[arg-type]

    @cached_property
    def rates(self) -> Program:
        r"""$(\dot q, \dot u)$ from $(q, u)$; the multipliers are found on the way and not reported."""
        e = self.equations
        return self._lower(e.unknown_steps, (*e.coordinate_rates, *e.rates))

    def values_of(self, functions: Vector) -> Program:
        """Any functions of coordinates, velocities of the system's frame, time and parameters, from a state."""
        return self._lower(self.equations.definitions, functions)

    def observing(self, functions: Vector) -> Program:
        """Functions that may use what the steps of the observables compute besides."""
        return self._lower(self.equations.observables.steps, functions)

    @cached_property
    def observables(self) -> Program:
        """What one may ask of a state, in sections that have the names of the trajectories' variables."""
        seen = self.equations.observables
        sections = {
            "velocity": self.equations.model.velocities,
            "acceleration": seen.accelerations,
            "reaction": seen.reactions,
            "multiplier": seen.multipliers,
            "residual": seen.residuals,
            "position": seen.positions,
            "energy": seen.energy,
            "costate": seen.costates,
            "momentum": seen.momenta,
            "vakonomic_energy": seen.vakonomic_energy,
        }
        return self._lower(seen.steps, sections)

    @cached_property
    def span(self) -> Program | None:
        """The vectors of the adapted frame, one after the other; None for a frame that cannot fail."""
        frame = self.equations.frame
        if frame is None or not frame.may_fail:
            return None
        return self._lower(frame.definitions, tuple(entry for row in frame.span_ba for entry in row))

    @cached_property
    def modes(self) -> Modes | None:
        """The equations with their signs held, where they jump or kink."""
        return modes_of(self.equations)

    def straight(self, program: Program, x: Array, p: Array, t: float, limit: int = 8) -> Program:
        """The rates by a ``program`` without linear systems where those are small, pivots chosen at the state ``x``."""
        if program.is_straight:
            return program
        matrices = {step: self._matrix(program, step, x, p, t) for step in program.solves if step.is_small(limit)}
        if any(matrix is not None for matrix in matrices.values()):
            return program.unrolled(matrices.__getitem__, limit)
        return _by_diagonals(program, limit)  # which does not depend on the state

    def _matrix(self, program: Program, step: Solve, x: Array, p: Array, t: float) -> Array | None:
        """The matrix of a solve in numbers, or None where it is positive definite and its diagonal will do."""
        size = len(step.unknowns)
        matrix = _matrix_function(program, step)(t, x, p).reshape(size, size)
        if not np.isfinite(matrix).all():
            raise ZeroDivisionError("the matrix is not finite at the reference point")
        # An indefinite kinetic energy is legitimate, and then the diagonal may vanish.
        return None if self.equations.positive and _is_definite(matrix) else matrix


def _is_definite(matrix: Array) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


@lru_cache(maxsize=64)
def _by_diagonals(program: Program, limit: int) -> Program:
    return program.unrolled(limit=limit)


@lru_cache(maxsize=64)
def _matrix_function(program: Program, step: Solve) -> Function:
    """The entries of a solve's matrix, row by row."""
    before = program.steps[: program.steps.index(step)]
    entries = tuple(entry for row in step.matrix for entry in row)
    asked = Program(program.states, program.parameters, before, entries)
    return fast_function(asked)
