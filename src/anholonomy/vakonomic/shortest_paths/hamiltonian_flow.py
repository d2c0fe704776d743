r"""Normal extremals: the vakonomic motions as curves of coordinates and momenta, how they change with these, and both as a user names them.

.. math::
   \begin{pmatrix} M & A^{\mathsf T}\\ A & 0\end{pmatrix}\begin{pmatrix} w\\ \mu\end{pmatrix} =
   \begin{pmatrix} p - b\\ -a\end{pmatrix}, \qquad
   \dot q = e_a w^a + e_0, \qquad
   \dot p_a = e_a(L + \mu\varphi) + (w^b c_{ba}{}^d + c_{0a}{}^d)\,p_d
   :label: normal-extremals

Here $L = \frac12 M w\cdot w + b\cdot w - V$ and $\varphi = Aw + a$. These are Hamilton's equations of
$H(q, p) = \max\{p\cdot w - L : \varphi = 0\}$, which without potential is $\frac12 g^{ab}P_aP_b$ in the momenta along admissible
directions. No basis of these is chosen, so nothing fails but where the constraints become dependent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.calculus import jacobian as slopes
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, symbol, time, unused, zero
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.algebra.steps.definitions import Solve
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError, StateError, UnknownNameError, quoted
from anholonomy.base.tolerances import EXACT, NOTHING
from anholonomy.equations.lagrangian import QuadraticParts, quadratic_parts, variational_derivative
from anholonomy.equations.principles.vakonomic import Vakonomic
from anholonomy.language.arguments import expect_mapping
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.integrators import RungeKutta, Scipy
from anholonomy.motion.integrators.base import Flow
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.derivatives import along_direction
from anholonomy.programs.program import Program, lower
from anholonomy.system.constraints import Kind
from anholonomy.system.declaration.inputs import refuse_inputs
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import finite_number, state_name
from anholonomy.system.states.newton import evaluate_at

__all__ = ["HamiltonianFlow", "bordered", "configuration", "flow_of", "has_length", "numbers_by_name", "refuse_unknown"]

_MOST_STEPS = 20_000
"""Steps after which a flow that goes nowhere is given up."""
_ALLOWED = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.POSITION


@lru_cache(maxsize=32)
def flow_of(model: Model) -> HamiltonianFlow:
    """The extremals of a model; refused where it has none of this kind."""
    if model.momenta_a is not None or any(force != 0 for force in model.forces_a):
        what = "forces without a potential" if model.momenta_a is None else "no Lagrangian"
        raise NotSupportedError(
            f"{model.name} has {what}, and so no action to make least; leave them out, or ask `plan` for a path of least cost."
        )
    if strange := model.kinds & ~(_ALLOWED | Kind.REDUNDANT):
        raise NotSupportedError(
            f"{model.name} has {next(iter(strange)).phrase}, and shortest paths are found for those that are linear or affine "
            "in the velocities; simulate(by='vakonomic') follows its extremals from a start."
        )
    if free_symbols(
        entry for row in slopes(gradient(model.lagrangian, model.velocities), model.velocities) for entry in row
    ) & set(model.velocities):
        raise NotSupportedError(
            f"{model.name}: its Lagrangian is not quadratic in the velocities, which a shortest path needs."
        )
    refuse_unspecified(model, "a path")
    refuse_inputs(model, "a path")
    if lost := [name for name, value in model.parameter_items if value is None]:
        raise StateError(
            f"{model.name}: the parameter {lost[0]} has no value; set it with with_parameters({lost[0]}=…)."
        )
    return HamiltonianFlow(model.independent)


@final
@dataclass(frozen=True)
class HamiltonianFlow:
    """The normal extremals of a model, as programs in configurations and momenta."""

    model: Model

    @cached_property
    def momenta(self) -> tuple[Symbol, ...]:
        """A momentum for each direction of the frame."""
        taken = self.model.names.__contains__
        return tuple(unused(f"p_{name}", taken) for name in self.model.directions)

    @cached_property
    def parts(self) -> QuadraticParts:
        return quadratic_parts(self.model.lagrangian, self.model.velocities)

    @cached_property
    def costates(self) -> tuple[Symbol, ...]:
        return Vakonomic.costates(self.model)

    @cached_property
    def _to_velocities(self) -> Solve:
        """Velocities and multipliers from momenta."""
        model, (M, b, _) = self.model, self.parts
        right = [p - each for p, each in zip(self.momenta, b, strict=True)]
        return Solve(
            (*model.velocities, *self.costates),
            bordered(M, model.matrix_na),
            (*right, *(-a for a in model.offset_n)),
        )

    @cached_property
    def _rates(self) -> Vector:
        model = self.model
        extended = model.lagrangian + dot(self.costates, [c.expression for c in model.constraints])
        E = variational_derivative(model.replaced(lagrangian=extended, constraints=()))
        rates = model.frame.coordinate_rates(model.velocities)
        return (*(rates[q] for q in model.coordinates), *E.force_a)

    @cached_property
    def _speed(self) -> Expr:
        w = self.model.velocities
        return symengine.sqrt(dot(w, [dot(row, w) for row in self.parts.mass_ab]))

    def _lower(self, outputs: Sequence[Expr], more: Sequence[Symbol] = ()) -> Program:
        states = (*self.model.coordinates, *self.momenta, *more)
        return lower(states, self.model.parameter_symbols, [self._to_velocities], outputs)

    @cached_property
    def rates(self) -> Program:
        r"""$(\dot q, \dot p)$ from $(q, p)$."""
        return self._lower(self._rates)

    @cached_property
    def measured(self) -> Program:
        """The same with two more states, the action and the length so far."""
        more = (symbol("$action"), symbol("$length"))
        return self._lower((*self._rates, self.model.lagrangian, self._speed), more)

    @cached_property
    def velocities(self) -> Program:
        """Velocities, then multipliers, from $(q, p)$."""
        return self._lower((*self.model.velocities, *self.costates))

    @cached_property
    def hamiltonian(self) -> Program:
        """$H = p\\cdot w - L$."""
        return self._lower((dot(self.momenta, self.model.velocities) - self.model.lagrangian,))

    @cached_property
    def varied(self) -> Program:
        """The same with the derivatives of $(q, p)$ by the first $(q, p)$, one column after the other."""
        return along_direction(self.rates, count=len(self.rates.states))

    @cached_property
    def opened(self) -> Program:
        """The same with the derivatives by the first momenta alone."""
        return along_direction(self.rates, count=len(self.momenta))

    @cached_property
    def parameters(self) -> Array:
        """The values of the model's parameters."""
        return np.array([value for _, value in self.model.parameter_items], dtype=float)

    def along(self, program: Program, start: Array, times: Array, tolerance: float = EXACT) -> Array:
        """The states of a program at some times, a row each; those that were not reached are not numbers."""
        integrator = RungeKutta() if not RungeKutta.obstacle(program) else Scipy()
        found = integrator.integrate(
            Flow(program, self.parameters), start, times, tolerance=tolerance, max_steps=_MOST_STEPS
        )
        states = np.full((len(times), len(start)), np.nan)
        states[: len(found.states)] = found.states
        return states

    def value(self, program: Program, t: Array | float, states: Array) -> Array:
        """What a program gives at states, a column each."""
        return _function(program)(t, states, self.parameters)

    def anchors(self, t: Array | float, q: Array) -> Array:
        """$e_a{}^i$ at configurations, which are columns: shape (configuration, direction, coordinate)."""
        model = self.model
        entries = [entry for row in model.frame.anchor_ai for entry in row]
        found = self.value(lower(model.coordinates, model.parameter_symbols, [], entries), t, q)
        return found.T.reshape(-1, model.frame.size, len(model.coordinates))


