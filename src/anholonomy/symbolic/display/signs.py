"""Where minus signs go: equal expressions of which as few sums as possible begin with one."""

from __future__ import annotations

import symengine

from anholonomy.symbolic.expressions import Expr

__all__ = ["oriented", "signed"]


def oriented(expression: Expr) -> Expr:
    """Every product inside the expression turned so that its sums begin with a plus.

    >>> a, b, c, d = symengine.symbols("a b c d")
    >>> oriented(d + c * (b - a**2) * (d - c**2 * b))
    d + c*(-b + a**2)*(-d + b*c**2)
    """
    if not isinstance(expression, symengine.Add | symengine.Mul):
        return expression
    parts = [oriented(part) for part in expression.args]
    if isinstance(expression, symengine.Add):
        # Within a sum a minus costs nothing: the term is subtracted instead of added.
        return symengine.Add(*(_turned(part, always=True) for part in parts))
    return _turned(symengine.Mul(*parts), always=False)


def signed(expression: Expr) -> Expr:
    """Signs moved between the factors of a product, so that as few as possible begin with a minus.

    >>> a, b, c = symengine.symbols("a b c")
    >>> signed(-c * (a - b**2))
    c*(-a + b**2)
    """
    return _turned(expression, always=False)


def _turned(expression: Expr, *, always: bool) -> Expr:
    if not isinstance(expression, symengine.Mul):
        return expression
    factors = list(expression.args)
    number = factors[0] if isinstance(factors[0], symengine.Number) else symengine.Integer(1)
    led = [i for i, f in enumerate(factors) if isinstance(f, symengine.Add) and _is_negative(_leading(f))]
    if len(led) % 2 and not (always or number.is_negative):
        led = led[1:]
    if not led and number.is_negative:
        # No sum begins with a minus; one with as many as possible may still take the sign.
        sums = [i for i, f in enumerate(factors) if isinstance(f, symengine.Add) and 2 * _minuses(f) > len(f.args)]
        led = sums[:1]
    for i in led:
        factors[i] = symengine.Add(*(-term for term in factors[i].args))
    return symengine.Mul(symengine.Integer((-1) ** len(led)), *factors)


def _leading(total: Expr) -> Expr:
    """The term of highest degree, which is written first."""
    return max(total.args, key=lambda term: (_rates(term), _degree(term)))


def _degree(term: Expr) -> int:
    match term:
        case symengine.Symbol():
            return 1
        case symengine.Mul():
            return sum(map(_degree, term.args))
        case symengine.Pow() if isinstance(term.args[1], symengine.Integer):
            return _degree(term.args[0]) * int(term.args[1])
        case symengine.Add():
            return max(map(_degree, term.args))
    return 0


def _rates(term: Expr) -> int:
    return sum(s.name.count("'") for s in term.free_symbols)


def _minuses(expression: Expr) -> int:
    """Terms that begin with a minus sign."""
    return sum(_is_negative(term) for term in expression.args)


def _is_negative(term: Expr) -> bool:
    number = term.args[0] if isinstance(term, symengine.Mul) else term
    return isinstance(number, symengine.Number) and bool(number.is_negative)
