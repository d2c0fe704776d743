r"""A discrete method: equations for the next node of a motion, $R(n_k, n_{k+1}, \lambda;\,t_k, h) = 0$, to be solved by Newton's method.

A node is what is carried from step to step. What a method keeps is its reason to be; the measured table says by how much.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar, final

from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import Program
from anholonomy.formulations.base import AbstractFormulation
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.symbolic.expressions import Symbol, symbol
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["STEP", "AbstractMethod", "Scheme"]

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
    def principle(model: Model) -> AbstractFormulation:
        """The principle whose states are stepped."""

    @abc.abstractmethod
    def scheme(self, runnable: RunnableEquations) -> Scheme:
        """The equations of a step."""

    def node(self, runnable: RunnableEquations, t: float, x: Array, p: Array, h: float) -> Array:
        """The first node, from a state of the chart."""
        return x
