r"""Quotients of polynomials in generators that obey relations $g^n = \rho(\text{older generators})$, and exact division among them.

A generator stands for a symbol or for a function such as $\sin\theta$ or $\sqrt{1 + x^2}$. Its relation
($s^2 = 1 - c^2$, $r^2 = 1 + x^2$) is a true identity, so a numerator that reduces to 0 proves that the
quotient vanishes wherever it is defined. A relation that is missed costs completeness, never truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, final

import flint
import symengine

from anholonomy.algebra.expressions import Expr
from anholonomy.base.deadlines import check

__all__ = ["NoNormalForm", "Polynomial", "Quotient", "Ring", "TooLarge", "exact_quotient", "lowest", "without_content"]


Polynomial: TypeAlias = Any
"""A `flint.fmpq_mpoly` in the generators of a `Ring`."""

MAX_TERMS = 20_000
"""Terms of a polynomial beyond which nothing is multiplied out."""
MAX_WORK = 20_000_000
"""Term products that one normal form may cost; some seconds."""
MAX_GCD_TERMS = 3_000
"""Terms up to which common factors are looked for."""
MAX_DEGREE = 2_000
"""Some algorithms of flint take memory in proportion to the degree, and end the process when there is none."""


class NoNormalForm(Exception):
    """The expression is too large, divides by zero or is real nowhere."""


class TooLarge(NoNormalForm):
    """The polynomials outgrew their bounds; the caller decides by other means."""


@final
class Quotient(NamedTuple):
    """A numerator over a denominator."""

    num: Polynomial
    den: Polynomial


@final
class Ring:
    """Polynomials over the rationals in generators that are added as they are met.

    >>> x = symengine.Symbol("x")
    >>> ring = Ring()
    >>> c, s = ring.generator(symengine.cos(x)), ring.generator(symengine.sin(x))
    >>> ring.relate(s, 2, 1 - ring.gen(c) ** 2)
    >>> square = ring.power(ring.quotient(s), 2)
    >>> ring.expression(square)
    1 - cos(x)**2
    """

    def __init__(self, work: int = MAX_WORK) -> None:
        self.meaning: list[Expr] = []
        self.index: dict[Expr, int] = {}
        self.relations: dict[int, tuple[int, Polynomial]] = {}
        self.context = self._context()
        self.work = work

    def _context(self) -> Any:
        names = [f"g{i}" for i in range(len(self.meaning))]
        return flint.fmpq_mpoly_ctx.get(names, flint.Ordering.degrevlex)

    def generator(self, meaning: Expr) -> int:
        """The number of the generator that stands for ``meaning``, new if there was none."""
        if meaning not in self.index:
            self.index[meaning] = len(self.meaning)
            self.meaning.append(meaning)
            self.context = self._context()
        return self.index[meaning]

    def relate(self, generator: int, order: int, value: Polynomial) -> None:
        """State $g^{order} = value$, where ``value`` contains older generators only."""
        self.relations[generator] = (order, self.lift(value))

    def gen(self, generator: int) -> Polynomial:
        return self.context.gen(generator)

    def constant(self, value: Fraction | int) -> Quotient:
        exact = flint.fmpq(value.numerator, value.denominator)
        return Quotient(self.context.constant(exact), self.context.constant(1))

    def quotient(self, generator: int) -> Quotient:
        return Quotient(self.gen(generator), self.context.constant(1))

    def lift(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with room for the generators added since it was made."""
        if polynomial.context() is self.context:
            return polynomial
        return polynomial.project_to_context(self.context)

    def lifted(self, value: Quotient) -> Quotient:
        return Quotient(self.lift(value.num), self.lift(value.den))

    def times(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """The reduced product, refused when it would be too large."""
        cost = len(left) * len(right)
        self.work -= cost
        if cost > 200 * MAX_TERMS or self.work < 0:
            raise TooLarge
        if left.total_degree() + right.total_degree() > MAX_DEGREE:
            raise TooLarge
        check()
        return self.reduce(left * right)

    def reduce(self, polynomial: Polynomial) -> Polynomial:
        """Apply every relation, youngest generator first, until no power exceeds its order."""
        degrees = polynomial.degrees()
        for generator in sorted(self.relations, reverse=True):
            order, value = self.relations[generator]
            if generator >= len(degrees) or degrees[generator] < order:
                continue
            self.relations[generator] = (order, value := self.lift(value))
            parts: dict[int, dict[tuple[int, ...], Any]] = {}
            for exponents, coefficient in polynomial.to_dict().items():
                times, rest = divmod(exponents[generator], order)
                lowered = (*exponents[:generator], rest, *exponents[generator + 1 :])
                parts.setdefault(times, {})[lowered] = coefficient
            polynomial, power, top = self.context.constant(0), self.context.constant(1), max(parts)
            for times in range(top + 1):
                if times in parts:
                    polynomial += self.context.from_dict(parts[times]) * power
                if times < top:
                    power = power * value
                if len(power) + len(polynomial) > MAX_TERMS:
                    raise TooLarge
            degrees = polynomial.degrees()
        if len(polynomial) > MAX_TERMS:
            raise TooLarge
        return polynomial

    def cancelled(self, num: Polynomial, den: Polynomial) -> Quotient:
        """Common factors removed (while that is cheap) and the denominator made monic."""
        if den.is_zero():
            raise ZeroDivisionError
        check()
        if num.is_zero():
            return self.constant(0)
        if not den.is_constant() and len(num) + len(den) <= MAX_GCD_TERMS:
            common = num.gcd(den)
            if not common.is_constant():
                num, den = num / common, den / common
        lead = den.leading_coefficient()
        return Quotient(num / lead, den / lead)

    def add(self, values: Iterable[Quotient]) -> Quotient:
        """The sum; terms that share a denominator are added first."""
        shared: dict[str, Quotient] = {}
        for value in map(self.lifted, values):
            key = str(value.den)
            shared[key] = Quotient(shared[key].num + value.num, value.den) if key in shared else value
        total = self.constant(0)
        for value in shared.values():
            total = self._sum(total, value)
        return total

    def _sum(self, a: Quotient, b: Quotient) -> Quotient:
        if a.num.is_zero():
            return self.cancelled(*b)
        if a.den == b.den:
            return self.cancelled(a.num + b.num, a.den)
        common = a.den.gcd(b.den) if len(a.den) + len(b.den) <= MAX_GCD_TERMS else self.context.constant(1)
        left, right = a.den / common, b.den / common
        return self.cancelled(self.times(a.num, right) + self.times(b.num, left), self.times(a.den, right))

    def multiply(self, values: Iterable[Quotient]) -> Quotient:
        num, den = self.constant(1)
        for value in map(self.lifted, values):
            # Cancelling crosswise keeps both products small.
            first, second = self.cancelled(num, value.den), self.cancelled(value.num, den)
            num, den = self.times(first.num, second.num), self.times(first.den, second.den)
        return self.cancelled(num, den)

    def invert(self, value: Quotient) -> Quotient:
        """1/value; dividing by what reduces to zero raises `ZeroDivisionError`."""
        if value.num.is_zero():
            raise ZeroDivisionError
        return self.cancelled(*self.lifted(Quotient(value.den, value.num)))

    def power(self, value: Quotient, exponent: int) -> Quotient:
        value = self.lifted(value if exponent >= 0 else self.invert(value))
        num, den, count = value.num, value.den, abs(exponent)
        if (count > 64 and len(num) + len(den) > 2) or count * max(1, num.total_degree()) > MAX_DEGREE:
            raise TooLarge
        return Quotient(self._power(num, count), self._power(den, count))

    def _power(self, polynomial: Polynomial, exponent: int) -> Polynomial:
        if len(polynomial) <= 1:
            return self.reduce(polynomial**exponent)
        result = self.context.constant(1)
        for _ in range(exponent):
            result = self.times(result, polynomial)
        return result

    def term(self, exponents: Sequence[int]) -> Expr:
        """The product of the generators' meanings to the given powers."""
        return symengine.Mul(*(g ** int(e) for g, e in zip(self.meaning, exponents, strict=False) if e))

    def expanded(self, polynomial: Polynomial) -> Expr:
        """The polynomial as an expression, a sum of terms."""
        return symengine.Add(
            *(
                symengine.Rational(int(q.p), int(q.q)) * self.term(exponents)
                for exponents, q in polynomial.to_dict().items()
            )
        )

    def expression(self, value: Quotient) -> Expr:
        return self.expanded(value.num) / self.expanded(value.den)


# Exact division where generators obey relations: $1 - c^2 = s \cdot s$, although no polynomial says so.
#
# .. math:: \frac fg = \frac{f \bar g}{g \bar g}, \qquad
#           f_0 + r f_1 = r\,\Bigl(f_1 + r\,\frac{f_0}{\rho}\Bigr) \quad\text{where } r^2 = \rho
#
# The norm $g \bar g$ is free of $r$, and $1, r$ are independent over what is free of $r$, so that $g$ divides
# $f$ exactly if the norm divides both parts of $f \bar g$.


MAX_NORM_TERMS = 24
"""Terms of a divisor and"""
MAX_NUMERATOR_TERMS = 400
"""of what is divided, up to which division is tried by a norm."""


def exact_quotient(ring: Ring, over: Polynomial, under: Polynomial) -> Polynomial | None:
    """The polynomial equal to over/under by the ring's relations, None if none is found cheaply.

    >>> import symengine
    >>> from anholonomy.algebra.normal_forms.canonical import Canonical
    >>> x = symengine.Symbol("x")
    >>> forms = Canonical([symengine.sin(x), symengine.cos(x)])
    >>> square, sine = forms.quotient(1 - symengine.cos(x) ** 2).num, forms.quotient(symengine.sin(x)).num
    >>> forms.ring.expanded(exact_quotient(forms.ring, square, sine))
    sin(x)
    """
    quotient, remainder = divmod(over, under)
    if remainder.is_zero():
        return quotient
    for generator, (order, _) in sorted(ring.relations.items(), reverse=True):
        if under.degrees()[generator] == 0:
            continue
        if order != 2 or len(under) > MAX_NORM_TERMS or len(over) > MAX_NUMERATOR_TERMS:
            return None
        flipped = ring.context.from_dict({e: -q if e[generator] % 2 else q for e, q in under.to_dict().items()})
        over, under = ring.times(over, flipped), ring.times(under, flipped)
        if under.is_zero():
            return None
    quotient, remainder = divmod(over, under)
    return quotient if remainder.is_zero() else None


def _common_factor(polynomials: Iterable[Polynomial]) -> Polynomial | None:
    """The greatest common divisor as polynomials, None where it is a number or too costly to tell."""
    ordered = sorted(polynomials, key=len)
    if not ordered or ordered[0].is_constant() or len(ordered[0]) + len(ordered[-1]) > MAX_GCD_TERMS:
        return None
    common = ordered[0]
    for other in ordered[1:]:
        common = common.gcd(other)
        if common.is_constant():
            return None
    return common


def without_content(ring: Ring, polynomials: Sequence[Polynomial]) -> tuple[list[Polynomial], Polynomial]:
    """The polynomials without what they share, and what they shared: numbers, factors, roots and sines."""
    present = [p for p in polynomials if not p.is_zero()]
    factor = ring.context.constant(1)
    if not present:
        return list(polynomials), factor
    if (common := _common_factor(present)) is not None:
        polynomials, factor = [p / common for p in polynomials], common
    for generator, (order, value) in ring.relations.items():
        if order != 2 or value.is_constant():
            continue
        parts = [_over_root(ring, p, generator) for p in polynomials]
        if all(part is not None for part in parts):
            polynomials, factor = parts, ring.times(factor, ring.gen(generator))
    scale = next(p for p in polynomials if not p.is_zero()).leading_coefficient()
    for p in polynomials:
        for q in p.coeffs():
            scale = scale.gcd(q)
            if scale == 1:
                break
    return [p / scale for p in polynomials], factor * scale


def _over_root(ring: Ring, polynomial: Polynomial, generator: int) -> Polynomial | None:
    r"""$f/r$ where that is a polynomial again, for $r^2 = \rho$."""
    if polynomial.is_zero():
        return polynomial
    bare, times = {}, {}
    for e, q in polynomial.to_dict().items():
        if e[generator]:
            times[(*e[:generator], 0, *e[generator + 1 :])] = q
        else:
            bare[e] = q
    lowered = ring.context.from_dict(times)
    if not bare:
        return lowered
    value = ring.lift(ring.relations[generator][1])
    quotient, remainder = divmod(ring.context.from_dict(bare), value)
    return lowered + quotient * ring.gen(generator) if remainder.is_zero() else None


def lowest(ring: Ring, over: Polynomial, under: Polynomial) -> Quotient:
    """over/under with shared factors removed, those included that only the relations show."""
    value = ring.cancelled(over, under)
    if value.den.is_constant() or value.num.is_zero():
        return value
    if (whole := exact_quotient(ring, *value)) is not None:
        return ring.cancelled(whole, ring.context.constant(1))
    (num, den), _ = without_content(ring, value)
    if (inverse := exact_quotient(ring, den, num)) is not None:
        return ring.cancelled(ring.context.constant(1), inverse)
    return ring.cancelled(num, den)
