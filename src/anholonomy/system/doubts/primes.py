"""Forgotten primes: a constraint on positions that reads as the row of a wheel or a blade.

On a system with constraints on velocities, $x\\sin\\theta = y\\cos\\theta$ is nearly always $\\dot x\\sin\\theta = \\dot y\\cos\\theta$.
A height $z = r\\cos\\theta$, a circle $x^2 + y^2 = r^2$ or a rolling $x = r\\varphi$ is not of that form.
"""

from __future__ import annotations

from collections.abc import Collection

import symengine

from anholonomy.language import to_text
from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols, zero
from anholonomy.symbolic.zero import Verdict, zero_test
from anholonomy.system.doubts.turning import turning_nodes
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.warning import Doubt, unless, warn_the_user

__all__ = ["ForgottenVelocity", "warn_of_forgotten_primes"]


class ForgottenVelocity(Doubt):
    """A constraint on positions reads as one on velocities without its primes."""


def warn_of_forgotten_primes(model: Model) -> None:
    """Say which constraints without a velocity look like those with them, where there are such."""
    if not model.frame.is_chart or all(Kind.POSITION in c.kind for c in model.constraints):
        return
    for c in model.constraints:
        if c.position is not None and _lacks_primes(c.position, set(model.coordinates)):
            moving = dict(zip(model.coordinates, model.velocities, strict=True))
            held = _held(c.position)
            meant = c.position.xreplace(held).xreplace(moving).xreplace({s: node for node, s in held.items()})
            warn_the_user(
                f"{model.name}: the constraint {c.label} has no velocity in it; if {to_text(meant)} = 0 is meant, write its primes "
                f"{unless('it does restrict positions', ForgottenVelocity)}.",
                ForgottenVelocity,
            )


def _held(g: Expr) -> dict[Expr, Expr]:
    """The sines and cosines, with symbols to stand for them."""
    return {node: symengine.Dummy() for node in turning_nodes([g])}


def _lacks_primes(g: Expr, coordinates: Collection[Symbol]) -> bool:
    """Linear and homogeneous in positions, with sines of a position for factors."""
    held = {node: s for node, s in _held(g).items() if node.free_symbols & set(coordinates)}
    shown = g.xreplace(held)
    moving = tuple(shown.free_symbols & set(coordinates))
    slopes = gradient(shown, moving)
    if not free_symbols(slopes) & set(held.values()):
        return False
    curved = [partial(slope, q) for slope in slopes for q in moving]
    return all(zero_test(each) is Verdict.ZERO for each in (*curved, shown.xreplace(dict.fromkeys(moving, zero))))
