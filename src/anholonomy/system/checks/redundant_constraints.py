r"""Constraints that follow from others: dropped or kept as the user says, found at random states, and exchanged at a state.

Rows are dependent when a combination $\nu$ with $\nu_\kappa A_{\kappa a} = 0$ exists at every sampled state, at 40 digits
and again at 200, whatever the units. What is left of the combination, $\nu_\kappa\varphi_\kappa$, must then vanish at the
admissible states of the other constraints; where it does not, they contradict each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from anholonomy.algebra.expressions import Symbol, free_symbols
from anholonomy.algebra.numbers.balls import DIGITS, RAISED_DIGITS, Ball, ball, precision
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.base.errors import DeclarationError
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point, evaluate_at, largest, rows_at
from anholonomy.system.states.random_states import generic_points
from anholonomy.system.states.rounding import sized_at, sizes_at

__all__ = [
    "best_rows",
    "dependent_rows",
    "involved_rows",
    "listed",
    "refuse_vanished",
    "revalued",
    "shared_rows",
    "with_redundant_rows",
    "without_redundant",
]


def without_redundant(model: Model) -> Model:
    """The model without the constraints that follow from the others, whatever the values of its parameters.

    Of those that follow from each other, what stays independent is kept: perhaps all on velocities, which then imply
    the one on positions.
    """
    _checked(model, tolerant=False)  # values may make a contradiction of what agrees in general
    rows = _checked(model.with_free_parameters, tolerant=False)
    if not rows:
        return model
    with precision(DIGITS + 20):
        dropped = lasting(model.with_free_parameters, next(_generic_positions(model.with_free_parameters)), DIGITS)
    kept = tuple(c for k, c in enumerate(model.constraints) if k not in dropped)
    implied = tuple(c for k, c in enumerate(model.constraints) if k in dropped - set(rows) and c.position is not None)
    spare = tuple(model.constraints[k] for k in sorted(dropped) if model.constraints[k] not in implied)
    # How constraints that follow from each other share a force is not determined: a table on four legs.
    shared = shared_rows(model) if model.one_sided else set()
    sided = tuple(label for label in model.one_sided if label not in shared)
    return model.replaced(constraints=kept, implied=implied, spare_constraints=spare, one_sided=sided)


def with_redundant_rows(model: Model) -> Model:
    """The model with a note of the constraints that follow from the others.

    Constraints on accelerations may contradict each other: they are then met as nearly as possible.
    """
    return model.replaced(redundant_rows=_checked(model, tolerant=True))


def revalued(model: Model, items: tuple[tuple[str, float | None], ...]) -> Model:
    """The model with other values of its parameters; which kept constraints follow from others may depend on these."""
    changed = model.with_values(items)
    return with_redundant_rows(changed.replaced(redundant_rows=())) if model.keeps_redundant else changed


def _checked(model: Model, tolerant: bool) -> tuple[int, ...]:
    if not model.constraints:
        return ()
    rows, point = dependent_rows(model)
    rest = model.replaced(redundant_rows=tuple(rows))
    for k, weights in rows.items():
        if tolerant and Kind.ACCELERATION in model.constraints[k].kind:
            continue
        if _contradicts(rest, k):
            refuse_vanished(model, k, point)
            raise DeclarationError(
                f"{model.name}: the constraints {listed(involved_rows(model, weights, point))} contradict each other: "
                "a combination of them has no velocity left in it but does not vanish; correct or drop one."
            )
    return tuple(rows)


def _contradicts(model: Model, k: int) -> bool:
    r"""Whether a spare constraint fails somewhere the others hold, or leaves $\nu_\kappa b_\kappa \ne 0$ of their accelerations."""
    spare = model.constraints[k]
    with precision(DIGITS + 20):
        for point in generic_points(model):
            if Kind.ACCELERATION in spare.kind:
                weights = dependence(model, point, DIGITS).get(k, [])
                bias = list(zip(weights, sized_at(model.bias_n, point), strict=False))
                gaps = [sum((w * value for w, (value, _) in bias), flint.arb(0))]
                sizes = [sum((abs(w) * size for w, (_, size) in bias), flint.arb(0))]
            else:
                claims = [spare.expression, *([spare.position] if spare.position is not None else [])]
                # Velocities that the other constraints force to zero are rounding, and have no size of their own.
                moving = {w: max(abs(point[w]), flint.arb(1)) for w in model.velocities}
                gaps, sizes = evaluate_at(claims, point), sizes_at(claims, {**point, **moving})
            tiny = flint.arb(10) ** (-DIGITS // 2)
            if any(abs(gap.mid()) > tiny * size for gap, size in zip(gaps, sizes, strict=True)):
                return True
    return False


def refuse_vanished(model: Model, k: int, point: Point) -> None:
    """Refuse a constraint of which these values of the parameters leave no velocity."""
    c = model.constraints[k]
    if largest(rows_at([c.coefficients], point)[0]) > 0:
        return
    said = [f"{s.name} = {value:g}" for s, (_, value) in zip(model.parameter_symbols, model.parameter_items, strict=True)
            if value is not None and s in free_symbols(c.coefficients)]  # fmt: skip
    with_these = f" with {listed(said)}" if said else ""
    raise DeclarationError(
        f"{model.name}: the constraint {c.label} has no velocity left in it{with_these}; drop it, or change "
        + ("that value." if len(said) == 1 else "those values." if said else "it.")
    )


# Which rows follow from others at random states, and what they are called.


Dependence = dict[int, list[flint.arb]]
"""The rows that reduce to zero, each with the weights of the combination that does it."""
Rows = list[list[Ball]]


def dependent_rows(model: Model) -> tuple[Dependence, Point]:
    """The constraints that follow from earlier ones at every sampled state, and one of the states."""
    found: Dependence = {}
    for digits in (DIGITS, RAISED_DIGITS):
        with precision(digits + 20):
            for k, point in enumerate(_generic_positions(model, digits)):
                here = dependence(model, point, digits)
                found = here if digits == DIGITS and k == 0 else {i: w for i, w in here.items() if i in found}
                if not found:
                    return {}, point
    return found, point


def shared_rows(model: Model) -> set[str]:
    """The labels of constraints that follow from each other."""
    rows, point = dependent_rows(model)
    return {label for weights in rows.values() for label in involved_rows(model, weights, point)}


def involved_rows(model: Model, weights: Sequence[flint.arb], point: Point) -> list[str]:
    """The labels of the rows that a combination really uses."""
    shares = [w * largest(row) for w, row in zip(weights, rows_at(model.matrix_na, point), strict=True)]
    threshold = flint.arb(10) ** -15 * largest(shares)
    return [c.label for c, share in zip(model.constraints, shares, strict=True) if abs(share) > threshold]


def _generic_positions(model: Model, digits: int = DIGITS) -> Iterator[Point]:
    """A few random states at admissible positions, whatever their velocities: rows that may be dependent would defeat the search.

    Rows may also be dependent at these positions only, as those of two front wheels whose angles a linkage holds to one centre.
    """
    held = model.replaced(constraints=tuple(c for c in model.constraints if c.position is not None), redundant_rows=())
    free = model.replaced(constraints=(), redundant_rows=())
    if held.constraints:
        spare = dependence(held, next(generic_points(free, digits)), digits)
        held = held.replaced(constraints=tuple(c for k, c in enumerate(held.constraints) if k not in spare))
        try:
            yield from generic_points(held, digits)
            return
        except DeclarationError:
            pass  # positions contradict each other, which others say
    yield from generic_points(free, digits)


def dependence(model: Model, point: Point, digits: int) -> Dependence:
    """Rows that follow from those that say more: positions first, then velocities, then accelerations."""
    return _eliminated(rows_at(model.matrix_na, point), _by_level(model, ("position", "velocity")), digits)


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


def _by_level(model: Model, levels: Sequence[str]) -> list[int]:
    def level(k: int) -> int:
        constraint = model.constraints[k]
        if Kind.ACCELERATION in constraint.kind:
            return len(levels)
        return levels.index("velocity" if constraint.position is None else "position")

    return sorted(range(len(model.constraints)), key=level)


def listed(labels: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(labels[:-1]), labels[-1]] if len(labels) > 1 else labels)


# Which of the rows had better be kept.
#
# The height $g(q) = 0$ of a disc and three components of the velocity of its contact point say four things of which three
# are independent; but the height with two of the components says only two wherever the third is vertical, while the three
# components stay independent everywhere and keep the height. So several orders are tried, at states with zeros and right
# angles in them, where a choice fails that was made at a generic state.


_MIXED = 8
"""Places with several special values at once."""


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


# Which constraints to use at a state, where some follow from others: those whose rows $\partial\varphi_\nu/\partial w^a$ are farthest from dependent.
#
# Of the four components of two wheels' velocities on one axle three are independent, but which three depends on the heading.


_FAIR = 0.3
"""Rows that are at least this part as far from dependent as the best are not exchanged."""


def best_rows(model: Model, point: Mapping[Symbol, Any]) -> Model:
    """The model with as many of its own and its stand-ins as before; itself where its own do well, or velocities are lacking.

    >>> from anholonomy import System
    >>> from anholonomy.algebra.expressions import symbol
    >>> twice = System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", redundant="drop",
    ...                constraints={"first": "sin(x)*(x' + y') = 0", "second": "cos(x)*(x' + y') = 0"})
    >>> [[c.label for c in best_rows(twice.model, {symbol("x"): place}).constraints] for place in (0, 1.5)]
    [['second'], ['first']]
    """
    everything = (*model.constraints, *model.spare_constraints)
    if not model.spare_constraints or not free_symbols([a for c in everything for a in c.coefficients]) <= point.keys():
        return model
    from scipy.linalg import qr  # only where constraints follow from others

    with precision(30):
        known = {s: value if hasattr(value, "mid") else ball(value) for s, value in point.items()}
        rows = np.array([[float(a) for a in row] for row in rows_at([c.coefficients for c in everything], known)])
        # A row whose terms cancel is small beside them, and what is left of it may be rounding.
        sizes = [float(largest(sizes_at(c.coefficients, known, amplitude=True))) for c in everything]
    if not np.isfinite(rows).all():
        return model
    rows /= np.maximum(sizes, 1e-300)[:, None]
    count = len(model.constraints)
    best = qr(rows.T, mode="r", pivoting=True)[1][:count].tolist()
    if _least(rows[:count]) >= _FAIR * _least(rows[best]):
        return model
    taken = iter([k for k in best if k >= count])
    chosen = [k if k in best else next(taken) for k in range(count)]
    spare = [k for k in range(len(everything)) if k not in chosen]
    return model.replaced(
        constraints=tuple(everything[k] for k in chosen), spare_constraints=tuple(everything[k] for k in spare)
    )


def _least(rows: np.ndarray) -> float:
    """How far rows are from dependent: the least singular value."""
    return float(np.linalg.svd(rows, compute_uv=False).min(initial=np.inf))
