r"""The inverse of a change of place: $x$ from $q = g(x)$, equation by equation, the rest as one linear system.

.. math:: q^i = \alpha(x^1, \dots, x^{k-1}) + \beta(x^1, \dots, x^{k-1})\,x^k \quad\Longrightarrow\quad x^k = (q^i - \alpha)/\beta
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from anholonomy.symbolic.calculus import jacobian, partial
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, free_symbols, matrix_vector, zero
from anholonomy.symbolic.matrices.linear import inverse

__all__ = ["undone"]


def undone(place: Sequence[Expr], coordinates: Sequence[Symbol]) -> Vector | None:
    """The coordinates as functions of their images, under the same names; None where no step is linear.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> from anholonomy.language.given import expression
    >>> x, y = symbol("x"), symbol("y")
    >>> [each.subs({x: 2, y: 5}) for each in undone([expression("2*x", "x"), expression("y + x^2", "y")], [x, y])]
    [1, 4]
    """
    images = {q: symengine.Symbol(f"{q.name}__there") for q in coordinates}
    rows = [g - images[q] for g, q in zip(place, coordinates, strict=True)]
    found = _solved(rows, list(coordinates))
    if found is None:
        return None
    back = {image: q for q, image in images.items()}
    return tuple(found[q].xreplace(back) for q in coordinates)


def _solved(rows: list[Expr], unknown: list[Symbol]) -> dict[Symbol, Expr] | None:
    """The unknowns for which all rows vanish."""
    found: dict[Symbol, Expr] = {}
    while unknown:
        step = next(filter(None, (_single(row, unknown) for row in rows)), None) or _jointly(rows, unknown)
        if step is None:
            return None
        found |= step
        unknown = [q for q in unknown if q not in step]
        rows = [row.xreplace(step) for row in rows]
    return found


def _single(row: Expr, unknown: Sequence[Symbol]) -> dict[Symbol, Expr] | None:
    """The unknown of a row that has one, and has it linearly."""
    inside = [q for q in unknown if q in row.free_symbols]
    if len(inside) != 1:
        return None
    (q,) = inside
    slope = partial(row, q)
    return None if q in slope.free_symbols or slope == 0 else {q: -row.xreplace({q: zero}) / slope}


def _jointly(rows: Sequence[Expr], unknown: Sequence[Symbol]) -> dict[Symbol, Expr] | None:
    """All unknowns at once, where the rows that are left are linear in them."""
    left = [row for row in rows if not row.free_symbols.isdisjoint(unknown)]
    slopes = jacobian(left, unknown)
    if len(left) != len(unknown) or not free_symbols(e for line in slopes for e in line).isdisjoint(unknown):
        return None
    at_rest = [-row.xreplace(dict.fromkeys(unknown, zero)) for row in left]
    return dict(zip(unknown, matrix_vector(inverse(slopes), at_rest), strict=True))
