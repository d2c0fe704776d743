"""Random admissible states, exact to as many digits as asked, and the reason where none is found.

Coordinates, time and free parameters are drawn as rationals; positions and then velocities are moved onto the
constraints by Newton's method.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from fractions import Fraction
from itertools import islice

import flint
import numpy as np

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, symbol, time
from anholonomy.algebra.numbers.balls import DIGITS, FEW_DIGITS, RAISED_DIGITS, ball, precision
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.base.errors import DeclarationError
from anholonomy.base.tolerances import NOTHING
from anholonomy.system.declaration.unspecified_functions import jets
from anholonomy.system.model import Model
from anholonomy.system.states.newton import (
    NEWTON_STEPS,
    PATIENT_STEPS,
    Point,
    approach,
    evaluate_at,
    largest,
    onto,
    rows_at,
)

__all__ = ["admissible_points", "generic_points", "known_parameters"]

_TRIES = 40
"""Starts in vain after which a system is said to have no admissible states."""
_RAISED_TRIES = 4
"""Rows may be so nearly dependent that only more digits tell them apart, or a length so small that it is far away."""
_DIAGNOSED = 4
"""States from which one looks for the reason why none was found."""
_STATES = 3
"""Generic states at which a question is asked."""


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
                raise DeclarationError(f"{model.name}: {reason}")
            misses, raised = 0, True


def generic_points(model: Model, digits: int = DIGITS, at_rest: bool = False) -> Iterator[Point]:
    """A few random admissible states, with any velocities where these do not matter."""
    return islice(admissible_points(model, digits, seed=3, at_rest=at_rest), _STATES)


def known_parameters(model: Model) -> dict[Symbol, Fraction]:
    """The values the user gave, as exact rationals."""
    return {symbol(name): Fraction(value) for name, value in model.parameter_items if value is not None}


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


# Why no admissible state is found: a gradient that vanishes where its constraint holds, rows that become dependent, or
# constraints that contradict each other.
#
# Newton's method halves its distance to a double root at each step, and never gets to where the rows are dependent.


def why_nowhere(model: Model, points: Sequence[Point], settle: Callable[[Model, Point], Point | None]) -> str:
    """A sentence on why ``settle`` moved none of ``points`` onto the constraints; use inside ``with precision(…)``."""
    if not model.velocity_constraints:
        return "the Lagrangian or a force is finite at no state that was tried; check roots, logarithms and parameters."
    for point in points:
        if label := _square(model, point):
            return (
                f"the gradient of the constraint {label} vanishes where it holds, as that of a square does, so it does not "
                "fix the motion there; take the root."
            )
        if labels := _dependent(model, point):
            return (
                f"the constraints {' and '.join(labels)} are dependent where they hold, though not elsewhere; "
                "drop one of them, or insert one into the other."
            )
    labels = _contradicting(model.independent, points, settle)
    if len(labels) > 1:
        return (
            f"no state was found that satisfies the constraints {', '.join(labels[:-1])} and {labels[-1]} together, so they "
            "seem to contradict each other; correct or drop one, or the parameters in them."
        )
    if labels:
        return f"no state was found that satisfies the constraint {labels[0]}; correct it, or the parameters in it."
    return (
        "no state that satisfies the constraints was found where the Lagrangian is finite; check that the parameters are in "
        "range."
    )


def _square(model: Model, point: Point) -> str | None:
    """The constraint that, alone, is approached with a gradient that fades away."""
    for c in model.velocity_constraints:
        f, unknowns = (c.position, model.coordinates) if c.position is not None else (c.expression, model.velocities)
        if _fades(f, unknowns, point):
            return c.label
    return None


def _fades(f: Expr, unknowns: Sequence[Symbol], point: Point) -> bool:
    row, point = gradient(f, unknowns), dict(point)
    first = None
    for _ in range(NEWTON_STEPS):
        (value,), (slope,) = evaluate_at([f], point), rows_at([row], point)
        size = sum((entry * entry for entry in slope), start=flint.arb(0))
        if not (value.is_finite() and size.is_finite()):
            return False
        first = first or (abs(value), largest(slope))
        if size == 0 or largest(slope) <= NOTHING * first[1]:
            return bool(abs(value) <= NOTHING * first[0])
        for u, entry in zip(unknowns, slope, strict=True):
            point[u] = (point[u] - value * entry / size).mid()
    return False


def _dependent(model: Model, point: Point) -> list[str]:
    """The constraints that no longer determine independent velocities once the positions are admissible."""
    held = [c.position for c in model.independent.on_positions]
    settled = onto(held, model.coordinates, point, FEW_DIGITS) if held else point
    if settled is None:
        return []
    rows = [[float(entry) for entry in row] for row in rows_at(model.velocity_matrix_na, settled)]
    A = np.array(rows)
    if not np.isfinite(A).all():
        return []
    A /= np.maximum(np.abs(A).max(axis=1, keepdims=True), 1e-300)
    left, sizes, _ = np.linalg.svd(A)
    if len(sizes) == len(A) and sizes[-1] > 1e-12:
        return []
    return [c.label for c, weight in zip(model.velocity_constraints, left[:, -1], strict=True) if abs(weight) > 1e-9]


def _contradicting(model: Model, points: Sequence[Point], settle: Callable[[Model, Point], Point | None]) -> list[str]:
    """Constraints that cannot be met together, though they can without any one of them; none where that is no reason."""
    left = model.constraints
    for c in model.constraints:
        fewer = tuple(other for other in left if other is not c)
        rest = model.replaced(constraints=fewer)
        if all(settle(rest, point) is None for point in points):
            left = fewer
    return [c.label for c in left]
