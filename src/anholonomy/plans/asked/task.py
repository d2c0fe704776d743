"""What is asked of a plan, in numbers and expressions: cost, limits, ends, time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import Program, lower
from anholonomy.lazy import cached_property
from anholonomy.plans.asked.controlled import Controlled
from anholonomy.symbolic.expressions import Expr, Symbol, Vector

__all__ = ["Cost", "End", "Limit", "Limits", "Task"]


@final
@dataclass(frozen=True)
class Cost:
    """What is summed over time. ``degree`` is that in the speeds where a plan may be slowed down at will, otherwise 0.

    ``minimised`` has the same minima: of a length, the square of its integrand, which is smooth and makes the speed even.
    """

    text: str
    integrand: Expr
    minimised: Expr
    degree: int = 0


@final
@dataclass(frozen=True)
class Limit:
    """A function of states, controls and time with its least and greatest value."""

    label: str
    value: Expr
    low: float = 0.0
    high: float = np.inf


@final
@dataclass(frozen=True, eq=False)
class Limits:
    """Bounds of states and controls, in their order, and of functions of them; obstacles are among these."""

    low: Array
    high: Array
    rows: tuple[Limit, ...]
    obstacles: tuple[Expr, ...] = ()
    """What is not negative outside the obstacles, in the words of the user, to be drawn."""
    body: tuple[Mapping[Symbol, Expr], ...] = ()
    """What stands for coordinates at each point of the body."""


@final
@dataclass(frozen=True, eq=False)
class End:
    r"""Conditions at the end: values of states by position, and $C\,(e(x) - e_1) = 0$ for functions whose values depend on each other.

    Attributes
    ----------
    target
        The end's values of all states, NaN where they are free.
    functions, values, combined
        $e$, $e_1$ and $C$; none where states alone are prescribed.
    near
        How far states that depend on each other may be from the target, by position, because such conditions hold elsewhere, too.
    """

    target: Array
    fixed: Mapping[int, float]
    labels: tuple[str, ...] = ()
    functions: Vector = ()
    values: Array = field(default_factory=lambda: np.empty(0))
    combined: Array = field(default_factory=lambda: np.empty((0, 0)))
    near: Mapping[int, float] = field(default_factory=dict)
    turns: Mapping[str, int] = field(default_factory=dict)
    """Full turns added to angles that count modulo 2π, by name."""


@final
@dataclass(frozen=True, eq=False)
class Task:
    """A two-point problem: from ``start`` at ``begin`` to ``end``, in the time ``horizon`` or, where that is None, in any."""

    controlled: Controlled
    start: Array
    begin: float
    end: End
    cost: Cost
    limits: Limits
    horizon: float | None

    @property
    def width(self) -> int:
        """How many states there are."""
        return len(self.controlled.states)

    @cached_property
    def program(self) -> Program:
        """The rates of the states, the cost and the limited functions, from states and controls."""
        c = self.controlled
        sections: Mapping[str, Vector] = {
            "rates": c.rates,
            "cost": (self.cost.minimised,),
            "limited": tuple(row.value for row in self.limits.rows),
        }
        return lower((*c.states, *c.controls), c.parameters, c.steps, sections)

    @cached_property
    def end_program(self) -> Program:
        """The functions that are prescribed at the end, from the states."""
        c = self.controlled
        steps = () if c.equations is None else c.equations.definitions
        return lower(c.states, c.parameters, steps, self.end.functions)

    @cached_property
    def bounds_of_limited(self) -> tuple[Array, Array]:
        rows = self.limits.rows
        return np.array([row.low for row in rows]), np.array([row.high for row in rows])
