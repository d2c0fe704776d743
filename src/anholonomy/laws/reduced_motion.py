r"""The motion on the constraint submanifold, in independent speeds: the equations from which every question about laws and measures starts.

.. math::
   \dot q = X_a(q, t)\,u^a + X_0(q, t), \qquad M_{ab}\,\dot u^b = f_a(q, u, t), \qquad
   \frac{dF}{dt} = \partial_tF + \dot q^i\,\frac{\partial F}{\partial q^i} + \dot u^a\,\frac{\partial F}{\partial u^a}

The fields $X_a$ span the admissible directions and $X_0$ is what affine and moving constraints add. Where constraints are nonlinear
in the velocities, the speeds are all velocities and the multipliers are eliminated. Forces, time and groups need nothing special.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import symengine

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, time, zero
from anholonomy.algebra.linear_algebra.symbolic import solve
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.simplification.simplify import PAGE
from anholonomy.algebra.steps.definitions import inline
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import formulation
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.geometry.brackets import bracket
from anholonomy.language.writing import brief
from anholonomy.system.constraints import Kind
from anholonomy.system.declaration.inputs import refuse_inputs
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta

__all__ = ["ReducedMotion", "reduced_motion"]


@final
@dataclass(frozen=True)
class ReducedMotion:
    r"""Coordinates $q$ and speeds $u$ with their rates along the motion.

    Attributes
    ----------
    model
        The system, without constraints that follow from others.
    equations
        Its equations of motion in the speeds; their steps serve where numbers do, at any size of the system.
    levels, level_words, level_functions
        Speeds with their values on a level of what is conserved, that level in words, and the functions that vanish there; empty for all motions.
    has_clock
        Whether time counts although no equation has it: a coordinate that was solved for showed it.
    """

    model: Model
    equations: EquationsOfMotion
    levels: tuple[tuple[Symbol, Expr], ...] = ()
    level_words: str = ""
    level_functions: Vector = ()
    has_clock: bool = False

    @property
    def coordinates(self) -> tuple[Symbol, ...]:
        return self.model.coordinates

    @property
    def speeds(self) -> tuple[Symbol, ...]:
        return self.equations.speeds

    @property
    def frame(self) -> AdaptedFrame:
        """The frame of the speeds; refused where the constraints are nonlinear."""
        if not self.has_frame or self.equations.frame is None:
            raise NotSupportedError(
                f"{self.model.name}: constraints that are nonlinear in the velocities have no adapted frame."
            )
        return self.equations.frame

    @property
    def on(self) -> Orbit | None:
        """The group on which redundant coordinates lie, at the declared parameters."""
        return self.model.frame_at_values.orbit

    @property
    def has_frame(self) -> bool:
        """True if every velocity that the speeds describe is admissible: constraints linear or affine in the velocities."""
        return Kind.NONLINEAR not in self.model.kinds

    @cached_property
    def mentions_time(self) -> bool:
        """True if time occurs in the equations, or counts."""
        if self.has_clock:
            return True
        sources = (e for step in self.equations.unknown_steps for e in step.sources)
        return any(_mentions_time(e) for e in (*sources, *self.equations.coordinate_rates))

    @cached_property
    def velocities(self) -> dict[Symbol, Expr]:
        r"""The velocities $w^a$ of the system's own frame, $w = u^bS_b + s$."""
        w = self.model.velocities
        return dict(zip(w, inline(w, self.equations.definitions), strict=True))

    @cached_property
    def speeds_of_velocities(self) -> dict[Symbol, Expr]:
        r"""The speeds $u$ in the velocities $w$: a left inverse of $w = u^bS_b + s$."""
        own, speeds = self.velocities, self.speeds
        short = {value: w for w, value in own.items() if value in speeds}
        missing = [u for u in speeds if u not in short]
        if not missing:
            return {u: short[u] for u in speeds}
        found = {u: short[u] for u in speeds if u in short}
        rest = {w: value.xreplace(found) for w, value in own.items() if value not in speeds}
        columns = [gradient(value, missing) for value in rest.values()]
        still = [w - value.xreplace(dict.fromkeys(missing, zero)) for w, value in rest.items()]
        gram = [
            [dot([row[a] for row in columns], [row[b] for row in columns]) for b, _ in enumerate(missing)]
            for a, _ in enumerate(missing)
        ]
        right = [dot([row[a] for row in columns], still) for a, _ in enumerate(missing)]
        (solution,) = solve(gram, [right])
        return found | dict(zip(missing, solution, strict=True))

    @cached_property
    def fields(self) -> tuple[dict[Symbol, Expr], ...]:
        r"""The fields $X_a$ on the coordinates, one for each speed."""
        return tuple(self.model.frame.direction(row) for row in self.span_ba)

    @cached_property
    def drift(self) -> dict[Symbol, Expr]:
        r"""The field $X_0 + \partial_t$ on coordinates and time."""
        offset = inline(self.frame.offset_a, self.frame.definitions)
        return self.model.frame.drift_direction(offset)

    @cached_property
    def span_ba(self) -> Matrix:
        r"""$S_b{}^a$: the fields in the system's own frame, a row each."""
        return tuple(inline(row, self.frame.definitions) for row in self.frame.span_ba)

    def bracket(self, a: int, b: int) -> Vector:
        r"""$[X_a, X_b]$, components in the system's own frame: a combination of the span, or not."""
        return bracket(self.model.frame, self.span_ba[a], self.span_ba[b], self.fields[a], self.fields[b])

    def brackets_with(self, row: Vector, rates: Mapping[Symbol, Expr] | None = None) -> list[Vector]:
        r"""$[\xi, X_a]$ for every admissible field; ``rates`` say how coordinates, and time, move along $\xi$, where that is known."""
        frame = self.model.frame
        moved = frame.direction(row) if rates is None else rates
        return [bracket(frame, row, X, moved, each) for X, each in zip(self.span_ba, self.fields, strict=True)]

    @cached_property
    def mass_ab(self) -> Matrix:
        r"""$M_{ab}$: for a natural system the metric on the admissible directions."""
        return self._explicit[0]

    @cached_property
    def force_a(self) -> Vector:
        r"""$f_a(q, u, t)$: what the equations $M\dot u = f$ have on their right."""
        return self._explicit[1]

    @cached_property
    def _explicit(self) -> tuple[Matrix, Vector]:
        return (
            self.equations.tidied.explicit
            if self.equations.expanded_operation_count <= PAGE
            else self.equations.explicit
        )

    @cached_property
    def coordinate_rates(self) -> Mapping[Symbol, Expr]:
        r"""$\dot q$ and $\dot t = 1$ in $q$, $u$ and $t$."""
        flat = inline(self.equations.coordinate_rates, self.equations.definitions)
        return dict(zip(self.coordinates, flat, strict=True)) | {time: symengine.Integer(1)}

    @cached_property
    def rates(self) -> Mapping[Symbol, Expr]:
        r"""$\dot q$, $\dot u$ and $\dot t = 1$ as exact expressions in $q$, $u$ and $t$."""
        found = dict(self.coordinate_rates)
        if self.speeds:
            (unknowns,) = solve(self.mass_ab, [self.force_a])
            found |= dict(zip(self.speeds, unknowns, strict=False))  # multipliers follow the speeds
        return found

    def rate(self, F: Expr) -> Expr:
        r"""$dF/dt$ of a function of coordinates, speeds and time along the motion."""
        return along(F, self.rates)

    @cached_property
    def momenta(self) -> Vector:
        r"""$p_a = \partial L/\partial w^a$ of the system's own frame, in $q$, $u$ and $t$."""
        p = momenta(self.model)
        return tuple(value.xreplace(self.velocities) for value in inline(p.momentum_a, p.definitions))

    @cached_property
    def energy(self) -> Expr | None:
        r"""$w^ap_a - L$ in $q$, $u$ and $t$; None without a Lagrangian."""
        p = momenta(self.model)
        return next((inline([e], p.definitions)[0].xreplace(self.velocities) for e in p.energy), None)


