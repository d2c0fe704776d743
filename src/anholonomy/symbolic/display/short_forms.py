"""Quotients written short, at a price that does not depend on luck.

Every candidate comes from `anholonomy.symbolic.display.presentation` and is equal by construction, so that, unlike
in `anholonomy.symbolic.display.simplify`, nothing has to be proven again; a long quotient is written out as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

import symengine

from anholonomy.symbolic.display.presentation import collected, fractions_of, presentations, tangents
from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.normal_forms.canonical import Canonical
from anholonomy.symbolic.normal_forms.quotients import Quotient

__all__ = ["short_form"]

MAX_TERMS = 40
"""Terms up to which numerator and denominator are factored."""
MAX_COLLECTED_TERMS = 300
"""Terms up to which they are collected by a symbol."""


def short_form(forms: Canonical, value: Quotient) -> Expr:
    """A short expression of a quotient in the ring of ``forms``.

    >>> x, m = symengine.symbols("x m")
    >>> forms = Canonical([m * symengine.cos(x)])
    >>> short_form(forms, forms.quotient(m - m * symengine.cos(x) ** 2))
    m*sin(x)**2
    """
    ring, pairs = forms.ring, forms.radicals.pairs
    size = len(value.num) + len(value.den)
    if size <= 2 or size > MAX_COLLECTED_TERMS:
        return ring.expression(value)
    if size > MAX_TERMS:
        return collected(ring, value.num, pairs) / collected(ring, value.den, pairs)
    candidates = []
    for quotient in fractions_of(ring, value, pairs):
        tangent, (num, den) = tangents(ring, quotient, pairs)
        above, below = (_shortest(presentations(ring, part, pairs)) for part in (num, den))
        candidates.append(tangent * above / below)
    return _shortest(candidates)


def _shortest(candidates: Iterable[Expr]) -> Expr:
    return min(candidates, key=lambda candidate: (int(symengine.count_ops(candidate)), len(str(candidate))))