@lru_cache(maxsize=64)
def _function(program: Program) -> Function:
    return fast_function(program)


def bordered(matrix: Matrix, rows: Matrix) -> Matrix:
    """A square matrix with rows below it and beside it."""
    beside = [(*row, *(each[a] for each in rows)) for a, row in enumerate(matrix)]
    return (*beside, *((*row, *(zero,) * len(rows)) for row in rows))


def has_length(flow: HamiltonianFlow) -> bool:
    """Whether the action is the energy of a metric on admissible directions, so that paths have a length and no clock."""
    _, linear, potential = flow.parts
    model = flow.model
    still = time not in free_symbols(
        [model.lagrangian, *(c.expression for c in model.constraints), *model.frame.drift_i]
    )
    zeros = (*linear, *model.offset_n, *model.frame.drift_i)
    flat = not potential.free_symbols & {*model.coordinates, time}
    return still and flat and all(is_zero(each) for each in zeros)


# Configurations and momenta that a user gives by names.


def configuration(model: Model, given: object, what: str, t: float = 0.0) -> Array:
    """The coordinates of a place called ``what`` (the start, the end) at a time; others are refused, as is what no position may be."""
    names = [q.name for q in model.coordinates]
    values = numbers_by_name(model, given, names, what, "coordinate")
    if missing := [name for name in names if name not in values]:
        raise StateError(f"{model.name}: {what} lacks {', '.join(missing)}; give every coordinate.")
    q = np.array([values[name] for name in names])
    _refuse_off(model, dict(zip(model.coordinates, q.tolist(), strict=True)), what, t)
    return q


def _refuse_off(model: Model, place: Mapping[Symbol, float], what: str, t: float) -> None:
    held = [c for c in model.independent.on_positions if c.position is not None]
    with precision(30):
        known = {s: ball(value) for s, value in place.items()} | {time: ball(t)}
        known |= {symbol(name): ball(value) for name, value in model.parameter_items if value is not None}
        for c, value in zip(held, evaluate_at([c.position for c in held], known), strict=True):
            by = float(abs(value).mid())
            if not by <= NOTHING * max(1.0, *(abs(each) for each in place.values())):
                raise StateError(
                    f"{model.name}: {what} violates the constraint {c.label} by {by:.3g}; give a place where it holds."
                )


def numbers_by_name(model: Model, given: object, known: Sequence[str], what: str, kind: str) -> dict[str, float]:
    """Numbers by names that are among those known."""
    named = expect_mapping(
        given, f"{model.name}: {what}", "a dict from names to numbers", verb="is", refusal=StateError
    )
    found: dict[str, float] = {}
    for key, value in named.items():
        name = state_name(model, key)
        refuse_unknown(model, name, known, what, kind)
        with precision(30):
            number = finite_number(value)
        if number is None:
            raise StateError(
                f"{model.name}: {what} has {name} = {quoted(value)}, which is not a finite number; give one."
            )
        found[name] = float(number.mid())
    return found


def refuse_unknown(model: Model, name: str, known: Sequence[str], what: str, kind: str) -> None:
    """Refuse a name that is none of those known, with the nearest one."""
    if name not in known:
        near = near_symbol(name, known)
        hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}."
        raise UnknownNameError(f"{model.name}: {what} has {name:.60}, which is no {kind} of this system; {hint}")
