r"""The rank of a matrix of functions, from their values modulo a prime at one random point where $\cos^2 + \sin^2 = 1$ holds.

.. math:: c = \frac{1 - t^2}{1 + t^2}, \quad s = \frac{2t}{1 + t^2}, \qquad
   \cos\textstyle\sum_j n_j q_j + i\sin\sum_j n_j q_j = \prod_j (c_j + i s_j)^{n_j}

Coordinates, sines and cosines obey no other relations, and a matrix has at most the rank there that it has in general: this one is a
proven lower bound. Matrices here are large and the point is one, so that the numbers are Python's; many points, and other functions, are for
`anholonomy.algebra.residues.functions`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import final

import flint
import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, nodes_of
from anholonomy.algebra.residues.linear_algebra import PRIMES
from anholonomy.base.deadlines import check

__all__ = ["rank_below"]


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
