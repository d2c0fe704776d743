r"""The task of a plan in numbers and expressions: what is controlled, the cost, the limits, the two ends.

Kinematic planning controls the speeds of an adapted frame, dynamic planning forces called inputs, $\tau$:

.. math:: \dot q = e_b(q, t)\,u^b + e_0(q, t) \qquad\text{or}\qquad \dot q = V(q, u, t), \quad \dot u = U(q, u, \tau, t) .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, replaced, symbol, time
from anholonomy.algebra.steps.definitions import Assign, Step
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import ArgumentError, NotSupportedError, quoted
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.language.arguments import expression
from anholonomy.motion.problem.one_motion import smallest
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import Program, lower
from anholonomy.system.constraints import Kind
from anholonomy.system.declaration.declare import with_forces
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.frames.adapted import adapted_frame, frame_of_speeds
from anholonomy.system.frames.spatial import frame_in_space
from anholonomy.system.model import Model
from anholonomy.system.states.speeds_from_rates import rates_in_speeds

__all__ = ["Controlled", "Cost", "End", "Limit", "Limits", "Task", "check_inputs", "controlled"]


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
@dataclass(frozen=True)
class Controlled:
    r"""States $x$, controls $c$ and the rates $\dot x = f(t, x, c)$, by way of ``steps`` that also give the velocities.

    Attributes
    ----------
    model
        The system; of a dynamic plan with its inputs among forces and parameters.
    equations
        Those of a plan by inputs, whose states are coordinates and speeds; None where speeds are the controls.
    pivots
        What the frame divides by: its speeds mean nothing where one of these vanishes.
    drifts
        Whether something moves although the controls vanish.
    """

    model: Model
    states: tuple[Symbol, ...]
    controls: tuple[Symbol, ...]
    steps: tuple[Step, ...]
    rates: Vector
    equations: EquationsOfMotion | None = None
    pivots: Vector = ()
    drifts: bool = True

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        return tuple(p for p in self.model.parameter_symbols if p not in self.controls)

    @cached_property
    def values(self) -> Array:
        """The values of the parameters."""
        given = self.model.parameters
        if free := [p.name for p in self.parameters if given[p.name] is None]:
            raise ArgumentError(f"{self.model.name}: the parameter {free[0]} has no value; a plan needs one.")
        return np.array([given[p.name] for p in self.parameters], dtype=float)

    @cached_property
    def names(self) -> frozenset[str]:
        """What costs, bounds and obstacles may speak of."""
        return self._own | self.numbered.keys()

    @cached_property
    def _own(self) -> frozenset[str]:
        return self.model.names | {s.name for s in (*self.states, *self.controls)} | self._rates.keys()

    @cached_property
    def numbered(self) -> dict[str, Symbol]:
        """Speeds by number, ``u1``, ``u2``, …: names that nothing else has, for those without such a name, in their order."""
        names = [f"u{k}" for k in range(1, len(self.controls) + 1)]
        others = [u for u in self.controls if u.name not in names]
        return dict(zip((name for name in names if name not in self._own), others, strict=False))

    @cached_property
    def _rates(self) -> dict[str, Expr]:
        return {rate.name: value for rate, value in rates_in_speeds(self.model).items()}

    def read(self, value: Expr) -> Expr:
        """An expression in states, controls, velocities, time and parameters alone."""
        known = {**self.model.named, **rates_in_speeds(self.model), **{symbol(n): u for n, u in self.numbered.items()}}
        return replaced(replaced(value, known), self.model.named)

    @property
    def by_inputs(self) -> bool:
        """Whether the controls are forces."""
        return self.equations is not None

    @property
    def can_be_slowed(self) -> bool:
        """Whether a plan may be carried out at any pace: it stops where the controls vanish, and time does not matter."""
        return not self.drifts and self.ignores_time

    @cached_property
    def ignores_time(self) -> bool:
        """Whether time does not matter."""
        sources = (*self.rates, *(source for step in self.steps for source in step.sources))
        return time not in free_symbols(sources)


def controlled(
    model: Model,
    inputs: Mapping[Any, Any] | None,
    speeds: Mapping[Any, Any] | Sequence[Any] | str | None,
    at: Mapping[Symbol, float],
) -> Controlled:
    """What is controlled: the inputs where there are any, and otherwise the speeds, those of a frame that is regular at a place."""
    refuse_unspecified(model, "a plan")
    if model.inputs:
        return _dynamic(model.independent.replaced(inputs=()), tuple(map(symbol, model.inputs)), speeds)
    if inputs is not None:
        return _pushed(model, inputs, speeds)
    for c in model.independent.constraints:
        if Kind.ACCELERATION in c.kind or Kind.NONLINEAR in c.kind:
            raise NotSupportedError(
                f"{model.name}: the constraint {c.label} is not linear in the velocities, so no speeds are free to plan with; "
                "plan with `inputs`, forces by coordinate, such as {'x': 'F'}."
            )
    return _kinematic(model.independent, _frame(model.independent, speeds, at))


def check_inputs(model: Model, inputs: object) -> None:
    """Refuse inputs that are no forces by coordinate; those that are declared are what a plan chooses, and need no word."""
    if model.inputs:
        if inputs is not None and (isinstance(inputs, Mapping) or set(inputs) != set(model.inputs)):  # type: ignore[call-overload]
            raise ArgumentError(
                f"{model.name} declares the inputs {', '.join(model.inputs)}, by which it is planned; leave `inputs` out, or give some of them "
                f"a value first, as in system.with_inputs({model.inputs[0]}=0)."
            )
        return
    if inputs is not None and (not isinstance(inputs, Mapping) or not inputs):
        raise ArgumentError(
            f"{model.name}: `inputs` is {quoted(inputs)}; give forces by coordinate, such as {{'x': 'F'}}, or leave it out."
        )


def _frame(model: Model, speeds: Any, at: Mapping[Symbol, float]) -> AdaptedFrame:
    if speeds is not None:
        return frame_of_speeds(model, speeds, dict(at))
    frame = adapted_frame(model)
    if not frame.pivots:
        return frame
    return frame_in_space(model) or adapted_frame(model, dict(at))


@lru_cache(maxsize=64)
def _kinematic(model: Model, frame: AdaptedFrame) -> Controlled:
    velocities = dict(zip(model.velocities, frame.velocities, strict=True))
    steps = [*frame.definitions, *(Assign(w, value) for w, value in velocities.items() if w not in frame.speeds)]
    flow = model.frame.coordinate_rates(model.velocities)
    rates = tuple(flow[q] for q in model.coordinates)
    drifts = any(entry != 0 for entry in (*frame.offset_a, *model.frame.drift_i))
    return Controlled(model, model.coordinates, frame.speeds, tuple(steps), rates, None, frame.pivots, drifts)


def _pushed(model: Model, inputs: Mapping[Any, Any], speeds: Any) -> Controlled:
    """By forces that the question names."""
    forces = {where: expression(force, f"{model.name}: the input on {where}") for where, force in inputs.items()}
    known = {*model.names, *(s.name for s in model.named), *(s.name for s in rates_in_speeds(model))}
    new = sorted({s for force in forces.values() for s in force.free_symbols if s.name not in known}, key=str)
    if not new:
        raise ArgumentError(
            f"{model.name}: `inputs` has no new name in it; name the force to plan, such as {{'x': 'F'}}."
        )
    return _dynamic(with_forces(model.independent, forces, {s.name: None for s in new}, (), False), tuple(new), speeds)


def _dynamic(driven: Model, controls: tuple[Symbol, ...], speeds: Any) -> Controlled:
    """By parameters without a value."""
    principle = smallest(driven)
    derivation = (
        Derivation.for_all_values(driven, principle) if speeds is None else Derivation.of(driven, principle, speeds)
    )
    e = derivation.equations
    rates = (*e.coordinate_rates, *e.rates)
    pivots = e.frame.pivots if e.frame is not None else ()
    return Controlled(driven, e.state, controls, tuple(e.unknown_steps), rates, e, pivots)
