r"""$A \sin^2 + A \cos^2 = A$ where the two terms stand side by side: one pass, in linear time."""

from __future__ import annotations

import symengine

from anholonomy.symbolic.display.rewriting import rewritten_sums
from anholonomy.symbolic.expressions import Expr

__all__ = ["with_unit_circles"]


def with_unit_circles(expression: Expr) -> Expr:
    """The expression with every sum of matching squares replaced; anything else stays as it is.

    >>> x, m = symengine.symbols("x m")
    >>> with_unit_circles(m * (2 * symengine.cos(x) ** 2 + 2 * symengine.sin(x) ** 2) / 2)
    m
    """
    if not (expression.atoms(symengine.sin) and expression.atoms(symengine.cos)):
        return expression
    return rewritten_sums(expression, _merged)


def _merged(total: Expr) -> Expr:
    """Pairs of terms of one sum that differ only in having the square of a sine or of a cosine."""
    waiting: dict[tuple[Expr, Expr], tuple[type, Expr]] = {}
    kept = list(total.args)
    found = False
    for term in total.args:
        for square in _squares(term):
            function, angle = type(square.args[0]), square.args[0].args[0]
            rest = term / square
            other = waiting.pop((rest, angle), None)
            if other is None:
                waiting[rest, angle] = function, term
            elif other[0] is not function and other[1] in kept and term in kept:
                kept.remove(other[1])
                kept.remove(term)
                kept.append(rest)
                found = True
                break
    if not found:
        return total
    result = symengine.Add(*kept)
    return _merged(result) if isinstance(result, symengine.Add) else result


def _squares(term: Expr) -> list[Expr]:
    factors = term.args if isinstance(term, symengine.Mul) else (term,)
    return [
        f
        for f in factors
        if isinstance(f, symengine.Pow) and f.args[1] == 2 and isinstance(f.args[0], symengine.sin | symengine.cos)
    ]
