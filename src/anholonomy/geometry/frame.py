r"""Frames: velocities from quasi-velocities, and how the directions fail to commute.

.. math::
   \dot q^i = e_a{}^i\,\omega^a + e_0{}^i, \qquad
   [e_a, e_b] = c_{ab}{}^d\, e_d, \qquad [e_0 + \partial_t, e_a] = c_{0a}{}^d\, e_d

A chart is the frame with anchor 1 and structure 0. A Lie group is its frame of left-invariant fields:
constant structure, and an anchor that may act on redundant coordinates. Nothing that uses a frame may
assume that the anchor is square, constant or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, final

import symengine

from anholonomy.language import parse_expression
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, symbol, time, zero
from anholonomy.symbolic.simplify import simplify_vector

__all__ = ["Frame", "Structure", "bracket", "contract"]

Structure: TypeAlias = tuple[Matrix, ...]
r"""``c[a][b][d]`` is $c_{ab}{}^d$."""


@final
@dataclass(frozen=True)
class Frame:
    r"""Directions $e_a$ at every configuration, and the drift $e_0$.

    Attributes
    ----------
    coordinates
        The $q^i$; they may be redundant.
    anchor_ai
        $e_a{}^i(q, t)$, one row for each direction.
    drift_i
        $e_0{}^i(q, t)$.
    structure_abd
        $c_{ab}{}^d$ with $[e_a, e_b] = c_{ab}{}^d e_d$.
    drift_structure_ad
        $c_{0a}{}^d$ with $[e_0 + \partial_t, e_a] = c_{0a}{}^d e_d$.
    """

    coordinates: tuple[Symbol, ...]
    anchor_ai: Matrix
    drift_i: Vector
    structure_abd: Structure
    drift_structure_ad: Matrix

    @classmethod
    def chart(cls, coordinates: Sequence[Symbol]) -> Frame:
        """The frame of coordinate directions: anchor 1, structure 0."""
        n = len(coordinates)
        rows = tuple(tuple(symengine.Integer(int(i == j)) for j in range(n)) for i in range(n))
        nothing = tuple((zero,) * n for _ in range(n))
        return cls(tuple(coordinates), rows, (zero,) * n, (nothing,) * n, nothing)

    @classmethod
    def from_vectors(cls, coordinates: Sequence[str], vectors: Sequence[Sequence[str]]) -> Frame:
        """A frame on a chart from the components of its vectors, as text.

        >>> frame = Frame.from_vectors(["x", "y", "theta"],
        ...     [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"], ["-sin(theta)", "cos(theta)", "0"]])
        >>> frame.structure_abd[0][1]          # [forward, turn] = -sideways
        (0, 0, -1)
        """
        chart = cls.chart([symbol(name) for name in coordinates])
        components = tuple(tuple(parse_expression(entry) for entry in vector) for vector in vectors)
        return chart.change(components)

    @property
    def size(self) -> int:
        """The number of directions."""
        return len(self.anchor_ai)

    @cached_property
    def is_chart(self) -> bool:
        """True for coordinate directions, where quasi-velocities are velocities."""
        return self == Frame.chart(self.coordinates)

    def coordinate_rates(self, omega: Sequence[Expr]) -> dict[Symbol, Expr]:
        r"""$\dot q^i = e_a{}^i\omega^a + e_0{}^i$, keyed by coordinate."""
        columns = zip(*self.anchor_ai, strict=True)
        return {
            q: dot(column, omega) + e_0 for q, column, e_0 in zip(self.coordinates, columns, self.drift_i, strict=True)
        }

    def direction(self, components: Sequence[Expr]) -> dict[Symbol, Expr]:
        r"""The field $X^a e_a$ on the coordinates, without drift or time."""
        columns = zip(*self.anchor_ai, strict=True)
        return {q: dot(column, components) for q, column in zip(self.coordinates, columns, strict=True)}

    def drift_direction(self, components: Sequence[Expr]) -> dict[Symbol, Expr]:
        r"""The field $e_0 + X^a e_a + \partial_t$ on coordinates and time."""
        return {**self.coordinate_rates(components), time: symengine.Integer(1)}

    def change(self, matrix_ba: Matrix, offset_a: Vector | None = None) -> Frame:
        r"""The frame $\bar e_b = B_b{}^a e_a$ with drift $e_0 + f^a e_a$.

        Its structure comes from the brackets of the new fields, whose components in the old frame are solved
        against $B$ and brought to their shortest form.
        """
        n = self.size
        if len(matrix_ba) != n or any(len(row) != n for row in matrix_ba):
            raise IllPosedSystem(
                f"a change of frame needs a square matrix of {n} rows; give {n} vectors of {n} components."
            )
        offset = offset_a or (zero,) * n
        transpose = symengine.DenseMatrix(n, n, [matrix_ba[a][i] for i in range(n) for a in range(n)])

        def components(field: Vector) -> Vector:
            if all(entry == 0 for entry in field):
                return field
            solution = transpose.LUsolve(symengine.DenseMatrix(n, 1, list(field)))
            return simplify_vector([solution[i, 0] for i in range(n)])

        fields = [self.direction(row) for row in matrix_ba]
        drift = self.drift_direction(offset)
        structure = [[(zero,) * n for _ in range(n)] for _ in range(n)]
        for b in range(n):
            for c in range(b + 1, n):
                own = bracket(matrix_ba[b], fields[b], matrix_ba[c], fields[c])
                inherited = contract(self.structure_abd, matrix_ba[b], matrix_ba[c])
                value = components(_plus(own, inherited))
                structure[b][c], structure[c][b] = value, tuple(-entry for entry in value)
        moving = []
        for b in range(n):
            own = bracket(offset, drift, matrix_ba[b], fields[b])
            inherited = contract(self.structure_abd, offset, matrix_ba[b])
            from_drift = tuple(dot(column, matrix_ba[b]) for column in zip(*self.drift_structure_ad, strict=True))
            moving.append(components(_plus(_plus(own, inherited), from_drift)))
        return Frame(
            self.coordinates,
            tuple(tuple(field[q] for q in self.coordinates) for field in fields),
            tuple(drift[q] for q in self.coordinates),
            tuple(tuple(row) for row in structure),
            tuple(moving),
        )


def bracket(
    left: Sequence[Expr],
    left_field: dict[Symbol, Expr],
    right: Sequence[Expr],
    right_field: dict[Symbol, Expr],
) -> Vector:
    r"""$X(Y^d) - Y(X^d)$: the part of $[X, Y]$ that comes from the components changing.

    ``left`` and ``right`` are components in a base frame; the fields say how coordinates (and time, for a
    drift) move along them.
    """
    return tuple(along(y, left_field) - along(x, right_field) for x, y in zip(left, right, strict=True))


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


def _plus(left: Vector, right: Vector) -> Vector:
    return tuple(x + y for x, y in zip(left, right, strict=True))
