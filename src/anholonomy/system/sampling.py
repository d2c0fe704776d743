r"""Random admissible states, exact to as many digits as asked.

Coordinates, time and free parameters are drawn as rationals; positions and then velocities are moved onto the
constraints by Newton's method with the shortest correction, $\Delta = -J^{\mathsf T}(J J^{\mathsf T})^{-1} f$.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import flint

from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.balls import Ball, BallArithmetic, ball, random_point
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, dot, free_symbols, symbol, time
from anholonomy.system.model import Model

__all__ = ["Point", "admissible_points", "evaluate_at", "known_parameters", "nearest", "onto"]

Point = dict[Symbol, Ball]
"""Values of coordinates, velocities, time and parameters."""

_TRIES = 40
_NEWTON_STEPS = 60


def known_parameters(model: Model) -> dict[Symbol, Fraction]:
    """The values the user gave, as exact rationals."""
    return {symbol(name): Fraction(value) for name, value in model.parameter_items if value is not None}


def evaluate_at(expressions: Iterable[Expr], point: Mapping[Symbol, Ball]) -> list[Ball]:
    """Several expressions at one point, at the current precision."""
    known: dict[Expr, Ball] = dict(point)
    return [evaluate(expression, BallArithmetic(), known) for expression in expressions]


def admissible_points(model: Model, digits: int, seed: int = 0) -> Iterator[Point]:
    """An endless stream of random admissible states; refused when none can be found.

    Use inside ``with precision(digits)``.
    """
    rng = random.Random(seed)
    fixed = {s: ball(value) for s, value in known_parameters(model).items()}
    free = [s for s in model.parameter_symbols if s not in fixed]
    moving = [*model.coordinates, *model.velocities, time]
    # Positive parameters are what mechanics means by masses and lengths.
    misses = 0
    while True:
        point = {s: ball(v) for s, v in random_point(moving, rng, misses).items()}
        point |= {s: ball(v) for s, v in random_point(free, rng, 1).items()}
        point |= fixed
        if (found := _settle(model, point, digits)) is not None:
            misses = 0
            yield found
        elif (misses := misses + 1) >= _TRIES:
            raise IllPosedSystem(f"{model.name}: {_nowhere(model)}")


def _nowhere(model: Model) -> str:
    """Why there is no admissible state, as far as one can tell."""
    if not model.constraints:
        return "the Lagrangian or a force is finite at no state that was tried; check roots, logarithms and parameters."
    return (
        "no state that satisfies the constraints was found where the Lagrangian is finite; "
        "check that the constraints do not contradict one another and the parameters are in range."
    )


def _settle(model: Model, point: Point, digits: int) -> Point | None:
    """The point moved onto the constraints, or None where that fails or something is not finite."""
    positions = [c.position for c in model.constraints if c.position is not None]
    if positions and (point := onto(positions, model.coordinates, point, digits)) is None:  # type: ignore[assignment]
        return None
    if model.constraints:
        phi = [c.expression for c in model.constraints]
        if (point := onto(phi, model.velocities, point, digits, model.matrix_na)) is None:  # type: ignore[assignment]
            return None
    if all(value.is_finite() for value in evaluate_at([model.lagrangian, *model.forces_a], point)):
        return point
    return None


def onto(
    functions: Sequence[Expr],
    unknowns: Sequence[Symbol],
    point: Point,
    digits: int,
    matrix: Matrix | None = None,
) -> Point | None:
    """Change ``unknowns`` as little as possible until every function vanishes to ``digits`` digits."""
    rows = matrix or tuple(gradient(f, unknowns) for f in functions)
    point, width = dict(point), len(unknowns)
    target = flint.arb(10) ** (-digits)
    for _ in range(_NEWTON_STEPS):
        values = [value.mid() for value in evaluate_at(functions, point)]
        if not all(value.is_finite() for value in values):
            return None
        if all(abs(value) < target for value in values):
            return point
        entries = [value.mid() for value in evaluate_at([entry for row in rows for entry in row], point)]
        J = flint.arb_mat(len(rows), width, entries)
        try:
            weights = (J * J.transpose()).solve(flint.arb_mat(len(rows), 1, values))
        except ZeroDivisionError:
            return None
        correction = J.transpose() * weights
        for i, unknown in enumerate(unknowns):
            point[unknown] = (point[unknown] - correction[i, 0]).mid()
    return None


def nearest(functions: Sequence[Expr], unknowns: Sequence[Symbol], point: Point, digits: int) -> Point | None:
    r"""The zero of the functions nearest to ``point``: $x - x_0 + J^{\mathsf T}\mu = 0$ and $f(x) = 0$.

    Newton's method from where `onto` arrives, which is kept when nothing nearer is found; for functions linear in the
    unknowns it is the nearest already.
    """
    first = onto(functions, unknowns, point, digits)
    rows = tuple(gradient(f, unknowns) for f in functions)
    if first is None or not free_symbols(entry for row in rows for entry in row) & set(unknowns):
        return first
    multipliers = [symbol(f"$m{k}") for k in range(len(rows))]
    origin = {u: symbol(f"$o{i}") for i, u in enumerate(unknowns)}
    columns = zip(*rows, strict=True)
    equations = [u - origin[u] + dot(multipliers, column) for u, column in zip(unknowns, columns, strict=True)]
    state = {**first, **{origin[u]: point[u] for u in unknowns}, **_weights(rows, unknowns, point, first, multipliers)}
    found = onto([*equations, *functions], [*unknowns, *multipliers], state, digits)
    if found is None or _distance(found, point, unknowns) > _distance(first, point, unknowns):
        return first
    return {**first, **{u: found[u] for u in unknowns}}


def _weights(
    rows: Matrix, unknowns: Sequence[Symbol], point: Point, first: Point, multipliers: Sequence[Symbol]
) -> dict[Symbol, Ball]:
    r"""The multipliers that fit $x - x_0 + J^{\mathsf T}\mu = 0$ best."""
    entries = [value.mid() for value in evaluate_at([entry for row in rows for entry in row], first)]
    J = flint.arb_mat(len(rows), len(unknowns), entries)
    gap = flint.arb_mat(len(unknowns), 1, [(point[u] - first[u]).mid() for u in unknowns])
    weights = (J * J.transpose()).solve(J * gap)
    return {mu: weights[k, 0].mid() for k, mu in enumerate(multipliers)}


def _distance(left: Point, right: Point, unknowns: Sequence[Symbol]) -> float:
    return sum(float((left[u] - right[u]).mid()) ** 2 for u in unknowns)
