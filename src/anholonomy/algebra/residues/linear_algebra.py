r"""Rank and kernel modulo a prime, and the fraction behind a residue.

.. math:: \operatorname{rank}(A \bmod p) \le \operatorname{rank} A, \qquad
   a \equiv n/d \pmod p,\ |n|, d < \sqrt{p/2} \ \text{ determines } n/d

A kernel and a fraction prove nothing: whoever asks puts them into the equations. A rank is a proven lower bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

import flint
import numpy as np

from anholonomy.algebra.elimination import kernel_of_echelon
from anholonomy.algebra.normal_forms.ring import TooLarge
from anholonomy.algebra.residues.arrays import Array
from anholonomy.base.deadlines import check

__all__ = [
    "PRIMES", "echelon", "independent_columns", "modular_kernel", "rational", "residue_kernel",
    "residue_rank",
]  # fmt: skip


PRIMES = (2**61 - 1, 2**62 - 57, 2**62 - 87)
MAX_WIDTH = 1_600
"""Unknowns up to which one elimination, which cannot be interrupted, is a matter of seconds."""


def modular_kernel(rows: Sequence[Mapping[int, Any]], width: int, values: Sequence[int], prime: int) -> list[list[int]]:
    """A basis of the kernel modulo a prime, rows being polynomials by column and ``values`` those of the variables.

    Late columns are the free ones: each vector has a 1 in a column of its own, and nothing behind it.

    >>> names = flint.fmpq_mpoly_ctx.get(["a"], flint.Ordering.degrevlex)
    >>> modular_kernel([{0: names.constant(1), 1: 2 * names.gen(0)}], 2, [3], 101)
    [[95, 1]]
    """
    if width > MAX_WIDTH:
        raise TooLarge
    kept: list[list[int]] = []
    seen: set[tuple[tuple[int, int], ...]] = set()
    reduced, rank = flint.nmod_mat(0, width, [], prime), 0
    for row in rows:
        numbers = tuple((u, number) for u, p in sorted(row.items()) if (number := _value(p, values, prime)))
        if not numbers or numbers in seen:
            continue
        seen.add(numbers)
        dense = [0] * width
        for u, number in numbers:
            dense[u] = number
        kept.append(dense)
        if len(kept) >= width:
            reduced, rank = _joined(reduced, rank, kept, width, prime)
            kept = []
    reduced, rank = _joined(reduced, rank, kept, width, prime)
    lines = [[int(reduced[i, u]) for u in range(width)] for i in range(rank)]
    found = kernel_of_echelon({next(u for u, e in enumerate(line) if e): line for line in lines}, width)
    return [[e % prime for e in vector] for vector in found]


def echelon(matrix: Array, prime: int) -> tuple[Array, list[int]]:
    """A basis of the rows of a matrix of residues, reduced, and the columns of its pivots.

    >>> echelon(np.array([[2, 4], [1, 2]]), 101)
    (array([[1, 2]]), [0])
    """
    check()
    height, width = matrix.shape
    reduced, size = flint.nmod_mat(height, width, matrix.ravel().tolist(), prime).rref()
    entries = np.array([int(e) for e in reduced.entries()[: size * width]], dtype=np.int64).reshape(size, width)
    return entries, [int(np.flatnonzero(row)[0]) for row in entries]


def residue_rank(matrix: Array, prime: int) -> int:
    """The rank of a matrix of residues."""
    height, width = matrix.shape
    return int(flint.nmod_mat(height, width, matrix.ravel().tolist(), prime).rank())


def independent_columns(matrix: Array, prime: int) -> list[int]:
    """The columns that do not depend on earlier ones."""
    return echelon(matrix, prime)[1]


def residue_kernel(matrix: Array, prime: int) -> list[dict[int, int]]:
    """A basis of the kernel, each vector with a 1 in a column of its own and nothing behind it."""
    entries, pivots = echelon(matrix, prime)
    width = matrix.shape[1]
    found = kernel_of_echelon(dict(zip(pivots, entries.tolist(), strict=True)), width)
    return [{u: e % prime for u, e in enumerate(vector) if e} for vector in found]


def _joined(reduced: Any, rank: int, more: list[list[int]], width: int, prime: int) -> tuple[Any, int]:
    """The echelon form of what was known and some rows more."""
    check()
    known = [int(reduced[i, u]) for i in range(rank) for u in range(width)]
    flat = known + [number for row in more for number in row]
    found: tuple[Any, int] = flint.nmod_mat(rank + len(more), width, flat, prime).rref()
    return found


def _value(polynomial: Any, values: Sequence[int], prime: int) -> int:
    """A polynomial over the rationals at a point, modulo a prime that divides no denominator."""
    total = 0
    for exponents, q in polynomial.to_dict().items():
        term = int(q.p) * pow(int(q.q), -1, prime) % prime
        for value, power in zip(values, exponents, strict=False):
            if power:
                term = term * pow(value, int(power), prime) % prime
        total += term
    return total % prime


def rational(residue: int, prime: int) -> Fraction | None:
    """The fraction of small numerator and denominator with this residue; None where there is none.

    >>> rational(pow(3, -1, PRIMES[0]) * 2 % PRIMES[0], PRIMES[0])
    Fraction(2, 3)
    """
    bound = isqrt(prime // 2)
    r, s, u, v = prime, residue % prime, 0, 1
    while s > bound:
        r, s, u, v = s, r % s, v, u - (r // s) * v
    return None if not v or abs(v) > bound else Fraction(s, v)
