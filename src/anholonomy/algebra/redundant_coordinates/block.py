r"""Coordinates that are tied together: the points that fields lead to, by Cayley's map, and a chart of these points.

.. math::
   \dot q = A(\xi)\,q + b(\xi), \qquad
   \hat q(\xi) = \bigl(1 - \tfrac12\hat A(\xi)\bigr)^{-1}\bigl(1 + \tfrac12\hat A(\xi)\bigr)\,\hat q_0, \qquad
   \hat q = (q, 1)
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import flint
import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, symbol, zero
from anholonomy.algebra.linear_algebra.symbolic import rank, solve
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Quotient
from anholonomy.algebra.numbers.balls import Ball, precision
from anholonomy.algebra.redundant_coordinates.independent_sets import rank_at
from anholonomy.base.caching import cached_property, fields_only

__all__ = ["Block", "cayley", "flint_rational", "normal_form_is_zero"]


Coordinate: TypeAlias = "Fraction | Ball"

one = symengine.Integer(1)


@final
@dataclass(frozen=True, eq=False)
class Block:
    r"""Coordinates that are tied together, the fields that move them, where they start, and what vanishes there.

    ``fields`` has a row for each direction, in the order of ``coordinates``.
    """

    coordinates: tuple[Symbol, ...]
    fields: Matrix
    origin: Vector
    invariants: Vector

    __getstate__ = fields_only

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        r"""The $\xi$, with names that the language cannot write."""
        return tuple(symbol(f"_xi_{self.coordinates[0].name}_{a}") for a in self._spanning)

    @cached_property
    def _spanning(self) -> tuple[int, ...]:
        """Directions that are independent at the origin, as many as there are; where a group acts on a sphere, not all are."""
        start = dict(zip(self.coordinates, self.origin, strict=True))
        chosen: list[int] = []
        for a, row in enumerate(self.fields):
            if rank_at([*(self.fields[b] for b in chosen), row], start) > len(chosen):
                chosen.append(a)
        return tuple(chosen)

    @cached_property
    def generators(self) -> list[list[list[Fraction]]] | None:
        r"""$\hat A_a$ for each direction; None where a field is not affine with rational coefficients."""
        still = dict.fromkeys(self.coordinates, zero)
        found = []
        for row in self.fields:
            slopes = [[symengine.expand(rate.diff(q)) for q in self.coordinates] for rate in row]
            whole = [[*each, rate.xreplace(still)] for each, rate in zip(slopes, row, strict=True)]
            if not all(isinstance(entry, symengine.Rational) for each in whole for entry in each):
                return None
            found.append([[Fraction(str(entry)) for entry in each] for each in whole])
        return found

    @cached_property
    def chart(self) -> dict[Symbol, Expr] | None:
        r"""The coordinates as rational functions of $\xi$, proven to parametrise the group around its identity, or None."""
        return self._solved_chart if self.by_cayley is None else self.by_cayley

    @cached_property
    def _solved_chart(self) -> dict[Symbol, Expr] | None:
        r"""Some coordinates are free and invariants determine the others: $g_{22} = g_{11}^2$ of the diagonal matrices $(e^s, e^{2s})$."""
        if not self.invariants or not self._is_cut_out:
            return None
        solved: dict[Symbol, Expr] = {}
        for value in self.invariants:
            rest = symengine.expand(value.xreplace(solved))
            found = next((q for q in self.coordinates if q not in solved and _stands_alone(rest, q)), None)
            if found is None:
                return None
            answer = {found: symengine.expand(found - rest / rest.diff(found))}
            solved = {q: symengine.expand(e.xreplace(answer)) for q, e in solved.items()} | answer
        free = [q for q in self.coordinates if q not in solved]
        if len(free) != len(self.parameters):
            return None
        start = dict(zip(self.coordinates, self.origin, strict=True))
        own = {q: start[q] + xi for q, xi in zip(free, self.parameters, strict=True)}
        return {q: own[q] if q in own else solved[q].xreplace(own) for q in self.coordinates}

    @cached_property
    def by_cayley(self) -> dict[Symbol, Expr] | None:
        r"""The chart by Cayley's map, where the invariants are left alone by it."""
        if self.generators is None or not self._is_cut_out:
            return None
        size = len(self.coordinates) + 1
        left, start = _matrix(size), [*self.origin, one]
        for xi, a in zip(self.parameters, self._spanning, strict=True):
            for i, row in enumerate(self.generators[a]):
                for j, value in enumerate(row):
                    left[i][j] += xi * symengine.Rational(value.numerator, value.denominator) / 2
        (found,) = solve(_minus(left), [[dot(row, start) for row in left]])
        chart = dict(zip(self.coordinates, found, strict=False))
        try:
            vanish = all(normal_form_is_zero(value.xreplace(chart)) for value in self.invariants)
        except NoNormalForm:
            return None
        return chart if vanish else None

    @cached_property
    def _is_cut_out(self) -> bool:
        """Whether the invariants leave no directions but these, to first order at the origin."""
        start, size = dict(zip(self.coordinates, self.origin, strict=True)), len(self.coordinates)
        if len(self.invariants) < size - len(self._spanning):
            return False
        slopes = [[value.diff(q).xreplace(start) for q in self.coordinates] for value in self.invariants]
        return len(self._spanning) + (rank(slopes) if slopes else 0) == size

    def point(self, rng: random.Random, factors: int, digits: int) -> dict[Symbol, Coordinate] | None:
        """A random point of the group, a product of a few elements near the identity; None where no flow is known."""
        if self.generators is None:
            return None
        # Without invariants nothing proves that Cayley's curve stays in the orbit.
        if self.by_cayley is None and self._solved_chart is not None:
            near = {xi: symengine.Rational(rng.choice((-1, 1)) * rng.randint(1, 9), 10) for xi in self.parameters}
            return {q: Fraction(str(e.xreplace(near))) for q, e in self._solved_chart.items()}
        exact = bool(self.invariants) and self.by_cayley is not None
        with precision(digits):
            here: Any = _column([Fraction(str(value)) for value in self.origin], exact)
            for _ in range(factors):
                here = _step(_small(self.generators, rng), exact, here)
            values = [here[i, 0] for i in range(len(self.coordinates))]
        return {q: Fraction(int(v.p), int(v.q)) if exact else v for q, v in zip(self.coordinates, values, strict=True)}


