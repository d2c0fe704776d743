r"""Coordinates without redundancy around a point of a group.

.. math:: q = q(\xi), \qquad \partial_jf\,B^j = \frac{\partial(f \circ q)}{\partial\xi^k}\,\tilde B^k, \qquad
   B^j = \frac{\partial q^j}{\partial\xi^k}\tilde B^k

where $B$ is tangent to the group, so that as many rows of the Jacobian as there are parameters determine $\tilde B$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, matrix_vector
from anholonomy.symbolic.matrices.linear import inverse
from anholonomy.symbolic.matrices.sampled_rank import certified_rows

__all__ = ["FreeCoordinates", "free_coordinates"]


@final
@dataclass(frozen=True)
class FreeCoordinates:
    """Parameters of the group in place of its redundant coordinates, then the coordinates that were free before.

    Attributes
    ----------
    coordinates
        The parameters and the free coordinates.
    values
        The redundant coordinates as functions of the parameters.
    rows, inverse_kj
        Coordinates whose rates determine those of the new ones, and how.
    """

    coordinates: tuple[Symbol, ...]
    values: dict[Symbol, Expr]
    rows: tuple[int, ...]
    inverse_kj: Matrix

    def part(self, value: Vector, slopes: Sequence[Vector]) -> tuple[Vector, list[Vector]]:
        r"""$A$ and $\tilde B^k$ of an operator $fA + \partial_jf\,B^j$, a list for each equation."""
        here = tuple(entry.xreplace(self.values) for entry in value)
        moved = ([each[j].xreplace(self.values) for j in self.rows] for each in slopes)
        return here, [matrix_vector(self.inverse_kj, each) for each in moved]


def free_coordinates(frame: Frame) -> FreeCoordinates | None:
    """Coordinates of a group without redundancy; None where it has no rational parametrisation at hand."""
    orbit = frame.orbit
    if orbit is None or orbit.chart is None:
        return None
    new = (*orbit.parameters, *(q for q in frame.coordinates if q not in orbit.tied))
    slopes = jacobian([orbit.chart.get(q, q) for q in frame.coordinates], new)
    rows = certified_rows(slopes)
    if len(rows) != len(new):
        return None
    return FreeCoordinates(new, orbit.chart, rows, inverse([slopes[j] for j in rows]))
