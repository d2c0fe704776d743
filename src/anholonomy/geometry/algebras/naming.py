"""The name of a Lie algebra, where invariants prove it.

The invariants are the derived series, the centre, the signature of the Killing form and, for a solvable algebra, how it
acts on its derived algebra. Where they do not settle it there is no name.
"""

from __future__ import annotations

from typing import Any

from anholonomy.geometry.algebras.rational import Rows
from anholonomy.geometry.algebras.table import Table

__all__ = ["name_of"]

_SEMISIMPLE = {
    (0, 3): "so(3)",
    (2, 1): "sl(2,R)",
    (0, 6): "so(4)",
    (3, 3): "so(3,1)",
    (4, 2): "so(2,2)",
    (2, 4): "so(3) + sl(2,R)",
    (0, 8): "su(3)",
    (4, 4): "su(2,1)",
    (5, 3): "sl(3,R)",
    (0, 10): "so(5)",
    (4, 6): "so(4,1)",
    (6, 4): "so(3,2)",
}
"""Up to dimension ten the signature of a nondegenerate Killing form, (positive, negative), decides; not in dimension nine."""


def name_of(table: Table) -> str | None:
    """The name of an algebra whose constants satisfy Jacobi's identity, or None."""
    n = table.dimension
    if n == 0:
        return "0"
    if len(table.centre) == n:
        return "R" if n == 1 else f"R^{n}"
    if split := len(table.centre) - len(table.central_brackets):
        rest = _indecomposable(table.without_flat_part())
        return rest and f"{rest} + R" + (f"^{split}" if split > 1 else "")
    return _indecomposable(table)


def _indecomposable(table: Table) -> str | None:
    """The name of an algebra whose centre lies in its derived algebra."""
    positive, negative = table.signature
    if positive + negative == table.dimension:
        return _SEMISIMPLE.get(table.signature)
    return _euclidean(table) if table.derived[-1] else _solvable(table)


def _solvable(table: Table) -> str | None:
    sizes, centre = tuple(map(len, table.derived)), len(table.centre)
    if sizes == (2, 1, 0):
        return "aff(1)"
    if sizes == (3, 1, 0):
        return "heisenberg" if centre == 1 else None
    if sizes == (3, 2, 0):
        (trace, determinant) = _invariants(table.action(table.derived_algebra, []))
        if trace != 0:
            return None
        return "se(2)" if determinant > 0 else "e(1,1)"
    if sizes == (4, 3, 1, 0) and centre == 1:
        (trace, determinant) = _invariants(table.action(table.derived_algebra, table.centre))
        if trace == 0 and determinant != 0:
            return "oscillator" if determinant > 0 else "split oscillator"
    return None


def _euclidean(table: Table) -> str | None:
    """se(3): three rotations acting on an abelian radical of dimension three."""
    radical = table.radical
    if table.dimension != 6 or len(radical) != 3 or table.brackets(radical, radical):
        return None
    # A quotient of dimension three that acts at all acts irreducibly: so(3) has no module of dimension two, and
    # for sl(2,R) the vanishing of fixed directions and planes is not checked, so it gets no name.
    acts = bool(table.brackets(table.whole, radical))
    return "se(3)" if acts and table.signature == (0, 3) else None


def _invariants(matrix: Rows) -> tuple[Any, Any]:
    (a, b), (c, d) = matrix
    return a + d, a * d - b * c
