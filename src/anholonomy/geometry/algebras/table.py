r"""Structure constants over the rationals, and the subspaces they single out.

.. math::
   \mathfrak g^{(k+1)} = [\mathfrak g^{(k)}, \mathfrak g^{(k)}], \qquad \mathfrak g_{k+1} = [\mathfrak g, \mathfrak g_k],
   \qquad K_{ab} = c_{ad}{}^e c_{be}{}^d, \qquad \operatorname{rad}\mathfrak g = [\mathfrak g, \mathfrak g]^{\perp_K}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from anholonomy.geometry.algebras.rational import (
    Rows,
    coordinates,
    extend,
    inside,
    intersection,
    kernel,
    signature,
    span,
    total,
    unit,
)
from anholonomy.lazy import cached_property

__all__ = ["Table"]


@final
class Table:
    r"""``c[a][b][d]`` is the rational number $c_{ab}{}^d$."""

    def __init__(self, c_abd: list[list[list[Any]]]) -> None:
        self.c_abd = c_abd
        self.dimension = len(c_abd)
        self.whole = unit(self.dimension)

    def bracket(self, x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
        r"""$[x, y]^d = x^ay^bc_{ab}{}^d$."""
        c, n = self.c_abd, range(self.dimension)
        return [total(x[a] * y[b] * c[a][b][d] for a in n for b in n if c[a][b][d] != 0) for d in n]

    def brackets(self, left: Rows, right: Rows) -> Rows:
        """A basis of what the brackets of two subspaces span."""
        return span([self.bracket(x, y) for x in left for y in right], self.dimension)

    @cached_property
    def killing_ab(self) -> Rows:
        r"""$K_{ab} = c_{ad}{}^ec_{be}{}^d$."""
        c, n = self.c_abd, range(self.dimension)
        return [[total(c[a][d][e] * c[b][e][d] for d in n for e in n) for b in n] for a in n]

    @cached_property
    def signature(self) -> tuple[int, int]:
        return signature(self.killing_ab)

    @cached_property
    def derived(self) -> list[Rows]:
        """The algebra, what it derives, and so on until it stops falling."""
        spaces = [self.whole]
        while len(lower := self.brackets(spaces[-1], spaces[-1])) < len(spaces[-1]):
            spaces.append(lower)
        return spaces

    @cached_property
    def lower_central(self) -> list[Rows]:
        spaces = [self.whole]
        while len(lower := self.brackets(self.whole, spaces[-1])) < len(spaces[-1]):
            spaces.append(lower)
        return spaces

    @cached_property
    def derived_algebra(self) -> Rows:
        return self.brackets(self.whole, self.whole)

    def centraliser(self, space: Rows) -> Rows:
        """What commutes with every vector of a subspace."""
        columns = [[self.bracket(e, v) for e in self.whole] for v in space]
        n = range(self.dimension)
        return kernel([[image[a][d] for a in n] for image in columns for d in n], self.dimension)

    @cached_property
    def centre(self) -> Rows:
        return self.centraliser(self.whole)

    @cached_property
    def central_brackets(self) -> Rows:
        """A basis of the centre's intersection with the derived algebra."""
        return intersection(self.centre, self.derived_algebra, self.dimension)

    @cached_property
    def radical(self) -> Rows:
        """The largest solvable ideal: what the Killing form pairs to zero with the derived algebra."""
        n = range(self.dimension)
        rows = [[total(v[a] * self.killing_ab[a][b] for a in n) for b in n] for v in self.derived_algebra]
        return kernel(rows, self.dimension)

    def closes(self, left: Rows, right: Rows, space: Rows) -> bool:
        """Whether the brackets of two subspaces stay in a third."""
        return inside(self.brackets(left, right), space, self.dimension)

    def generated(self, space: Rows, by: Rows | None) -> Rows:
        """The smallest subspace around ``space`` that brackets with ``by``, or with its own vectors, do not leave."""
        grown = span(space, self.dimension)
        while len(more := span([*grown, *self.brackets(by or grown, grown)], self.dimension)) > len(grown):
            grown = more
        return grown

    def action(self, space: Rows, modulo: Rows) -> Rows:
        """How the one direction outside ``space`` acts on it, modulo an ideal inside it."""
        (outside, *_) = extend(space, self.whole, self.dimension)
        rest = extend(modulo, space, self.dimension)
        basis = [*rest, *modulo]
        return [(coordinates(self.bracket(outside, v), basis) or [])[: len(rest)] for v in rest]

    def restricted(self, basis: Rows) -> Table:
        """The subalgebra of independent vectors that close, in these as its basis."""
        return Table([[coordinates(self.bracket(x, y), basis) or [] for y in basis] for x in basis])

    def without_flat_part(self) -> Table:
        """An ideal complement of the part of the centre that no bracket reaches."""
        n = self.dimension
        flat = extend(self.derived_algebra, self.centre, n)
        rest = extend([*self.derived_algebra, *flat], self.whole, n)
        return self.restricted([*self.derived_algebra, *rest])
