r"""Programs from equations of motion: the rates that an integrator needs, what one may ask of a state, and rates with every sign held.

`Compiled` makes the first two. Where forces jump or kink, `Modes` makes programs that are smooth: every switching function $u_k$
(`anholonomy.algebra.switching`) has a sign $s_k$ that is a parameter, and is a state beside the others, $\dot U_k = \dot u_k$, so that
steps resolve it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, symbol, time
from anholonomy.algebra.poles import divisors
from anholonomy.algebra.steps.definitions import Assign, Solve, Step, assignments_to
from anholonomy.algebra.switching import held, switches, touches
from anholonomy.base.caching import cached_property
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.program import Program, lower, with_expressions

__all__ = ["Compiled", "Modes", "modes_of"]


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
    def pivots(self) -> Program | None:
        """What the choice of the adapted frame divides by; None where it divides by nothing."""
        frame = self.equations.frame
        return self.values_of(frame.pivots) if frame is not None and frame.pivots else None

    @cached_property
    def divisors(self) -> Program | None:
        """What the declaration divides by; None where nothing of the kind can vanish."""
        model = self.equations.model
        parts = (model.lagrangian, *model.forces_a, *(model.momenta_a or ()))
        found = divisors(parts, {*model.coordinates, time})
        return self.values_of(found) if found else None

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
        return None if self.equations.is_definite and _is_definite(matrix) else matrix


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


@final
@dataclass(frozen=True)
class Modes:
    """The equations of motion in every mode.

    Attributes
    ----------
    switches
        The functions whose change of sign is a change of mode.
    touches
        Radicands whose zero is the end of smoothness without a change of sign.
    """

    equations: EquationsOfMotion
    switches: Vector
    touches: Vector

    @cached_property
    def signs(self) -> dict[Expr, Symbol]:
        """The parameters that stand for the signs, which follow those of the system."""
        return {u: symbol(f"$s{k}") for k, u in enumerate(self.switches)}

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        return tuple(
            with_expressions(step, lambda value: held(value, self.signs)) for step in self.equations.unknown_steps
        )

    @cached_property
    def _rates(self) -> dict[Symbol, Expr]:
        """The rates of the states, signs held."""
        e = self.equations
        rates = [held(f, self.signs) for f in (*e.coordinate_rates, *e.rates)]
        return dict(zip(e.state, rates, strict=True))

    @cached_property
    def _watched(self) -> tuple[tuple[Step, ...], Vector, Vector]:
        """Further steps, the switching functions and radicands with signs held, and the rates of both."""
        functions = tuple(held(f, self.signs) for f in (*self.switches, *self.touches))
        rates: dict[Symbol, Expr] = {**self._rates, time: symengine.Integer(1)}
        steps: list[Step] = []
        for step in assignments_to(free_symbols(functions), self._steps):
            if (rate := along(step.value, rates)) != 0:
                steps.append(Assign(symbol(f"$d{len(steps)}"), rate))
                rates[step.target] = steps[-1].targets[0]
        return tuple(steps), functions, tuple(along(f, rates) for f in functions)

    @cached_property
    def rates(self) -> Program:
        """The rates of the states, then those of the switching functions; parameters, then signs."""
        more, _, rates = self._watched
        extra = tuple(symbol(f"$U{k}") for k in range(len(self.switches)))
        return self._lower((*self._steps, *more), (*self._rates.values(), *rates[: len(extra)]), extra)

    @cached_property
    def watched(self) -> Program:
        """Switching functions and radicands, then their rates, from a state."""
        more, functions, rates = self._watched
        return self._lower((*self._steps, *more), (*functions, *rates))

    @cached_property
    def watch(self) -> Function:
        """`watched`, compiled."""
        return fast_function(self.watched)

    @cached_property
    def move(self) -> Function:
        """`rates`, compiled."""
        return fast_function(self.rates)

    def _lower(self, steps: tuple[Step, ...], outputs: Vector, extra: tuple[Symbol, ...] = ()) -> Program:
        e = self.equations
        return lower((*e.state, *extra), (*e.model.parameter_symbols, *self.signs.values()), steps, outputs)


def modes_of(equations: EquationsOfMotion) -> Modes | None:
    """The modes of equations that jump or kink somewhere; None where they never do."""
    moving = {*equations.state, time}
    sources: list[Expr] = []
    for step in equations.unknown_steps:
        sources += step.sources
        if not moving.isdisjoint(free_symbols(step.sources)):
            moving.update(step.targets)
    sources += equations.coordinate_rates

    def found(kind: Callable[[Expr], Vector]) -> Vector:
        functions = dict.fromkeys(f for source in sources for f in kind(source))
        return tuple(f for f in functions if not moving.isdisjoint(f.free_symbols))

    signs, radicands = found(switches), found(touches)
    return Modes(equations, signs, radicands) if signs or radicands else None
