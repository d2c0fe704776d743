r"""From residues to numbers: the constants of a candidate as fractions, or as polynomials in the parameters.

.. math:: c_u = \sum_\beta c_{u\beta}\,\pi^\beta, \qquad \frac ab \equiv r \pmod{p_1p_2\cdots}, \quad |a|, |b| \le \sqrt{p_1p_2\cdots/2}

A kernel vector at random values of the parameters says which constants are not zero. With these alone, and monomials of the parameters
$\pi$ in front of them, the parameters may differ from point to point: the kernel is then over the rationals again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import TypeAlias, final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Symbol, free_symbols
from anholonomy.algebra.residues.arrays import Array, primes
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.residues.linear_algebra import independent_columns, rational, residue_kernel
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.laws.ansatz.candidates import Ansatz, Column
from anholonomy.laws.ansatz.random_points import Points, Values, draw_points
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["Constants", "lifted", "rational_vector"]

Constants: TypeAlias = dict[Column, Expr]
"""The constant before each product."""

MAX_UNKNOWNS = 1_600
"""Unknowns up to which one elimination is a matter of seconds."""
_DEGREE, _NODE_DEGREE = 6, 4
"""Of polynomials in a parameter, and in a function of parameters, that are tried."""

one = symengine.Integer(1)


def lifted(motion: ReducedMotion, ansatz: Ansatz, support: Sequence[Column], values: Values) -> Constants | None:
    """The constants of the one candidate with this support, polynomials of the lowest degrees in the parameters without value."""
    problem = _Problem(motion, ansatz, support, values)
    degrees = problem.degrees()
    if degrees is None:
        return None
    for nodes in range(_NODE_DEGREE + 1 if problem.nodes else 1):
        boxes = [*degrees.items(), *((node, nodes) for node in problem.nodes)]
        monomials = [symengine.Mul(*some) for some in product(*([s**k for k in range(d, -1, -1)] for s, d in boxes))]
        monomials = problem.independent(monomials) if nodes else monomials
        if len(support) * len(monomials) > MAX_UNKNOWNS:
            return None
        found = rational_vector(lambda prime, some=monomials: problem.vector(some, prime))  # type: ignore[misc]
        if found is not None:
            return _gathered(support, monomials, found)
    return None


@final
@dataclass(frozen=True)
class _Problem:
    """The candidate with a support, and the parameters without value."""

    motion: ReducedMotion
    ansatz: Ansatz
    support: Sequence[Column]
    values: Values

    @cached_property
    def own(self) -> list[Expr]:
        steps = (*self.motion.equations.unknown_steps, *self.ansatz.letters.steps)
        levels = [value for _, value in self.motion.levels]
        mine = [*self.ansatz.letters.values, *self.ansatz.space.values, *levels]
        return [*(e for step in steps for e in step.sources), *mine]

    @cached_property
    def free(self) -> list[Symbol]:
        """The parameters without value that occur."""
        parameters = set(self.motion.model.parameter_symbols)
        inside = free_symbols(n for n in function_nodes(self.own) if n.free_symbols <= parameters)
        return sorted(parameters & free_symbols(self.own) - self.values.keys() - inside, key=str)

    @cached_property
    def nodes(self) -> list[Expr]:
        """Functions of parameters alone, such as the sine of an inclination, where the constants depend on them."""
        parameters = set(self.motion.model.parameter_symbols)
        nodes = [n for n in function_nodes(self.own) if n.free_symbols <= parameters]
        if not nodes or self._kernel([one], self._base, seed=0) == self._kernel([one], self._base, seed=1):
            return []
        return sorted(nodes, key=str)

    @property
    def _base(self) -> dict[Symbol, Expr]:
        return dict(self.values) | {s: symengine.Integer(11 + 7 * k) for k, s in enumerate(self.free)}

    def degrees(self) -> dict[Symbol, int] | None:
        """The degree in each parameter, the others having numbers; None where one is too high."""
        found = {}
        for s in self.free:
            others = {name: value for name, value in self._base.items() if name != s}
            powers = [[s**k for k in range(d, -1, -1)] for d in range(_DEGREE + 1)]
            degree = next((d for d, some in enumerate(powers) if self._kernel(some, others, each=[s])), None)
            if degree is None:
                return None
            found[s] = degree
        return found

    def vector(self, monomials: Sequence[Expr], prime: int) -> list[int] | None:
        """The last kernel vector where constants are combinations of monomials."""
        each = set(self.free) | free_symbols(self.nodes)  # a function takes other values even of what has one
        found = self._kernel(monomials, self.values, prime, each, seed=prime)
        return [found.get(u, 0) for u in range(len(self.support) * len(monomials))] if found else None

    def independent(self, monomials: Sequence[Expr]) -> list[Expr]:
        r"""Monomials that depend on none that come later: with $\sin^2 + \cos^2 = 1$ there would be candidates that are zero."""
        each = set(self.free) | free_symbols(self.nodes)
        points = draw_points(self.motion, monomials, len(monomials) + 10, values=self.values, each=each)
        columns = np.stack([value for value, _ in reversed(points.at(monomials))], axis=1)
        kept = {len(monomials) - 1 - k for k in independent_columns(columns, points.prime)}
        return [monomial for k, monomial in enumerate(monomials) if k in kept]

    def _kernel(
        self,
        monomials: Sequence[Expr],
        values: Values,
        prime: int | None = None,
        each: Iterable[Symbol] = (),
        seed: int = 0,
    ) -> dict[int, int] | None:
        check()
        count = len(self.support) * len(monomials) + 10
        functions = (*self.ansatz.space.values, *monomials)
        points = draw_points(self.motion, functions, count, values=values, each=each, prime=prime, seed=seed)
        rates = self.ansatz.matrices(points, self.support)[1]
        found = residue_kernel(_times(rates, points, monomials), points.prime)
        return found[-1] if found else None


def _times(rates: Array, points: Points, monomials: Sequence[Expr]) -> Array:
    factors = [value for value, _ in points.at(monomials)]
    return np.concatenate([rates * f[:, None] % points.prime for f in factors], axis=1)


def rational_vector(vector: Callable[[int], list[int] | None]) -> list[Fraction] | None:
    """Fractions with these residues modulo as many primes as it takes."""
    residues, modulus = None, 1
    previous: list[Fraction] | None = None
    for prime in primes():
        try:
            found = vector(prime)
        except NotSupportedError:
            continue  # a number has no root modulo this prime
        if found is None:
            return None
        residues = (
            found
            if residues is None
            else [_chinese(r, modulus, f, prime) for r, f in zip(residues, found, strict=True)]
        )
        modulus *= prime
        fractions = [rational(r, modulus) for r in residues]
        if None not in fractions:
            if fractions == previous:
                return previous
            previous = fractions  # type: ignore[assignment]
    return None


def _chinese(r: int, modulus: int, s: int, prime: int) -> int:
    return r + modulus * ((s - r) * pow(modulus, -1, prime) % prime)


def _gathered(support: Sequence[Column], monomials: Sequence[Expr], numbers: Sequence[Fraction]) -> Constants:
    total: Constants = {}
    common = lcm(*(q.denominator for q in numbers))
    whole = [int(q * common) for q in numbers]
    shared = gcd(*whole)
    for k, value in enumerate(whole):
        if value:
            column = support[k % len(support)]
            total[column] = total.get(column, 0) + symengine.Integer(value // shared) * monomials[k // len(support)]
    return total
