r"""Polynomials that vanish on what fields reach from a point.

.. math:: P = 0 \text{ on the orbit of } q_0 \iff E_{a_1}\cdots E_{a_k}P\,(q_0) = 0 \ \ \forall k

Affine fields do not raise degrees, so all these polynomials lie in a space of finite dimension, and those found span it as soon
as no field leads out of their span.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import flint

from anholonomy.algebra.normal_forms.ring import Polynomial, TooLarge

__all__ = ["Exponents", "vanishes_on_orbit"]

MAX_SPAN = 150
"""The dimension of the space up to which this is tried."""

Exponents = tuple[int, ...]


def vanishes_on_orbit(
    polynomial: Mapping[Exponents, Any], rates: Sequence[Sequence[Mapping[Exponents, Any]]], origin: Sequence[Any]
) -> bool:
    """Whether a polynomial, by exponents, is zero on the orbit of a point under fields, each by its rates of the coordinates.

    >>> half, x, one = flint.fmpq(1, 2), (1, 0), flint.fmpq(1)
    >>> turn = [{(0, 1): -one}, {(1, 0): one}]
    >>> circle = {(2, 0): one, (0, 2): one, (0, 0): -one}
    >>> vanishes_on_orbit(circle, [turn], [one, 0 * one]), vanishes_on_orbit(circle, [turn], [half, half])
    (True, False)
    """
    names = flint.fmpq_mpoly_ctx.get([f"q{k}" for k in range(len(origin))], flint.Ordering.degrevlex)
    fields = [[names.from_dict(dict(rate)) for rate in field] for field in rates]
    span: dict[Exponents, Polynomial] = {}
    waiting = [names.from_dict(dict(polynomial))]
    while waiting:
        found = waiting.pop()
        if found(*origin) != 0:
            return False
        rest = _reduced(found, span)
        if rest.is_zero():
            continue
        if len(span) == MAX_SPAN:
            raise TooLarge
        span[_lead(rest)] = rest / rest.leading_coefficient()
        waiting += [_along(rest, field, names) for field in fields]
    return True


def _lead(polynomial: Polynomial) -> Exponents:
    return tuple(map(int, polynomial.monomial(0)))


def _reduced(polynomial: Polynomial, span: Mapping[Exponents, Polynomial]) -> Polynomial:
    """What is left without the leading monomials of the span, the highest ones first."""
    kept = polynomial * 0
    while not polynomial.is_zero():
        lead, scale = _lead(polynomial), polynomial.leading_coefficient()
        if lead in span:
            polynomial = polynomial - scale * span[lead]
        else:
            term = polynomial.context().from_dict({lead: scale})
            kept, polynomial = kept + term, polynomial - term
    return kept


def _along(polynomial: Polynomial, field: Sequence[Polynomial], names: Any) -> Polynomial:
    total = names.constant(0)
    for k, rate in enumerate(field):
        if not rate.is_zero():
            total += polynomial.derivative(k) * rate
    return total
