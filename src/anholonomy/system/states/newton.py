r"""Newton's method onto zeros of functions: in balls by the shortest correction, and damped from far away.

.. math:: \Delta = -D^2 J^{\mathsf T}(J D^2 J^{\mathsf T})^{-1} f

With the weights $D$ a user's numbers, the correction is the shortest in relative terms, so that each of them changes by
about the relative size of the residual. The iteration ends when what is left of $f$ is nothing against $J$ times the
unknowns, which neither units nor a factor before a row can change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import flint
import numpy as np
import symengine

from anholonomy.algebra.arithmetic import evaluate, tape
from anholonomy.algebra.calculus import jacobian
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, dot, free_symbols, symbol
from anholonomy.algebra.numbers.balls import Ball, BallArithmetic
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.base.tolerances import NOTHING

__all__ = [
    "PATIENT_STEPS",
    "NEWTON_STEPS",
    "Point",
    "distance",
    "evaluate_at",
    "largest",
    "nearest",
    "onto",
    "rows_at",
    "approach",
]

Point = dict[Symbol, Ball]
"""Values of coordinates, velocities, time and parameters."""


def evaluate_at(expressions: Iterable[Expr], point: Mapping[Symbol, Ball]) -> list[Ball]:
    """Several expressions at one point, at the current precision."""
    together = tuple(expressions)
    try:
        return tape(together).run(BallArithmetic(), point)
    except KeyError:  # a call of an unspecified function, whose value the point has; or a symbol without one
        known: dict[Expr, Ball] = dict(point)
        return [evaluate(expression, BallArithmetic(), known) for expression in together]


def rows_at(matrix: Sequence[Sequence[Expr]], point: Mapping[Symbol, Ball]) -> list[list[Ball]]:
    """The midpoints of a matrix at one point."""
    flat = iter(evaluate_at([entry for row in matrix for entry in row], point))
    return [[next(flat).mid() for _ in row] for row in matrix]


def largest(values: Iterable[Ball]) -> Ball:
    """The largest modulus; 0 of none."""
    return max((abs(value) for value in values), default=flint.arb(0))


def distance(left: Point, right: Point, unknowns: Sequence[Symbol]) -> float:
    """The sum of the squared differences."""
    return sum(float((left[u] - right[u]).mid()) ** 2 for u in unknowns)


# The shortest correction.


NEWTON_STEPS, PATIENT_STEPS = 60, 1100
"""Enough near a zero; and from a start that is as many powers of ten away as doubles have, halved at each step."""
_QUICK = 30
"""Steps that a simple zero near by never needs."""
_SIMPLE = 1e-3
"""The last step to a simple zero does better than this; to a multiple one, where the gradient vanishes, it halves."""


def onto(
    functions: Sequence[Expr],
    unknowns: Sequence[Symbol],
    point: Point,
    digits: int,
    matrix: Matrix | None = None,
    weights: Sequence[Ball] | None = None,
    steps: int = NEWTON_STEPS,
) -> Point | None:
    """Change ``unknowns`` as little as possible until every function vanishes to ``digits`` digits."""
    rows = matrix or jacobian(functions, unknowns)
    point = dict(point)
    D = list(weights or [flint.arb(1)] * len(unknowns))
    target, start = flint.arb(10) ** (-digits), largest(point[u] for u in unknowns)
    J: list[list[Ball]] = []
    error, vanished = flint.arb(0), False
    for count in range(steps):
        values = [value.mid() for value in evaluate_at(functions, point)]
        if not all(value.is_finite() for value in values):
            return None
        if all(value == 0 for value in values):
            return point
        if J:
            before, error = error, _error(values, J)
            terms = [largest(a * point[u] for a, u in zip(row, unknowns, strict=True)) for row in J]
            if vanished or all(abs(value) <= target * size for value, size in zip(values, terms, strict=True)):
                return point if count <= _QUICK or vanished or error < _SIMPLE * before else None
            # Where the unknowns of a row are zero there is nothing to compare with but the start; then a last leap
            # must tell, and one more step follows it.
            vanished = bool(error <= target * start and error <= target.root(4) * before)
        J = rows_at(rows, point)
        correction = _shortest([[a * d for a, d in zip(row, D, strict=True)] for row in J], values)
        if correction is None:
            return None
        error = error if count else _error(values, J)
        for u, d, change in zip(unknowns, D, correction, strict=True):
            point[u] = (point[u] - d * change).mid()
    return None


def _error(values: Sequence[Ball], J: Sequence[Sequence[Ball]]) -> Ball:
    """How far the unknowns are from a zero, to first order."""
    return largest(value / largest(row) for value, row in zip(values, J, strict=True))


def _shortest(J: Sequence[Sequence[Ball]], values: Sequence[Ball]) -> list[Ball] | None:
    r"""$J^{\mathsf T}(JJ^{\mathsf T})^{-1} f$, or None where the rows are dependent; each row is scaled to 1 first."""
    sizes = [largest(row) for row in J]
    if not all(size > 0 for size in sizes):
        return None
    A = flint.arb_mat([[entry / size for entry in row] for row, size in zip(J, sizes, strict=True)])
    f = flint.arb_mat([[value / size] for value, size in zip(values, sizes, strict=True)])
    try:
        solution = A.transpose() * (A * A.transpose()).solve(f)
    except ZeroDivisionError:
        return None
    return [solution[i, 0] for i in range(solution.nrows())]


def nearest(functions: Sequence[Expr], unknowns: Sequence[Symbol], point: Point, digits: int) -> Point | None:
    r"""The zero of the functions nearest to ``point``: $x - x_0 + J^{\mathsf T}\mu = 0$ and $f(x) = 0$.

    Newton's method from where `onto` arrives, which is kept when nothing nearer is found; for functions linear in the
    unknowns it is the nearest already.
    """
    first = onto(functions, unknowns, point, digits)
    rows = jacobian(functions, unknowns)
    if first is None or not free_symbols(entry for row in rows for entry in row) & set(unknowns):
        return first
    multipliers = [symbol(f"$m{k}") for k in range(len(rows))]
    origin = {u: symbol(f"$o{i}") for i, u in enumerate(unknowns)}
    columns = zip(*rows, strict=True)
    equations = [u - origin[u] + dot(multipliers, column) for u, column in zip(unknowns, columns, strict=True)]
    guess = _multipliers(rows, unknowns, point, first, multipliers)
    if guess is None:
        return first
    state = {**first, **{origin[u]: point[u] for u in unknowns}, **guess}
    found = onto([*equations, *functions], [*unknowns, *multipliers], state, digits)
    if found is None or distance(found, point, unknowns) > distance(first, point, unknowns):
        return first
    return {**first, **{u: found[u] for u in unknowns}}


def _multipliers(
    rows: Matrix, unknowns: Sequence[Symbol], point: Point, first: Point, multipliers: Sequence[Symbol]
) -> dict[Symbol, Ball] | None:
    r"""The multipliers that fit $x - x_0 + J^{\mathsf T}\mu = 0$ best; None where the rows are dependent."""
    J = flint.arb_mat(rows_at(rows, first))
    gap = flint.arb_mat([[(point[u] - first[u]).mid()] for u in unknowns])
    try:
        weights = (J * J.transpose()).solve(J * gap)
    except ZeroDivisionError:
        return None
    return {mu: weights[k, 0].mid() for k, mu in enumerate(multipliers)}


# A zero of functions from far away: Gauss and Newton with damped steps, in floats.
#
# Newton's method overshoots where a function bends, and a linkage of many loops bends everywhere. What is found here is a
# start for Newton's method with as many digits as wanted, never an answer.


_STEPS = 200
"""Evaluations after which a search is given up."""


def approach(functions: Sequence[Expr], unknowns: Sequence[Symbol], point: Point) -> Point | None:
    """The point with ``unknowns`` near a zero of all functions; None where none was found."""
    from scipy.optimize import least_squares

    known = {s: symengine.RealDouble(float(v)) for s, v in point.items() if s not in unknowns}
    rows = jacobian(functions, unknowns)
    entries = [entry.xreplace(known) for entry in (*functions, *(entry for row in rows for entry in row))]
    count = len(functions)
    if (evaluate := in_doubles(unknowns, entries)) is None:
        return None
    try:
        with np.errstate(all="ignore"):
            found = least_squares(
                lambda x: np.asarray(evaluate(x), dtype=float)[:count],
                [float(point[u]) for u in unknowns],
                lambda x: np.asarray(evaluate(x), dtype=float)[count:].reshape(count, -1),
                xtol=1e-15,
                ftol=1e-15,
                gtol=1e-15,
                max_nfev=_STEPS,
                x_scale="jac",  # whatever the units are
            )
    except (ValueError, np.linalg.LinAlgError):  # not finite
        return None
    far = np.asarray(evaluate([float(point[u]) for u in unknowns]), dtype=float)[:count]
    if not np.abs(found.fun).max() < NOTHING * max(1.0, np.abs(far).max()):
        return None
    return {**point, **{u: flint.arb(value) for u, value in zip(unknowns, found.x.tolist(), strict=True)}}
