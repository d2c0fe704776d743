r"""Rank and kernel modulo a prime, the fraction behind a residue, and the rank of functions at a random point.

.. math:: \operatorname{rank}(A \bmod p) \le \operatorname{rank} A, \qquad
   a \equiv n/d \pmod p,\ |n|, d < \sqrt{p/2} \ \text{ determines } n/d

A kernel and a fraction prove nothing: whoever asks puts them into the equations. A rank is a proven lower bound, also that of a matrix
of functions at a random point where $\cos^2 + \sin^2 = 1$ holds,

.. math:: c = \frac{1 - t^2}{1 + t^2}, \quad s = \frac{2t}{1 + t^2}, \qquad
   \cos\textstyle\sum_j n_j q_j + i\sin\sum_j n_j q_j = \prod_j (c_j + i s_j)^{n_j}

since coordinates, sines and cosines obey no other relations, and a matrix has at most the rank there that it has in general.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt, lcm
from typing import Any, final

import flint
import numpy as np
import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.elimination import kernel_of_echelon
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, nodes_of
from anholonomy.algebra.normal_forms.ring import TooLarge
from anholonomy.algebra.residues.arrays import Array
from anholonomy.base.deadlines import check

__all__ = [
    "PRIMES", "echelon", "independent_columns", "modular_kernel", "rank_below", "rational", "residue_kernel",
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


# The rank of a matrix of functions, from their values modulo a prime at a random point.


_CIRCULAR = (symengine.sin, symengine.cos, symengine.tan)


def rank_below(matrix: Sequence[Sequence[Expr]], known: Mapping[Symbol, Expr] | None = None) -> int | None:
    """A proven lower bound of the generic rank, usually the rank; None where other functions than sines and cosines occur.

    ``known`` are symbols that have one rational value each.

    >>> x = symengine.Symbol("x")
    >>> c, s = symengine.cos(x), symengine.sin(x)
    >>> rank_below([[1 - c**2, s * c], [s, c]]), rank_below([[x, s], [x**2, c]])
    (1, 2)
    """
    prime, width = PRIMES[0], len(matrix[0])
    values = _residues([entry for row in matrix for entry in row], dict(known or {}), prime)
    return None if values is None else int(flint.nmod_mat(len(matrix), width, values, prime).rank())


def _residues(expressions: Sequence[Expr], values: Mapping[Symbol, Expr], prime: int) -> list[int] | None:
    rng = random.Random(prime)
    do = _Modular(prime)
    try:
        memo: dict[Expr, int] = {name: do.number(Fraction(str(value))) for name, value in values.items()}
        nodes = _circular(expressions)
        free = free_symbols({*expressions, *nodes}) - memo.keys()
        memo |= {name: rng.randrange(2, prime) for name in sorted(free, key=str)}
        memo |= _circles(nodes, values, do, rng)
        found = []
        for each in expressions:
            check()
            found.append(evaluate(each, do, memo))
        return found
    except (KeyError, ValueError, ZeroDivisionError):
        # Another function, an angle that is no sum of multiples, or a division by what vanishes here.
        return None


def _circular(expressions: Iterable[Expr]) -> set[Expr]:
    return {node for each in set(expressions) for node in nodes_of(each, *_CIRCULAR)}


def _circles(nodes: set[Expr], values: Mapping[Symbol, Expr], do: _Modular, rng: random.Random) -> dict[Expr, int]:
    """Sines, cosines and tangents of sums of multiples of symbols, from one point of the circle for each symbol."""
    angles = {node.args[0]: _multiples(node.args[0], values) for node in nodes}
    whole = lcm(*(q.denominator for each in angles.values() for q in each.values()))
    symbols = sorted({name for each in angles.values() for name in each}, key=str)
    circle = {name: do.turn(rng.randrange(2, do.prime)) for name in symbols}
    found = {}
    for node in nodes:
        c, s = 1, 0
        for name, q in angles[node.args[0]].items():
            c, s = do.turned((c, s), circle[name], int(q * whole))
        kind = type(node)
        found[node] = s if kind is symengine.sin else c if kind is symengine.cos else do.multiply([s, do.power(c, -1)])
    return found


def _multiples(angle: Expr, values: Mapping[Symbol, Expr]) -> dict[Symbol, Fraction]:
    names = angle.free_symbols
    slopes = {name: symengine.expand(angle.diff(name)) for name in names}
    rest = symengine.expand(angle - symengine.Add(*(slope * name for name, slope in slopes.items())))
    if rest != 0 or names & values.keys() or not all(isinstance(q, symengine.Rational) for q in slopes.values()):
        raise ValueError(angle)
    return {name: Fraction(str(slope)) for name, slope in slopes.items()}


@final
class _Modular:
    """Arithmetic of residues; functions must have been given their values."""

    def __init__(self, prime: int) -> None:
        self.prime = prime

    def number(self, value: Fraction | float) -> int:
        exact = Fraction(value)
        return exact.numerator * pow(exact.denominator, -1, self.prime) % self.prime

    def pi(self) -> int:
        raise KeyError("pi")

    def add(self, terms: Sequence[int]) -> int:
        return sum(terms) % self.prime

    def multiply(self, factors: Sequence[int]) -> int:
        product = 1
        for factor in factors:
            product = product * factor % self.prime
        return product

    def power(self, base: int, exponent: int | Fraction) -> int:
        if Fraction(exponent).denominator != 1:
            raise KeyError("a root")
        return pow(base, int(exponent), self.prime)

    def general_power(self, base: int, exponent: int) -> int:
        raise KeyError("a power")

    def function(self, name: str, arguments: Sequence[int]) -> int:
        raise KeyError(name)

    def turn(self, t: int) -> tuple[int, int]:
        below = pow(1 + t * t, -1, self.prime)
        return (1 - t * t) * below % self.prime, 2 * t * below % self.prime

    def turned(self, start: tuple[int, int], by: tuple[int, int], times: int) -> tuple[int, int]:
        (c, s), (a, b) = start, by if times >= 0 else (by[0], -by[1])
        for _ in range(abs(times)):
            c, s = (c * a - s * b) % self.prime, (c * b + s * a) % self.prime
        return c, s
