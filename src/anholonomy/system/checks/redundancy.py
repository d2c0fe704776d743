r"""Constraints that follow from others: found at random states, named, and dropped or kept as the user says.

Rows are dependent when a combination $\nu$ with $\nu_\kappa A_{\kappa a} = 0$ exists at every sampled state, at 40 digits
and again at 200, whatever the units. What is left of the combination, $\nu_\kappa\varphi_\kappa$, must then vanish at the
admissible states of the other constraints; where it does not, they contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import flint

from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import free_symbols
from anholonomy.symbolic.numbers.balls import DIGITS, RAISED_DIGITS, precision
from anholonomy.system.checks.dependence import Dependence, dependence, lasting
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point, evaluate_at, largest, rows_at
from anholonomy.system.states.sampling import admissible_points
from anholonomy.system.states.sizes import sizes_at

__all__ = [
    "dependent_rows",
    "generic_points",
    "involved_rows",
    "listed",
    "refuse_vanished",
    "revalued",
    "shared_rows",
    "with_redundant_rows",
    "without_redundant",
]

_STATES = 3
"""States at which rows must be dependent."""


def generic_points(model: Model, digits: int = DIGITS, at_rest: bool = False) -> Iterator[Point]:
    """A few random admissible states, with any velocities where these do not matter."""
    return islice(admissible_points(model, digits, seed=3, at_rest=at_rest), _STATES)


def _generic_positions(model: Model, digits: int = DIGITS) -> Iterator[Point]:
    """A few random states at admissible positions, whatever their velocities: rows that may be dependent would defeat the search.

    Rows may also be dependent at these positions only, as those of two front wheels whose angles a linkage holds to one centre.
    """
    held = model.with_words(
        constraints=tuple(c for c in model.constraints if c.position is not None), redundant_rows=()
    )
    free = model.with_words(constraints=(), redundant_rows=())
    if held.constraints:
        spare = dependence(held, next(generic_points(free, digits)), digits)
        held = held.with_words(constraints=tuple(c for k, c in enumerate(held.constraints) if k not in spare))
        try:
            yield from generic_points(held, digits)
            return
        except IllPosedSystem:
            pass  # positions contradict each other, which others say
    yield from generic_points(free, digits)


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


def revalued(model: Model, items: tuple[tuple[str, float | None], ...]) -> Model:
    """The model with other values of its parameters; which kept constraints follow from others may depend on these."""
    changed = model.with_values(items)
    return with_redundant_rows(changed.with_words(redundant_rows=())) if model.keeps_redundant else changed


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
    sided = tuple(label for label in model.one_sided if label not in shared_rows(model))
    return model.with_words(constraints=kept, implied=implied, stand_ins=spare, one_sided=sided)


def shared_rows(model: Model) -> set[str]:
    """The labels of constraints that follow from each other."""
    rows, point = dependent_rows(model)
    return {label for weights in rows.values() for label in involved_rows(model, weights, point)}


def with_redundant_rows(model: Model) -> Model:
    """The model with a note of the constraints that follow from the others.

    Constraints on accelerations may contradict each other: they are then met as nearly as possible.
    """
    return model.with_words(redundant_rows=_checked(model, tolerant=True))


def involved_rows(model: Model, weights: Sequence[flint.arb], point: Point) -> list[str]:
    """The labels of the rows that a combination really uses."""
    shares = [w * largest(row) for w, row in zip(weights, rows_at(model.matrix_na, point), strict=True)]
    threshold = flint.arb(10) ** -15 * largest(shares)
    return [c.label for c, share in zip(model.constraints, shares, strict=True) if abs(share) > threshold]


def refuse_vanished(model: Model, k: int, point: Point) -> None:
    """Refuse a constraint of which these values of the parameters leave no velocity."""
    c = model.constraints[k]
    if largest(rows_at([c.coefficients], point)[0]) > 0:
        return
    said = [f"{s.name} = {value:g}" for s, (_, value) in zip(model.parameter_symbols, model.parameter_items, strict=True)
            if value is not None and s in free_symbols(c.coefficients)]  # fmt: skip
    with_these = f" with {listed(said)}" if said else ""
    raise IllPosedSystem(
        f"{model.name}: the constraint {c.label} has no velocity left in it{with_these}; drop it, or change "
        + ("that value." if len(said) == 1 else "those values." if said else "it.")
    )


def _checked(model: Model, tolerant: bool) -> tuple[int, ...]:
    if not model.constraints:
        return ()
    rows, point = dependent_rows(model)
    rest = model.with_words(redundant_rows=tuple(rows))
    for k, weights in rows.items():
        if tolerant and Kind.ACCELERATION in model.constraints[k].kind:
            continue
        if _contradicts(rest, k):
            refuse_vanished(model, k, point)
            raise IllPosedSystem(
                f"{model.name}: the constraints {listed(involved_rows(model, weights, point))} contradict each other: {CLASH}"
            )
    return tuple(rows)


def _contradicts(model: Model, k: int) -> bool:
    r"""Whether a spare constraint fails somewhere the others hold, or leaves $\nu_\kappa b_\kappa \ne 0$ of their accelerations."""
    spare = model.constraints[k]
    with precision(DIGITS + 20):
        for point in generic_points(model):
            if Kind.ACCELERATION in spare.kind:
                weights = dependence(model, point, DIGITS).get(k, [])
                gaps = [
                    sum((w * b for w, b in zip(weights, evaluate_at(model.bias_n, point), strict=False)), flint.arb(0))
                ]
                sizes = [
                    sum(
                        (abs(w) * s for w, s in zip(weights, sizes_at(model.bias_n, point), strict=False)), flint.arb(0)
                    )
                ]
            else:
                claims = [spare.expression, *([spare.position] if spare.position is not None else [])]
                # Velocities that the other constraints force to zero are rounding, and have no size of their own.
                moving = {w: max(abs(point[w]), flint.arb(1)) for w in model.velocities}
                gaps, sizes = evaluate_at(claims, point), sizes_at(claims, {**point, **moving})
            tiny = flint.arb(10) ** (-DIGITS // 2)
            if any(abs(gap.mid()) > tiny * size for gap, size in zip(gaps, sizes, strict=True)):
                return True
    return False


CLASH = "a combination of them has no velocity left in it but does not vanish; correct or drop one."


def listed(labels: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(labels[:-1]), labels[-1]] if len(labels) > 1 else labels)
