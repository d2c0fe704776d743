r"""Brackets of vector fields with components in a frame.

.. math:: [X, Y]^d = X(Y^d) - Y(X^d) + X^aY^bc_{ab}{}^d, \qquad [e_a, e_b] = c_{ab}{}^d\,e_d
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector

if TYPE_CHECKING:
    from anholonomy.geometry.frame import Frame

__all__ = ["Structure", "bracket", "contract"]

Structure: TypeAlias = tuple[Matrix, ...]
r"""``c[a][b][d]`` is $c_{ab}{}^d$."""
_Rates: TypeAlias = Mapping[Symbol, Expr]
"""Rates of the coordinates along a field."""


def bracket(
    frame: Frame, X: Sequence[Expr], Y: Sequence[Expr], along_X: _Rates | None = None, along_Y: _Rates | None = None
) -> Vector:
    r"""$[X, Y]^d = X(Y^d) - Y(X^d) + X^aY^bc_{ab}{}^d$ of fields with components in a frame.

    ``along_X`` and ``along_Y`` say how coordinates (and time, for a drift) move along them, where that is known.
    """
    dX, dY = (frame.direction(Z) if known is None else known for Z, known in ((X, along_X), (Y, along_Y)))
    own = tuple(along(y, dX) - along(x, dY) for x, y in zip(X, Y, strict=True))
    return own if frame.is_chart else tuple(map(symengine.Add, own, contract(frame.structure_abd, X, Y)))


def contract(structure_abd: Structure, left: Sequence[Expr], right: Sequence[Expr]) -> Vector:
    r"""$X^a Y^b c_{ab}{}^d$: the part of $[X, Y]$ that the base frame's own anholonomy makes."""
    n = len(structure_abd)
    terms: list[list[Expr]] = [[] for _ in range(n)]
    for a, x in enumerate(left):
        for b, y in enumerate(right):
            if x == 0 or y == 0:
                continue
            for d, c in enumerate(structure_abd[a][b]):
                if c != 0:
                    terms[d].append(x * y * c)
    return tuple(symengine.Add(*entry) for entry in terms)
