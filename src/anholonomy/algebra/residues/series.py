r"""Power series in several variables modulo a prime, truncated by their total degree, for several values of the speeds at once.

.. math:: a = \sum_{|\gamma| \le k} a_\gamma\,z^\gamma, \qquad
   a^e = a_0^e\,\bigl(1 + e\,\delta\,(1 + \tfrac{e - 1}2\,\delta\,(1 + \dots))\bigr), \quad \delta = \frac a{a_0} - 1

A series is an array with a row for each value of the speeds and a column for each monomial, low degrees first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import final

import numpy as np

from anholonomy.algebra.elimination import gauss_jordan
from anholonomy.algebra.residues.arrays import Array, ResidueArrays
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check

__all__ = ["Monomials", "ResidueSeries", "monomials"]


@final
@dataclass(frozen=True)
class Monomials:
    """All monomials of some variables up to an order, low ones first.

    >>> monomials(2, 1).exponents.tolist(), len(monomials(3, 2))
    ([[0, 0], [1, 0], [0, 1]], 10)
    """

    variables: int
    order: int

    def __len__(self) -> int:
        return len(self.exponents)

    @cached_property
    def exponents(self) -> Array:
        n = self.variables
        chosen = (c for k in range(self.order + 1) for c in combinations_with_replacement(range(n), k))
        return np.array([[c.count(i) for i in range(n)] for c in chosen], dtype=np.int64).reshape(
            comb(n + self.order, n), n
        )

    @cached_property
    def degrees(self) -> Array:
        return np.asarray(self.exponents.sum(axis=1))

    def size(self, order: int) -> int:
        """How many there are up to a lower order."""
        return comb(self.variables + order, order)

    @cached_property
    def _places(self) -> tuple[Array, Array]:
        keys = self._keys(self.exponents)
        by_key = np.argsort(keys)
        return keys[by_key], by_key

    def _keys(self, exponents: Array) -> Array:
        base = (self.order + 2) ** np.arange(self.variables, dtype=np.int64)
        return np.asarray(exponents @ base)

    def places(self, exponents: Array) -> Array:
        """Where monomials of at most this order stand."""
        keys, by_key = self._places
        return np.asarray(by_key[np.searchsorted(keys, self._keys(exponents))])

    @cached_property
    def products(self) -> tuple[Array, Array, Array]:
        """Left and right factors of every product within the order, and the product itself, ascending."""
        left, right = np.nonzero(self.degrees[:, None] + self.degrees[None, :] <= self.order)
        target = self.places(self.exponents[left] + self.exponents[right])
        ascending = np.argsort(target, kind="stable")
        return left[ascending], right[ascending], target[ascending]

    def shifted(self, left: int, order: int) -> tuple[Array, Array]:
        """The factors to the right of one that make products up to an order, and these products."""
        start, end = self._by_left[1][left : left + 2]
        right, target = (each[start:end] for each in self._by_left[0])
        count = self.size(order - int(self.degrees[left]))
        return right[:count], target[:count]

    @cached_property
    def _by_left(self) -> tuple[tuple[Array, Array], Array]:
        left, right, target = self.products
        order = np.lexsort((right, left))
        return (right[order], target[order]), np.searchsorted(left[order], np.arange(len(self) + 1))

    def raised(self, i: int) -> Array:
        """Where each monomial below the highest order stands when it is multiplied by a variable."""
        return self._raised[i]

    @cached_property
    def _raised(self) -> list[Array]:
        low = self.exponents[: self.size(self.order - 1)]
        return [self.places(low + np.eye(self.variables, dtype=np.int64)[i]) for i in range(self.variables)]

    @cached_property
    def starts(self) -> Array:
        """Where each product begins in that list."""
        return np.searchsorted(self.products[2], np.arange(len(self)))


@lru_cache(maxsize=16)
def monomials(variables: int, order: int) -> Monomials:
    """The monomials, with tables that are made once."""
    return Monomials(variables, order)


@final
class ResidueSeries:
    """Arithmetic of truncated series; ``do`` is that of their constant terms."""

    def __init__(self, table: Monomials, do: ResidueArrays) -> None:
        self.table, self.do, self.prime = table, do, do.prime

    def constant(self, value: Array) -> Array:
        found = np.zeros((len(self.do.good), len(self.table)), dtype=np.int64)
        found[:, 0] = value
        return found

    def variable(self, value: Array, i: int) -> Array:
        """A value and one of the variables on top of it."""
        found = self.constant(value)
        found[:, 1 + i] = 1
        return found

    def number(self, value: Fraction | float) -> Array:
        return self.constant(self.do.number(value))

    def pi(self) -> Array:
        raise KeyError("pi")

    def add(self, terms: Sequence[Array]) -> Array:
        return np.asarray(sum(terms[1:], start=terms[0]) % self.prime)

    def multiply(self, factors: Sequence[Array]) -> Array:
        product = factors[0]
        for factor in factors[1:]:
            product = self._times(product, factor)
        return product

    def _times(self, a: Array, b: Array) -> Array:
        for one, other in ((a, b), (b, a)):
            if not one[:, 1:].any():
                return np.asarray(one[:, :1] * other % self.prime)
        check()
        left, right, _ = self.table.products
        return np.asarray(
            np.add.reduceat(a[:, left] * b[:, right] % self.prime, self.table.starts, axis=1) % self.prime
        )

    def power(self, base: Array, exponent: int | Fraction) -> Array:
        e = Fraction(exponent)
        if e.denominator == 1 and 0 <= e <= 3:
            return self.multiply([self.number(1), *[base] * int(e)])
        head = self.do.power(base[:, 0], e)
        small = base * self.do.inverse(base[:, 0])[:, None] % self.prime
        small[:, 0] = 0
        total = self.number(1)
        for j in range(self.table.order if small.any() else 0, 0, -1):
            step = self.number((e - j + 1) / j)
            total = self.add([self.number(1), self.multiply([step, small, total])])
        return np.asarray(total * head[:, None] % self.prime)

    def general_power(self, base: Array, exponent: Array) -> Array:
        raise KeyError("a power")

    def function(self, name: str, arguments: Sequence[Array]) -> Array:
        # Where signs are positive: what holds elsewhere too holds there.
        if name == "abs":
            return arguments[0]
        if name == "sign":
            return self.number(1)
        if name == "sqrt":
            return self.power(arguments[0], Fraction(1, 2))
        raise KeyError(name)

    def solve(self, matrix: Sequence[Sequence[Array]], right: Sequence[Array]) -> list[Array]:
        """The unknowns of linear equations whose matrix is regular at the point."""
        return gauss_jordan(
            matrix, right, size=lambda a: int(np.count_nonzero(a[:, 0])), present=np.any, inverse=lambda a: self.power(a, -1),
            times=self._times, less=lambda a, b, c: (a - self._times(b, c)) % self.prime,
        )  # fmt: skip

    def radial(self, a: Array) -> Array:
        r"""$z^i\,\partial_ia$: each term times its degree."""
        return np.asarray(a * self.table.degrees % self.prime)

    def from_radial(self, value: Array, slope: Array) -> Array:
        """The series with a value at the point and a radial derivative."""
        degrees = [pow(int(d), -1, self.prime) if d else 0 for d in self.table.degrees]
        found = slope * np.array(degrees, dtype=np.int64) % self.prime
        found[:, 0] = value
        return np.asarray(found)

    def partial(self, a: Array, i: int) -> Array:
        r"""$\partial_ia$, whose last order is lost."""
        table = self.table
        found = np.zeros_like(a)
        there = np.flatnonzero(table.exponents[:, i])
        lower = table.exponents[there].copy()
        lower[:, i] -= 1
        found[:, table.places(lower)] = a[:, there] * table.exponents[there, i] % self.prime
        return found
