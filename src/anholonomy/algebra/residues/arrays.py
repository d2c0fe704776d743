r"""Arithmetic of residues modulo a prime for many points at once, also of values with their rates.

A prime $p < 2^{31}$ leaves room for products in machine words. With $p \equiv 3 \pmod 4$ the root $a^{(p+1)/4}$ of a square is a square
again, so that $\sqrt a\,\sqrt b = \sqrt{ab}$; where $a$ is none, the point is no good and is marked. Odd roots are unique.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np

from anholonomy.algebra.elimination import gauss_jordan

__all__ = ["PRIMES", "Array", "Moving", "ResidueArrays", "ResidueRates", "combined", "primes"]

Array: TypeAlias = np.ndarray[Any, Any]

PRIMES = (
    *(2147483579, 2147483543, 2147483399, 2147483123, 2147482943, 2147482859),
    *(2147482763, 2147482739, 2147482367, 2147482343, 2147482223, 2147481899),
)
"""Each is 3 modulo 4, and 1 neither modulo 3 nor modulo 5 nor modulo 7."""
_WITNESSES = (2, 3, 5, 7)
"""Bases for which Fermat's test in its strong form decides every number below 3,215,031,751."""


def primes(count: int = 30) -> Iterator[int]:
    """`PRIMES`, and smaller ones of the same kind: modulo half of them a number has no square root."""
    yield from PRIMES
    found, n = len(PRIMES), PRIMES[-1]
    while found < count:
        n -= 4
        if all(n % k != 1 for k in (3, 5, 7)) and _is_prime(n):
            found += 1
            yield n


def _is_prime(n: int) -> bool:
    """Whether a number that is 3 modulo 4 is a prime."""
    return all(pow(a, (n - 1) // 2, n) in (1, n - 1) for a in _WITNESSES)


@final
class ResidueArrays:
    """Residues of ``count`` points; ``good`` says where every root and every quotient so far exists.

    ``radicands`` has what square roots were taken of, and whether one of them was seen that has none where all before have.
    """

    def __init__(self, prime: int, count: int) -> None:
        self.prime, self.good = prime, np.ones(count, dtype=bool)
        self.radicands: list[tuple[Array, bool]] = []
        self.has_corners = False

    def number(self, value: Fraction | float) -> Array:
        exact = Fraction(value)
        residue = exact.numerator * pow(exact.denominator, -1, self.prime) % self.prime
        return np.full(len(self.good), residue, dtype=np.int64)

    def pi(self) -> Array:
        raise KeyError("pi")

    def add(self, terms: Sequence[Array]) -> Array:
        total = terms[0]
        for term in terms[1:]:
            total = total + term  # residues are small: a sum of billions of them fits
        return total % self.prime

    def multiply(self, factors: Sequence[Array]) -> Array:
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor % self.prime
        return product

    def power(self, base: Array, exponent: int | Fraction) -> Array:
        fraction = Fraction(exponent)
        root, order = base, fraction.denominator
        if order % 2 == 0:
            self._remember(base)
        while order % 2 == 0:
            root, order = self._square_root(root), order // 2
        if order > 1:
            root = self._raised(root, pow(order, -1, self.prime - 1))
        return self._raised(root if fraction >= 0 else self.inverse(root), abs(fraction.numerator))

    def general_power(self, base: Array, exponent: Array) -> Array:
        raise KeyError("a power")

    def function(self, name: str, arguments: Sequence[Array]) -> Array:
        # Where signs are positive: what holds elsewhere too holds there.
        self.has_corners = self.has_corners or name in ("abs", "sign")
        if name == "abs":
            return arguments[0]
        if name == "sign":
            return self.number(1)
        if name == "sqrt":
            return self.power(arguments[0], Fraction(1, 2))
        raise KeyError(name)

    def inverse(self, value: Array) -> Array:
        """The reciprocals; a point where one is missing is marked."""
        self.good &= value % self.prime != 0
        return self._raised(value, self.prime - 2)

    def solve(self, matrix: Sequence[Sequence[Array]], right: Sequence[Array]) -> list[Array]:
        """The unknowns of linear equations at every point."""
        return gauss_jordan(
            matrix, right, size=np.count_nonzero, present=np.any, inverse=self.inverse,
            times=lambda a, b: a * b % self.prime, less=lambda a, b, c: (a - b * c) % self.prime,
        )  # fmt: skip

    def _remember(self, value: Array) -> None:
        value = np.broadcast_to(value % self.prime, self.good.shape)
        if not any(np.array_equal(value, other) for other, _ in self.radicands):
            without = self._raised(value, (self.prime - 1) // 2) == self.prime - 1
            self.radicands.append((value, bool((without & self.good).any())))

    def _square_root(self, value: Array) -> Array:
        root = self._raised(value, (self.prime + 1) // 4)
        self.good &= (root * root - value) % self.prime == 0
        return root

    def _raised(self, base: Array, exponent: int) -> Array:
        result, square = self.number(1), base
        while exponent:
            if exponent & 1:
                result = result * square % self.prime
            square, exponent = square * square % self.prime, exponent >> 1
        return result


Moving: TypeAlias = tuple[Array, Array]
"""Values with their rates along the motion."""


@final
class ResidueRates:
    r"""The same arithmetic for values with rates, $(a, \dot a)(b, \dot b) = (ab, \dot ab + a\dot b)$."""

    def __init__(self, do: ResidueArrays) -> None:
        self.do, self.prime = do, do.prime

    def number(self, value: Fraction | float) -> Moving:
        return self.do.number(value), np.zeros(len(self.do.good), dtype=np.int64)

    def pi(self) -> Moving:
        raise KeyError("pi")

    def add(self, terms: Sequence[Moving]) -> Moving:
        return self.do.add([a for a, _ in terms]), self.do.add([da for _, da in terms])

    def multiply(self, factors: Sequence[Moving]) -> Moving:
        a, da = factors[0]
        for b, db in factors[1:]:
            a, da = a * b % self.prime, (a * db % self.prime + b * da) % self.prime
        return a, da

    def power(self, base: Moving, exponent: int | Fraction) -> Moving:
        (a, da), n = base, Fraction(exponent)
        if not da.any():
            return self.do.power(a, n), da
        below = self.do.power(a, n - 1)
        return below * a % self.prime, self.do.multiply([self.do.number(n), below, da])

    def general_power(self, base: Moving, exponent: Moving) -> Moving:
        raise KeyError("a power")

    def function(self, name: str, arguments: Sequence[Moving]) -> Moving:
        if name == "sqrt":
            return self.power(arguments[0], Fraction(1, 2))
        if name == "abs":
            return arguments[0]
        if name == "sign":
            return self.number(1)
        raise KeyError(name)

    def solve(self, matrix: Sequence[Sequence[Moving]], right: Sequence[Moving]) -> list[Moving]:
        r"""$Mz = b$ and $M\dot z = \dot b - \dot Mz$."""
        values = [[a for a, _ in row] for row in matrix]
        z = self.do.solve(values, [b for b, _ in right])
        moved = [
            (db - sum(da * each % self.prime for (_, da), each in zip(row, z, strict=True))) % self.prime
            for row, (_, db) in zip(matrix, right, strict=True)
        ]
        return list(zip(z, self.do.solve(values, moved), strict=True))


def combined(matrix: Array, vector: Mapping[int, int], prime: int) -> Array:
    """The combination of some columns, by their numbers."""
    total = np.zeros(len(matrix), dtype=np.int64)
    for u, c in vector.items():
        total = (total + matrix[:, u] * c) % prime
    return total
