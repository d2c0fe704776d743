r"""The base classes of discrete methods: equations for the next node, in general and in coordinates.

Steps in coordinates: a Lagrangian, its forces and constraints at places between two nodes.

.. math:: p = \partial L/\partial\dot q, \qquad f = \partial L/\partial q + Q, \qquad \varphi = A\dot q + a
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, final

from anholonomy.algebra.expressions import Expr, Symbol, Vector, identity, symbol, time
from anholonomy.algebra.steps.definitions import Recorder
from anholonomy.equations.principles import formulation
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.motion.charts.one_motion import RunnableEquations
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import Program, lower
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import Momenta, momenta

__all__ = [
    "STEP",
    "AbstractMethod",
    "Scheme",
    "InCoordinates",
    "StepPlace",
    "Between",
    "added",
    "mean",
    "named",
    "scaled",
]


# A discrete method: equations for the next node of a motion, $R(n_k, n_{k+1}, \lambda;\,t_k, h) = 0$, to be solved by Newton's method.
#
# A node is what is carried from step to step. What a method keeps is its reason to be; the measured table says by how much.


STEP: Symbol = symbol("$h")
"""The length of a step, a parameter after those of the system."""


@final
@dataclass(frozen=True)
class Scheme:
    """What must vanish, as a program of a node, then the unknowns of a step; the first of these are the next node.

    Attributes
    ----------
    size
        How many numbers a node has.
    state
        How many of them, the first, are the state of the chart.
    """

    program: Program
    size: int
    state: int

    @property
    def unknowns(self) -> tuple[Symbol, ...]:
        return self.program.states[self.size :]


class AbstractMethod(abc.ABC):
    """One discrete method, on the states of a chart: coordinates, then the speeds of the principle."""

    name: ClassVar[str]
    title: ClassVar[str]
    """How it steps, in a few words."""
    keeps: ClassVar[str]
    """What it keeps exactly."""
    loses: ClassVar[str]
    """What it keeps only nearly, or not."""
    order: ClassVar[int] = 2
    reference: ClassVar[str]

    @classmethod
    def obstacle(cls, model: Model) -> str:
        """Why it cannot step a system, as the rest of a sentence; empty when it can."""
        if model.momenta_a is not None:
            return "has no Lagrangian"
        if model.inputs:
            return f"has inputs ({model.inputs[0]}); write their feedback into the forces"
        if model.on_positions:
            return f"holds positions ({model.on_positions[0].label}), which a step would leave; use independent coordinates"
        for kind in (Kind.NONLINEAR, Kind.ACCELERATION):
            if kind in model.kinds:
                return f"has {kind.phrase}; simulate() takes them"
        return ""

    @staticmethod
    @abc.abstractmethod
    def principle(model: Model) -> AbstractPrinciple:
        """The principle whose states are stepped."""

    @abc.abstractmethod
    def scheme(self, runnable: RunnableEquations) -> Scheme:
        """The equations of a step."""

    def node(self, runnable: RunnableEquations, t: float, x: Array, p: Array, h: float) -> Array:
        """The first node, from a state of the chart."""
        return x


# Steps in coordinates: a Lagrangian, its forces and constraints at places between two nodes.


def added(*vectors: Sequence[Expr]) -> Vector:
    return tuple(sum(parts) for parts in zip(*vectors, strict=True))


def scaled(factor: Any, vector: Sequence[Expr]) -> Vector:
    return tuple(factor * part for part in vector)


def mean(left: Sequence[Expr], right: Sequence[Expr]) -> Vector:
    return tuple((a + b) / 2 for a, b in zip(left, right, strict=True))


@final
@dataclass(frozen=True)
class StepPlace:
    r"""What a system is at coordinates, velocities and a time: momenta $p$, pulls $f$, constraints $\varphi$ and their rows."""

    p: Vector
    f: Vector
    phi: Vector
    rows: tuple[Vector, ...]

    def reaction(self, multipliers: Sequence[Expr]) -> Vector:
        r"""$A^{\mathsf T}\lambda$."""
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.p)
        return tuple(sum(a * l for a, l in zip(column, multipliers, strict=True)) for column in columns)


@final
class Between:
    """Two nodes, $q_0, v_0$ and $q_1, v_1$, a step $h$ from the time $t$ on, and the system at any place."""

    def __init__(self, model: Model) -> None:
        self.model, self.h, self.t, n = model, STEP, time, len(model.coordinates)
        self.q0, self.v0, self.q1, self.v1 = (named(f"$n{k}_", n) for k in range(4))
        self.write = Recorder("$b")
        self._momenta: Momenta = momenta(model)

    def multipliers(self, name: str) -> tuple[Symbol, ...]:
        """Unknowns, one for each constraint."""
        return named(f"$l{name}_", len(self.model.constraints))

    @property
    def velocity(self) -> Vector:
        r"""$(q_1 - q_0)/h$."""
        return tuple((b - a) / self.h for a, b in zip(self.q0, self.q1, strict=True))

    def begin(self) -> StepPlace:
        return self.at(self.q0, self.v0, self.t)

    def end(self) -> StepPlace:
        return self.at(self.q1, self.v1, self.t + self.h)

    def at(self, q: Sequence[Expr], v: Sequence[Expr], t: Expr) -> StepPlace:
        """The system at a place."""
        model, p = self.model, self._momenta
        symbols, values = (*model.coordinates, *model.velocities, time), (*q, *v, t)
        known: dict[Symbol, Expr] = {s: self.write(value) for s, value in zip(symbols, values, strict=True)}
        for step in p.definitions:
            known[step.target] = self.write(step.value.xreplace(known))

        def here(parts: Sequence[Expr]) -> Vector:
            return tuple(self.write(part.xreplace(known)) for part in parts)

        pulls = [p.pull(unit) + Q for unit, Q in zip(identity(model.frame.size), model.forces_a, strict=True)]
        rows = tuple(here(row) for row in model.matrix_na)
        return StepPlace(here(p.momentum_a), here(pulls), here([c.expression for c in model.constraints]), rows)


class InCoordinates(AbstractMethod):
    """A method on coordinates and velocities."""

    carries = False
    """Whether the multipliers of a node are carried on."""

    @classmethod
    @final
    def obstacle(cls, model: Model) -> str:
        if not model.frame.is_chart:
            return "lives on a group; declare it in coordinates, or use the method energy"
        return super().obstacle(model)

    @staticmethod
    @final
    def principle(model: Model) -> AbstractPrinciple:
        return formulation("lagrange-dalembert")

    @abc.abstractmethod
    def equations(self, s: Between) -> tuple[list[Expr], tuple[Symbol, ...]]:
        """What must vanish, and the unknowns besides the next node (and its multipliers, where these are carried)."""

    @final
    def scheme(self, runnable: RunnableEquations) -> Scheme:
        return _scheme(self, runnable.equations.model.with_free_parameters)


@lru_cache(maxsize=32)
def _scheme(method: InCoordinates, model: Model) -> Scheme:
    s = Between(model)
    rows, more = method.equations(s)
    node, following = (*s.q0, *s.v0), (*s.q1, *s.v1)
    state = len(node)
    if method.carries:
        node, following = (*node, *s.multipliers("0")), (*following, *s.multipliers("1"))
    parameters = (*model.parameter_symbols, STEP)
    return Scheme(lower((*node, *following, *more), parameters, s.write.steps, rows), len(node), state)


def named(prefix: str, count: int) -> tuple[Symbol, ...]:
    return tuple(symbol(f"{prefix}{k}") for k in range(count))
