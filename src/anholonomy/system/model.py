r"""A mechanical system as data: frame, Lagrangian, forces, constraints, parameters.

The velocities are the quasi-velocities $w^a$ of the base frame (on a chart, $w = \dot q$), so that nothing downstream needs to know
whether the system lives on a chart or on a group. What follows from the fields by naming, substituting and differentiating is a
property, computed once; nothing here is searched for, solved or decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from types import MappingProxyType
from typing import Any, final

from symengine import Rational

from anholonomy.algebra.calculus import total_derivative
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, symbol, time, unused, zero
from anholonomy.base.caching import cached_property, fields_only
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.groups import AbstractGroup
from anholonomy.system.constraints import Constraint, Kind
from anholonomy.system.scene import Shape

__all__ = ["Model"]

_WHATEVER_THE_VALUES = (
    "with_free_parameters",
    "kinds",
    "parameter_symbols",
    "velocity_constraints",
    "matrix_na",
    "on_positions",
    "names",
    "_hash_whatever_the_values",
)
"""What is computed once for models that differ in the values of their parameters."""


@final
@dataclass(frozen=True)
class Model:
    r"""What a user declares, parsed and classified.

    Attributes
    ----------
    coordinate_kinds
        One word for each coordinate: ``"length"``, ``"angle"``, or ``""`` when not said.
    frame, velocities
        The base frame and the symbols of its quasi-velocities $w^a$.
    lagrangian
        $L(q, w, t)$; 0 where the momenta are given instead.
    forces_a
        $Q_a(q, w, t)$, one for each direction of the frame.
    parameter_items
        Names and values; None for a symbol that stays free.
    span_ba, speed_names
        A basis of the admissible directions and names for its speeds, when the user gave them.
    speed_values
        The speeds of those names as functions of the velocities, where the user gave these instead of a basis.
    momenta_a
        $\Pi_a(q, w, t)$ of a dynamics without Lagrangian, whose forces are then all of $F_a$.
    group
        The group whose frame the first velocities belong to; None on a chart.
    invariants
        What vanishes on the configurations, for redundant coordinates; the frame's velocities keep it so.
    one_sided
        The labels of the constraints whose multipliers must not be negative: what pushes and cannot pull.
    keeps_redundant, redundant_rows
        Whether dependent constraints are allowed, and the positions of those that follow from the others.
    implied
        Constraints on positions that those on velocities keep: they hold for ever if they hold at the start.
    spare_constraints
        Constraints that follow from the others at a generic state, and may say more where those become dependent.
    scene
        What an animation draws; empty where it is left to the software.
    start_items
        Where a motion begins unless told otherwise: names with numbers, or texts such as ``"pi/2"``, which are exact.
    functions
        The calls, such as $V(x, y)$, of functions in Lagrangian and forces that stay unspecified.
    units
        Names with their coherent SI units, in base units, where the user gave units.
    inputs
        The names of what acts from outside, in the forces only; also the last of ``parameter_items``, without values.
    """

    name: str
    coordinate_kinds: tuple[str, ...]
    frame: Frame
    velocities: tuple[Symbol, ...]
    lagrangian: Expr
    constraints: tuple[Constraint, ...]
    forces_a: Vector
    parameter_items: tuple[tuple[str, float | None], ...]
    span_ba: Matrix | None = None
    speed_names: tuple[str, ...] | None = None
    speed_values: Vector | None = None
    momenta_a: Vector | None = None
    group: AbstractGroup | None = None
    invariants: tuple[Constraint, ...] = ()
    keeps_redundant: bool = False
    redundant_rows: tuple[int, ...] = ()
    implied: tuple[Constraint, ...] = ()
    spare_constraints: tuple[Constraint, ...] = ()
    scene: tuple[Shape, ...] = ()
    one_sided: tuple[str, ...] = ()
    start_items: tuple[tuple[str, float | str], ...] = ()
    functions: Vector = ()
    inputs: tuple[str, ...] = ()
    units: tuple[tuple[str, str], ...] = ()

    __getstate__ = fields_only

    @cached_property
    def _hash(self) -> int:
        return hash((self._hash_whatever_the_values, self.parameter_items))

    @cached_property
    def _hash_whatever_the_values(self) -> int:
        return hash(tuple(getattr(self, word) for word in _fields() if word != "parameter_items"))

    def __hash__(self) -> int:
        return self._hash  # asked for by every cache of what follows from a model

    @property
    def coordinates(self) -> tuple[Symbol, ...]:
        return self.frame.coordinates

    @cached_property
    def parameters(self) -> Mapping[str, float | None]:
        """The values of the parameters by name."""
        return MappingProxyType({name: value for name, value in self.parameter_items if name not in self.inputs})

    @cached_property
    def values(self) -> dict[Symbol, Expr]:
        """The parameters that have a value, each exactly the decimal it was declared as."""
        exact = ((name, Fraction(repr(float(v)))) for name, v in self.parameter_items if v is not None)
        return {symbol(name): Rational(value.numerator, value.denominator) for name, value in exact}

    @cached_property
    def frame_at_values(self) -> Frame:
        """The base frame on which questions are decided for the declared values of the parameters."""
        return self.frame.where(self.values) if self.values else self.frame

    @property
    def start(self) -> dict[str, float | str]:
        """Where a motion begins unless told otherwise; empty where nothing was declared."""
        return dict(self.start_items)

    @property
    def own_coordinates(self) -> dict[str, str]:
        """The coordinates that are not those of the group, with their kinds."""
        kinds = zip(self.coordinates, self.coordinate_kinds, strict=True)
        theirs = set(self.group.coordinates) if self.group else set()
        return {q.name: kind for q, kind in kinds if q not in theirs}

    @cached_property
    def turning_coordinates(self) -> tuple[Symbol, ...]:
        r"""The coordinates with which, $2\pi$ later, the configuration is the same: declared angles, and those of the group."""
        kinds = zip(self.coordinates, self.coordinate_kinds, strict=True)
        theirs = self.group.turning if self.group else ()
        return tuple(q for q, kind in kinds if kind == "angle" or q in theirs)

    @cached_property
    def parameter_symbols(self) -> tuple[Symbol, ...]:
        """Whatever is given besides state and time: the parameters, then the inputs."""
        return tuple(symbol(name) for name, _ in self.parameter_items)

    def replaced(self, **words: Any) -> Model:
        """The same model with other fields; other constraints have no stand-ins."""
        words = {"spare_constraints": (), **words} if "constraints" in words else words
        return Model(**{word: getattr(self, word) for word in _fields()} | words)

    def with_values(self, items: tuple[tuple[str, float | None], ...]) -> Model:
        """The same model with other values of its parameters, and so of the same shape."""
        changed = self.replaced(parameter_items=items)
        vars(changed).update({word: getattr(self, word) for word in _WHATEVER_THE_VALUES})
        return changed

    @cached_property
    def with_free_parameters(self) -> Model:
        """The model with every parameter free: what is derived and compiled once for all values."""
        return self.replaced(parameter_items=tuple((name, None) for name, _ in self.parameter_items), start_items=())

    @cached_property
    def without_zero_parameters(self) -> Model:
        """The model with parameters of the value 0 left out of Lagrangian and forces: nothing depends on what they multiply."""
        none = {p: value for p, value in self.values.items() if value == 0}
        if not none:
            return self
        forces = tuple(F.xreplace(none) for F in self.forces_a)
        return self.replaced(lagrangian=self.lagrangian.xreplace(none), forces_a=forces)

    @cached_property
    def independent(self) -> Model:
        """The model without the constraints that follow from the others; itself where there are none."""
        if not self.redundant_rows:
            return self
        rows = tuple(c for k, c in enumerate(self.constraints) if k not in self.redundant_rows)
        spare_constraints = tuple(self.constraints[k] for k in self.redundant_rows)
        return self.replaced(constraints=rows, redundant_rows=(), spare_constraints=spare_constraints)

    @cached_property
    def named(self) -> Mapping[Symbol, Expr]:
        """Names for functions on the group, such as the entries of a rotation matrix."""
        return {symbol(label): value for label, value in self.group.named.items()} if self.group else {}

    @cached_property
    def redundant_coordinates(self) -> frozenset[Symbol]:
        """The coordinates that an invariant ties together."""
        return frozenset(s for c in self.invariants for s in (c.position or c.declared).free_symbols)

    @cached_property
    def on_positions(self) -> tuple[Constraint, ...]:
        r"""Whatever restricts positions: invariants of redundant coordinates, and constraints $g(q, t) = 0$."""
        return (*self.invariants, *self.implied, *(c for c in self.constraints if c.position is not None))

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """How a user calls the directions of forces: a coordinate, or a speed of a group."""
        return tuple(w.name.removesuffix("'") for w in self.velocities)

    @cached_property
    def velocity_constraints(self) -> tuple[Constraint, ...]:
        r"""Independent constraints $\varphi_\nu(q, w, t) = 0$: what makes a state admissible."""
        return tuple(c for c in self.independent.constraints if Kind.ACCELERATION not in c.kind)

    @cached_property
    def velocity_matrix_na(self) -> Matrix:
        r"""$\partial\varphi_\nu/\partial w^a$ of the constraints on velocities alone."""
        return tuple(constraint.coefficients for constraint in self.velocity_constraints)

    @cached_property
    def matrix_na(self) -> Matrix:
        r"""$A_{\nu a} = \partial\varphi_\nu/\partial w^a$, or $\partial\varphi_\nu/\partial\dot w^a$, one row for each constraint."""
        return tuple(constraint.coefficients for constraint in self.constraints)

    @cached_property
    def offset_n(self) -> Vector:
        r"""$a_\nu$ of $A_{\nu a} w^a + a_\nu = 0$."""
        return tuple(constraint.offset for constraint in self.constraints)

    @cached_property
    def bias_n(self) -> Vector:
        r"""$b_\nu$ of $A_{\nu a}\dot w^a + b_\nu = 0$, which is $\dot\varphi_\nu = 0$ or a constraint on accelerations itself."""
        rates = self.frame.coordinate_rates(self.velocities)
        coasting = dict.fromkeys(self.accelerations, zero)
        return tuple(
            c.expression.xreplace(coasting) if Kind.ACCELERATION in c.kind else total_derivative(c.expression, rates)
            for c in self.constraints
        )

    @cached_property
    def kinds(self) -> Kind:
        """Every kind that occurs among the constraints, and what is special about the system."""
        kinds = reduce(or_, (constraint.kind for constraint in self.constraints), Kind(0))
        kinds |= Kind.REDUNDANT if self.redundant_rows else Kind(0)
        return kinds | (Kind.FORCE_MOMENTUM if self.momenta_a is not None else Kind(0))

    @cached_property
    def accelerations(self) -> tuple[Symbol, ...]:
        r"""The symbols $\dot w^a$ in constraints on accelerations."""
        return tuple(symbol(f"{w.name}'") for w in self.velocities)

    @cached_property
    def multipliers(self) -> tuple[Symbol, ...]:
        r"""The symbols $\lambda_\nu$, one for each constraint; none is the user's own."""
        return tuple(unused(f"lambda{n}", self.names.__contains__) for n, _ in enumerate(self.constraints, start=1))

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that is taken."""
        moving = {s.name for s in (*self.coordinates, *self.velocities)}
        return frozenset(moving | {name for name, _ in self.parameter_items} | {time.name})


@cache
def _fields() -> tuple[str, ...]:
    return tuple(each.name for each in fields(Model))