def _mentions_time(e: Expr) -> bool:
    check()
    return time in e.free_symbols


@lru_cache(maxsize=64)
def reduced_motion(model: Model) -> ReducedMotion:
    """The motion of a system on its constraint submanifold.

    >>> from anholonomy.catalogue import skate
    >>> motion = reduced_motion(skate(m=None, I=None).model)
    >>> motion.speeds, motion.rates[motion.coordinates[0]], motion.mass_ab
    ((u, omega), u*cos(theta), ((m, 0), (0, I)))
    >>> motion.rate(motion.energy)
    0
    """
    if Kind.ACCELERATION in model.kinds:
        raise NotSupportedError(
            f"{model.name}: a constraint restricts accelerations; what is conserved is asked of constraints on velocities."
        )
    refuse_inputs(model, "what is true of every motion")
    _refuse_products(model)
    plain = model.independent
    principle = next(f for f in map(formulation, ("hamel", "kane", "lagrange-dalembert")) if f.covers(plain))
    return ReducedMotion(plain, principle.derive(plain))


def _refuse_products(model: Model) -> None:
    r"""Refuse a constraint $\varphi_1\varphi_2 = 0$: what is true of the motions with $\varphi_1 = 0$ need not be true of the others."""
    w = set(model.velocities)
    for c in model.constraints if Kind.NONLINEAR in model.kinds else ():
        with suppress(NoNormalForm):
            forms = Canonical([c.expression])
            factors = [forms.ring.expanded(f) for f, _ in forms.quotient(c.expression).num.factor()[1]]
            parts = [brief(f) for f in factors if not f.free_symbols.isdisjoint(w)]
            if Kind.NONLINEAR in c.kind and len(parts) > 1:
                raise NotSupportedError(
                    f"{model.name}: the constraint {c.label} is a product of {' and '.join(parts)}, of which each has motions of its own; "
                    f"declare the one that vanishes."
                )
