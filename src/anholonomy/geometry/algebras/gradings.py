r"""Two-part gradings of a Lie algebra, and the one of a Cartan involution.

.. math::
   \mathfrak g = \mathfrak k \oplus \mathfrak p, \qquad [\mathfrak k, \mathfrak k] \subset \mathfrak k, \quad
   [\mathfrak k, \mathfrak p] \subset \mathfrak p, \quad [\mathfrak p, \mathfrak p] \subset \mathfrak k

The involution is $+1$ on $\mathfrak k$ and $-1$ on $\mathfrak p$. It is a Cartan involution $\theta$ where the Killing form $K$ is
negative on $\mathfrak k$ and positive on $\mathfrak p$. Then $h = -K(\cdot, \theta\,\cdot)$ is a fixed point of

.. math:: h \mapsto \operatorname{tr}(h^{-1}\,\mathrm{ad}_x^{\mathsf T}\, h\,\mathrm{ad}_y),

which finds $\theta$ in floating point; it is then made rational and proven.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Matrix
from anholonomy.algebra.linear_algebra.rational import (
    Rows,
    combine,
    coordinates,
    kernel,
    number,
    product,
    signature,
    span,
    unit,
)
from anholonomy.base.notebook import Shown
from anholonomy.findings import Finding
from anholonomy.geometry.algebras.structure_constants import Table, as_number, exact_rows

__all__ = ["Grading", "aligned", "broken_rule", "cartan", "free_signs", "is_cartan"]

_STEPS, _CLOSE = 500, 1e-12
"""Iterations toward an involution, and the change at which it is one."""
_DENOMINATORS = (1, 2, 12, 5040)
"""Bounds on the denominators of an involution that is looked for."""
_TRIALS = 4096
"""How many gradings along the basis are tried before a Cartan involution is looked for in floating point."""


@final
@dataclass(frozen=True)
class Grading(Shown):
    r"""$\mathfrak g = \mathfrak k \oplus \mathfrak p$ with bases of both; ``is_cartan`` where it is that of a Cartan involution."""

    k: Matrix
    p: Matrix
    is_cartan: Finding

    @property
    def involution(self) -> Matrix:
        r"""The matrix of the automorphism that is $+1$ on $\mathfrak k$ and $-1$ on $\mathfrak p$, acting on columns."""
        rows = [[as_number(q) for q in v] for v in (*self.k, *self.p)]
        signs = [1] * len(self.k) + [-1] * len(self.p)
        inverse = [weights for e in unit(len(rows)) if (weights := coordinates(e, rows)) is not None]
        images = [combine([w * s for w, s in zip(weights, signs, strict=True)], rows) for weights in inverse]
        return exact_rows([[image[d] for image in images] for d in range(len(rows))])

    def __repr__(self) -> str:
        return f"k ({len(self.k)}) + p ({len(self.p)})" + (" of a Cartan involution" if self.is_cartan else "")


def broken_rule(table: Table, k: Rows, p: Rows) -> str | None:
    """The first rule of a grading that two subspaces break, in words; None for a grading."""
    n = table.dimension
    if len(k) + len(p) != n or len(span([*k, *p], n)) != n:
        return "the two subspaces are no decomposition of the algebra"
    for left, right, space, said in (
        (k, k, k, "[k, k] leaves k"),
        (k, p, p, "[k, p] leaves p"),
        (p, p, k, "[p, p] leaves k"),
    ):
        if not table.closes(left, right, space):
            return said
    return None


def is_cartan(table: Table, k: Rows, p: Rows) -> bool:
    """Whether the Killing form is negative on one part and positive on the other."""
    n = table.dimension
    return signature(_on(table, k)) == (0, len(k)) and signature(_on(table, p)) == (len(p), 0) and len(k) + len(p) == n


def _on(table: Table, space: Rows) -> Rows:
    return (
        product(product(space, table.killing_ab), [list(column) for column in zip(*space, strict=True)])
        if space
        else []
    )


def _signs(table: Table) -> list[int]:
    r"""A basis of the choices of odd vectors: $s_as_b = s_d$ wherever $c_{ab}{}^d \ne 0$, linear over the field of two elements."""
    n = table.dimension
    rules = {
        (1 << a) ^ (1 << b) ^ (1 << d)
        for a in range(n) for b in range(a) for d in range(n) if table.c_abd[a][b][d] != 0
    }  # fmt: skip
    return _binary_kernel(rules, n)


def free_signs(table: Table) -> int:
    r"""How many signs are free; $k$ of them leave $2^k - 1$ gradings along the basis."""
    return len(_signs(table))


def aligned(table: Table) -> Iterator[tuple[Rows, Rows]]:
    r"""All gradings in which every vector of the basis lies in $\mathfrak k$ or $\mathfrak p$, the trivial one left out."""
    n, basis, e = table.dimension, _signs(table), table.whole
    for choice in range(1, 1 << len(basis)):
        odd = 0
        for position, vector in enumerate(basis):
            odd ^= vector if choice >> position & 1 else 0
        yield [e[a] for a in range(n) if not odd >> a & 1], [e[a] for a in range(n) if odd >> a & 1]


def _binary_kernel(rules: set[int], n: int) -> list[int]:
    """A basis of the bit vectors that meet every rule in an even number of places."""
    pivots: dict[int, int] = {}
    for rule in sorted(rules):
        for bit, row in pivots.items():
            rule ^= row if rule >> bit & 1 else 0
        if rule:
            lead = rule.bit_length() - 1
            pivots = {bit: row ^ rule if row >> lead & 1 else row for bit, row in pivots.items()} | {lead: rule}
    free = [a for a in range(n) if a not in pivots]
    return [(1 << a) | sum(1 << bit for bit, row in pivots.items() if row >> a & 1) for a in free]


def cartan(table: Table) -> tuple[Rows, Rows] | None:
    """The two parts of a Cartan involution of a semisimple algebra, proven; None where no rational one was met.

    Those along the basis come first, a bounded number of them, then one near the fixed point in floating point.
    """
    n = table.dimension
    if table.signature == (0, n):
        return table.whole, []
    for k, p in islice(aligned(table), _TRIALS):
        if is_cartan(table, k, p):
            return k, p
    theta = _numeric_involution(table)
    for bound in _DENOMINATORS if theta is not None else ():
        images = [[_near(entry, bound) for entry in row] for row in theta.T.tolist()]
        k = _eigenspace(images, 1)
        p = _eigenspace(images, -1)
        if broken_rule(table, k, p) is None and is_cartan(table, k, p):
            return k, p
    return None if theta is None or n != 3 else _around_axis(table, theta)


def _around_axis(table: Table, theta: Any) -> tuple[Rows, Rows] | None:
    """In dimension three every compact direction has its own Cartan involution, so that a rational one near by will do."""
    even = theta + np.eye(3)
    axis = max(even.T.tolist(), key=lambda column: max(map(abs, column)))
    for bound in _DENOMINATORS:
        k = [[_near(entry / max(map(abs, axis)), bound) for entry in axis]]
        p = kernel(product(k, table.killing_ab), 3)
        if broken_rule(table, k, p) is None and is_cartan(table, k, p):
            return k, p
    return None


def _near(value: float, bound: int) -> Any:
    fraction = Fraction(value).limit_denominator(bound)
    return number(fraction.numerator, fraction.denominator)


def _eigenspace(images: Rows, eigenvalue: int) -> Rows:
    n = len(images)
    rows = [[images[a][d] - (eigenvalue if a == d else 0) for a in range(n)] for d in range(n)]
    return kernel(rows, n)


def _numeric_involution(table: Table) -> Any:
    r"""$\theta = -K^{-1}h$ at a fixed point of the map of inner products, or None where the iteration does not settle."""
    ad_adb = np.array([[[float(c.p) / float(c.q) for c in row] for row in plane] for plane in table.c_abd]).swapaxes(
        1, 2
    )
    K = np.einsum("ade,bed->ab", ad_adb, ad_adb)
    h = np.eye(table.dimension)
    for _ in range(_STEPS):
        image = np.einsum("ij,akj,kl,bli->ab", np.linalg.inv(h), ad_adb, h, ad_adb)
        gap = float(abs(image - h).max())
        # Half a step keeps the iteration from swinging between two inner products.
        h = (h + image) / 2
        if gap < _CLOSE * float(abs(image).max()):
            return -np.linalg.solve(K, h)
    return None