def _matrix(size: int) -> list[list[Expr]]:
    return [[one if i == j else zero for j in range(size)] for i in range(size)]


def _stands_alone(value: Expr, q: Symbol) -> bool:
    """Whether a symbol occurs to the first power with a number before it, and nowhere else."""
    slope = symengine.expand(value.diff(q))
    return isinstance(slope, symengine.Rational) and slope != 0


def _minus(left: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
    r"""$1 - \tfrac12\hat A$ from $1 + \tfrac12\hat A$."""
    return [[2 * int(i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(left)]


def _small(generators: list[list[list[Fraction]]], rng: random.Random) -> list[list[Fraction]]:
    r"""A random $\tfrac12\hat A(\xi)$ of norm below one, so that Cayley's curve leads from the identity to it."""
    n = range(len(generators[0]))
    weights = [Fraction(rng.choice((-1, 1)) * rng.randint(3, 13), 7) for _ in generators]
    half = [[Fraction(0)] * (len(n) + 1) for _ in n]
    for w, g in zip(weights, generators, strict=True):
        for i in n:
            for j, entry in enumerate(g[i]):
                if entry:  # nearly all are zero
                    half[i][j] += w * entry / 2
    size = max(sum(abs(entry) for entry in row if entry) for row in half)
    scale = Fraction(1)
    while size * scale >= 1:
        scale /= 2
    return [[scale * entry if entry else entry for entry in row] for row in half]


def _column(values: Sequence[Fraction], exact: bool) -> Any:
    kind = flint.fmpq_mat if exact else flint.arb_mat
    return kind(len(values) + 1, 1, [*map(flint_rational, values), 1])


def _step(half: Sequence[Sequence[Fraction]], exact: bool, here: Any) -> Any:
    """The next point: Cayley's map in rationals, or the exponential in balls."""
    if exact:
        return cayley(half, here)
    return (2 * flint.arb_mat(len(half) + 1, len(half) + 1, _entries(half))).exp() * here


def _entries(half: Sequence[Sequence[Fraction]]) -> list[Any]:
    return [flint_rational(entry) for row in half for entry in row] + [flint.fmpq(0)] * (len(half) + 1)


def cayley(half: Sequence[Sequence[Fraction]], here: Any) -> Any:
    r"""$(1 - \tfrac12\hat A)^{-1}(1 + \tfrac12\hat A)$ applied to a column, from the rows of $\tfrac12\hat A$ without the last."""
    size = len(half) + 1
    matrix = flint.fmpq_mat(size, size, _entries(half))
    unit = flint.fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
    return (unit - matrix).solve((unit + matrix) * here)


def flint_rational(value: Fraction) -> Any:
    return flint.fmpq(value.numerator, value.denominator)


def normal_form_is_zero(expression: Expr) -> bool:
    found: Quotient = Canonical([expression]).quotient(expression)
    return bool(found.num.is_zero())
