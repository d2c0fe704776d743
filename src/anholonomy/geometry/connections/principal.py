r"""Principal connections: constraints $\xi^A + \mathcal A^A_\alpha(r)\,\dot r^\alpha = 0$ on a bundle $S \times G$.

.. math::
   h_\alpha = \partial_\alpha - \mathcal A^A_\alpha\,\xi_A, \qquad [\xi_A, \xi_B] = C_{AB}{}^D\,\xi_D, \qquad
   \mathcal B^D{}_{\alpha\beta} = -\theta^D([h_\alpha, h_\beta])
     = \partial_\alpha\mathcal A^D_\beta - \partial_\beta\mathcal A^D_\alpha - C_{AB}{}^D\mathcal A^A_\alpha\mathcal A^B_\beta

Here $\xi = g^{-1}\dot g$ and the $\xi_A$ are the left-invariant fields. The group enters by its structure constants alone, so
no coordinates on it are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, symbol, zero
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.base.notebook import Shown
from anholonomy.findings import Finding
from anholonomy.geometry.brackets import Structure
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.tensor import Index, Tensor
from anholonomy.language import check_name
from anholonomy.language.arguments import expect_list, expression, name_of

__all__ = ["PrincipalConnection"]


@final
@dataclass(frozen=True, init=False)
class PrincipalConnection(Shown):
    r"""A principal connection by its local coefficients.

    Parameters
    ----------
    base
        Names of the coordinates $r^\alpha$.
    algebra
        Structure constants, ``algebra[A][B][D]`` is $C_{AB}{}^D$; numbers or expressions in parameters.
    coefficients
        $\mathcal A^A_\alpha(r)$, a row for each direction of the group, a column for each base coordinate.

    Examples
    --------
    >>> heisenberg = [[[0, 0, 0], [0, 0, 1], [0, 0, 0]], [[0, 0, -1], [0, 0, 0], [0, 0, 0]], [[0, 0, 0]] * 3]
    >>> A = PrincipalConnection(["x", "y"], heisenberg, [["1", "0"], ["0", "1"], ["0", "0"]])
    >>> A.B(2, 0, 1), bool(A.is_flat())
    (-1, False)
    """

    base: tuple[Symbol, ...]
    algebra_abd: Structure
    coefficients_da: Matrix

    def __init__(
        self, base: Sequence[Any], algebra: Sequence[Sequence[Sequence[Any]]], coefficients: Sequence[Sequence[Any]]
    ) -> None:
        names = [name_of(r, "a base coordinate") for r in expect_list(base, "the base coordinates")]
        for name in names:
            check_name(name, "the base coordinate")
        constants = tuple(
            tuple(
                tuple(expression(entry, "a structure constant") for entry in expect_list(row, "structure constants"))
                for row in expect_list(plane, "structure constants")
            )
            for plane in expect_list(algebra, "structure constants")
        )
        rows = tuple(
            tuple(expression(entry, "a coefficient") for entry in expect_list(row, "coefficients"))
            for row in expect_list(coefficients, "coefficients")
        )
        if len(rows) != len(constants) or any(len(row) != len(names) for row in rows):
            raise DeclarationError(
                f"the coefficients need {len(constants)} rows, one for each direction of the group, of {len(names)} entries."
            )
        _check_algebra(constants)
        object.__setattr__(self, "base", tuple(symbol(name) for name in names))
        object.__setattr__(self, "algebra_abd", constants)
        object.__setattr__(self, "coefficients_da", rows)

    @cached_property
    def frame(self) -> Frame:
        r"""The adapted frame $(h_\alpha, \xi_A)$, a change of $(\partial_\alpha, \xi_A)$."""
        s, k = len(self.base), len(self.algebra_abd)
        n = s + k
        labels = [*(r.name for r in self.base), *(f"g{A + 1}" for A in range(k))]
        anchor = tuple(tuple(symengine.Integer(int(a == i)) for i in range(s)) for a in range(n))
        table: list[list[tuple[Expr, ...]]] = [[(zero,) * n for _ in range(n)] for _ in range(n)]
        for A, B in product(range(k), repeat=2):
            table[s + A][s + B] = ((zero,) * s) + self.algebra_abd[A][B]
        root = Frame.with_structure(self.base, anchor, tuple(map(tuple, table)), labels)
        unit = [[symengine.Integer(int(a == b)) for b in range(n)] for a in range(n)]
        for alpha, A in product(range(s), range(k)):
            unit[alpha][s + A] = -self.coefficients_da[A][alpha]
        return root.change(tuple(map(tuple, unit)), labels=labels)

    def B(self, D: int, alpha: int, beta: int) -> Expr:
        r"""$\mathcal B^D{}_{\alpha\beta}$ by its formula."""
        A, r, C = self.coefficients_da, self.base, self.algebra_abd
        size = range(len(C))
        quadratic = symengine.Add(*(C[a][b][D] * A[a][alpha] * A[b][beta] for a, b in product(size, size)))
        return simplify(partial(A[D][beta], r[alpha]) - partial(A[D][alpha], r[beta]) - quadratic)

    @cached_property
    def curvature(self) -> Tensor:
        r"""$\mathcal B^D{}_{\alpha\beta}$ as a tensor in the adapted frame, from its brackets: the anholonomy $\Omega$."""
        s = len(self.base)
        values: dict[Index, Expr] = {
            (d, a, b): value for (a, b, d), value in self.frame.anholonomy.items if a < s and b < s
        }
        return Tensor.of(self.frame, "udd", values, "B")

    def is_flat(self) -> Finding:
        """Whether the horizontal directions are integrable."""
        return self.curvature.vanishes("the principal connection is flat")


def _check_algebra(C: Structure) -> None:
    """Structure constants are antisymmetric and satisfy Jacobi's identity."""
    size = range(len(C))
    if any(len(plane) != len(C) or any(len(row) != len(C) for row in plane) for plane in C):
        raise DeclarationError(f"the structure constants need {len(C)} by {len(C)} by {len(C)} entries.")
    for a, b, d in product(size, repeat=3):
        if not is_zero(C[a][b][d] + C[b][a][d]):
            raise DeclarationError(
                f"the structure constants of ({a + 1}, {b + 1}) are not antisymmetric; correct them."
            )
    for a, b, c, d in product(size, repeat=4):
        cyclic = ((a, b, c), (b, c, a), (c, a, b))
        if not is_zero(symengine.Add(*(C[x][y][e] * C[e][z][d] for x, y, z in cyclic for e in size))):
            raise DeclarationError(
                f"the structure constants violate Jacobi's identity for ({a + 1}, {b + 1}, {c + 1}); correct them."
            )
