r"""Quotients without square roots below the line, which makes functions on a surface as short as they are.

.. math:: \frac a{b + c\sqrt r} = \frac{a\,(b - c\sqrt r)}{b^2 - c^2r}
"""

from __future__ import annotations

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Quotient, Ring

__all__ = ["with_rational_denominator"]


def with_rational_denominator(expression: Expr) -> Expr:
    """The normal form with no square root in its denominator; the expression where it has none.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> with_rational_denominator(1/(symengine.sqrt(1 + x**2) - x))
    x + sqrt(1 + x**2)
    """
    try:
        forms = Canonical([expression])
        return forms.ring.expression(_rational(forms.ring, forms.quotient(expression)))
    except NoNormalForm:
        return expression


def _rational(ring: Ring, value: Quotient) -> Quotient:
    for generator, (order, _) in sorted(ring.relations.items(), reverse=True):
        if order != 2 or not value.den.degrees()[generator]:
            continue
        conjugate = _conjugate(ring, value.den, generator)
        below = ring.times(value.den, conjugate)
        if not below.is_zero():
            value = ring.cancelled(ring.times(value.num, conjugate), below)
    return value


def _conjugate(ring: Ring, polynomial: Polynomial, generator: int) -> Polynomial:
    return ring.context.from_dict({e: -q if e[generator] % 2 else q for e, q in polynomial.to_dict().items()})
