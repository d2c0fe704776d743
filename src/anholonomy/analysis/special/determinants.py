r"""Where the equations of an ansatz lose rank, as zeros of a polynomial in one parameter, modulo a prime.

.. math:: R(s)\,c = 0, \qquad \operatorname{rank}R(s_*) < \operatorname{rank}R \ \Longrightarrow\ \det R_P(s_*) = 0
   \ \text{ for all points,} \qquad \det\sum_jB_jx^j \ \propto\ x^{r\delta}\,\chi(1/x)

$R_P$ are $r$ columns that are independent for a generic value, at $r$ points. Each row times its denominator is a polynomial in $s = s_0 + x$, and
the determinant is the characteristic polynomial of a block companion matrix. Two sets of points share the special values, and no other zeros
but those of the denominators: there the inertia degenerates, and they are left out.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import flint
import numpy as np
import symengine

from anholonomy.analysis.integrals.ansatz import Ansatz, Column
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.analysis.residues.arrays import Array
from anholonomy.analysis.residues.points import draw_points
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.matrices.modular import independent_columns
from anholonomy.symbolic.patience import check

__all__ = ["Determinants", "NotRational", "Univariate"]

Univariate: TypeAlias = Any
"""A polynomial modulo a prime, FLINT's."""

_NODES = (6, 12, 24)
"""Values of the parameter from which rows are interpolated, few first."""
_SPARE = 2
"""Values more than there are coefficients, which must agree."""
MAX_SIZE = 700
"""Rows of a companion matrix."""


class NotRational(Exception):
    """The parameter occurs in too high a degree, or in a root."""


@final
@dataclass(frozen=True)
class Determinants:
    """An ansatz, the columns that are independent, the parameter, and a prime modulo which the roots that occur exist."""

    motion: ReducedMotion
    ansatz: Ansatz
    columns: tuple[Column, ...]
    parameter: Symbol
    prime: int

    @classmethod
    def of(cls, motion: ReducedMotion, ansatz: Ansatz, parameter: Symbol) -> Determinants:
        points = draw_points(motion, ansatz.space.values, len(ansatz.columns) + 20, values=motion.model.values, seed=7)
        V, R = ansatz.matrices(points, ansatz.columns)
        kept = independent_columns(V, points.prime)
        columns = tuple(ansatz.columns[kept[k]] for k in independent_columns(R[:, kept], points.prime))
        return cls(motion, ansatz, columns, parameter, points.prime)

    def shared(self, others: Mapping[Symbol, Expr], prime: int) -> Univariate:
        """The polynomial, without multiple factors, whose zeros are special while other parameters have some values."""
        rng = random.Random(f"{self.parameter} {prime}")
        one, two = (self._determinant(others, prime, seed, rng.randrange(2, prime)) for seed in (1, 2))
        common = one.gcd(two)
        return common if common.degree() < 1 else common // common.gcd(common.derivative())

    def _determinant(self, others: Mapping[Symbol, Expr], prime: int, seed: int, start: int) -> Univariate:
        if not self.columns:
            return flint.nmod_poly([1], prime)
        for count in _NODES:
            check()
            slices = [self._rates(others, prime, seed, (start + x) % prime) for x in range(count + _SPARE)]
            found = _polynomial(np.stack(slices), count, prime)
            if found is not None:
                matrices, poles = found
                if (len(matrices) - 1) * len(self.columns) > MAX_SIZE:
                    raise NotRational
                determinant = _without(_reversed_characteristic(matrices, prime), poles)
                return determinant(flint.nmod_poly([-start % prime, 1], prime))
        raise NotRational

    def _rates(self, others: Mapping[Symbol, Expr], prime: int, seed: int, value: int) -> Array:
        values = {**self.motion.model.values, **others, self.parameter: symengine.Integer(value)}
        count = len(self.columns)
        points = draw_points(self.motion, self.ansatz.space.values, count, values=values, prime=prime, seed=seed)
        return self.ansatz.matrices(points, self.columns)[1][:count]


