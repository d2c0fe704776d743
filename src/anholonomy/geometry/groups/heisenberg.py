r"""The Heisenberg groups, in coordinates where the exponential map is the identity.

.. math::
   (x, y, z)(x', y', z') = \bigl(x + x', y + y', z + z' + \tfrac12(x\cdot y' - y\cdot x')\bigr), \qquad
   X_k = \partial_{x_k} - \tfrac12y_k\partial_z, \quad Y_k = \partial_{y_k} + \tfrac12x_k\partial_z, \qquad [X_k, Y_k] = Z
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import final

import numpy as np

from anholonomy.algebra.expressions import Expr, Matrix, Vector, identity
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.groups.base import AbstractGroup, Array, prefixed, refuse_large, titled

__all__ = ["Heisenberg"]


@final
class Heisenberg(AbstractGroup):
    """The Heisenberg group of odd dimension 3, 5, …; coordinates ``x, y, z`` or ``x1 …, y1 …, z``, speeds ``w1, w2, …``.

    >>> Heisenberg().algebra.name, Heisenberg(dimension=5)
    ('heisenberg', Heisenberg5)
    """

    examples = ("Heisenberg", "Heisenberg5")
    elements = "the Heisenberg group by"
    motion = "velocities along the fields X, Y and Z"

    @classmethod
    def read(cls, name: str, prefix: str, inside: str | None) -> AbstractGroup | None:
        found = re.fullmatch(r"Heisenberg(\d{0,2})", name) if inside is None else None
        return None if found is None else cls(prefix, int(found[1] or 3))

    def __init__(self, prefix: str = "", dimension: int = 3) -> None:
        if isinstance(prefix, int):
            raise DeclarationError(
                f"Heisenberg({prefix}) has a number where the prefix of its symbols goes; write Heisenberg(dimension=…) with "
                "its dimension 3, 5, 7, …, which is 1 more than twice the number of pairs."
            )
        if isinstance(dimension, bool) or not isinstance(dimension, int) or dimension < 3 or dimension % 2 == 0:
            raise DeclarationError(
                f"there is no Heisenberg group of dimension {quoted(dimension)}; give an odd number from 3 on."
            )
        n = self.pairs = dimension // 2
        called = "Heisenberg" if n == 1 else f"Heisenberg{dimension}"
        refuse_large(called, dimension)
        self.name = titled(called, prefix)
        labels = [f"w{k}" for k in range(1, dimension + 1)]
        self.algebra = LieAlgebra({(labels[k], labels[n + k]): labels[-1] for k in range(n)}, labels=labels)
        numbers = [""] if n == 1 else [str(k) for k in range(1, n + 1)]
        names = [*(f"x{k}" for k in numbers), *(f"y{k}" for k in numbers), "z"]
        self.coordinates = prefixed(prefix, names)
        self.speeds = prefixed(prefix, labels)

    @property
    def anchor_ai(self) -> Matrix:
        n, q = self.pairs, self.coordinates
        slopes = (*(-y / 2 for y in q[n:-1]), *(x / 2 for x in q[:n]), 1)
        return tuple((*row[:-1], row[-1] * 0 + slope) for row, slope in zip(identity(len(q)), slopes, strict=True))

    @property
    def invariants(self) -> Mapping[str, Expr]:
        return {}

    def signs(self, g: Array) -> Mapping[str, float]:
        return {}

    @property
    def named(self) -> Mapping[str, Expr]:
        return {}

    @property
    def identity(self) -> Array:
        return np.zeros(self.dimension)

    def _multiply(self, g: Array, h: Array) -> Array:
        n, a, b = self.pairs, np.asarray(g, dtype=float), np.asarray(h, dtype=float)
        total = a + b
        total[-1] += (a[:n] @ b[n:-1] - a[n:-1] @ b[:n]) / 2
        return np.asarray(total)

    def _inverse(self, g: Array) -> Array:
        return -np.asarray(g, dtype=float)

    def _exp(self, xi: Array) -> Array:
        return np.array(xi, dtype=float)

    def _log(self, g: Array) -> Array:
        return np.array(g, dtype=float)

    @property
    def adjoint_ab(self) -> Matrix:
        n, q = self.pairs, self.coordinates
        *upper, last = identity(self.dimension)
        return *upper, (*(-y for y in q[n:-1]), *q[:n], last[-1])

    @property
    def inverse_i(self) -> Vector:
        return tuple(-q for q in self.coordinates)

    def _adjoint(self, g: Array) -> Array:
        n, result = self.pairs, np.eye(self.dimension)
        result[-1, :n], result[-1, n:-1] = -np.asarray(g[n:-1]), g[:n]
        return result
