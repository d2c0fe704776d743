r"""Long polynomials in short pieces: split by a speed, write every coefficient in its own shortest form.

.. math:: \sum_k u^k C_k, \qquad C = \sum_j P_j(m, J, \ldots)\, T_j(\cos, \sin)

A coefficient may use $c^2 = 1 - s^2$ where its neighbour does not, and factors that the whole does not have.
Every rewriting is an identity, so the results are equal by construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Any

import symengine

from anholonomy.symbolic.display.presentation import collected
from anholonomy.symbolic.display.signs import signed
from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.normal_forms.quotients import Polynomial, Ring

__all__ = ["Splitter", "length"]

MAX_TERMS = 120
"""Terms up to which a polynomial is split by a speed."""
MAX_TURNED_TERMS = 40
"""Terms up to which several ways to split are compared, and pairs of sine and cosine turned."""
MAX_TURNED_PAIRS = 3
"""Pairs of sine and cosine that are turned."""
MAX_SPLITS = 3
"""Ways to split that are compared."""


def length(expression: Expr) -> tuple[int, int]:
    """Operations first; of two equally long, the one that prints shorter."""
    return int(symengine.count_ops(expression)), len(str(expression))


class Splitter:
    """Short forms of the polynomials of one ring; ``pairs`` maps cosines to their sines.

    >>> from anholonomy.symbolic.normal_forms.canonical import Canonical
    >>> x, m, u = symengine.symbols("x m u")
    >>> energy = m * u**2 * (1 - symengine.cos(x) ** 2)
    >>> forms = Canonical([energy])
    >>> Splitter(forms.ring, forms.radicals.pairs).shortest(forms.quotient(energy).num)
    m*u**2*sin(x)**2
    """

    def __init__(self, ring: Ring, pairs: Mapping[int, int]) -> None:
        self.ring, self.pairs = ring, pairs
        self.circular = {*pairs, *pairs.values()}
        self.known: dict[tuple[Any, bool], Expr] = {}

    def shortest(self, polynomial: Polynomial) -> Expr:
        """The shortest form found: split by any one generator, or not at all."""
        if len(polynomial) > MAX_TERMS:
            return collected(self.ring, polynomial, self.pairs)
        return self._memo(polynomial, True)

    def _memo(self, polynomial: Polynomial, split: bool) -> Expr:
        key = frozenset(polynomial.to_dict().items()), split
        if key not in self.known:
            forms = (self._factored(turned, split and turned is polynomial) for turned in self._turned(polynomial))
            self.known[key] = _shortest(forms)
        return self.known[key]

    def _factored(self, polynomial: Polynomial, split: bool) -> Expr:
        if len(polynomial) <= 1:
            return self.ring.expanded(polynomial)
        unit, factors = polynomial.factor()
        parts = [_shortest(self._sums(factor, split)) ** int(power) for factor, power in factors]
        return signed(symengine.Mul(symengine.Rational(int(unit.p), int(unit.q)), *parts))

    def _sums(self, factor: Polynomial, split: bool) -> Iterator[Expr]:
        """Ways to write a polynomial that has no factors."""
        yield collected(self.ring, factor, self.pairs)
        if len(factor) <= 2:
            return
        outer = [i for i, degree in enumerate(factor.degrees()) if degree and i not in self.circular]
        if outer and len(outer) < sum(map(bool, factor.degrees())):
            yield self._by_trigonometry(factor)
        if split:
            splits = [(self._powers(factor, generator), self.ring.meaning[generator]) for generator in outer]
            splits.sort(key=lambda pair: self._promise(pair[0]))
            for parts, meaning in splits[: MAX_SPLITS if len(factor) <= MAX_TURNED_TERMS else 1]:
                yield symengine.Add(*(self._memo(part, False) * meaning**k for k, part in parts.items()))

    def _powers(self, polynomial: Polynomial, generator: int) -> dict[int, Polynomial]:
        parts: dict[int, dict[tuple[int, ...], Any]] = {}
        for e, q in polynomial.to_dict().items():
            lowered = (*e[:generator], 0, *e[generator + 1 :])
            parts.setdefault(int(e[generator]), {})[lowered] = q
        return {k: self._polynomial(part) for k, part in parts.items()}

    def _promise(self, parts: Mapping[int, Polynomial]) -> int:
        """Operations of the parts, each collected without a search."""
        return sum(length(collected(self.ring, part, self.pairs))[0] for part in parts.values())

    def _by_trigonometry(self, polynomial: Polynomial) -> Expr:
        """The sum of products of what has no sines and cosines and what has nothing else."""
        columns: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for e, q in polynomial.to_dict().items():
            outer = tuple(0 if i in self.circular else k for i, k in enumerate(e))
            inner = tuple(k if i in self.circular else 0 for i, k in enumerate(e))
            columns.setdefault(outer, {})[inner] = q
        shared: dict[frozenset[Any], tuple[Polynomial, dict[tuple[int, ...], Any]]] = {}
        for outer, column in columns.items():
            lead = column[max(column)]
            alike = {inner: q / lead for inner, q in column.items()}
            key = frozenset(alike.items())
            shared.setdefault(key, (self._polynomial(alike), {}))[1][outer] = lead
        terms = []
        for circular, weights in shared.values():
            weight = self._polynomial(weights)
            terms.append(self._factored(weight, False) * _shortest(map(self._plain, self._turned(circular))))
        return symengine.Add(*map(signed, terms))

    def _plain(self, polynomial: Polynomial) -> Expr:
        """Factors, each collected; the circular parts have no outer ones to split off."""
        if len(polynomial) <= 1:
            return self.ring.expanded(polynomial)
        unit, factors = polynomial.factor()
        parts = [collected(self.ring, factor, self.pairs) ** int(power) for factor, power in factors]
        return signed(symengine.Mul(symengine.Rational(int(unit.p), int(unit.q)), *parts))

    def _turned(self, polynomial: Polynomial) -> Iterator[Polynomial]:
        r"""The polynomial itself, and with $c^2 \to 1 - s^2$ for every choice of angles."""
        degrees = polynomial.degrees()
        turnable = [c for c in self.pairs if c < len(degrees) and degrees[c] >= 2][:MAX_TURNED_PAIRS]
        yield polynomial
        if len(polynomial) > MAX_TURNED_TERMS:
            return
        for chosen in chain.from_iterable(combinations(turnable, k + 1) for k in range(len(turnable))):
            other = polynomial
            for cosine in chosen:
                other = self._turn(other, cosine)
            # A form with more terms is hardly ever the shorter one in the end, and costs most.
            if len(other) <= len(polynomial) + 1:
                yield other

    def _turn(self, polynomial: Polynomial, cosine: int) -> Polynomial:
        square = 1 - self.ring.gen(self.pairs[cosine]) ** 2
        parts: dict[int, dict[tuple[int, ...], Any]] = {}
        for e, q in polynomial.to_dict().items():
            twice, rest = divmod(int(e[cosine]), 2)
            parts.setdefault(twice, {})[(*e[:cosine], rest, *e[cosine + 1 :])] = q
        return sum((self._polynomial(part) * square**k for k, part in parts.items()), self.ring.context.constant(0))

    def _polynomial(self, terms: Mapping[tuple[int, ...], Any]) -> Polynomial:
        return self.ring.context.from_dict(terms)


def _shortest(candidates: Iterable[Expr]) -> Expr:
    return min(candidates, key=length)
