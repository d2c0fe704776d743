r"""Equations of motion in numbers, to the digits promised, and proven bounds on how two evaluations differ.

.. math:: \frac{|a_i - b_i|}{\max(|a_i|, |b_i|, \varepsilon T)}

Numbers are computed with as many digits as they take, and marked where none suffice. Each is compared with its own size, so that units do not
matter, nor how uneven the parameters are. What is exactly zero comes out as rounding: below the part $\varepsilon$ of the size $T$ of the terms
that cancel, $M_{ab}\dot w^b$, $h_a$ and $Q_a$, nothing has a size of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple, final

import flint

from anholonomy.algebra.expressions import Symbol
from anholonomy.algebra.numbers.balls import Ball, digits_carried, precision
from anholonomy.algebra.steps.in_balls import run_steps
from anholonomy.base.errors import StateError
from anholonomy.base.notebook import Shown
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.singular_states import degenerates
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import complete_state
from anholonomy.system.states.newton import Point, evaluate_at, largest
from anholonomy.system.states.rounding import sizes_at

if TYPE_CHECKING:
    from anholonomy.equations.equations_of_motion import EquationsOfMotion

__all__ = [
    "KINDS",
    "Evaluation",
    "Sizes",
    "bounds",
    "evaluate_equations",
    "evaluate_known",
    "natural_sizes",
    "speeds_at",
    "upward",
]


@final
@dataclass(frozen=True)
class Evaluation(Shown):
    """Accelerations, reactions, multipliers and energy at one state, as balls.

    The multipliers are the principle's own where it has them, otherwise those that the reactions imply. There is no
    energy without a Lagrangian.
    """

    accelerations: tuple[Ball, ...]
    reactions: tuple[Ball, ...]
    multipliers: tuple[Ball, ...]
    energy: Ball | None


def evaluate_equations(equations: EquationsOfMotion, point: Mapping[Symbol, Ball]) -> Evaluation:
    """Solve the equations at an admissible state, at the current precision."""
    state = speeds_at(equations, dict(point))
    seen = equations.observables
    try:
        known = run_steps(seen.steps, state)
    except ZeroDivisionError:
        numbers = {s: float(value.mid()) for s, value in state.items()}
        raise _refused(equations, point, degenerates(equations, numbers)) from None
    found = Evaluation(
        tuple(evaluate_at(seen.accelerations, known)),
        tuple(evaluate_at(seen.reactions, known)),
        tuple(evaluate_at(equations.multipliers or seen.multipliers, known)),
        next(iter(evaluate_at(seen.energy, known)), None),
    )
    if not all(value.is_finite() for value in (*found.accelerations, *found.reactions, *found.multipliers)):
        raise _refused(equations, point, "the system, or the form that this principle gives it, is not finite there")
    return found


def speeds_at(equations: EquationsOfMotion, point: Point) -> Point:
    r"""The point with the speeds of the equations added: $u = (S S^{\mathsf T})^{-1} S (w - s)$, or what ``speed_values`` says."""
    frame = equations.frame
    missing = [u for u in equations.speeds if u not in point]
    if frame is None or not missing:
        return point
    known = run_steps(frame.definitions, point)
    if equations.speed_values:
        return {**point, **dict(zip(equations.speeds, evaluate_at(equations.speed_values, known), strict=True))}
    size, width = len(frame.span_ba), len(frame.offset_a)
    S = flint.arb_mat(size, width, [known_value for row in frame.span_ba for known_value in evaluate_at(row, known)])
    gap = [
        w - s
        for w, s in zip(evaluate_at(equations.model.velocities, known), evaluate_at(frame.offset_a, known), strict=True)
    ]
    try:
        solution = (S * S.transpose()).solve(S * flint.arb_mat(width, 1, gap))
    except ZeroDivisionError:
        raise _refused(
            equations, point, "the frame chosen for it loses a direction", "derive the equations with `at=state`"
        ) from None
    return {**point, **{u: solution[i, 0] for i, u in enumerate(equations.speeds)}}


def _refused(
    equations: EquationsOfMotion, point: Mapping[Symbol, Ball], otherwise: str, cure: str = "ask at another state"
) -> StateError:
    """The sentence for a state where equations fail: what was divided by is to blame where it vanishes there."""
    whose = f"{equations.model.name}: the equations of {equations.principle}"
    if vanishing := equations.divisors.vanishing(point):
        return StateError(
            f"{whose} divide by {' and '.join(vanishing)}, which vanishes at this state, though the system may be regular "
            "there; derive them with `derive(…, at=state)` or, where the speeds are yours, with other `speeds`."
        )
    return StateError(f"{whose} are singular at this state: {otherwise}; {cure}.")


# Numbers to the digits promised.


KINDS = ("accelerations", "reactions", "multipliers")
_MORE = 8
"""How many times the usual digits are carried where these leave a number open, or a matrix that may be singular."""


@final
class Knowledge(NamedTuple):
    """Numbers at a state, and the places of those that are not known, by kind."""

    evaluation: Evaluation
    unknown: Mapping[str, frozenset[int]]


def evaluate_known(equations: EquationsOfMotion, state: Mapping[str, object], digits: int) -> Knowledge:
    """The numbers that the equations give at a state, to some digits, or to be zero beside what cancels in them."""
    refuse_unspecified(equations.model, "what happens at a state")
    usual = 3 * digits + 10
    with precision(usual):
        point = complete_state(equations.model, state, costates=equations.costates)
        try:
            found = evaluate_equations(equations, point)
            if all(is_precise(value, digits) for kind in KINDS for value in getattr(found, kind)):
                return Knowledge(found, {})
        except StateError:
            pass
    with precision(_MORE * usual):
        point = complete_state(equations.model, state, costates=equations.costates)
        found = evaluate_equations(equations, point)
        sizes = natural_sizes(equations.model, point, found.accelerations)
        unknown = {
            kind: frozenset(
                i for i, value in enumerate(getattr(found, kind)) if not is_known(value, getattr(sizes, kind), digits)
            )
            for kind in KINDS
        }
    return Knowledge(found, unknown)


def is_known(value: Ball, size: Ball, digits: int) -> bool:
    """Whether a number is known to some digits, or rounding of terms of the given ``size``: below the root of the precision in force.

    Many digits must be carried before that tells: few of them make rounding of what is small.
    """
    return is_precise(value, digits) or bool(value.abs_upper() <= size * flint.arb(2) ** (-flint.ctx.prec // 2))


def is_precise(value: Ball, digits: int) -> bool:
    """Whether a number is known to some digits; of zero there are none unless it is exact."""
    return bool(value.is_finite()) and bool(value.rad() <= flint.arb(10) ** (-digits) * abs(value).mid())


# How far two evaluations are apart.


@final
class Sizes(NamedTuple):
    """What accelerations, reactions and multipliers at a state are to be compared with before they are called zero."""

    accelerations: Ball
    reactions: Ball
    multipliers: Ball


@final
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


def upward(value: Ball) -> Decimal:
    """A bound in decimal digits, rounded up; it has no smallest number that it could fall below."""
    if not value.is_finite():
        return Decimal("Infinity")
    return Decimal(value.abs_upper().str(6, radius=False)) * Decimal("1.00001")
