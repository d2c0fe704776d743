r"""Random admissible states, exact to as many digits as asked.

Coordinates, time and free parameters are drawn as rationals; positions and then velocities are moved onto the
constraints by Newton's method.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction

from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Symbol, symbol, time
from anholonomy.symbolic.numbers.balls import RAISED_DIGITS, ball, precision, random_point
from anholonomy.system.checks.diagnosis import why_nowhere
from anholonomy.system.declaration.unspecified import jets
from anholonomy.system.model import Model
from anholonomy.system.states.damped import approach
from anholonomy.system.states.newton import NEWTON_STEPS, PATIENT_STEPS, Point, evaluate_at, onto

__all__ = ["Point", "admissible_points", "evaluate_at", "known_parameters"]

_TRIES = 40
"""Starts in vain after which a system is said to have no admissible states."""
_RAISED_TRIES = 4
"""Rows may be so nearly dependent that only more digits tell them apart, or a length so small that it is far away."""
_DIAGNOSED = 4
"""States from which one looks for the reason why none was found."""


def known_parameters(model: Model) -> dict[Symbol, Fraction]:
    """The values the user gave, as exact rationals."""
    return {symbol(name): Fraction(value) for name, value in model.parameter_items if value is not None}


def admissible_points(model: Model, digits: int, seed: int = 0, at_rest: bool = False) -> Iterator[Point]:
    """An endless stream of random admissible states; refused when none can be found.

    With ``at_rest`` velocities do not matter, and are any.

    Use inside ``with precision(digits)``.
    """
    rng = random.Random(seed)
    misses, raised = 0, False
    while True:
        point = _draw(model, rng, misses)
        with precision(digits + RAISED_DIGITS) if raised else nullcontext():
            found = _settle(model, point, digits, PATIENT_STEPS if raised else NEWTON_STEPS, at_rest)
        if found is not None:
            misses = 0
            yield found
        elif (misses := misses + 1) >= (_RAISED_TRIES if raised else _TRIES):
            if raised or not model.velocity_constraints:
                tried = [_draw(model, rng, kind) for kind in range(_DIAGNOSED)]
                reason = why_nowhere(model, tried, lambda rest, each: _settle(rest, each, digits, NEWTON_STEPS))
                raise IllPosedSystem(f"{model.name}: {reason}")
            misses, raised = 0, True


def _draw(model: Model, rng: random.Random, kind: int) -> Point:
    """Random values for everything that has none; positive parameters are what mechanics means by masses and lengths."""
    fixed = {s: ball(value) for s, value in known_parameters(model).items()}
    free = [s for s in model.parameter_symbols if s not in fixed]
    moving = [*model.coordinates, *model.velocities, time]
    point = {s: ball(v) for s, v in random_point(moving, rng, kind).items()}
    point |= {s: ball(v) for s, v in jets(model, rng).items()}
    return point | {s: ball(v) for s, v in random_point(free, rng, 1).items()} | fixed


def _settle(model: Model, point: Point, digits: int, steps: int, at_rest: bool = False) -> Point | None:
    """The point moved onto the constraints, or None where that fails or something is not finite."""
    positions = [c.position for c in model.independent.on_positions]
    settled: Point | None = point
    if positions:
        settled = onto(positions, model.coordinates, point, digits, steps=steps)
        if settled is None and (near := approach(positions, model.coordinates, point)) is not None:
            settled = onto(positions, model.coordinates, near, digits, steps=steps)
    if model.velocity_constraints and settled is not None and not at_rest:
        phi = [c.expression for c in model.velocity_constraints]
        settled = onto(phi, model.velocities, settled, digits, model.velocity_matrix_na, steps=steps)
    if settled is None:
        return None
    finite = all(
        value.is_finite()
        for value in evaluate_at([model.lagrangian, *model.forces_a, *(model.momenta_a or ())], settled)
    )
    return settled if finite else None
