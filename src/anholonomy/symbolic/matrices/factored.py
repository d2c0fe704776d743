r"""Back substitution with denominators kept as products of factors.

.. math:: x_j = \frac{1}{R_{jj}} \Bigl(b_j - \sum_{k > j} R_{jk}\, \frac{n_k}{\prod_f f^{e_{kf}}}\Bigr)

Multiplied out and reduced by $s^2 = 1 - c^2$, a product no longer shows its factors, and sums would be formed over
denominators far too large. Kept apart, the factors of the least common denominator are known without a search,
and each of them is small enough to try whether it divides the numerator by the relations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from anholonomy.symbolic.matrices.fraction_free import Row
from anholonomy.symbolic.normal_forms.divisibility import exact_quotient
from anholonomy.symbolic.normal_forms.quotients import Polynomial, Ring

__all__ = ["Factored", "Factors"]

MAX_FACTORED_TERMS = 40
"""Terms up to which a pivot is split into factors."""


class Factored(NamedTuple):
    """A numerator over a product of factors, given by their numbers and powers."""

    num: Polynomial
    below: Mapping[int, int]


class Factors:
    """The factors that denominators have been split into.

    >>> ring = Ring()
    >>> from anholonomy.symbolic.expressions import symbol
    >>> x = ring.gen(ring.generator(symbol("x")))
    >>> factors = Factors(ring)
    >>> factors.split(2 * x**2 - 2)[1], factors.split(x + 1)[1]
    (Counter({0: 1, 1: 1}), Counter({1: 1}))
    """

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.known: list[Polynomial] = []

    def split(self, polynomial: Polynomial) -> tuple[Polynomial, Counter[int]]:
        """The number and the factors that multiply to the polynomial."""
        if len(polynomial) <= MAX_FACTORED_TERMS:
            unit, parts = polynomial.factor()
        else:
            unit, parts = polynomial.leading_coefficient(), [(polynomial / polynomial.leading_coefficient(), 1)]
        powers: Counter[int] = Counter()
        for part, power in parts:
            lead = part.leading_coefficient()
            unit *= lead ** int(power)
            powers[self._number(part / lead)] += int(power)
        return self.ring.context.constant(unit), powers

    def _number(self, factor: Polynomial) -> int:
        for number, known in enumerate(self.known):
            if known == factor:
                return number
        self.known.append(factor)
        return len(self.known) - 1

    def times(self, polynomial: Polynomial, powers: Mapping[int, int]) -> Polynomial:
        """The polynomial times a product of factors, reduced."""
        for number, power in powers.items():
            for _ in range(power):
                polynomial = self.ring.times(polynomial, self.known[number])
        return polynomial

    def cancelled(self, num: Polynomial, below: Mapping[int, int]) -> Factored:
        """Without the factors that divide the numerator."""
        left = Counter(below)
        for number in below:
            while left[number] and (part := exact_quotient(self.ring, num, self.known[number])) is not None:
                num = part
                left[number] -= 1
        return Factored(num, +left)

    def common(self, values: Iterable[Factored]) -> Counter[int]:
        """The least common denominator."""
        result: Counter[int] = Counter()
        for value in values:
            result |= Counter(value.below)
        return result

    def back_substituted(
        self, rows: Sequence[Row], pivots: Sequence[tuple[int, int]], column: int
    ) -> dict[int, Factored]:
        """The unknowns, where not zero, of an eliminated system whose right-hand sides stand in ``column``."""
        ring, found = self.ring, dict[int, Factored]()
        for i, j in reversed(pivots):
            row = rows[i]
            used = sorted(row.keys() & found.keys())
            below = self.common(found[k] for k in used)
            total = ring.context.constant(0)
            if column in row:
                total += self.times(row[column], below)
            for k in used:
                total -= self.times(ring.times(row[k], found[k].num), below - Counter(found[k].below))
            if not total.is_zero():
                unit, under = self.split(row[j])
                found[j] = self.cancelled(total / unit, below + under)
        return found
