r"""Roots, absolute values and logarithms of quotients, over the reals.

.. math:: \Big(\prod_i f_i^{e_i}\Big)^{1/q} = \prod_{f_i \ge 0} f_i^{e_i/q} \cdot
          \prod_{\text{else}} |f_i|^{k_i}\, \Big(\prod_{\text{else}} f_i^{m_i}\Big)^{1/q},
          \qquad e_i = q k_i + m_i,\; q \text{ even}

An expression is real only where its radicands and the arguments of its logarithms are not negative. That is
what is known about signs here, beside squares, exponentials and constants; nothing is assumed, so
$\sqrt{x^2}$ is $|x|$, and $\sqrt{xy} = \sqrt x \sqrt y$ only where $\sqrt x$ or $\sqrt y$ stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias, final

import flint
import symengine

from anholonomy.algebra.normal_forms.ring import NoNormalForm, Polynomial, Quotient, Ring
from anholonomy.algebra.numbers.balls import evaluate_ball, excludes_zero

__all__ = ["NotReal", "Radicals"]

Factors: TypeAlias = list[tuple[Polynomial, int]]

MAX_FACTOR_TERMS = 400
"""Terms up to which a radicand is split into factors."""
MAX_INTEGER_BITS = 80
"""Larger integers keep their root whole rather than being factored."""


class NotReal(NoNormalForm):
    """The expression is real nowhere."""


@final
class Radicals:
    """Root, absolute value, sign and logarithm generators of a ring, with what is known about signs.

    ``order`` is a common order of all roots, so that $\\sqrt x$ and $x^{1/3}$ are powers of one generator.

    >>> x = symengine.Symbol("x")
    >>> ring = Ring()
    >>> square = ring.power(ring.quotient(ring.generator(x)), 2)
    >>> ring.expression(Radicals(ring, 2).root(square, Fraction(1, 2)))
    abs(x)
    """

    def __init__(self, ring: Ring, order: int) -> None:
        self.ring, self.order = ring, order
        self.positive: set[int] = set()
        self.signs: list[tuple[Polynomial, int]] = []
        self.bounded: set[int] = set()
        """Cosines: 1 + c and 1 - c are not negative."""
        self.pairs: dict[int, int] = {}
        """Cosine to sine, to see that 1 - c² is a square."""
        self.exponent: dict[int, Callable[[], Quotient]] = {}
        """Exponentials, whose logarithms are known."""
        self.radicand: dict[int, tuple[Polynomial, int]] = {}

    def learn(self, value: Quotient) -> None:
        """Take note that ``value`` is not negative, if that decides the sign of one factor."""
        unit, factors = self.factors(value)
        unknown = []
        for factor, power in factors:
            known = self.sign_of(factor)
            unit = -unit if known < 0 and power % 2 else unit
            if not known and power % 2:
                unknown.append(factor)
        if len(unknown) == 1:
            self.signs.append((unknown[0], 1 if unit > 0 else -1))

    def sign_of(self, factor: Polynomial) -> int:
        """1 where the polynomial is never negative, -1 where it is never positive, 0 if neither is known."""
        ring = self.ring
        factor = ring.lift(factor)
        for other, sign in self.signs:
            if ring.lift(other) == factor:
                return sign
        for sign in (1, -1):
            if self._evidently_positive(sign * factor):
                return sign
        used = [i for i, degree in enumerate(factor.degrees()) if degree]
        if any(ring.meaning[i].free_symbols for i in used):
            return 0
        try:
            value = evaluate_ball(ring.expanded(factor), {}, 40)
        except KeyError:
            return 0
        return 0 if not excludes_zero(value) else 1 if value > 0 else -1

    def _evidently_positive(self, polynomial: Polynomial) -> bool:
        terms = polynomial.to_dict()
        even = all(
            coefficient > 0 and all(e % 2 == 0 or i in self.positive for i, e in enumerate(exponents))
            for exponents, coefficient in terms.items()
        )
        return even or any(polynomial in (1 + self.ring.gen(c), 1 - self.ring.gen(c)) for c in self.bounded)

    def factors(self, value: Quotient) -> tuple[Fraction, Factors]:
        """``value`` as a rational number times irreducible polynomials to powers of either sign."""
        value = self.ring.lifted(value)
        unit, over = self._factor(value.num)
        below, under = self._factor(value.den)
        return unit / below, [*over, *((factor, -power) for factor, power in under)]

    def _factor(self, polynomial: Polynomial) -> tuple[Fraction, Factors]:
        if len(polynomial) > MAX_FACTOR_TERMS:
            lead = polynomial.leading_coefficient()
            return Fraction(int(lead.p), int(lead.q)), [(polynomial / lead, 1)]
        best = polynomial.factor()
        for cosine, sine in self.pairs.items():
            if len(polynomial) > 40 or all(power > 1 for _, power in best[1]):
                break
            swapped = self._through_sine(polynomial, cosine, sine)
            if swapped is not None:
                other = swapped.factor()
                if sum(power > 1 for _, power in other[1]) > sum(power > 1 for _, power in best[1]):
                    best = other
        unit, factors = best
        return Fraction(int(unit.p), int(unit.q)), [(factor, int(power)) for factor, power in factors]

    def _through_sine(self, polynomial: Polynomial, cosine: int, sine: int) -> Polynomial | None:
        """The polynomial with $c^2 = 1 - s^2$ put in, where it contains even powers of c only."""
        terms = polynomial.to_dict()
        if all(e[cosine] == 0 for e in terms) or any(e[sine] or e[cosine] % 2 for e in terms):
            return None
        square, result = 1 - self.ring.gen(sine) ** 2, self.ring.context.constant(0)
        for exponents, coefficient in terms.items():
            bare = {(*exponents[:cosine], 0, *exponents[cosine + 1 :]): coefficient}
            result += self.ring.context.from_dict(bare) * square ** (int(exponents[cosine]) // 2)
        return result

    def root(self, value: Quotient, exponent: Fraction) -> Quotient:
        """``value`` to a rational power; raises `NotReal` where that is real nowhere."""
        ring, q = self.ring, exponent.denominator
        if q == 1 or value.num.is_zero():
            return ring.power(value, int(exponent) if q == 1 else 1)
        unit, factors = self.factors(value)
        parts: list[Quotient] = []
        unknown: Factors = []
        for factor, power in factors:
            sign = self.sign_of(factor)
            unit = -unit if sign < 0 and power % 2 else unit
            if sign:
                parts.append(self._positive_root(sign * factor, power, q))
            else:
                unknown.append((factor, power))
        radicand = ring.context.constant(1 if unit > 0 else -1)
        for factor, power in unknown:
            if q % 2 == 0:
                outside, inside = divmod(power, q)
                parts.append(ring.power(self.absolute_factor(factor), outside))
            else:
                # An even power leaves the sign of the radicand alone, whatever the sign of the factor.
                outside = 2 * (power // (2 * q)) if power < 0 else 0
                inside = power - q * outside
                parts.append(ring.power(Quotient(factor, ring.context.constant(1)), outside))
            radicand = ring.lift(radicand) * ring.lift(factor) ** inside
        parts.append(self._number_root(abs(unit), q))
        radicand = ring.reduce(ring.lift(radicand))
        if not radicand.is_constant():
            parts.append(self._generator_root(radicand, q))
        elif radicand.is_zero():
            parts.append(ring.constant(0))
        elif radicand == -1:
            raise NotReal
        return ring.power(ring.multiply(parts), exponent.numerator)

    def _positive_root(self, factor: Polynomial, power: int, q: int) -> Quotient:
        whole, rest = divmod(power, q)
        base = Quotient(factor, self.ring.context.constant(1))
        parts = [self.ring.power(base, whole)]
        if rest:
            parts.append(self.ring.power(self._generator_root(factor, q), rest))
        return self.ring.multiply(parts)

    def _generator_root(self, radicand: Polynomial, q: int) -> Quotient:
        """The q-th root of a polynomial known to be not negative, as a power of a generator."""
        ring = self.ring
        order = self.order if self.order % q == 0 else q
        meaning = ring.expanded(radicand) ** symengine.Rational(1, order)
        fresh = meaning not in ring.index
        generator = ring.generator(meaning)
        if fresh:
            ring.relate(generator, order, radicand)
            self.positive.add(generator)
            self.radicand[generator] = (radicand, order)
        return ring.power(ring.quotient(generator), order // q)

    def _number_root(self, value: Fraction, q: int) -> Quotient:
        parts = [self.ring.constant(1)]
        for number, sign in ((value.numerator, 1), (value.denominator, -1)):
            for prime, power in _prime_powers(number):
                base = self.ring.context.constant(prime)
                parts.append(self._positive_root(base, sign * power, q))
        return self.ring.multiply(parts)

    def absolute_factor(self, factor: Polynomial) -> Quotient:
        """|f| for a polynomial f: ±f where the sign is known, else a generator with |f|² = f²."""
        ring = self.ring
        factor = ring.lift(factor)
        if sign := self.sign_of(factor):
            return Quotient(sign * factor, ring.context.constant(1))
        meaning = symengine.Abs(ring.expanded(factor))
        fresh = meaning not in ring.index
        generator = ring.generator(meaning)
        if fresh:
            ring.relate(generator, 2, ring.reduce(ring.lift(factor) ** 2))
            self.positive.add(generator)
        return ring.quotient(generator)

    def absolute(self, value: Quotient) -> Quotient:
        """|value|, factor by factor."""
        if value.num.is_zero():
            return value
        unit, factors = self.factors(value)
        parts = [self.ring.constant(abs(unit))]
        for factor, power in factors:
            base = Quotient(factor, self.ring.context.constant(1))
            parts.append(self.ring.power(self.absolute_factor(factor) if power % 2 else base, power))
        return self.ring.multiply(parts)

    def logarithm(self, value: Quotient) -> Quotient:
        """log(value) as a sum over the factors whose signs are known, exponentials undone."""
        if value.num.is_zero():
            raise NotReal
        ring = self.ring
        unit, factors = self.factors(value)
        parts: list[Quotient] = []
        rest = ring.constant(1)
        for factor, power in factors:
            sign = self.sign_of(factor)
            unit = -unit if sign < 0 and power % 2 else unit
            if sign:
                parts.append(ring.multiply([ring.constant(power), self._log_positive(sign * factor)]))
            else:
                base = Quotient(factor, ring.context.constant(1))
                rest = ring.multiply([rest, ring.power(base, power)])
        for number, direction in ((abs(unit).numerator, 1), (abs(unit).denominator, -1)):
            for prime, power in _prime_powers(number):
                log = ring.quotient(ring.generator(symengine.log(symengine.Integer(prime))))
                parts.append(ring.multiply([ring.constant(direction * power), log]))
        if not (rest.num.is_constant() and rest.den.is_constant()):
            signed = ring.multiply([rest, ring.constant(1 if unit > 0 else -1)])
            parts.append(ring.quotient(ring.generator(symengine.log(ring.expression(signed)))))
        elif unit < 0:
            raise NotReal
        return ring.add(parts)

    def _log_positive(self, factor: Polynomial) -> Quotient:
        ring = self.ring
        factor = ring.lift(factor)
        used = [i for i, degree in enumerate(factor.degrees()) if degree]
        if len(used) == 1 and factor == ring.gen(used[0]):
            (generator,) = used
            if generator in self.exponent:
                return self.exponent[generator]()
            if generator in self.radicand:
                radicand, order = self.radicand[generator]
                inner = self.logarithm(Quotient(radicand, ring.context.constant(1)))
                return ring.multiply([ring.constant(Fraction(1, order)), inner])
        return ring.quotient(ring.generator(symengine.log(ring.expanded(factor))))


def _prime_powers(number: int) -> list[tuple[int, int]]:
    """Prime factors of a positive integer; a large one is left whole."""
    if number.bit_length() > MAX_INTEGER_BITS:
        return [(number, 1)]
    return [(int(prime), int(power)) for prime, power in flint.fmpz(number).factor()]
