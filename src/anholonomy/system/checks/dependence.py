r"""Which rows of $A_{\nu a}$ follow from others at a state, and which of them had better be kept.

The height $g(q) = 0$ of a disc and three components of the velocity of its contact point say four things of which three
are independent; but the height with two of the components says only two wherever the third is vertical, while the three
components stay independent everywhere and keep the height. So several orders are tried, at states with zeros and right
angles in them, where a choice fails that was made at a generic state.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import flint

from anholonomy.symbolic.numbers.balls import Ball, ball, random_point
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point, largest, rows_at

__all__ = ["Dependence", "dependence", "lasting"]

Dependence = dict[int, list[flint.arb]]
"""The rows that reduce to zero, each with the weights of the combination that does it."""
Rows = list[list[Ball]]

_MIXED = 8
"""Places with several special values at once."""


def dependence(model: Model, point: Point, digits: int) -> Dependence:
    """Rows that follow from those that say more: positions first, then velocities, then accelerations."""
    return _eliminated(rows_at(model.matrix_na, point), _by_level(model, ("position", "velocity")), digits)


def lasting(model: Model, point: Point, digits: int) -> set[int]:
    """The rows to drop so that the others stay independent, in the first order that does best at natural places."""
    generic = rows_at(model.matrix_na, point)
    places = [rows_at(model.matrix_na, place) for place in _natural_places(model, point)]
    choices: dict[frozenset[int], int] = {}
    for order in _orders(model):
        dropped = frozenset(_eliminated(generic, order, digits))
        if dropped not in choices:
            choices[dropped] = _losses(places, dropped, digits // 2)
        if choices[dropped] == 0:
            return set(dropped)
    best = min(choices, key=choices.__getitem__)
    return set(best)


def _orders(model: Model) -> Iterator[list[int]]:
    """Positions first, velocities first, and each row last."""
    yield _by_level(model, ("position", "velocity"))
    yield (velocities := _by_level(model, ("velocity", "position")))
    for last in velocities:
        yield [*(k for k in velocities if k != last), last]


def _by_level(model: Model, levels: Sequence[str]) -> list[int]:
    def level(k: int) -> int:
        constraint = model.constraints[k]
        if Kind.ACCELERATION in constraint.kind:
            return len(levels)
        return levels.index("velocity" if constraint.position is None else "position")

    return sorted(range(len(model.constraints)), key=level)


def _eliminated(given: Rows, order: Sequence[int], digits: int) -> Dependence:
    """Rows that elimination in an order reduces to zero; none where a row is not finite."""
    rows = list(given)
    if not all(value.is_finite() for row in rows for value in row):
        return {}
    scales = [largest(row) for row in rows]
    weights = [[flint.arb(int(i == j)) for j in range(len(rows))] for i in range(len(rows))]
    tiny, found = flint.arb(10) ** (-digits), Dependence()
    for place, i in enumerate(order):
        j = max(range(len(rows[i])), key=lambda j: abs(rows[i][j]))
        if not abs(rows[i][j]) > tiny * scales[i]:
            found[i] = weights[i]
            continue
        for k in order[place + 1 :]:
            factor = rows[k][j] / rows[i][j]
            rows[k] = [(a - factor * b).mid() for a, b in zip(rows[k], rows[i], strict=True)]
            weights[k] = [(a - factor * b).mid() for a, b in zip(weights[k], weights[i], strict=True)]
    return found


def _losses(places: Sequence[Rows], dropped: frozenset[int], digits: int) -> int:
    """At how many places the kept rows say less than all rows together."""
    return sum(
        _rank(rows, digits) > _rank([r for k, r in enumerate(rows) if k not in dropped], digits) for rows in places
    )


def _rank(rows: Rows, digits: int) -> int:
    return len(rows) - len(_eliminated(rows, range(len(rows)), digits))


def _natural_places(model: Model, point: Point) -> Iterator[Point]:
    """States with one coordinate at zero or a right angle, and with several."""
    rng = random.Random(5)
    special = (ball(Fraction(0)), flint.arb.pi() / 2, flint.arb.pi())
    for q in model.coordinates:
        for value in special:
            generic = {s: ball(v) for s, v in random_point(model.coordinates, rng).items()}
            yield point | generic | {q: value}
    for _ in range(_MIXED):
        yield point | {q: rng.choice(special) for q in model.coordinates}
