r"""Integrals linear in the speeds whose coefficients solve linear differential equations, as those of a rolling disc do.

.. math::
   F = c_0(s) + c_a(s)\,u^a, \qquad \dot F = 0 \;\Longleftrightarrow\; A(s)\,c' + B(s)\,c = 0
   \;\Longleftrightarrow\; c = K(s)\,z,\quad z' = N(s)\,z

Where a motion closes on one function $s$ of the configuration (`anholonomy.analysis.one_shape.shape`), the conditions are linear and ordinary. Rows of $A$ that vanish tie the coefficients, $c = Kz$, and
are differentiated until none is left; then every start $z(s_0)$ gives an integral, whether or not its coefficients are known functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import final

import symengine

from anholonomy.analysis.one_shape.shape import Shape
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.symbolic.calculus import along, gradient, partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, identity, matrix_product, zero
from anholonomy.symbolic.matrices.kernels import nullspace
from anholonomy.symbolic.matrices.linear import row_echelon, solve
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.patience import check

__all__ = ["CoefficientEquations", "coefficient_equations"]


@final
@dataclass(frozen=True)
class CoefficientEquations:
    r"""$A(s)c' + B(s)c = 0$, a row for each power of the speeds, and what is left of it: $c = Kz$, $z' = Nz$.

    ``columns`` are what the coefficients multiply: the speeds of the shape, after 1 where the motion has a drift.
    """

    shape: Shape
    columns: Vector
    slopes: Matrix
    values: Matrix
    K: Matrix
    N: Matrix

    def misfits(self) -> Vector:
        """What $A(KN + K') + BK$ has; zero where every solution is an integral."""
        slope = _added(matrix_product(self.K, self.N), _derivative(self.K, self.shape.s))
        rest = _added(matrix_product(self.slopes, slope), matrix_product(self.values, self.K))
        return tuple(e for row in rest for e in row)


def coefficient_equations(
    motion: ReducedMotion, shape: Shape, values: Mapping[Symbol, Expr]
) -> CoefficientEquations | None:
    """The equations for parameters with some values; None where no coefficients are left, or all are free."""
    columns, slopes, rows = _written(motion, shape, dict(values))
    try:
        left = _completed(slopes, rows, shape.s)
    except NoNormalForm:
        return None
    return None if left is None else CoefficientEquations(shape, columns, slopes, rows, *left)


def _written(motion: ReducedMotion, shape: Shape, values: dict[Symbol, Expr]) -> tuple[Vector, Matrix, Matrix]:
    r"""What the coefficients multiply, $A$ and $B$: the powers of the speeds in $c_0'\dot s + c_a'\dot sv^a + c_a\dot v^a$, on the curve."""
    u, still = motion.speeds, dict.fromkeys(motion.speeds, zero)
    there = {**shape.curve, **values}
    mass = [[e.xreplace(there) for e in row] for row in motion.mass_ab]
    (pushed,) = solve(mass, [[e.xreplace(there) for e in motion.force_a]])
    moving = {q: e.xreplace(values) for q, e in motion.coordinate_rates.items()}

    def rate(F: Expr) -> Expr:
        own = along(F, moving).xreplace(shape.curve)
        return own + dot([e.xreplace(shape.curve) for e in gradient(F, u)], pushed)

    clock, turned = rate(shape.seen) / partial(shape.as_seen, shape.s), [rate(v) for v in shape.speeds]
    drift = [clock, *(slope for e in turned for slope in gradient(e, u))]
    one: Vector = (symengine.Integer(1),) if any(shape.on_curve(e.xreplace(still)) != 0 for e in drift) else ()
    moved = [clock * e.xreplace(shape.curve) for e in (*one, *shape.speeds)]
    turned = [*(zero for _ in one), *turned]
    powers = [(), *((a,) for a in u), *combinations_with_replacement(u, 2)]
    both = [[[_part(shape, e, power, still) for e in each] for each in (moved, turned)] for power in powers]
    return (*one, *shape.speeds), tuple(tuple(a) for a, _ in both), tuple(tuple(b) for _, b in both)


def _part(shape: Shape, e: Expr, power: tuple[Symbol, ...], still: dict[Symbol, Expr]) -> Expr:
    """The coefficient of a power of the speeds, up to a factor."""
    check()
    for u in power:
        e = partial(e, u)
    return shape.on_curve(e.xreplace(still))


def _completed(slopes: Matrix, values: Matrix, s: Symbol) -> tuple[Matrix, Matrix] | None:
    """$K$ and $N$; None where nothing is left, or functions are left free."""
    K = identity(len(slopes[0]))
    while True:
        check()
        width = len(K[0])
        reduced, pivots = row_echelon([(*a, *b) for a, b in zip(slopes, values, strict=True)])
        rows = reduced[: len(pivots)]
        tied = [row[width:] for row, pivot in zip(rows, pivots, strict=True) if pivot >= width]
        if not tied:
            break
        basis = nullspace(tied)
        if not basis:
            return None
        C = tuple(zip(*basis, strict=True))
        own = [row for row, pivot in zip(rows, pivots, strict=True) if pivot < width]
        A, B = tuple(row[:width] for row in own), tuple(row[width:] for row in own)
        slopes, values = matrix_product(A, C), _added(matrix_product(A, _derivative(C, s)), matrix_product(B, C))
        K = matrix_product(K, C)
        if not slopes:
            return None
    if pivots != tuple(range(width)):
        return None
    N = tuple(tuple(simplify(-e / row[k]) for e in row[width:]) for k, row in enumerate(rows))
    return tuple(tuple(map(simplify, row)) for row in K), N


def _added(A: Matrix, B: Matrix) -> Matrix:
    return tuple(tuple(map(symengine.Add, a, b)) for a, b in zip(A, B, strict=True))


def _derivative(A: Matrix, s: Symbol) -> Matrix:
    return tuple(tuple(partial(e, s) for e in row) for row in A)
