r"""Short forms of polynomials and quotients: common factors outside, sines and cosines whichever is shorter.

.. math:: I w + m a^2 w \mapsto w\,(I + m a^2), \qquad A - A c^2 \mapsto A s^2, \qquad \sum_k u^k C_k

Every rewriting here is an identity, so that the results are equal by construction and nothing has to be proven again, unlike in
`anholonomy.algebra.simplification.simplify`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Any, final

import symengine

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.normal_forms.canonical import Canonical
from anholonomy.algebra.normal_forms.ring import Polynomial, Quotient, Ring
from anholonomy.algebra.simplification.sums import signed

__all__ = ["Splitter", "doubled", "fractions_of", "is_even", "length", "presentations", "short_form", "tangents"]


MAX_FACTOR_TERMS = 200
"""Terms up to which a polynomial is split into factors, within hundredths of a second."""
MAX_TURNED_TERMS = 400
"""Terms up to which sines stand for cosines where that is shorter."""
MAX_COLLECT_TERMS = 2_000
"""Terms up to which common factors are collected."""


def presentations(ring: Ring, polynomial: Polynomial, pairs: Mapping[int, int]) -> Iterator[Expr]:
    """Equal expressions for one polynomial; ``pairs`` maps cosines to their sines.

    >>> from anholonomy.algebra.normal_forms.canonical import Canonical
    >>> I, m, a, w = symengine.symbols("I m a w")
    >>> forms = Canonical([I * w + m * a**2 * w])
    >>> num, _ = forms.quotient(I * w + m * a**2 * w)
    >>> [str(e) for e in presentations(forms.ring, num, {})]
    ['w*(I + a**2*m)', 'w*(I + a**2*m)', 'I*w + a**2*m*w']
    """
    if len(polynomial) <= MAX_FACTOR_TERMS:
        unit, factors = polynomial.factor()
        parts = [collected(ring, factor, pairs) ** int(power) for factor, power in factors]
        yield symengine.Mul(_number(unit), *parts)
    if len(polynomial) <= MAX_COLLECT_TERMS:
        yield collected(ring, polynomial, pairs)
    yield ring.expanded(polynomial)


def collected(ring: Ring, polynomial: Polynomial, pairs: Mapping[int, int]) -> Expr:
    """Nested form: pull out what all terms share, then split by the generator most terms contain."""
    terms = polynomial.to_dict()
    if len(terms) <= 1:
        return ring.expanded(polynomial)
    shared = tuple(map(min, zip(*terms, strict=True)))
    scale = _content(terms)
    if any(shared) or scale not in (1, -1):
        inner = {_lowered(e, shared): q / scale for e, q in terms.items()}
        rest = collected(ring, ring.context.from_dict(inner), pairs)
        return symengine.Mul(_number(scale), ring.term(shared), rest)
    columns = list(zip(*terms, strict=True))
    for cosine, sine in pairs.items():
        if max(columns[cosine]) < 2:
            continue
        quotient, remainder = divmod(polynomial, 1 - ring.gen(cosine) ** 2)
        if remainder.is_zero():
            return collected(ring, quotient, pairs) * ring.meaning[sine] ** 2
    counts = [sum(map(bool, column)) for column in columns]
    best = counts.index(max(counts))
    if counts[best] < 2:
        return ring.expanded(polynomial)
    least = min(e[best] for e in terms if e[best])
    inside = {(*e[:best], e[best] - least, *e[best + 1 :]): q for e, q in terms.items() if e[best]}
    outside = {e: q for e, q in terms.items() if not e[best]}
    head = collected(ring, ring.context.from_dict(inside), pairs) * ring.meaning[best] ** int(least)
    return head + collected(ring, ring.context.from_dict(outside), pairs)


def _lowered(exponents: tuple[Any, ...], by: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(e - d for e, d in zip(exponents, by, strict=True))


def _content(terms: Mapping[tuple[Any, ...], Any]) -> Any:
    """The rational number to pull out so that integers without a common factor remain."""
    first, *others = terms.values()
    scale = abs(first)
    for q in others:
        scale = scale.gcd(q)
    return scale


def _number(value: Any) -> Expr:
    return symengine.Rational(int(value.p), int(value.q))


def fractions_of(ring: Ring, value: Quotient, pairs: Mapping[int, int]) -> Iterator[Quotient]:
    """Equal quotients: as it is, turned to fewer terms by $c^2 = 1 - s^2$, and with rational denominators."""
    yield value
    yield ring.cancelled(_turned(ring, value.num, pairs), _turned(ring, value.den, pairs))
    for every in (True, False):
        rational = _rational_below(ring, value, every)
        if rational is not value and _adds_no_pole(value, rational):
            yield rational
            yield ring.cancelled(_turned(ring, rational.num, pairs), _turned(ring, rational.den, pairs))


def _rational_below(ring: Ring, value: Quotient, every: bool) -> Quotient:
    """The quotient without roots and moduli in its denominator: without any, or without those that leave no pole behind."""
    for generator, (order, _) in sorted(ring.relations.items(), reverse=True):
        if order == 2 and value.den.degrees()[generator] == 1 and len(value.den) <= 40:
            conjugate = _conjugate(ring, value.den, generator)
            num, den = ring.times(value.num, conjugate), ring.times(value.den, conjugate)
            if den.is_zero():
                break
            rational = ring.cancelled(num, den)
            value = rational if every or _adds_no_pole(value, rational) else value
    return value


def _adds_no_pole(value: Quotient, other: Quotient) -> bool:
    """Whether nothing stands below ``other`` that does not stand below ``value``."""
    return bool(divmod(value.den, other.den)[1].is_zero())


def _conjugate(ring: Ring, polynomial: Polynomial, generator: int) -> Polynomial:
    """What to multiply with so that only even powers of the generator, a square root or a modulus, are left."""
    if _divides(polynomial, generator):
        return ring.gen(generator)
    flipped = {e: -q if e[generator] % 2 else q for e, q in polynomial.to_dict().items()}
    return ring.context.from_dict(flipped)


def _turned(ring: Ring, polynomial: Polynomial, pairs: Mapping[int, int]) -> Polynomial:
    """$c^2 \\to 1 - s^2$ for each angle where that leaves fewer terms."""
    for cosine, sine in pairs.items():
        if len(polynomial) > MAX_TURNED_TERMS or polynomial.degrees()[cosine] < 2:
            continue
        square = 1 - ring.gen(sine) ** 2
        other = ring.context.constant(0)
        for e, q in polynomial.to_dict().items():
            bare = {(*e[:cosine], e[cosine] % 2, *e[cosine + 1 :]): q}
            other += ring.context.from_dict(bare) * square ** (int(e[cosine]) // 2)
        if len(other) < len(polynomial):
            polynomial = other
    return polynomial


def tangents(ring: Ring, value: Quotient, pairs: Mapping[int, int]) -> tuple[Expr, Quotient]:
    """Powers of s/c that divide the quotient, as tangents, and what remains."""
    found = symengine.Integer(1)
    num, den = value
    for cosine, sine in pairs.items():
        if power := min(_divides(num, sine), _divides(den, cosine)):
            num, den = num / ring.gen(sine) ** power, den / ring.gen(cosine) ** power
            found *= symengine.tan(ring.meaning[cosine].args[0]) ** power
    return found, Quotient(num, den)


def _divides(polynomial: Polynomial, generator: int) -> int:
    return int(min((e[generator] for e in polynomial.to_dict()), default=0))


def is_even(value: Quotient, cosine: int, sine: int) -> bool:
    """Whether a quotient is a function of the double angle: all degrees in c and s even, some not zero."""
    degrees = [e[cosine] + e[sine] for part in value for e in part.to_dict()]
    return any(degrees) and all(degree % 2 == 0 for degree in degrees)


def doubled(ring: Ring, value: Quotient, pair: tuple[int, int], double: tuple[Quotient, Quotient]) -> Quotient:
    r"""$c^2 = (1 + C)/2$ and $s c = S/2$, with C and S the cosine and sine of the double angle."""
    cosine, sine = pair
    C, S = (ring.lift(part.num) for part in double)

    def turn(polynomial: Polynomial) -> Polynomial:
        result = ring.context.constant(0)
        for e, q in ring.lift(polynomial).to_dict().items():
            rest = list(e)
            rest[cosine] = rest[sine] = 0
            plain = ring.context.from_dict({tuple(rest): q})
            result += plain * ((1 + C) / 2) ** (int(e[cosine]) // 2) * (S / 2) ** int(e[sine])
        return ring.reduce(result)

    return ring.cancelled(turn(value.num), turn(value.den))


# Long polynomials in short pieces: split by a speed, write every coefficient in its own shortest form.
#
# .. math:: \sum_k u^k C_k, \qquad C = \sum_j P_j(m, J, \ldots)\, T_j(\cos, \sin)
#
# A coefficient may use $c^2 = 1 - s^2$ where its neighbour does not, and factors that the whole does not have.


MAX_SPLIT_TERMS = 120
"""Terms up to which a polynomial is split by a speed."""
MAX_COMPARED_TERMS = 40
"""Terms up to which several ways to split are compared, and pairs of sine and cosine turned."""
MAX_TURNED_PAIRS = 3
"""Pairs of sine and cosine that are turned."""
MAX_SPLITS = 3
"""Ways to split that are compared."""


def length(expression: Expr) -> tuple[int, int]:
    """Operations first; of two equally long, the one that prints shorter."""
    return int(symengine.count_ops(expression)), len(str(expression))


@final
class Splitter:
    """Short forms of the polynomials of one ring; ``pairs`` maps cosines to their sines.

    >>> from anholonomy.algebra.normal_forms.canonical import Canonical
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
        if len(polynomial) > MAX_SPLIT_TERMS:
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
            for parts, meaning in splits[: MAX_SPLITS if len(factor) <= MAX_COMPARED_TERMS else 1]:
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
        if len(polynomial) > MAX_COMPARED_TERMS:
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


# Quotients, at a price that does not depend on luck: a long one is written out as it is.


MAX_FACTORED_TERMS = 40
"""Terms up to which numerator and denominator are factored."""
MAX_COLLECTED_TERMS = 300
"""Terms up to which they are collected by a symbol."""


def short_form(forms: Canonical, value: Quotient) -> Expr:
    """A short expression of a quotient in the ring of ``forms``.

    >>> x, m = symengine.symbols("x m")
    >>> forms = Canonical([m * symengine.cos(x)])
    >>> short_form(forms, forms.quotient(m - m * symengine.cos(x) ** 2))
    m*sin(x)**2
    """
    ring, pairs = forms.ring, forms.radicals.pairs
    size = len(value.num) + len(value.den)
    if size <= 2 or size > MAX_COLLECTED_TERMS:
        return ring.expression(value)
    if size > MAX_FACTORED_TERMS:
        return collected(ring, value.num, pairs) / collected(ring, value.den, pairs)
    candidates = []
    for quotient in fractions_of(ring, value, pairs):
        tangent, (num, den) = tangents(ring, quotient, pairs)
        above, below = (_shortest(presentations(ring, part, pairs)) for part in (num, den))
        candidates.append(tangent * above / below)
    return _shortest(candidates)
