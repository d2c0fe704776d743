r"""Equations of motion with their signs held: smooth programs for forces that jump and kink.

In a mode, every switching function $u_k$ (`anholonomy.symbolic.switches`) has a sign $s_k$, a parameter of the program, so that the
rates are smooth. The switching functions are states beside the others, $\dot U_k = \dot u_k$, so that the steps resolve them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Function
from anholonomy.compile.program import Program, lower
from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion
from anholonomy.lazy import cached_property
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, free_symbols, symbol, time
from anholonomy.symbolic.steps.straight_line import Assign, Solve, Step, assignments_to
from anholonomy.symbolic.switches import held, switches, touches

__all__ = ["Modes", "modes_of"]


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
        return tuple(_held_step(step, self.signs) for step in self.equations.unknown_steps)

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


def _held_step(step: Step, signs: dict[Expr, Symbol]) -> Step:
    if isinstance(step, Assign):
        return Assign(step.target, held(step.value, signs))
    matrix = tuple(tuple(held(entry, signs) for entry in row) for row in step.matrix)
    return Solve(step.unknowns, matrix, tuple(held(entry, signs) for entry in step.right), step.least)
