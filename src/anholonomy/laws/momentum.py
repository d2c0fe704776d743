r"""The question "How does the momentum of a field change?", and whether it is conserved.

.. math:: J = \langle p, \xi\rangle, \qquad \frac{dJ}{dt} = \hat\xi(L) + Q_a\xi^a + R_a\xi^a, \qquad
   \hat\xi(L) = p_a\,\dot\xi^a + \xi(L) + \xi^a\,(w^bc_{ba}{}^d + c_{0a}{}^d)\,p_d

$\hat\xi(L)$ is the derivative of the Lagrangian along the lifted flow of $\xi$, zero for a symmetry; $R$ are the reactions, which do no work
on an admissible field, $\xi^a\,\partial\varphi^\nu/\partial w^a = 0$: one in $D$ where constraints are linear or affine, and Chetaev's
condition where they are not. That is Noether's theorem with constraints.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import symengine

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, nodes_of, time, zero
from anholonomy.algebra.simplification.simplify import readable
from anholonomy.algebra.steps.definitions import inline
from anholonomy.base.deadlines import LIMIT, patience
from anholonomy.base.errors import ArgumentError, NotSupportedError, TimeLimitError, UnknownNameError, quoted
from anholonomy.findings import CarriesFinding, Finding, Quantity, vanishing
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.answers import EQUALS, Mark, Part, Readable, Row
from anholonomy.language.arguments import expression
from anholonomy.language.writing import brief
from anholonomy.laws.generic_scope import on_declared_level
from anholonomy.laws.law import Law
from anholonomy.laws.position_constraints import told
from anholonomy.laws.proofs import on_submanifold, rate_times_inertia
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta
from anholonomy.system.solved_constraints import solved_positions

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["MomentumEquation", "lift", "momentum_equation"]

_NO_WORK = "the reactions do no work on the field"


@final
@dataclasses.dataclass(frozen=True, repr=False)
class MomentumEquation(CarriesFinding, Readable):
    """The rate of the momentum of a field along every motion.

    Attributes
    ----------
    field
        The components of the field in the system's frame.
    momentum, rate
        The momentum, and its rate along the motion, in coordinates, velocities and time; None where that took too long.
    symmetry, force, reaction
        What the rate is made of: the change of the Lagrangian along the field, the forces, and the reactions, on the constraints.
    admissible
        Whether the reactions do no work on the field.
    law
        The momentum as a conserved quantity, proven, refuted or unknown.
    """

    system: str
    field: Vector
    momentum: Expr
    rate: Expr | None
    symmetry: Expr
    force: Expr
    reaction: Expr
    admissible: Finding
    law: Law = dataclasses.field(compare=False)

    @property
    def finding(self) -> Finding:
        """The claim that the momentum is constant."""
        return self.law.finding

    def __call__(self, state: Mapping[str, object]) -> float:
        """The momentum at a state."""
        return self.law(state)

    def along(self, run: Any) -> xr.DataArray:
        """The momentum along a motion."""
        return self.law.along(run)

    def as_rows(self) -> Iterable[Part]:
        if self.rate is None:
            yield self.finding
            return
        left = Mark("d/dt (", r"\frac{d}{dt}\left("), self.momentum, Mark(")", r"\right)"), EQUALS
        yield Row(left, zero, f": {self.finding.verdict}") if self else Row(left, self.rate)
        parts = {"the Lagrangian": self.symmetry, "the forces": self.force, "the reactions": self.reaction}
        sources = {name: value for name, value in parts.items() if value != 0}
        if not self and len(sources) > 1:
            yield from (Row(f"{name}: ", value, depth=1) for name, value in sources.items())

    def _data(self) -> dict[str, Any]:
        return {"momentum": self.momentum, "rate": self.rate, "constant": self.finding.verdict}


def momentum_equation(model: Model, given: Any, time_limit: float | None = LIMIT) -> MomentumEquation:
    """The momentum equation of a field: components by direction, in order or by name, or a vector field of geometry."""
    if model.momenta_a is None and model.lagrangian == 0:
        raise NotSupportedError(f"{model.name} has no Lagrangian, and so no momenta.")
    xi = _components(model, given)
    try:
        with patience(time_limit):
            return _decided(model, reduced_motion(model), xi)
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        return _undecided(model, xi, trouble)


def _decided(model: Model, motion: ReducedMotion, xi: Vector) -> MomentumEquation:
    J, w = _momentum(motion.model, xi), model.velocities
    solved = solved_positions(model)
    level = {} if solved is None or solved.branches else dict(solved.values)

    def here(value: Expr) -> Expr:
        """On the constraint submanifold, and on the declared level of constraints on positions."""
        return on_submanifold(motion, value).xreplace(level)

    symmetry, force = lift(model, xi), dot(model.forces_a, xi)
    against = [here(dot(gradient(c.expression, w), xi)) for c in motion.model.constraints]
    quantities = [
        Quantity(f"the work of {c.label}", value) for c, value in zip(motion.model.constraints, against, strict=True)
    ]
    admissible = vanishing(_NO_WORK, "the work of the reactions", quantities, motion.on)
    rate = symmetry + force if admissible else motion.rate(J.xreplace(motion.velocities) if motion.has_frame else J)
    own = on_submanifold(motion, J) if motion.has_frame else J
    found = _constant(motion, J, here(rate if admissible else rate_times_inertia(motion, own)))
    rate = _short(motion, rate, level)
    if solved is not None and level:
        found, admissible = told(found, solved), told(admissible, solved)
    else:
        found = on_declared_level(found, model)
    rate = zero if found else rate
    symmetry, force = _short(motion, symmetry, level), _short(motion, force, level)
    left = zero if admissible else _short(motion, rate - symmetry - force, level)
    kind = "momentum" if admissible and symmetry == 0 else "gauge momentum"
    shown = readable(J)
    return MomentumEquation(
        model.name,
        xi,
        shown,
        rate,
        symmetry,
        force,
        left,
        admissible,
        Law(model, kind, 1, shown, found, shown, _by_direction(model, xi)),
    )


def _undecided(model: Model, xi: Vector, why: object) -> MomentumEquation:
    J = _momentum(model, xi)
    unknown = Finding.unknown(f"{brief(J)} is constant", why)
    idle = Finding.unknown(_NO_WORK, why)
    law = Law(model, "gauge momentum", 1, J, unknown, J, _by_direction(model, xi))
    return MomentumEquation(model.name, xi, J, None, zero, zero, zero, idle, law)


def _by_direction(model: Model, xi: Vector) -> dict[str, Expr]:
    return {name: value for name, value in zip(model.directions, xi, strict=True) if value != 0}


def _momentum(model: Model, xi: Vector) -> Expr:
    p = momenta(model)
    return dot(inline(p.momentum_a, p.definitions), xi)


def lift(model: Model, field: Sequence[Expr]) -> Expr:
    r"""$\hat\xi(L)$, the derivative of the Lagrangian along the lift of a field with these components in the system's frame."""
    p = momenta(model)
    moving = model.frame.drift_direction(model.velocities)
    changed = [along(component, moving) for component in field]
    return inline([dot(p.momentum_a, changed) + p.pull(tuple(field))], p.definitions)[0]


