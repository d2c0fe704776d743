"""Constant linear relations between functions, on a group too: found in doubles at random points, rounded to simple fractions, and proven.

Those of `anholonomy.algebra.constant_relations` are exact and complete, and need normal forms; these may miss some, and need values only.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Vector, dot, free_symbols
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.doubles import in_doubles, kernel, rank_of
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.deadlines import check
from anholonomy.base.errors import TimeLimitError
from anholonomy.base.tolerances import CLEAR, NOTHING

__all__ = ["SIMPLE", "constant_combinations", "numeric_rank", "simple_rational"]

_POINTS = 4
"""Points more than are needed for as many equations as unknowns."""
_LARGEST = 4_000_000
"""Values of functions at points whose combinations are looked for: one call takes some seconds, and cannot be interrupted."""
SIMPLE = 48
"""The largest denominator of a coefficient."""


def constant_combinations(
    functions: Sequence[Sequence[Expr]], on: Orbit | None, proven: int | None = None
) -> list[Vector]:
    """Coefficients with which lists of functions add up to zero, in reduced echelon form; the first ``proven`` entries are proven to vanish.

    >>> x, y = symengine.symbols("x y")
    >>> constant_combinations([[x], [y], [2 * x + y]], None)
    [(1, 1/2, -1/2)]
    """
    found = [tuple(map(simple_rational, row)) for row in _kernel(functions, on)]
    return [
        weights
        for weights in found
        if are_all_zero((dot(weights, column) for column in [*zip(*functions, strict=True)][:proven]), on)
    ]


def numeric_rank(rows: Sequence[Sequence[Expr]], on: Orbit | None) -> int:
    """The rank of a matrix of functions at a random point, in doubles."""
    if not rows or not rows[0]:
        return 0
    values = np.linalg.svd(_values(rows, on, 1)[0], compute_uv=False)
    return rank_of(values, 1.0)


def _values(functions: Sequence[Sequence[Expr]], on: Orbit | None, count: int) -> list[np.ndarray]:
    """The functions at a few points of the group, a row for each list."""
    entries = [e for each in functions for e in each]
    names = sorted(free_symbols(entries), key=str)
    if not names:
        return [np.array([[float(e) for e in each] for each in functions])]
    f, rng, found = in_doubles(names, entries), random.Random(7), []
    if f is None:
        return [np.full((len(functions), len(functions[0])), np.nan)]
    for attempt in range(count):
        with precision(30):
            free = {s: Fraction(rng.randint(20, 60), 31) for s in names}
            values = free if on is None else free | dict(on.point(on.tied, rng, 1 + attempt, 30))
        found.append(np.asarray(f([float(values[s]) for s in names]), dtype=float).reshape(len(functions), -1))
    return found


def _kernel(functions: Sequence[Sequence[Expr]], on: Orbit | None) -> np.ndarray:
    if not functions:
        return np.zeros((0, 0))
    width = len(functions)
    count = _POINTS + 2 * width // max(1, len(functions[0]))
    if (values := width * len(functions[0]) * count) > _LARGEST:
        raise TimeLimitError(
            f"{width:,} candidates with {len(functions[0]):,} functions each are too many to look for combinations of: {values:,} values, and at most {_LARGEST:,} are compared."
        )
    check()
    matrix = np.concatenate(_values(functions, on, count), axis=1)
    matrix = matrix[:, np.isfinite(matrix).all(axis=0)]
    sizes = np.abs(matrix).max(axis=0, initial=0)
    matrix = (matrix[:, sizes > NOTHING] / sizes[sizes > NOTHING]).T
    if not len(matrix):
        return np.eye(width)
    return _echelon(kernel(matrix).T)


def _echelon(rows: np.ndarray) -> np.ndarray:
    """Reduced rows, with the largest entry of a column as its pivot: coefficients that are simple fractions are seen in them."""
    rows, top = np.array(rows), 0
    for column in range(rows.shape[1]):
        if top == len(rows):
            break
        best = top + int(np.argmax(np.abs(rows[top:, column])))
        if abs(rows[best, column]) < CLEAR:
            continue
        rows[[top, best]] = rows[[best, top]]
        rows[top] /= rows[top, column]
        for k in range(len(rows)):
            if k != top:
                rows[k] -= rows[k, column] * rows[top]
        top += 1
    return rows


def simple_rational(value: float) -> Expr:
    """The fraction with a small denominator that is nearest."""
    near = Fraction(float(value)).limit_denominator(SIMPLE)
    return symengine.Rational(near.numerator, near.denominator)
