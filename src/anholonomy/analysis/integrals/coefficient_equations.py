r"""Integrals linear in the speeds whose coefficients solve linear differential equations, as those of a rolling disc do.

.. math::
   F = c_0(s) + c_a(s)\,u^a, \qquad \dot F = 0 \;\Longleftrightarrow\; A(s)\,c' + B(s)\,c = 0
   \;\Longleftrightarrow\; c = K(s)\,z,\quad z' = N(s)\,z

Where a motion closes on one coordinate $s$ and the speeds, the conditions are linear and ordinary. Rows of $A$ that vanish tie the coefficients, $c = Kz$, and
are differentiated until none is left; then every start $z(s_0)$ gives an integral, whether or not its coefficients are known functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import final

import symengine

from anholonomy.analysis.prolongation.local_motion import is_quadratic
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, identity, zero
from anholonomy.symbolic.matrices.kernels import nullspace
from anholonomy.symbolic.matrices.linear import row_echelon
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.normal_forms.quotients import TooLarge
from anholonomy.symbolic.patience import check

__all__ = ["CoefficientEquations", "coefficient_equations"]

_LONG = 4_000
"""Operations of all rates up to which the equations are written out."""


@final
@dataclass(frozen=True)
class CoefficientEquations:
    r"""$A(s)c' + B(s)c = 0$, a row for each power of the speeds, and what is left of it: $c = Kz$, $z' = Nz$.

    ``columns`` are what the coefficients multiply: the speeds, after 1 where the motion has a drift.
    """

    s: Symbol
    columns: Vector
    slopes: Matrix
    values: Matrix
    K: Matrix
    N: Matrix

    def misfits(self) -> Vector:
        """What $A(KN + K') + BK$ has; zero where every solution is an integral."""
        slope = _added(_product(self.K, self.N), _derivative(self.K, self.s))
        rest = _added(_product(self.slopes, slope), _product(self.values, self.K))
        return tuple(e for row in rest for e in row)


def coefficient_equations(motion: ReducedMotion, values: dict[Symbol, Expr]) -> CoefficientEquations | None:
    """The equations for parameters with some values; None where the motion closes on no coordinate, or no coefficients are left."""
    if not motion.speeds or motion.mentions_time or not is_quadratic(motion):
        return None
    rates = [motion.rates[u].xreplace(values) for u in motion.speeds]
    if symengine.count_ops(*rates) > _LONG:
        return None
    rates = [simplify(e) for e in rates]
    mentioned = {q for e in rates for q in motion.coordinates if q in e.free_symbols}
    if len(mentioned) != 1:
        return None
    (s,) = mentioned
    clock = motion.rates[s].xreplace(values)
    if (clock.free_symbols & set(motion.coordinates)) - {s}:
        return None
    columns, slopes, rows = _written(motion.speeds, clock, rates)
    try:
        left = _completed(slopes, rows, s)
    except (NoNormalForm, TooLarge):
        return None
    return None if left is None else CoefficientEquations(s, columns, slopes, rows, *left)


def _written(u: tuple[Symbol, ...], clock: Expr, rates: list[Expr]) -> tuple[Vector, Matrix, Matrix]:
    r"""What the coefficients multiply, $A$ and $B$: the powers of the speeds in $c_0'\dot s + c_a'\dot su^a + c_a\dot u^a$."""
    still = dict.fromkeys(u, zero)
    drift = [clock, *(slope for rate in rates for slope in gradient(rate, u))]
    one: Vector = (symengine.Integer(1),) if any(simplify(e.xreplace(still)) != 0 for e in drift) else ()
    columns = (*one, *u)
    moved = [clock * c for c in columns]
    turned = [*(zero for _ in one), *rates]
    powers = [(), *((a,) for a in u), *combinations_with_replacement(u, 2)]
    rows = [[[_part(e, power, still) for e in each] for each in (moved, turned)] for power in powers]
    return columns, tuple(tuple(a) for a, _ in rows), tuple(tuple(b) for _, b in rows)


def _part(e: Expr, power: tuple[Symbol, ...], still: dict[Symbol, Expr]) -> Expr:
    """The coefficient of a power of the speeds, up to a factor."""
    for u in power:
        e = partial(e, u)
    return simplify(e.xreplace(still))


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
        slopes, values = _product(A, C), _added(_product(A, _derivative(C, s)), _product(B, C))
        K = _product(K, C)
        if not slopes:
            return None
    if pivots != tuple(range(width)):
        return None
    N = tuple(tuple(simplify(-e / row[k]) for e in row[width:]) for k, row in enumerate(rows))
    return tuple(tuple(map(simplify, row)) for row in K), N


def _product(A: Matrix, B: Matrix) -> Matrix:
    columns = tuple(zip(*B, strict=True))
    return tuple(tuple(dot(row, column) for column in columns) for row in A)


def _added(A: Matrix, B: Matrix) -> Matrix:
    return tuple(tuple(map(symengine.Add, a, b)) for a, b in zip(A, B, strict=True))


def _derivative(A: Matrix, s: Symbol) -> Matrix:
    return tuple(tuple(partial(e, s) for e in row) for row in A)
