r"""Polynomials written for people: common factors outside, sines and cosines whichever is shorter.

.. math:: I w + m a^2 w \mapsto w\,(I + m a^2), \qquad A - A c^2 \mapsto A s^2

Every rewriting here is an identity, so the results are equal by construction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import symengine

from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.normal_forms.quotients import Polynomial, Quotient, Ring

__all__ = ["doubled", "fractions_of", "is_even", "presentations", "tangents"]

MAX_FACTOR_TERMS = 200
"""Terms up to which a polynomial is split into factors, within hundredths of a second."""
MAX_TURNED_TERMS = 400
"""Terms up to which sines stand for cosines where that is shorter."""
MAX_COLLECT_TERMS = 2_000
"""Terms up to which common factors are collected."""


def presentations(ring: Ring, polynomial: Polynomial, pairs: Mapping[int, int]) -> Iterator[Expr]:
    """Equal expressions for one polynomial; ``pairs`` maps cosines to their sines.

    >>> from anholonomy.symbolic.normal_forms.canonical import Canonical
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
