"""Whether integrals of a degree are missing at all: what was found against the room that the prolonged equations leave."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from anholonomy.analysis.integrals.consequences import products
from anholonomy.analysis.integrals.degrees import degree_classes
from anholonomy.analysis.prolongation.bound import Room, room_for_integrals
from anholonomy.analysis.prolongation.local_motion import is_quadratic
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.analysis.residues.arrays import Array
from anholonomy.analysis.residues.points import are_roots_independent, draw_points
from anholonomy.findings import Finding, Reason, Scope
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.symbolic.expressions import Expr, Vector
from anholonomy.symbolic.matrices.modular import residue_rank
from anholonomy.symbolic.steps.straight_line import Assign, inline
from anholonomy.verdict import Verdict

__all__ = ["falls_short", "growth_of", "none_missing"]

_POINTS = 400
"""Points at which the integrals that were found are compared, more than there are of them."""

_AT_MOST = "no more than"


def none_missing(
    motion: ReducedMotion,
    known: Sequence[tuple[Expr, int]],
    functions: Vector,
    steps: Sequence[Assign],
    degree: int,
    more: tuple[int, int] = (0, 0),
) -> tuple[Finding, ...]:
    """Whether the known integrals, each with its degree, are all of a degree, whatever functions the others might contain.

    ``more`` counts linear ones whose coefficients have no closed form: those independent of all known ones, and of the known linear ones.

    Where that is too large a question it is asked of lower degrees. Nothing is said where the equations are no polynomials, or have
    functions that stay unspecified, or the reach of brackets is not proven.
    """
    decidable = motion.speeds and not motion.model.functions and is_quadratic(motion)
    growth = growth_of(motion) if decidable else None
    if growth is None:
        return ()
    if growth[-1] < motion.model.frame.size + int(motion.mentions_time):
        return (
            _open(motion, degree, "functions of what the constraints keep constant multiply integrals without end"),
        )
    points = draw_points(motion, functions, _POINTS, values=motion.model.values)
    if not (points.exact and are_roots_independent(motion, functions, True)):
        return ()
    linear = [each for each in known if each[1] <= 1]
    every = [(products(some, points, steps, degree), k) for some, k in zip((known, linear), more, strict=True)]
    too_large: tuple[Finding, ...] = ()
    for d in range(degree, -1, -1):
        counted = [_counted(motion, every, points.prime, some, growth) for some in degree_classes(motion, d)]
        if all(room.most is not None for room, _ in counted):
            most, found = sum(room.most or 0 for room, _ in counted), sum(have for _, have in counted)
            orders = max(room.order for room, _ in counted)
            return (*too_large, _claimed(motion, most - 1, found - 1, orders, d))
        too_large = (
            _open(motion, degree, "the equations for the coefficients do not settle within the orders looked at"),
        )
    return too_large


def _counted(
    motion: ReducedMotion,
    every: Sequence[tuple[Sequence[tuple[Array, int]], int]],
    prime: int,
    degrees: Sequence[int],
    growth: Sequence[int],
) -> tuple[Room, int]:
    """The room for integrals of some degrees, and how many of them are known."""
    have = max(_known(some, more, prime, degrees) for some, more in every)
    return room_for_integrals(motion, degrees, growth, have), have


def _known(some: Sequence[tuple[Array, int]], more: int, prime: int, degrees: Sequence[int]) -> int:
    r"""How many products are independent: those of known integrals, times powers of so many linear ones that depend on no others.

    .. math:: \sum_e \binom{k + e - 1}{e}\,\operatorname{rank}_{d - e}
    """
    total = 0
    for e in range(max(degrees) + 1 if more else 1):
        own = [value for value, d in some if d + e in degrees]
        total += comb(max(more, 1) + e - 1, e) * residue_rank(np.stack(own), prime) if own else 0
    return total


def growth_of(motion: ReducedMotion) -> tuple[int, ...] | None:
    """The dimensions that brackets of the fields, and of the drift, reach at generic points; None where that is not proven."""
    model, n = motion.model, motion.model.frame.size
    moving = int(motion.mentions_time)
    if len(motion.speeds) == n:
        return (n + moving,)
    D = Distribution.of(model)
    if D.on_spacetime and not moving:
        offset = inline(motion.frame.offset_a, motion.frame.definitions)
        D = Distribution.from_vectors([*motion.span_ba, offset], model.frame_at_values)
    found = D.growth_vector(limit=None)
    if found.evidence != "exact":
        return None
    return tuple(found) if D.on_spacetime or not moving else tuple(k + 1 for k in found)


def _claimed(motion: ReducedMotion, most: int, found: int, orders: int, degree: int) -> Finding:
    often = {0: "as they stand", 1: "differentiated once", 2: "differentiated twice"}.get(
        orders, f"differentiated {orders} times"
    )
    why = f"the equations for the coefficients, {often} at a generic point, leave room for {most}"
    if most == found:
        claim = f"every integral that is {_polynomial(degree)}, with any {_functions(motion)} for coefficients, is a combination of products of these"
        why += ", and so many are found"
    else:
        claim = f"{_AT_MOST} {most} integrals that are {_polynomial(degree)}, with any {_functions(motion)} for coefficients, are independent over the constants"
        why += f", of which {found} {'is' if found == 1 else 'are'} found"
    return Finding(claim, Verdict.PROVEN, (Reason(why),), Scope(points="at generic points"))


def falls_short(findings: Sequence[Finding]) -> bool:
    """Whether fewer integrals are found than there is proven room for."""
    return any(bool(each) and each.claim.startswith(_AT_MOST) for each in findings)


def _open(motion: ReducedMotion, degree: int, why: str) -> Finding:
    claim = f"every integral that is {_polynomial(degree)}, with any {_functions(motion)} for coefficients, is found"
    return Finding.unknown(claim, why)


def _functions(motion: ReducedMotion) -> str:
    """What coefficients may depend on; integrals with time are counted where the equations have it."""
    return "functions of the configuration" + " and of time" * motion.mentions_time


def _polynomial(degree: int) -> str:
    return f"polynomial of degree at most {degree} in the speeds"
