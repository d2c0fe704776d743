r"""Special values of free parameters: those for which alone a decision may turn out differently.

.. math:: \sum_\alpha a_\alpha(k)\,\varphi_\alpha(q) = 0 \ \ \forall q \iff a_\alpha(k) = 0 \ \ \forall\alpha

for independent $\varphi_\alpha$: functions that do not vanish in general vanish for the parameters $k$ that are common zeros of the
coefficients of their monomials. What all coefficients share is split off and factored; every factor is a condition by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.constant_relations import coefficient_rows
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Ring
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.language.answers import EQUALS, Part, Readable, Row, joined

__all__ = ["MAX_OPERATIONS", "SpecialValues", "either", "keeps_its_sign", "special_values"]


@final
@dataclass(frozen=True, repr=False)
class SpecialValues(Readable):
    """Conditions on free parameters, outside of which a decision is the same for all values.

    Attributes
    ----------
    alternatives
        Lists of functions of the parameters: the decision may change only where all functions of one of the lists are zero.
    """

    alternatives: tuple[Vector, ...]

    def __bool__(self) -> bool:
        return bool(self.alternatives)

    @property
    def row(self) -> Row:
        """The conditions in one row."""
        lists = (joined(((a, EQUALS, b) for a, b in map(_solved, each)), " and ") for each in self.alternatives)
        return Row(joined(lists, ", or "))

    def as_rows(self) -> Iterable[Part]:
        yield self.row


def _solved(condition: Expr) -> tuple[Expr, Expr]:
    """The two sides, solved for a parameter that stands alone in it with a number in front."""
    for p in sorted(condition.free_symbols, key=str):
        slope = symengine.expand(partial(condition, p))
        if isinstance(slope, symengine.Rational):
            return p, symengine.expand(p - condition / slope)
    return condition, symengine.Integer(0)


MAX_OPERATIONS = 20_000
"""Operations in the functions up to which special values are looked for."""
MAX_EQUATIONS = 4
"""Equations that must hold together, up to which they are told."""

_INDEPENDENT = (symengine.Symbol, symengine.sin, symengine.cos, symengine.log)
"""Functions of coordinates alone that obey no relations but those that normal forms know."""


def special_values(
    functions: Iterable[Expr], coordinates: Iterable[Symbol], on: Orbit | None = None
) -> SpecialValues | None:
    """The values of free parameters for which all functions vanish identically; None where that was not decided.

    >>> x, y, k = symengine.symbols("x y k")
    >>> print(special_values([(k - 1) * x, (k**2 - 1) * y], [x, y]))
    k = 1
    >>> bool(special_values([k * x + 1], [x]))
    False
    """
    known, moving = on.known if on else {}, set(coordinates)
    try:
        given = [f.xreplace(known) for f in functions]
    except RuntimeError:  # SymEngine refuses to divide by zero
        return None
    if not free_symbols(given) - moving:
        return SpecialValues(())
    if (on and not free_symbols(given).isdisjoint(on.tied)) or symengine.count_ops(*given) > MAX_OPERATIONS:
        return None
    try:
        ring, rows, _ = coefficient_rows([[f] for f in given], moving, shared=False)
    except NoNormalForm:
        return None
    if not all(_stays_independent(ring.meaning[k], moving) for k in range(len(ring.meaning))):
        return None
    return _common_zeros(ring, [p for row in rows for p in row.values()])


def either(first: SpecialValues | None, second: SpecialValues | None) -> SpecialValues | None:
    """The values for which functions of one kind vanish, or those of another; None where one was not decided.

    >>> x, k = symengine.symbols("x k")
    >>> print(either(special_values([k * x], [x]), special_values([(k - 1) * x], [x])))
    k = 0, or k = 1
    """
    if first is None or second is None:
        return None
    return SpecialValues(tuple(dict.fromkeys((*first.alternatives, *second.alternatives))))


def _stays_independent(generator: Expr, moving: set[Symbol]) -> bool:
    """Whether no value of a parameter makes the generator a function of others, as k = 0 does with exp(k*x)."""
    names = generator.free_symbols
    if names.isdisjoint(moving):
        return isinstance(generator, symengine.Symbol)
    exponential = isinstance(generator, symengine.Pow) and generator.args[0] == symengine.E
    root = isinstance(generator, symengine.Pow) and isinstance(generator.args[1], symengine.Rational)
    return names <= moving and (exponential or root or isinstance(generator, _INDEPENDENT))


def _common_zeros(ring: Ring, polynomials: Sequence[Polynomial]) -> SpecialValues | None:
    present = [p for p in polynomials if not p.is_zero()]
    if not present:
        return None
    common = present[0]
    for p in present[1:]:
        common = common.gcd(p)
    alternatives = [(ring.expanded(f),) for f in _factors(common)]
    found = _solved_in_turn([p / common for p in present], ring)
    if found is None:
        return SpecialValues(tuple(alternatives))
    rest = tuple(dict.fromkeys(map(ring.expanded, found)))
    return None if len(rest) > MAX_EQUATIONS else SpecialValues((*alternatives, rest))


def _solved_in_turn(equations: Sequence[Polynomial], ring: Ring) -> list[Polynomial] | None:
    """Equations with the same solutions: what gives a parameter at once is put into the others; None where there is no solution.

    Of $j^2 = 0$, $jk + k^3 = 0$ that leaves $j = 0$ and $k = 0$.
    """
    solved, left = list[Polynomial](), _without_powers(equations, ring)
    while left and all(not p.is_constant() for p in left):
        given = next(((p, i) for p in left for i, _ in enumerate(ring.meaning) if _gives(p, i)), None)
        if given is None:
            return [*solved, *left]
        p, i = given
        slope = p.derivative(i)
        generators = list(ring.context.gens())
        generators[i] = generators[i] - p * (1 / slope.leading_coefficient())
        solved.append(p)
        left = _without_powers([q.compose(*generators, ctx=ring.context) for q in left if q != p], ring)
    return None if left else solved


def _gives(p: Polynomial, i: int) -> bool:
    """Whether an equation gives one parameter as a polynomial of the others."""
    slope = p.derivative(i)
    return not slope.is_zero() and bool(slope.is_constant())


def _without_powers(equations: Iterable[Polynomial], ring: Ring) -> list[Polynomial]:
    """Different equations that are not identities, with every factor once and without factors that have no zeros."""
    products = [_product(_factors(p), ring) for p in equations if not p.is_zero()]
    return [p for k, p in enumerate(products) if p not in products[:k]]


def _factors(polynomial: Polynomial) -> list[Polynomial]:
    """Different factors that have real zeros, as far as even powers and signs tell."""
    return [] if polynomial.is_constant() else [f for f, _ in polynomial.factor()[1] if not keeps_its_sign(f)]


def keeps_its_sign(polynomial: Polynomial) -> bool:
    """Whether a polynomial is a sum of even powers of one sign with a constant, and so has no real zeros."""
    terms = polynomial.to_dict()
    even = all(e % 2 == 0 for exponents in terms for e in exponents)
    constant = any(not any(exponents) for exponents in terms)
    return even and constant and len({q > 0 for q in terms.values()}) == 1


def _product(factors: Iterable[Polynomial], ring: Ring) -> Polynomial:
    total = ring.context.constant(1)
    for factor in factors:
        total = total * factor
    return total
