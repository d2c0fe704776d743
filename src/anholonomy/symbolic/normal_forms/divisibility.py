r"""Exact division where generators obey relations: $1 - c^2 = s \cdot s$, although no polynomial says so.

.. math:: \frac fg = \frac{f \bar g}{g \bar g}, \qquad
          f_0 + r f_1 = r\,\Bigl(f_1 + r\,\frac{f_0}{\rho}\Bigr) \quad\text{where } r^2 = \rho

The norm $g \bar g$ is free of $r$, and $1, r$ are independent over what is free of $r$, so that $g$ divides
$f$ exactly if the norm divides both parts of $f \bar g$.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anholonomy.symbolic.normal_forms.quotients import MAX_GCD_TERMS, Polynomial, Quotient, Ring

__all__ = ["common_factor", "exact_quotient", "lowest", "without_content"]

MAX_NORM_TERMS = 24
"""Terms of a divisor and"""
MAX_NUMERATOR_TERMS = 400
"""of what is divided, up to which division is tried by a norm."""


def exact_quotient(ring: Ring, over: Polynomial, under: Polynomial) -> Polynomial | None:
    """The polynomial equal to over/under by the ring's relations, None if none is found cheaply.

    >>> import symengine
    >>> from anholonomy.symbolic.normal_forms.canonical import Canonical
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


def common_factor(polynomials: Iterable[Polynomial]) -> Polynomial | None:
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
    if (common := common_factor(present)) is not None:
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
