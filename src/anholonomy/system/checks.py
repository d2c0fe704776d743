r"""Is the system well posed? Checked at random admissible states, in ball arithmetic.

A rank or a determinant that is non-zero at one state is proven non-zero at generic states. A deficiency is
reported when it shows at every sampled state at 40 digits, with the rows or directions that cause it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import flint

from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.balls import excludes_zero, precision
from anholonomy.symbolic.expressions import Expr, dot, symbol
from anholonomy.symbolic.zero import Verdict, zero_test
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.sampling import Point, admissible_points, evaluate_at

__all__ = ["check_model"]

_DIGITS = 40
_STATES = 3


def check_model(model: Model) -> None:
    """Refuse a model whose constraints are dependent or contradictory, or whose inertia is degenerate."""
    _check_offsets(model)
    if model.constraints:
        _check_rank(model)
    if model.span_ba is not None:
        _check_span(model)
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


def _generic_points(model: Model, unconstrained: bool = False) -> list[Point]:
    source = model
    if unconstrained:  # dependent rows would defeat the search for an admissible state
        source = Model(**{**{f: getattr(model, f) for f in Model.__dataclass_fields__}, "constraints": ()})
    return list(islice(admissible_points(source, _DIGITS, seed=3), _STATES))


def _check_rank(model: Model) -> None:
    with precision(_DIGITS + 20):
        combinations = []
        for point in _generic_points(model, unconstrained=True):
            combination = _dependence(model, point)
            if combination is None:
                return
            combinations.append((combination, point))
        labels = [c.label for c in model.constraints]
        weights, point = combinations[0]
        involved = [label for label, weight in zip(labels, weights, strict=True) if abs(weight.mid()) > 1e-15]
        offsets = evaluate_at([c.expression for c in model.constraints], point)
        clash = sum((w * phi for w, phi in zip(weights, offsets, strict=True)), start=flint.arb(0))
        rows = " and ".join([", ".join(involved[:-1]), involved[-1]] if len(involved) > 1 else involved)
        if abs(clash.mid()) > flint.arb(10) ** (-_DIGITS // 2):
            raise IllPosedSystem(
                f"{model.name}: the constraints {rows} contradict each other: a combination of them has no velocity "
                "left in it but does not vanish; correct or drop one."
            )
        raise IllPosedSystem(
            f"{model.name}: the constraints {rows} are dependent (one follows from the others at every sampled state); "
            "drop one of them."
        )


def _dependence(model: Model, point: Point) -> list[flint.arb] | None:
    r"""Weights $\nu$ with $\nu A = 0$ at the point, or None when the rows are independent there."""
    width = len(model.velocities)
    flat = evaluate_at([entry for row in model.matrix_na for entry in row], point)
    if not all(value.is_finite() for value in flat):
        return None
    count = len(model.constraints)
    rows = [[value.mid() for value in flat[i * width : (i + 1) * width]] for i in range(count)]
    scales = [max((abs(value) for value in row), default=flint.arb(0)) for row in rows]
    weights = [[flint.arb(int(i == j)) for j in range(count)] for i in range(count)]
    tiny = flint.arb(10) ** (-_DIGITS)
    left = list(range(count))
    while left:
        i = left.pop(0)
        j = max(range(width), key=lambda j: float(abs(rows[i][j]).mid()))
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
            if _nonsingular(flint.arb_mat(expected, expected, flat)):
                return
    raise IllPosedSystem(f"{model.name}: the span's vectors are linearly dependent; give independent ones.")


def _check_regularity(model: Model) -> None:
    r"""$\partial^2 L/\partial u^a\partial u^b \ne 0$ along the admissible directions, somewhere."""
    rank = len(model.velocities) - len(model.constraints)
    if rank == 0:
        return
    direction: Sequence[float] = ()
    with precision(_DIGITS + 20):
        for point in _generic_points(model):
            basis = _directions(model, point)
            inertia = _inertia(model, point, basis) if len(basis) == rank else None
            if inertia is None or _nonsingular(inertia):
                return
            direction = _null_direction(inertia, basis)
    moving = [f"{w.name}={x:.3g}" for w, x in zip(model.velocities, direction, strict=True) if abs(x) > 1e-9]
    raise IllPosedSystem(
        f"{model.name}: the Lagrangian is degenerate: the admissible velocity {', '.join(moving)} has no inertia, so its "
        "change is undetermined; give every admissible direction a kinetic energy (is a mass 0?)."
    )


def _directions(model: Model, point: Point) -> list[list[flint.arb]]:
    """A basis of the admissible directions at one state."""
    flat = [value.mid() for value in evaluate_at([e for row in model.matrix_na for e in row], point)]
    return _kernel(flint.arb_mat(len(model.constraints), len(model.velocities), flat), len(model.velocities))


def _inertia(model: Model, point: Point, basis: Sequence[Sequence[flint.arb]]) -> flint.arb_mat | None:
    """The second derivatives of L along a basis of admissible directions, at one state."""
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
    first = [L.diff(u) for u in speeds]
    entries = evaluate_at([f.diff(u) for f in first for u in speeds], state)
    if not all(value.is_finite() for value in entries):
        return None
    return flint.arb_mat(rank, rank, entries)


def _kernel(matrix: flint.arb_mat, size: int) -> list[list[flint.arb]]:
    """A basis of the null space by Gauss–Jordan with full pivoting on midpoints."""
    rows = [[matrix[i, j].mid() for j in range(size)] for i in range(matrix.nrows())]
    pivots: dict[int, int] = {}
    for i in range(len(rows)):
        best = max(
            ((k, j) for k in range(i, len(rows)) for j in range(size) if j not in pivots.values()),
            key=lambda kj: float(abs(rows[kj[0]][kj[1]]).mid()),
        )
        if not abs(rows[best[0]][best[1]]) > flint.arb(10) ** (-_DIGITS):
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


def _nonsingular(matrix: flint.arb_mat) -> bool:
    """Proven by a determinant that excludes zero."""
    determinant = matrix.det()
    size = max(
        (abs(matrix[i, j]) for i in range(matrix.nrows()) for j in range(matrix.ncols())),
        default=flint.arb(1),
    )
    return bool(abs(determinant) > flint.arb(10) ** (-_DIGITS // 2) * size ** matrix.nrows() * flint.arb(10) ** -10)


def _null_direction(matrix: flint.arb_mat, basis: Sequence[Sequence[flint.arb]]) -> list[float]:
    """The velocity, largest component 1, of the direction that the matrix (nearly) annihilates."""
    import numpy as np

    values = np.array([[float(matrix[i, j].mid()) for j in range(matrix.ncols())] for i in range(matrix.nrows())])
    weights = np.linalg.svd(values)[2][-1]
    velocity = weights @ np.array([[float(entry) for entry in row] for row in basis])
    return list(velocity / velocity[np.argmax(np.abs(velocity))])
