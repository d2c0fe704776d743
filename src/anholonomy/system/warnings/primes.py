"""Forgotten primes: a constraint on positions that reads as the row of a wheel or a blade, or such a row half primed.

On a system with constraints on velocities, $x\\sin\\theta = y\\cos\\theta$ is nearly always $\\dot x\\sin\\theta = \\dot y\\cos\\theta$.
A height $z = r\\cos\\theta$, a circle $x^2 + y^2 = r^2$ or a rolling $x = r\\varphi$ is not of that form. So is
$\\dot x\\sin\\theta = y\\cos\\theta$: a position beside a velocity has a rate for a factor, as in $\\dot x = \\Omega y$.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import symengine

from anholonomy.language import to_text
from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols, zero
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.constraints import Constraint
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.warnings.angles import turning_nodes
from anholonomy.system.warnings.user_line import Doubt, unless, warn_the_user
from anholonomy.verdict import Verdict

__all__ = ["ForgottenVelocity", "warn_of_forgotten_primes"]


class ForgottenVelocity(Doubt):
    """A constraint on positions reads as one on velocities without its primes."""


def warn_of_forgotten_primes(model: Model) -> None:
    """Say which constraints without a velocity look like those with them, where there are such, and which are half primed."""
    if not model.frame.is_chart or all(Kind.POSITION in c.kind for c in model.constraints):
        return
    moving = dict(zip(model.coordinates, model.velocities, strict=True))
    for c in model.constraints:
        if c.position is not None and _lacks_primes(c.position, set(moving)):
            _warn(model, c, "no velocity in it", _primed(c.position, moving), "it does restrict positions")
        elif Kind.AFFINE in c.kind and c.position is None and _is_half_primed(c, moving):
            said = f"{to_text(c.offset)} without a prime beside velocities"
            _warn(model, c, said, c.expression - c.offset + _primed(c.offset, moving), "it is affine")


def _warn(model: Model, c: Constraint, said: str, meant: Expr, otherwise: str) -> None:
    warn_the_user(
        f"{model.name}: the constraint {c.label} has {said}; if {to_text(meant)} = 0 is meant, write its primes "
        f"{unless(otherwise, ForgottenVelocity)}.",
        ForgottenVelocity,
    )


def _is_half_primed(c: Constraint, moving: Mapping[Symbol, Symbol]) -> bool:
    """Whether positions have only sines for factors, which are no rates, and none of them stands there with its prime too."""
    if not c.offset.free_symbols <= set(moving) or not _lacks_primes(c.offset, set(moving)):
        return False
    alone = c.offset.xreplace(_held(c.offset)).free_symbols & set(moving)
    return not {moving[q] for q in alone} & c.expression.free_symbols


def _primed(g: Expr, moving: Mapping[Symbol, Symbol]) -> Expr:
    """The row with velocities for its positions, those in sines apart."""
    held = _held(g)
    return g.xreplace(held).xreplace(moving).xreplace({s: node for node, s in held.items()})


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
    return all(zero_test(each) is Verdict.PROVEN for each in (*curved, shown.xreplace(dict.fromkeys(moving, zero))))
