r"""Poles that are none: $\frac{u\,a + u\,b}{u} = a + b$, which has a value and a series where $u = 0$."""

from __future__ import annotations

from collections.abc import Iterable

import symengine

from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.normal_forms.divisibility import exact_quotient

__all__ = ["is_pole", "without_removable_poles"]


def without_removable_poles(product: Expr, divisors: Iterable[Expr]) -> Expr:
    """A product with each of the divisors cancelled if it divides what stands above it, term by term where it can be.

    >>> x, y, a = symengine.symbols("x y a")
    >>> without_removable_poles((a * x + x * (1 + y)) / x, [x]), without_removable_poles((a + x) / x, [x])
    (1 + a + y, (a + x)/x)
    >>> without_removable_poles((a * x - a * y + x - y) / (x - y), [x - y])
    1 + a
    """
    for divisor in divisors:
        product = _without(product, divisor)
    return product


def _without(product: Expr, divisor: Expr) -> Expr:
    power = _pole(product, divisor)
    if not power:
        return product
    above = product * divisor**power
    cancelled = _termwise(above, divisor, power)
    if cancelled is None:
        cancelled = _divided(above, divisor**power)
    return product if cancelled is None else cancelled


def _pole(product: Expr, divisor: Expr) -> int:
    """By which power of the divisor a product divides."""
    factors = product.args if isinstance(product, symengine.Mul) else (product,)
    return next((-int(factor.args[1]) for factor in factors if is_pole(factor, divisor)), 0)


def is_pole(factor: Expr, divisor: Expr) -> bool:
    """Whether a factor is a reciprocal of the divisor or of a power of it."""
    if not isinstance(factor, symengine.Pow) or factor.args[0] != divisor:
        return False
    return isinstance(factor.args[1], symengine.Integer) and bool(factor.args[1].is_negative)


def _termwise(above: Expr, divisor: Expr, power: int) -> Expr | None:
    """One sum of a product divided, each term having what it is divided by."""
    factors = above.args if isinstance(above, symengine.Mul) else (above,)
    for k, total in enumerate(factors):
        if isinstance(total, symengine.Add):
            terms = [_without(term * divisor**-power, divisor) for term in total.args]
            if not any(_pole(term, divisor) for term in terms):
                return symengine.Mul(*factors[:k], symengine.Add(*terms), *factors[k + 1 :])
    return None


def _divided(above: Expr, below: Expr) -> Expr | None:
    try:
        forms = Canonical([above, below])
        (over, rest), (under, _) = (forms.ring.lifted(q) for q in [forms.quotient(above), forms.quotient(below)])
        quotient = exact_quotient(forms.ring, over, under)
    except NoNormalForm:
        return None
    return None if quotient is None else forms.ring.expanded(quotient) / forms.ring.expanded(rest)