def _polynomial(slices: Array, count: int, prime: int) -> tuple[list[Array], Univariate] | None:
    """The matrices before powers of $x$ once every row is freed of its denominator, and what all denominators share.

    None where more values are needed.
    """
    rng = np.random.default_rng(prime)
    some = rng.integers(1, prime, slices.shape[2])
    mixed = (slices * some % prime).sum(axis=2) % prime
    free, poles = slices.copy(), flint.nmod_poly([0], prime)
    for i in range(slices.shape[1]):
        below = _denominator(mixed[:, i].tolist(), count, prime)
        if below is None:
            return None
        poles = poles.gcd(below)
        at = np.array([int(below(x)) for x in range(len(slices))], dtype=np.int64)
        free[:, i, :] = free[:, i, :] * at[:, None] % prime
    found = _interpolated(free, count, prime)
    return None if found is None else (found, poles)


def _without(polynomial: Univariate, poles: Univariate) -> Univariate:
    """The polynomial without the zeros of another."""
    while (common := polynomial.gcd(poles)).degree() > 0:
        polynomial //= common
    return polynomial


def _denominator(values: Sequence[int], count: int, prime: int) -> Univariate | None:
    r"""$d$ of the fraction $n/d$ of least degrees with these values at 0, 1, …; None where the last of them contradict it."""
    whole, through = flint.nmod_poly([1], prime), flint.nmod_poly([0], prime)
    for x, value in enumerate(values[:count]):  # Newton's interpolation
        through += whole * (flint.nmod(value, prime) - through(x)) / whole(x)
        whole *= flint.nmod_poly([-x % prime, 1], prime)
    r, s = whole, through
    u, v = flint.nmod_poly([0], prime), flint.nmod_poly([1], prime)
    while s.degree() >= count // 2:
        quotient = r // s
        r, s, u, v = s, r - quotient * s, v, u - quotient * v
    if any(s(x) != flint.nmod(values[x], prime) * v(x) for x in range(count, count + _SPARE)):
        return None
    return v


def _interpolated(values: Array, count: int, prime: int) -> list[Array] | None:
    """The coefficients of the polynomials with these values at 0, 1, …; None where the last of them contradict it."""
    powers = [pow(x, k, prime) for x in range(count) for k in range(count)]
    inverse = flint.nmod_mat(count, count, powers, prime).inv()
    found = [np.zeros_like(values[0]) for _ in range(count)]
    for k in range(count):
        for x in range(count):
            found[k] = (found[k] + int(inverse[k, x]) * values[x]) % prime
    for x in range(count, count + _SPARE):
        total = sum(coefficient * pow(x, k, prime) % prime for k, coefficient in enumerate(found)) % prime
        if (total != values[x]).any():
            return None
    while len(found) > 1 and not found[-1].any():
        found.pop()
    return found


def _reversed_characteristic(matrices: Sequence[Array], prime: int) -> Univariate:
    r"""$\det\sum_jB_jx^j/\det B_0$."""
    size, degree = len(matrices[0]), len(matrices) - 1
    if not degree:
        return flint.nmod_poly([1], prime)
    first = flint.nmod_mat(size, size, matrices[0].ravel().tolist(), prime)
    rest = np.concatenate(matrices[1:], axis=1)
    try:
        solved = first.solve(flint.nmod_mat(size, size * degree, rest.ravel().tolist(), prime))
    except ZeroDivisionError:
        raise NotRational from None
    top = -np.array([int(e) for e in solved.entries()], dtype=np.int64).reshape(size, -1) % prime
    companion = np.concatenate([top, np.eye(size * (degree - 1), size * degree, dtype=np.int64)])
    check()
    characteristic = flint.nmod_mat(len(companion), len(companion), companion.ravel().tolist(), prime).charpoly()
    return flint.nmod_poly([int(c) for c in reversed(characteristic.coeffs())], prime)
