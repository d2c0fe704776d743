r"""From zeros modulo a prime to conditions on parameters: the polynomial of least degree that vanishes on all of them, factored.

.. math:: G(s, t) = \sum c_{i\beta}\,s^it^\beta, \qquad G(s, t_k) \equiv 0 \pmod{g_k(s)} \ \text{ for many values } t_k

$g_k$ are the polynomials whose zeros are special while the other parameters have the values $t_k$; the constants $c$ are a kernel, lifted to
numbers by several primes.
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

from anholonomy.analysis.integrals.lifting import rational_vector
from anholonomy.analysis.special.determinants import Determinants, NotRational, Univariate
from anholonomy.geometry.special_values import keeps_its_sign
from anholonomy.lazy import cached_property
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.matrices.modular import residue_kernel

__all__ = ["special_factors"]

Powers: TypeAlias = tuple[int, ...]

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
        """What is left of each monomial modulo the polynomial, a column each."""
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
