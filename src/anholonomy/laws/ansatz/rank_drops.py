r"""The values of a parameter at which the linear problem loses rank: zeros of a polynomial, modulo a prime and over the rationals.

.. math:: R(s)\,c = 0, \qquad \operatorname{rank}R(s_*) < \operatorname{rank}R \ \Longrightarrow\ \det R_P(s_*) = 0
   \ \text{ for all points,} \qquad \det\sum_jB_jx^j \ \propto\ x^{r\delta}\,\chi(1/x)

$R_P$ are $r$ columns that are independent for a generic value, at $r$ points. Each row times its denominator is a polynomial in $s = s_0 + x$, and
the determinant is the characteristic polynomial of a block companion matrix. Two sets of points share the special values, and no other zeros
but those of the denominators: there the inertia degenerates, and they are left out.

What all zeros $g_k(s)$ for many values $t_k$ of the other parameters have in common is a condition on parameters, the polynomial of least degree

.. math:: G(s, t) = \sum c_{i\beta}\,s^it^\beta, \qquad G(s, t_k) \equiv 0 \pmod{g_k(s)} ,

whose constants are a kernel, lifted to numbers by several primes; its factors are the answer.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from typing import Any, TypeAlias, final

import flint
import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.residues.arrays import Array
from anholonomy.algebra.residues.linear_algebra import independent_columns, residue_kernel
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.findings.special_values import keeps_its_sign
from anholonomy.laws.ansatz.candidates import Ansatz, Column
from anholonomy.laws.ansatz.lifting import rational_vector
from anholonomy.laws.ansatz.random_points import SPARE, draw_points
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["Determinants", "NotRational", "special_factors"]


Univariate: TypeAlias = Any
"""A polynomial modulo a prime, FLINT's."""
Powers: TypeAlias = tuple[int, ...]
"""The exponents of parameters, that of the special one first."""

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
        points = draw_points(
            motion, ansatz.space.values, len(ansatz.columns) + SPARE, values=motion.model.values, seed=7
        )
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


MAX_DEGREE = 8
"""The highest degree of a condition on parameters that is looked for."""
MAX_MONOMIALS = 220
"""Monomials up to which a condition is found in a second or two."""


def special_factors(equations: Determinants, others: Sequence[Symbol], real: bool = True) -> list[Expr]:
    """Irreducible polynomials in the parameter, and in others without value, one of which vanishes where the equations lose rank.

    Those without ``real`` zeros are left out, unless they are asked for.
    """
    sampled = _Sampled(equations, others)
    degree = sampled.at(equations.prime, 0)[1].degree()
    if degree < 1:
        return []
    names = [equations.parameter, *sampled.relevant]
    for most in range(1, MAX_DEGREE + 1) if sampled.relevant else (degree,):
        monomials = _powers(len(names), most)
        if len(monomials) > MAX_MONOMIALS:
            break
        found = rational_vector(lambda prime, some=monomials: sampled.relation(some, prime))  # type: ignore[misc]
        if found is not None:
            return _factored(dict(zip(monomials, found, strict=True)), names, real)
    raise NotRational


@final
@dataclass
class _Sampled:
    """The polynomials for several values of the other parameters, made when they are asked for."""

    equations: Determinants
    others: Sequence[Symbol]
    known: dict[tuple[int, int], tuple[Mapping[Symbol, Expr], Univariate]] = field(default_factory=dict)

    def at(self, prime: int, k: int) -> tuple[Mapping[Symbol, Expr], Univariate]:
        """Some values of the other parameters, and the polynomial there."""
        if (prime, k) not in self.known:
            rng = random.Random(f"others {prime} {k}")
            values = {s: symengine.Integer(rng.randrange(2, prime)) for s in self.others}
            self.known[prime, k] = values, self.equations.shared(values, prime)
        return self.known[prime, k]

    @cached_property
    def relevant(self) -> list[Symbol]:
        """The other parameters on which the zeros depend."""
        prime = self.equations.prime
        values, there = self.at(prime, 0)
        return [s for s in self.others if self.equations.shared({**values, s: values[s] + 1}, prime) != there]

    def relation(self, monomials: Sequence[Powers], prime: int) -> list[int] | None:
        """The one polynomial that vanishes on all zeros; None where there is none, or several."""
        rows: list[list[int]] = []
        alone = sum(i == 0 for i, *_ in monomials)  # functions of the others, of which a sample knows the value
        for k in range(alone + 2 if self.relevant else 1):
            rows += self._rows(monomials, *self.at(prime, k), prime)
        vectors = residue_kernel(np.array(rows, dtype=np.int64), prime)
        return [vectors[0].get(u, 0) for u in range(len(monomials))] if len(vectors) == 1 else None

    def _rows(
        self, monomials: Sequence[Powers], values: Mapping[Symbol, Expr], g: Univariate, prime: int
    ) -> list[list[int]]:
        """Remainders of the monomials modulo the polynomial, a column each."""
        columns = []
        for i, *rest in monomials:
            factor = 1
            for s, e in zip(self.relevant, rest, strict=True):
                factor = factor * pow(int(values[s]), e, prime) % prime
            left = flint.nmod_poly([0] * i + [factor], prime) % g
            columns.append([int(left[j]) for j in range(g.degree())])
        return [list(row) for row in zip(*columns, strict=True)]


def _powers(variables: int, degree: int) -> list[Powers]:
    """Exponents up to a total degree, low ones last."""
    chosen = (c for d in range(degree, -1, -1) for c in combinations_with_replacement(range(variables), d))
    return [tuple(c.count(i) for i in range(variables)) for c in chosen]


def _factored(terms: Mapping[Powers, Fraction], names: Sequence[Symbol], real: bool) -> list[Expr]:
    """The different irreducible factors of a polynomial over the rationals; ``real``: that have such zeros, as far as signs tell."""
    context = flint.fmpq_mpoly_ctx.get([s.name for s in names], flint.Ordering.lex)
    given = {powers: flint.fmpq(c.numerator, c.denominator) for powers, c in terms.items() if c}
    _, factors = context.from_dict(given).factor()
    return [_written(f.to_dict(), names) for f, _ in factors if not (real and keeps_its_sign(f))]


def _written(terms: Mapping[Powers, Any], names: Sequence[Symbol]) -> Expr:
    common = lcm(*(int(c.q) for c in terms.values()))
    return symengine.Add(
        *(
            symengine.Integer(int(c * common))
            * symengine.Mul(*(s ** int(e) for s, e in zip(names, powers, strict=True)))
            for powers, c in terms.items()
        )
    )
