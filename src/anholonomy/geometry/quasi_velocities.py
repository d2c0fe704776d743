r"""Quasi-velocities from the rates of redundant coordinates, without a square anchor.

.. math:: E_a{}^iB_{ij}E_b{}^j = G_{ab} \text{ constant on the group} \implies w^a = (G^{-1})^{ab}E_b{}^iB_{ij}\,\dot q^j

Such a $B$ exists for a unit quaternion ($B = 1$) and for matrices that preserve a form; then the velocities are polynomials.
Without one $B = 1$, and $G$ is inverted as a function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from anholonomy.algebra.constant_relations import constant_relations
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, matrix_vector, zero
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.geometry.frame import Frame

__all__ = ["reading", "velocities_along"]

MAX_COORDINATES = 16
"""Up to this many coordinates a form is looked for; it has as many unknowns as there are pairs of them."""


@lru_cache(maxsize=64)
def reading(frame: Frame) -> Matrix | None:
    r"""$(G^{-1})^{ab}E_b{}^iB_{ij}$, a row for each velocity, where a form $B$ is found that makes $G$ constant.

    >>> from anholonomy.geometry.groups import SL2R
    >>> rows = reading(SL2R().frame)
    >>> g11, g12, g21, g22 = SL2R().coordinates
    >>> rows[2]
    (-g21, 0, g11, 0)
    """
    if len(frame.coordinates) == frame.size or not frame.origin or len(frame.coordinates) > MAX_COORDINATES:
        return None
    here = dict(zip(frame.coordinates, frame.origin, strict=True))
    pairs = list(combinations_with_replacement(range(len(frame.coordinates)), 2))
    products = [
        [_product(frame, i, j, a, b) for a, b in combinations_with_replacement(range(frame.size), 2)] for i, j in pairs
    ]
    try:
        found = constant_relations(
            [[entry - entry.xreplace(here) for entry in each] for each in products], frame.coordinates, frame.orbit
        )
    except NoNormalForm:
        return None
    return next((rows for k in range(1, 4) if (rows := _rows(frame, pairs, found, k)) is not None), None)


def velocities_along(frame: Frame, place: Mapping[Symbol, Expr], rates: Sequence[Expr]) -> Vector:
    """The velocities where the coordinates are ``place`` and change with ``rates``.

    >>> from anholonomy.geometry.groups import SO3
    >>> import symengine
    >>> one, o = symengine.Integer(1), symengine.Integer(0)
    >>> velocities_along(SO3().frame, dict(zip(SO3().coordinates, (one, o, o, o))), (o, o, o, one))
    (0, 0, 2)
    """
    if frame.is_chart:
        return tuple(rates)
    here = dict(place)
    rows = [[entry.xreplace(here) for entry in row] for row in reading(frame) or frame.anchor_ai]
    pushed = [dot(row, rates) for row in rows]
    if reading(frame) is not None:
        return tuple(pushed)
    return matrix_vector(inverse([[dot(left, right) for right in rows] for left in rows]), pushed)


def _product(frame: Frame, i: int, j: int, a: int, b: int) -> Expr:
    E = frame.anchor_ai
    return E[a][i] * E[b][j] + (E[a][j] * E[b][i] if i != j else zero)


def _rows(frame: Frame, pairs: list[tuple[int, int]], found: Sequence[Vector], k: int) -> Matrix | None:
    """The rows of one combination of the forms; None where it is degenerate on the directions."""
    n = len(frame.coordinates)
    form = [[zero] * n for _ in range(n)]
    for power, constants in enumerate(found):
        for (i, j), c in zip(pairs, constants, strict=True):
            form[i][j] += k**power * c
            if i != j:
                form[j][i] += k**power * c
    lowered = [matrix_vector(form, row) for row in frame.anchor_ai]
    here = dict(zip(frame.coordinates, frame.origin, strict=True))
    gram = [[dot(row, other).xreplace(here) for other in frame.anchor_ai] for row in lowered]
    try:
        weights = inverse(gram)
    except ZeroDivisionError:
        return None
    columns = tuple(zip(*lowered, strict=True))
    return tuple(zip(*(matrix_vector(weights, column) for column in columns), strict=True))
