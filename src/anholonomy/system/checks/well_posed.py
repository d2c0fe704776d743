"""Is a system well posed? Rank of the constraints, regularity of the inertia and soundness of a span, in ball arithmetic.

A rank or a determinant that is non-zero at one random admissible state is proven non-zero at generic states. A deficiency is
reported when it shows at every sampled state at 40 and again at 200 digits, whatever the units, with the rows or
directions that cause it. Where doubles leave no doubt, they decide first (`anholonomy.system.checks.in_doubles`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

import flint
import numpy as np

from anholonomy.algebra.calculus import gradient, jacobian
from anholonomy.algebra.elimination import kernel_of_echelon
from anholonomy.algebra.expressions import Matrix, dot, free_symbols, is_naught, symbol, time
from anholonomy.algebra.numbers.ball_matrices import full_pivots
from anholonomy.algebra.numbers.balls import DIGITS, RAISED_DIGITS, ball, excludes_zero, precision
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.piecewise import is_smooth
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError
from anholonomy.base.tolerances import CLEAR
from anholonomy.base.verdict import Verdict
from anholonomy.system.checks.in_doubles import (
    has_surely_independent_span,
    is_surely_regular,
    sampled,
    satisfies,
    satisfies_at,
)
from anholonomy.system.checks.redundant_constraints import (
    dependent_rows,
    involved_rows,
    listed,
    refuse_vanished,
    without_redundant,
)
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point, evaluate_at, largest, rows_at
from anholonomy.system.states.random_states import generic_points
from anholonomy.system.states.rounding import sized_at

__all__ = ["check_model", "check_values", "is_nonsingular"]


def check_model(model: Model) -> None:
    """Refuse a model whose constraints are dependent or contradictory, or whose inertia is degenerate."""
    _check_offsets(model)
    check_values(model)
    if model.independent.speed_values is not None:
        _check_speeds(model.independent)


def check_values(model: Model) -> None:
    """Refuse values of the parameters that make a sound system degenerate, its constraints dependent or its span another."""
    model = model.independent
    is_regular = is_surely_regular(model)
    if model.constraints and not is_regular:
        _check_rank(model)
    if model.span_ba is not None:
        _check_span(model)
    if not is_regular:
        _check_regularity(model)


def _check_offsets(model: Model) -> None:
    """A row without velocities or positions is a contradiction or says nothing."""
    for constraint in model.constraints:
        if not all(map(is_naught, constraint.coefficients)):
            continue
        declared = zero_test(constraint.declared)
        if declared is Verdict.PROVEN:
            raise DeclarationError(f"{model.name}: the constraint {constraint.label} is an identity (0 = 0); drop it.")
        raise DeclarationError(
            f"{model.name}: the constraint {constraint.label} is left without velocities and positions, so no motion can "
            "meet it; correct or drop it."
        )
    if len(model.constraints) > len(model.velocities) and not model.keeps_redundant:
        raise DeclarationError(
            f"{model.name}: {len(model.constraints)} constraints on {len(model.velocities)} velocities; "
            "at most as many as velocities can be independent, so drop some."
        )


def _check_rank(model: Model) -> None:
    rows, point = dependent_rows(model)
    if not rows:
        return
    for k in rows:
        refuse_vanished(model, k, point)
    without_redundant(model)  # which refuses contradictions
    involved = listed(involved_rows(model, next(iter(rows.values())), point))
    raise DeclarationError(
        f"{model.name}: the constraints {involved} are dependent (one follows from the others at every sampled state); "
        "drop one of them, or say redundant='drop', as for two wheels on one axle, or redundant='keep' for the principles that "
        "allow it."
    )


# A span, and speeds.


def _check_span(model: Model) -> None:
    span = model.span_ba or ()
    expected = len(model.velocities) - len(model.constraints)
    for constraint in model.constraints:
        if Kind.NONLINEAR in constraint.kind:
            raise DeclarationError(
                f"{model.name}: a span fits constraints linear in the velocities, and {constraint.label} is nonlinear; "
                "drop `span`."
            )
    independent = len(span) == expected and has_surely_independent_span(model)
    if independent and (_is_spanned_for_all_values(model.with_free_parameters) or _is_spanned_on_positions(model)):
        return
    with precision(DIGITS + 20):
        for k, label in _violations(model, generic_points(model, at_rest=True)):
            raise DeclarationError(
                f"{model.name}: vector {k} of the span violates the constraint {label}; "
                "its components must satisfy the homogeneous constraint identically."
            )
    if len(span) != expected:
        raise DeclarationError(
            f"{model.name}: the number of vectors in the span is {len(span)} but that of admissible directions "
            f"{len(model.velocities)} - {len(model.constraints)} = {expected} (velocities less constraints); "
            f"give {expected}."
        )
    if independent:
        return
    with precision(DIGITS + 20):
        for point in generic_points(model, at_rest=True):
            flat = evaluate_at([dot(a, b) for a in span for b in span], point)
            if is_nonsingular([flat[k * expected : (k + 1) * expected] for k in range(expected)], DIGITS):
                return
    raise DeclarationError(f"{model.name}: the span's vectors are linearly dependent; give independent ones.")


@lru_cache(maxsize=256)
def _is_spanned_for_all_values(shape: Model) -> bool:
    """Whether the span satisfies the constraints whatever the values of the parameters; False tells nothing."""
    if shape.on_positions or shape.functions:
        return False  # a state is not found by drawing numbers
    rng, symbols = random.Random(3), (*shape.coordinates, *shape.velocities, time, *shape.parameter_symbols)
    drawn = [random_point(symbols, rng, kind) for kind in ((0,) if _is_smooth(shape) else (0, 1, 3))]
    if satisfies_at(shape, [{s: float(v) for s, v in point.items()} for point in drawn]):
        return True
    with precision(DIGITS + 20):
        points = [{s: ball(v) for s, v in point.items()} for point in drawn]
        values = (value for point in points for row in _balls(shape.span_ba or (), point) for value in row.values())
        return all(value.is_finite() for value in values) and not any(_violations(shape, points))


def _is_spanned_on_positions(model: Model) -> bool:
    """Whether the span satisfies the constraints at a random admissible place, which tells of all."""
    sizes = [abs(value) for _, value in model.parameter_items if value]
    is_visible = all(CLEAR < size < 1 / CLEAR for size in sizes)  # a sum would not show what it adds
    if not is_visible or not model.on_positions or (found := sampled(model)) is None:
        return False
    return satisfies(found.span, found.rows) and _is_smooth(model)


def _is_smooth(model: Model) -> bool:
    """Whether constraints and span are: then what vanishes at a random place vanishes."""
    return all(is_smooth(entry) for row in (*model.matrix_na, *(model.span_ba or ())) for entry in row)


def _violations(model: Model, points: Iterable[Point]) -> Iterator[tuple[int, str]]:
    """The vectors of the span, from 1, with the constraints that they violate at one of the points."""
    for point in points:
        # Numbers are multiplied, not expressions: of a long chain the products would be longer than all its parts.
        vectors, rows = _balls(model.span_ba or (), point), _balls(model.matrix_na, point)
        for (k, vector), (constraint, row) in product(enumerate(vectors, 1), zip(model.constraints, rows, strict=True)):
            found = _paired(vector, row)
            # Redundant coordinates are on the group only up to the rounding of the search.
            if excludes_zero(found) and abs(found.mid()) > flint.arb(10) ** (10 - DIGITS):
                yield k, constraint.label


def _balls(matrix: Matrix, point: Point) -> list[dict[int, flint.arb]]:
    """The rows at a point, without their zeros."""
    places = [(i, j, entry) for i, row in enumerate(matrix) for j, entry in enumerate(row) if not is_naught(entry)]
    rows: list[dict[int, flint.arb]] = [{} for _ in matrix]
    for (i, j, _), value in zip(places, evaluate_at([entry for _, _, entry in places], point), strict=True):
        rows[i][j] = value
    return rows


def _paired(left: Mapping[int, flint.arb], right: Mapping[int, flint.arb]) -> flint.arb:
    return sum((value * right[j] for j, value in left.items() if j in right), flint.arb(0))


def _check_speeds(model: Model) -> None:
    matrix = (*model.matrix_na, *jacobian(model.speed_values or (), model.velocities))
    with precision(DIGITS + 20):
        if any(is_nonsingular(rows_at(matrix, point), DIGITS) for point in generic_points(model)):
            return
    raise DeclarationError(
        f"{model.name}: the speeds {', '.join(model.speed_names or ())} and the constraints do not determine the velocities; "
        "choose independent speeds."
    )


# The inertia along the admissible directions.


def _check_regularity(model: Model) -> None:
    r"""$\partial^2 L/\partial u^a\partial u^b \ne 0$ along the admissible directions, somewhere."""
    rank = len(model.velocities) - len(model.constraints)
    if rank == 0:
        return
    direction: Sequence[float] = ()
    for digits in (DIGITS, RAISED_DIGITS):
        with precision(digits + 20):
            for point in generic_points(model, digits):
                basis = _kernel(rows_at(model.matrix_na, point), len(model.velocities), digits)
                inertia = _inertia(model, point, basis, digits) if len(basis) == rank else None
                if inertia is None or is_nonsingular(inertia, digits):
                    return
                direction = _null_direction(inertia, basis)
    moving = [f"{w.name}={x:.3g}" for w, x in zip(model.velocities, direction, strict=True) if abs(x) > 1e-9]
    raise DeclarationError(
        f"{model.name}: the {'Lagrangian is' if model.momenta_a is None else 'momenta are'} degenerate: the admissible velocity {', '.join(moving)} has no inertia, so its "
        f"change is undetermined{_why_degenerate(model, direction)}; give every admissible direction a kinetic energy."
    )


def _inertia(
    model: Model, point: Point, basis: Sequence[Sequence[flint.arb]], digits: int
) -> list[list[flint.arb]] | None:
    """The second derivatives of L, or the slopes of the momenta, along a basis of admissible directions, at one state.

    What is rounding against the terms that cancel in it is 0, so that a later scaling cannot make it large.
    """
    size, rank = len(model.velocities), len(basis)
    # L along w + Σ u_a b_a: only the few symbols u are differentiated, so large systems stay cheap.
    speeds = [symbol(f"$u{a}") for a in range(rank)]
    values = {symbol(f"$b{a}_{i}"): basis[a][i] for a in range(rank) for i in range(size)}
    moved = {
        w: w + dot([symbol(f"$b{a}_{i}") for a in range(rank)], speeds)
        for i, w in enumerate(model.velocities)
        if any(w in part.free_symbols for part in (model.lagrangian, *(model.momenta_a or ())))
    }
    state = {**point, **values, **dict.fromkeys(speeds, flint.arb(0))}
    if model.momenta_a is None:
        momenta = gradient(model.lagrangian.xreplace(moved), speeds)
    else:
        directions = [[symbol(f"$b{a}_{i}") for i in range(size)] for a in range(rank)]
        momenta = tuple(dot(row, model.momenta_a).xreplace(moved) for row in directions)
    hessian = jacobian(momenta, speeds)
    rows, tiny = [], flint.arb(10) ** (-3 * digits // 4)
    for row in hessian:
        found = sized_at(row, state)
        if not all(value.is_finite() for value, _ in found):
            return None
        rows.append([value if abs(value.mid()) > tiny * size else flint.arb(0) for value, size in found])
    return rows


def _kernel(matrix: Sequence[Sequence[flint.arb]], size: int, digits: int) -> list[list[flint.arb]]:
    """A basis of the null space of rows that are scaled to 1 first; none where they are dependent."""
    if any(not largest(row) > 0 for row in matrix):
        return []
    rows = [[(entry / largest(row)).mid() for entry in row] for row in matrix]
    pivots = full_pivots(rows, flint.arb(10) ** (-digits), above=True)
    if len(pivots) < len(rows):
        return []
    return kernel_of_echelon({j: [(e / rows[i][j]).mid() for e in rows[i]] for i, j in pivots}, size, flint.arb(1))


def _null_direction(matrix: Sequence[Sequence[flint.arb]], basis: Sequence[Sequence[flint.arb]]) -> list[float]:
    """The velocity, largest component 1, of the direction that the matrix (nearly) annihilates."""
    values = np.array([[float(value.mid()) for value in row] for row in matrix])
    weights = np.linalg.svd(values)[2][-1]
    velocity = weights @ np.array([[float(entry) for entry in row] for row in basis])
    return list(velocity / velocity[np.argmax(np.abs(velocity))])


def _why_degenerate(model: Model, direction: Sequence[float]) -> str:
    """Parameters that are 0 where a velocity stands squared, or velocities that stand nowhere, or only linearly."""
    momenta = gradient(model.lagrangian, model.velocities) if model.momenta_a is None else model.momenta_a
    slopes = jacobian(momenta, model.velocities)
    used = free_symbols(entry for row in slopes for entry in row)
    if naught := [name for name, value in model.parameter_items if value == 0 and symbol(name) in used]:
        return f", because {listed(naught)} {'is' if len(naught) == 1 else 'are'} 0"
    moving = [k for k, x in enumerate(direction) if abs(x) > 1e-9]
    if any(entry != 0 for k in moving for entry in (*slopes[k], *(row[k] for row in slopes))):
        return ""
    names = [model.velocities[k].name for k in moving]
    once = free_symbols([model.lagrangian, *momenta]) & {model.velocities[k] for k in moving}
    where = f"{'only linearly' if once else 'nowhere'} in the {'Lagrangian' if model.momenta_a is None else 'momenta'}"
    return f", because {listed(names)} {'occurs' if len(names) == 1 else 'occur'} {where}"


# A determinant, whatever the units.


_ROUNDS = 24
"""Scalings of rows and of columns, in turn; each halves the exponents by which the largest entries differ."""


def is_nonsingular(matrix: Sequence[Sequence[flint.arb]], digits: int = DIGITS) -> bool:
    """Proven by a determinant that excludes zero, once rows and columns are of one size."""
    scaled = _equilibrated(matrix)
    return scaled is not None and bool(abs(flint.arb_mat(scaled).det()) > flint.arb(10) ** (-3 * digits // 4))


def _equilibrated(matrix: Sequence[Sequence[flint.arb]]) -> list[list[flint.arb]] | None:
    """Rows and columns divided by the roots of their largest entries, in turn; None where one of them is 0."""
    rows = [list(row) for row in matrix]
    for _ in range(_ROUNDS):
        for i, row in enumerate(rows):
            if not (size := largest(value.mid() for value in row)) > 0:
                return None
            rows[i] = [value / size.sqrt().mid() for value in row]
        rows = [list(column) for column in zip(*rows, strict=True)]
    return rows
