r"""Quotients of polynomials in generators that obey relations $g^n = \rho(\text{older generators})$.

A generator stands for a symbol or for a function such as $\sin\theta$ or $\sqrt{1 + x^2}$. Its relation
($s^2 = 1 - c^2$, $r^2 = 1 + x^2$) is a true identity, so a numerator that reduces to 0 proves that the
quotient vanishes wherever it is defined. A relation that is missed costs completeness, never truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import flint
import symengine

from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.patience import check

__all__ = ["NoNormalForm", "Polynomial", "Quotient", "Ring", "TooLarge"]

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


class Quotient(NamedTuple):
    """A numerator over a denominator."""

    num: Polynomial
    den: Polynomial


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
