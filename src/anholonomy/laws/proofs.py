r"""The identities that prove a quantity constant, the shortest first, and functions on the constraint submanifold.

.. math::
   \dot E = Q_aw^a - \partial_tL + \lambda_\nu\,w^a\frac{\partial\varphi^\nu}{\partial w^a}, \qquad
   \dot F = \partial_tF + \dot q\,\partial_qF + \dot u\,\partial_uF

Each term of the first vanishes for a natural system with homogeneous constraints, and no equation of motion needs to be written
out; the second decides everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import symengine

from anholonomy.algebra.calculus import along, gradient, partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, time, zero
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.simplification.simplify import READABLE, simplify
from anholonomy.algebra.steps.definitions import Assign, inline
from anholonomy.algebra.steps.linear_systems import small_determinant
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.language.writing import brief
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.laws.smooth_pieces import within_pieces
from anholonomy.system.constraints import Constraint, Kind

__all__ = ["constant", "cramer", "energy_is_constant", "on_submanifold", "rate_times_inertia", "root_of", "short_form"]

_SMALL = 4
"""Equations up to which cofactors are shorter than elimination."""


def energy_is_constant(motion: ReducedMotion) -> Finding | None:
    """A proof that the energy is constant because nothing does work; None if that is no reason."""
    model, w = motion.model, motion.model.velocities
    if model.momenta_a is not None or any(e != 0 for e in model.frame.drift_i):
        return None
    parts = [Quantity("the rate of L at rest", partial(model.lagrangian, time), r"\partial_t L")]
    power = dot(model.forces_a, w)
    parts.append(Quantity("the power of the forces", on_submanifold(motion, power), "Q_aw^a"))
    for c in model.constraints:
        parts.append(Quantity(f"the power of the constraint {c.label}", _power(motion, c)))
    found = vanishing("the energy is constant", "the power of forces and reactions", parts, motion.on, r"\dot E")
    return within_pieces(motion, zero, found) if found else None  # it jumps where L or a momentum does


def _power(motion: ReducedMotion, constraint: Constraint) -> Expr:
    r"""$w^a\,\partial\varphi/\partial w^a$ on the submanifold, which is $-a$ where $\varphi = A_aw^a + a$."""
    if Kind.NONLINEAR not in constraint.kind:
        return -constraint.offset
    w = motion.model.velocities
    return on_submanifold(motion, dot(gradient(constraint.expression, w), w))


def constant(
    motion: ReducedMotion, F: Expr, steps: Sequence[Assign], on: Orbit | None, shown: Expr | None = None
) -> Finding:
    """The claim that a quantity in coordinates, velocities, speeds and steps is constant along every motion, decided."""
    given = inline([F], steps)[0]
    own = on_submanifold(motion, given) if motion.has_frame else given
    claim = f"{brief(F if shown is None else shown)} is constant"
    rate = rate_times_inertia(motion, own)
    if motion.levels:
        rate = rate.xreplace(dict(motion.levels))
    found = within_pieces(motion, given, vanishing(claim, "dF/dt", [Quantity("dF/dt", rate, r"\dot F")], on))
    if motion.levels:
        points = ", ".join(filter(None, (f"where {motion.level_words}", found.scope.points)))
        return replace(found, scope=replace(found.scope, points=points))
    return found


def short_form(F: Expr) -> Expr:
    """The shorter of a quantity as it stands and expanded, both simplified; itself where it is long."""
    if symengine.count_ops(F) > READABLE:
        return F
    return min(simplify(F), simplify(symengine.expand(F)), key=symengine.count_ops)


def rate_times_inertia(motion: ReducedMotion, F: Expr) -> Expr:
    r"""$\dot F$, by Cramer's rule times $\det M$: nothing is divided by, so that nothing grows."""
    size = len(motion.mass_ab)
    if size > _SMALL:
        return on_submanifold(motion, motion.rate(F))
    below, above = cramer(motion.mass_ab, motion.force_a)
    turning = dot(gradient(F, motion.speeds), above[: len(motion.speeds)])
    return on_submanifold(motion, below * along(F, motion.coordinate_rates) + turning)


def on_submanifold(motion: ReducedMotion, F: Expr) -> Expr:
    """The function on the constraint submanifold, in the speeds; nonlinear constraints are solved for a velocity each."""
    return F.xreplace(motion.velocities if motion.has_frame else dict(_solved_velocities(motion)))


@lru_cache(maxsize=16)
def _solved_velocities(motion: ReducedMotion) -> tuple[tuple[Symbol, Expr], ...]:
    """A velocity by the others for each constraint that is at most quadratic in one."""
    found: dict[Symbol, Expr] = {}
    for c in motion.model.constraints:
        phi = c.expression.xreplace(found)
        own = [w for w in motion.model.velocities if w in phi.free_symbols and w not in found]
        value = next((v for v in (root_of(phi, w) for w in own) if v is not None), None)
        if value is not None:
            w, root = value
            found = {s: e.xreplace({w: root}) for s, e in found.items()} | {w: root}
    return tuple(found.items())


def root_of(phi: Expr, w: Symbol) -> tuple[Symbol, Expr] | None:
    """A velocity that makes an expression vanish which is at most quadratic in it; None where it is not."""
    first = partial(phi, w)
    second = symengine.expand(partial(first, w))
    if w in second.free_symbols:
        return None
    c0, c1, c2 = phi.xreplace({w: zero}), symengine.expand(first).xreplace({w: zero}), second / 2
    if c2 == 0:
        return w, -c0 / c1
    return w, (symengine.sqrt(c1**2 - 4 * c0 * c2) - c1) / (2 * c2)


def cramer(matrix: Matrix, right: Vector) -> tuple[Expr, Vector]:
    r"""$\det M$ and $\operatorname{adj}(M)\,b$."""
    n = range(len(matrix))

    def minor(i: int, j: int) -> Expr:
        rest = [[matrix[a][b] for b in n if b != j] for a in n if a != i]
        return small_determinant(rest) if rest else symengine.Integer(1)

    above = (symengine.Add(*((-1) ** (i + j) * minor(i, j) * right[i] for i in n if right[i] != 0)) for j in n)
    return (small_determinant(matrix) if matrix else symengine.Integer(1)), tuple(above)
