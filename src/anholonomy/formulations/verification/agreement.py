r"""How far two evaluations are apart: proven bounds, relative to the numbers compared.

.. math:: \frac{|a_i - b_i|}{\max(|a_i|, |b_i|, \varepsilon T)}

Each number is compared with its own size, so that units do not matter, nor how uneven the parameters are. What is exactly zero
comes out as rounding: below the part $\varepsilon$ of the size $T$ of the terms that cancel, $M_{ab}\dot w^b$, $h_a$ and $Q_a$,
nothing has a size of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import flint

from anholonomy.formulations.euler_lagrange import variational_derivative
from anholonomy.symbolic.numbers.balls import Ball, digits_carried
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point, largest
from anholonomy.system.states.sizes import sizes_at

__all__ = ["Bounds", "Sizes", "bounds", "is_known", "is_precise", "natural_sizes", "upward"]


class Sizes(NamedTuple):
    """What accelerations, reactions and multipliers at a state are to be compared with before they are called zero."""

    accelerations: Ball
    reactions: Ball
    multipliers: Ball


class Bounds(NamedTuple):
    """The disagreement is proven to be at least the one and at most the other."""

    least: Ball
    most: Ball


def natural_sizes(model: Model, point: Point, accelerations: Sequence[Ball]) -> Sizes:
    r"""The size of the terms in $R_a = M_{ab}\dot w^b + h_a - Q_a$, and what accelerations and multipliers correspond to it."""
    E = variational_derivative(model)
    mass_ab = [sizes_at(row, point) for row in E.mass_ab]
    moved = [abs(value).mid() for value in accelerations]
    forces = largest(
        sum((m * a for m, a in zip(row, moved, strict=True)), start=h + Q)
        for row, h, Q in zip(mass_ab, sizes_at(E.bias_a, point), sizes_at(model.forces_a, point), strict=True)
    )
    mass = largest(entry for row in mass_ab for entry in row)
    rows = largest(size for row in model.matrix_na for size in sizes_at(row, point))
    # Where nothing pushes, accelerations that are zero are rounding of velocities.
    idle = flint.arb(10) ** (-digits_carried() // 8) * largest(point[w] for w in model.velocities)
    pushed = largest([*moved, idle, forces / mass if mass > 0 else mass])
    reaction = largest([forces, mass * pushed])
    sizes = (pushed, reaction, reaction / rows if rows > 0 else reaction)
    return Sizes(*(size if size > 0 else flint.arb(1) for size in sizes))


def bounds(left: Sequence[Ball], right: Sequence[Ball], floor: Ball) -> Bounds:
    """Bounds of the largest relative difference; ``floor`` is what a number must exceed to have a size of its own."""
    least, most = flint.arb(0), flint.arb(0)
    for a, b in zip(left, right, strict=True):
        gap = abs(a - b)
        if not gap.is_finite():
            return Bounds(least, flint.arb.pos_inf())
        low, high = max(abs(a).abs_lower(), abs(b).abs_lower(), floor), max(a.abs_upper(), b.abs_upper(), floor)
        least, most = max(least, gap.abs_lower() / high), max(most, gap.abs_upper() / low)
    return Bounds(least.abs_lower(), most.abs_upper())


def is_known(value: Ball, size: Ball, digits: int) -> bool:
    """Whether a number is known to some digits, or rounding of terms of the given ``size``: below the root of the precision in force.

    Many digits must be carried before that tells: few of them make rounding of what is small.
    """
    return is_precise(value, digits) or bool(value.abs_upper() <= size * flint.arb(2) ** (-flint.ctx.prec // 2))


def is_precise(value: Ball, digits: int) -> bool:
    """Whether a number is known to some digits; of zero there are none unless it is exact."""
    return bool(value.is_finite()) and bool(value.rad() <= flint.arb(10) ** (-digits) * abs(value).mid())


def upward(value: Ball) -> Decimal:
    """A bound in decimal digits, rounded up; it has no smallest number that it could fall below."""
    if not value.is_finite():
        return Decimal("Infinity")
    return Decimal(value.abs_upper().str(6, radius=False)) * Decimal("1.00001")