def _constant(motion: ReducedMotion, J: Expr, rate: Expr) -> Finding:
    quantity = Quantity("dJ/dt", rate, r"\dot J")
    return vanishing(f"{brief(J)} is constant", "dJ/dt", [quantity], motion.on, r"\dot J")


def _short(motion: ReducedMotion, value: Expr, level: Mapping[Symbol, Expr]) -> Expr:
    """In the user's velocities, short where it is not long; a root of a nonlinear constraint, which has another sign elsewhere, is not put in."""
    there = on_submanifold(motion, value)
    if motion.has_frame:
        return readable(there.xreplace(motion.speeds_of_velocities).xreplace(dict(level)))
    w, there = set(motion.model.velocities), readable(there.xreplace(dict(level)))
    roots = (e for e in nodes_of(there, symengine.Pow) if not isinstance(e.args[1], symengine.Integer))
    return readable(value.xreplace(dict(level))) if any(not e.free_symbols.isdisjoint(w) for e in roots) else there


def _components(model: Model, given: Any) -> Vector:
    """The components of a field in the system's frame."""
    names = model.directions
    if isinstance(given, Tensor):
        if given.slots != "u" or given.frame.coordinates != model.coordinates:
            raise ArgumentError(f"{model.name}: the field is not one on its configurations; give one of its own frame.")
        there = given.in_frame(model.frame)
        return tuple(there[a] for a in range(model.frame.size))
    if isinstance(given, Mapping):
        found = {str(name).removesuffix("'"): value for name, value in given.items()}
        if strange := sorted(found.keys() - set(names)):
            raise UnknownNameError(
                f"{model.name}: a field has no component along {strange[0]}; there are {', '.join(names)}."
            )
        given = [found.get(name, 0) for name in names]
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != len(names):
        raise ArgumentError(
            f"{model.name}: a field on its configurations has {len(names)} components, along {', '.join(names)}; "
            f"{quoted(given)} has not."
        )
    return tuple(_component(model, value) for value in given)


def _component(model: Model, value: object) -> Expr:
    read = model.frame.in_coordinates(expression(value, "a component of the field"))
    known = {*model.coordinates, *model.velocities, *model.parameter_symbols, time}
    if strange := sorted(s.name for s in read.free_symbols - known):
        raise UnknownNameError(f"{model.name}: {strange[0]!r} in the field is no coordinate and no parameter here.")
    return read
