"""Definite integrals over time, exact: by a primitive that is proven, term by term where waves and powers are multiplied, or left as an integral."""

from __future__ import annotations

from typing import TYPE_CHECKING

import symengine

from anholonomy.analysis.closed_forms.primitives import primitive_along
from anholonomy.refusals import GaveUp
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, from_sympy, time, to_sympy, zero
from anholonomy.symbolic.patience import GLANCE, effort
from anholonomy.symbolic.zero import is_zero

if TYPE_CHECKING:
    import sympy

__all__ = ["exact_integral"]

_DEGREE = 40
"""The highest power of time that is looked for."""


def exact_integral(value: Expr, interval: tuple[Expr, Expr]) -> sympy.Expr:
    """The integral over an interval of time.

    >>> exact_integral(symengine.sin(time) ** 2, (symengine.Integer(0), symengine.pi))
    pi/2
    >>> exact_integral(time**2 * symengine.sin(time) * symengine.cos(time), (symengine.Integer(0), symengine.pi))
    -pi**2/4
    """
    import sympy
    from sympy.simplify.fu import TR8

    begin, end = interval
    if is_zero(value):
        return sympy.Integer(0)
    value = simplify(value)
    try:
        with effort(GLANCE):
            found = primitive_along((time,), [{time: symengine.Integer(1)}], [value])
    except GaveUp:
        found = None
    if found is not None:
        total = found.xreplace({time: end}) - found.xreplace({time: begin})
        return to_sympy(simplify(total))
    plain = symengine.expand(from_sympy(TR8(sympy.expand(to_sympy(value)))))
    terms = plain.args if isinstance(plain, symengine.Add) else (plain,)
    parts = [_by_parts(term) for term in terms]
    if all(part is not None for part in parts):
        found = symengine.Add(*parts)
        return to_sympy(simplify(found.xreplace({time: end}) - found.xreplace({time: begin})))
    return sympy.Integral(to_sympy(value), (sympy.Symbol("t"), to_sympy(begin), to_sympy(end)))


def _by_parts(term: Expr) -> Expr | None:
    r"""A primitive of a power of time times at most one wave, $\int pf = pF - \int p'F$; None for other terms."""
    factors = term.args if isinstance(term, symengine.Mul) else (term,)
    waves = [f for f in factors if _is_wave(f)]
    p = symengine.Mul(*(f for f in factors if f not in waves))
    degree = next((k for k in range(_DEGREE) if time not in (p / time**k).free_symbols), None)
    if len(waves) > 1 or degree is None:
        return None
    if not waves:
        return p * time / (degree + 1)
    wave, total = waves[0], zero
    for k in range(degree + 1):
        wave = _primitive_of(wave)
        total += (-1) ** k * p * wave
        p = partial(p, time)
    return total


def _is_wave(f: Expr) -> bool:
    """Whether it is a sine, cosine or exponential of a multiple of time."""
    kind = isinstance(f, symengine.sin | symengine.cos) or (isinstance(f, symengine.Pow) and f.args[0] == symengine.E)
    if not kind:
        return False
    rate = partial(f.args[-1], time)
    return rate != 0 and time not in rate.free_symbols


def _primitive_of(wave: Expr) -> Expr:
    """A primitive of a wave, times a constant or not."""
    f = next(each for each in (wave.args if isinstance(wave, symengine.Mul) else (wave,)) if _is_wave(each))
    argument = f.args[-1]
    rate, constant = partial(argument, time), wave / f
    if isinstance(f, symengine.sin):
        return -constant * symengine.cos(argument) / rate
    return constant * (symengine.sin(argument) if isinstance(f, symengine.cos) else f) / rate
