r"""Short forms of functions of redundant coordinates, for people to read.

.. math:: f = h \text{ on the group}, \qquad q_0^2 \to 1 - q_1^2 - q_2^2 - q_3^2

What vanishes on the group is 0 and what is constant there is its value at the identity. Otherwise a power that an invariant
determines is replaced by the rest of it, in numerators and denominators, where that makes the whole shorter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector, zero
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Ring
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.simplification.polynomials import length
from anholonomy.algebra.simplification.simplify import READABLE, simplify
from anholonomy.algebra.zero_test import is_zero

__all__ = ["shortened", "shortened_vector"]

_TRIED = 24
"""The powers that are replaced, one after the other, in search of a shorter form."""
_TERMS = 400
"""Terms up to which a quotient is rewritten."""


@lru_cache(maxsize=2048)
def shortened(expression: Expr, on: Orbit | None) -> Expr:
    """The same function on the group, as short as a few rewritings make it; what touches no group stays as it is.

    >>> from anholonomy.geometry.groups import SO3
    >>> q0, q1, q2, q3 = SO3().coordinates
    >>> on = SO3().frame.orbit
    >>> shortened(q0**2 + q1**2 + q2**2 + q3**2 - 3, on), shortened(q0**2 - q1**2 - q2**2 + q3**2, on)
    (-2, 1 - 2*q1**2 - 2*q2**2)
    """
    if on is None or not on.touches([expression]):
        return expression
    if is_zero(expression, on):
        return zero
    if expression.free_symbols.isdisjoint(on.tied) or symengine.count_ops(expression) > READABLE:
        return expression
    constant = _constant(expression, on)
    if constant is not None:
        return simplify(constant)
    best = simplify(expression)
    for _ in range(_TRIED):
        better = min(_rewritten(best, on), key=length, default=best)
        if length(better) >= length(best):
            return best
        best = better
    return best


def shortened_vector(expressions: Iterable[Expr], on: Orbit | None) -> Vector:
    """Each expression shortened."""
    return tuple(shortened(each, on) for each in expressions)


def _constant(expression: Expr, on: Orbit) -> Expr | None:
    """The value at the identity, where redundant coordinates do not matter; otherwise None."""
    here = {q: value for block in on.blocks for q, value in zip(block.coordinates, block.origin, strict=True)}
    try:
        value = expression.xreplace(here)
    except RuntimeError:  # SymEngine refuses to divide by zero
        return None
    return value if is_zero(expression - value, on) else None


def _rewritten(expression: Expr, on: Orbit) -> Iterator[Expr]:
    """The expression with one power replaced, for each power that an invariant determines."""
    try:
        forms = Canonical([expression])
        num, den = (forms.ring.lift(part) for part in forms.quotient(expression))
    except NoNormalForm:
        return
    present = {q: k for k, q in enumerate(forms.ring.meaning) if q in on.tied}
    if len(num.to_dict()) + len(den.to_dict()) > _TERMS:
        return
    for q, power, rest in _powers(on)[:_TRIED]:
        if q in present:
            above, below = (_replaced(forms.ring, part, present[q], power, rest) for part in (num, den))
            if below != 0:
                yield simplify(above / below)


@lru_cache(maxsize=64)
def _powers(on: Orbit) -> list[tuple[Symbol, int, Expr]]:
    """Coordinates, powers of them that invariants determine, and what these are."""
    found = []
    for block in on.blocks:
        for value in block.invariants:
            for q in sorted(value.free_symbols & set(block.coordinates), key=str):
                for power in (1, 2):
                    rest = symengine.expand(value - (factor := _coefficient(value, q, power)) * q**power)
                    if factor != 0 and q not in rest.free_symbols:
                        found.append((q, power, symengine.expand(-rest / factor)))
    return found


def _coefficient(value: Expr, q: Symbol, power: int) -> Expr:
    """The factor of a power where it is a number, otherwise 0."""
    factor = value
    for k in range(power):
        factor = factor.diff(q) / (k + 1)
    factor = symengine.expand(factor)
    return factor if isinstance(factor, symengine.Rational) else zero


def _replaced(ring: Ring, polynomial: Polynomial, place: int, power: int, rest: Expr) -> Expr:
    parts: dict[int, dict[tuple[int, ...], Any]] = {}
    for exponents, coefficient in polynomial.to_dict().items():
        times, left = divmod(int(exponents[place]), power)
        key = (*exponents[:place], left, *exponents[place + 1 :])
        parts.setdefault(times, {})[key] = coefficient
    terms = (ring.expanded(ring.context.from_dict(part)) * rest**times for times, part in parts.items())
    return symengine.expand(symengine.Add(*terms))
