r"""Is the system well posed? Checked at random admissible states, in ball arithmetic.

A rank or a determinant that is non-zero at one state is proven non-zero at generic states. A deficiency is
reported when it shows at every sampled state at 40 and again at 200 digits, whatever the units, with the rows or
directions that cause it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import islice
from typing import NoReturn

import flint
import numpy as np

from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.balls import excludes_zero, precision
from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import Expr, dot, symbol
from anholonomy.symbolic.zero import Verdict, zero_test
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.newton import Point, evaluate_at, largest, rows_at
from anholonomy.system.sampling import admissible_points
from anholonomy.system.sizes import sizes_at

__all__ = ["check_model", "check_values"]

_DIGITS = 40
_RAISED = 200
"""The digits at which a deficiency must show again: masses may differ by the powers of ten that doubles have."""
_STATES = 3
_ROUNDS = 24
"""Scalings of rows and of columns, in turn; each halves the exponents by which the largest entries differ."""


def check_model(model: Model) -> None:
    """Refuse a model whose constraints are dependent or contradictory, or whose inertia is degenerate."""
    _check_offsets(model)
    if model.constraints:
        _check_rank(model)
    if model.span_ba is not None:
        _check_span(model)
    _check_regularity(model)


def check_values(model: Model) -> None:
    """Refuse values of the parameters that make a sound system degenerate or its constraints dependent."""
    if model.constraints:
        _check_rank(model)
    _check_regularity(model)


def _check_offsets(model: Model) -> None:
    """A row without velocities or positions is a contradiction or says nothing."""
    for constraint in model.constraints:
        if any(entry != 0 for entry in constraint.coefficients):
            continue
        declared = zero_test(constraint.declared)
        if declared is Verdict.ZERO:
            raise IllPosedSystem(f"{model.name}: the constraint {constraint.label} is an identity (0 = 0); drop it.")
        raise IllPosedSystem(
            f"{model.name}: the constraint {constraint.label} is left without velocities and positions, so no motion can "
            "meet it; correct or drop it."
        )
    if len(model.constraints) > len(model.velocities):
        raise IllPosedSystem(
            f"{model.name}: {len(model.constraints)} constraints on {len(model.velocities)} velocities; "
            "at most as many as velocities can be independent, so drop some."
        )


def _generic_points(model: Model, digits: int = _DIGITS, unconstrained: bool = False) -> Iterator[Point]:
    # Dependent rows would defeat the search for an admissible state.
    words = {f.name: getattr(model, f.name) for f in fields(Model)}
    source = Model(**words | {"constraints": ()}) if unconstrained else model
    return islice(admissible_points(source, digits, seed=3), _STATES)


def _check_rank(model: Model) -> None:
    for digits in (_DIGITS, _RAISED):
        with precision(digits + 20):
            combinations = []
            for point in _generic_points(model, digits, unconstrained=True):
                weights = _dependence(model, point, digits)
                if weights is None:
                    return
                combinations.append((weights, point))
    with precision(_RAISED + 20):
        _refuse_dependent(model, *combinations[0])


def _refuse_dependent(model: Model, weights: Sequence[flint.arb], point: Point) -> NoReturn:
    """The rows that a vanishing combination involves, and whether what is left of it vanishes as well."""
    shares = [w * largest(row) for w, row in zip(weights, rows_at(model.matrix_na, point), strict=True)]
    threshold = flint.arb(10) ** -15 * largest(shares)
    involved = [c.label for c, share in zip(model.constraints, shares, strict=True) if abs(share) > threshold]
    phi = [c.expression for c in model.constraints]
    clash = sum((w * value for w, value in zip(weights, evaluate_at(phi, point), strict=True)), start=flint.arb(0))
    size = sum((abs(w) * value for w, value in zip(weights, sizes_at(phi, point), strict=True)), start=flint.arb(0))
    rows = " and ".join([", ".join(involved[:-1]), involved[-1]] if len(involved) > 1 else involved)
    if abs(clash.mid()) > flint.arb(10) ** (-_DIGITS // 2) * size:
        raise IllPosedSystem(
            f"{model.name}: the constraints {rows} contradict each other: a combination of them has no velocity "
            "left in it but does not vanish; correct or drop one."
        )
    raise IllPosedSystem(
        f"{model.name}: the constraints {rows} are dependent (one follows from the others at every sampled state); "
        "drop one of them."
    )


def _dependence(model: Model, point: Point, digits: int) -> list[flint.arb] | None:
    r"""Weights $\nu$ with $\nu A = 0$ at the point, or None when the rows are independent there."""
    rows = rows_at(model.matrix_na, point)
    if not all(value.is_finite() for row in rows for value in row):
        return None
    count, width = len(rows), len(model.velocities)
    scales = [largest(row) for row in rows]
    weights = [[flint.arb(int(i == j)) for j in range(count)] for i in range(count)]
    tiny = flint.arb(10) ** (-digits)
    left = list(range(count))
    while left:
        i = left.pop(0)
        j = max(range(width), key=lambda j: abs(rows[i][j]))
        if not abs(rows[i][j]) > tiny * scales[i]:
            return weights[i]
        for k in left:
            factor = rows[k][j] / rows[i][j]
            rows[k] = [(a - factor * b).mid() for a, b in zip(rows[k], rows[i], strict=True)]
            weights[k] = [(a - factor * b).mid() for a, b in zip(weights[k], weights[i], strict=True)]
    return None


def _check_span(model: Model) -> None:
    span = model.span_ba or ()
    expected = len(model.velocities) - len(model.constraints)
    for constraint in model.constraints:
        if Kind.NONLINEAR in constraint.kind:
            raise IllPosedSystem(
                f"{model.name}: a span fits constraints linear in the velocities, and {constraint.label} is nonlinear; "
                "drop `span`."
            )
    pairs = [(k, vector, constraint) for k, vector in enumerate(span, 1) for constraint in model.constraints]
    with precision(_DIGITS + 20):
        for point in _generic_points(model):
            products = evaluate_at([dot(constraint.coefficients, vector) for _, vector, constraint in pairs], point)
            for (k, _, constraint), product in zip(pairs, products, strict=True):
                if excludes_zero(product):
                    raise IllPosedSystem(
                        f"{model.name}: vector {k} of the span violates the constraint {constraint.label}; "
                        "its components must satisfy the homogeneous constraint identically."
                    )
    if len(span) != expected:
        raise IllPosedSystem(
            f"{model.name}: the number of vectors in the span is {len(span)} but that of admissible directions "
            f"{len(model.velocities)} - {len(model.constraints)} = {expected} (velocities less constraints); "
            f"give {expected}."
        )
    with precision(_DIGITS + 20):
        for point in _generic_points(model):
            flat = evaluate_at([dot(a, b) for a in span for b in span], point)
            if _nonsingular([flat[k * expected : (k + 1) * expected] for k in range(expected)], _DIGITS):
                return
    raise IllPosedSystem(f"{model.name}: the span's vectors are linearly dependent; give independent ones.")


def _check_regularity(model: Model) -> None:
    r"""$\partial^2 L/\partial u^a\partial u^b \ne 0$ along the admissible directions, somewhere."""
    rank = len(model.velocities) - len(model.constraints)
    if rank == 0:
        return
    direction: Sequence[float] = ()
    for digits in (_DIGITS, _RAISED):
        with precision(digits + 20):
            for point in _generic_points(model, digits):
                basis = _kernel(rows_at(model.matrix_na, point), len(model.velocities), digits)
                inertia = _inertia(model, point, basis, digits) if len(basis) == rank else None
                if inertia is None or _nonsingular(inertia, digits):
                    return
                direction = _null_direction(inertia, basis)
    moving = [f"{w.name}={x:.3g}" for w, x in zip(model.velocities, direction, strict=True) if abs(x) > 1e-9]
    raise IllPosedSystem(
        f"{model.name}: the Lagrangian is degenerate: the admissible velocity {', '.join(moving)} has no inertia, so its "
        "change is undetermined; give every admissible direction a kinetic energy (is a mass 0?)."
    )


def _inertia(
    model: Model, point: Point, basis: Sequence[Sequence[flint.arb]], digits: int
) -> list[list[flint.arb]] | None:
    """The second derivatives of L along a basis of admissible directions, at one state.

    What is rounding against the terms that cancel in it is 0, so that a later scaling cannot make it large.
    """
    size, rank = len(model.velocities), len(basis)
    # L along w + Σ u_a b_a: only the few symbols u are differentiated, so large systems stay cheap.
    speeds = [symbol(f"$u{a}") for a in range(rank)]
    values = {symbol(f"$b{a}_{i}"): basis[a][i] for a in range(rank) for i in range(size)}
    moved = {
        w: w + dot([symbol(f"$b{a}_{i}") for a in range(rank)], speeds)
        for i, w in enumerate(model.velocities)
        if w in model.lagrangian.free_symbols
    }
    L: Expr = model.lagrangian.xreplace(moved)
    state = {**point, **values, **dict.fromkeys(speeds, flint.arb(0))}
    hessian = jacobian(gradient(L, speeds), speeds)
    rows, tiny = [], flint.arb(10) ** (-3 * digits // 4)
    for row in hessian:
        found, sizes = evaluate_at(row, state), sizes_at(row, state)
        if not all(value.is_finite() for value in found):
            return None
        rows.append([v if abs(v.mid()) > tiny * s else flint.arb(0) for v, s in zip(found, sizes, strict=True)])
    return rows


def _kernel(matrix: Sequence[Sequence[flint.arb]], size: int, digits: int) -> list[list[flint.arb]]:
    """A basis of the null space by Gauss–Jordan with full pivoting on midpoints, each row scaled to 1 first."""
    if any(not largest(row) > 0 for row in matrix):
        return []
    rows = [[(entry / largest(row)).mid() for entry in row] for row in matrix]
    pivots: dict[int, int] = {}
    for i in range(len(rows)):
        best = max(
            ((k, j) for k in range(i, len(rows)) for j in range(size) if j not in pivots.values()),
            key=lambda kj: abs(rows[kj[0]][kj[1]]),
        )
        if not abs(rows[best[0]][best[1]]) > flint.arb(10) ** (-digits):
            return []
        rows[i], rows[best[0]] = rows[best[0]], rows[i]
        column = best[1]
        rows[i] = [(entry / rows[i][column]).mid() for entry in rows[i]]
        for k in range(len(rows)):
            if k != i and not rows[k][column].is_zero():
                factor = rows[k][column]
                rows[k] = [(a - factor * b).mid() for a, b in zip(rows[k], rows[i], strict=True)]
        pivots[i] = column
    free = [j for j in range(size) if j not in pivots.values()]
    basis = []
    for j in free:
        vector = [flint.arb(0)] * size
        vector[j] = flint.arb(1)
        for i, column in pivots.items():
            vector[column] = -rows[i][j]
        basis.append(vector)
    return basis


def _nonsingular(matrix: Sequence[Sequence[flint.arb]], digits: int) -> bool:
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


def _null_direction(matrix: Sequence[Sequence[flint.arb]], basis: Sequence[Sequence[flint.arb]]) -> list[float]:
    """The velocity, largest component 1, of the direction that the matrix (nearly) annihilates."""
    values = np.array([[float(value.mid()) for value in row] for row in matrix])
    weights = np.linalg.svd(values)[2][-1]
    velocity = weights @ np.array([[float(entry) for entry in row] for row in basis])
    return list(velocity / velocity[np.argmax(np.abs(velocity))])
