r"""Exponentials of sums with logarithms in them, written as products of powers: $e^{\alpha\ln P + \beta} = P^\alpha e^\beta$."""

from __future__ import annotations

import symengine

from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr

__all__ = ["exponential", "with_powers"]


def exponential(exponent: Expr) -> Expr:
    r"""$e^\varphi$ as a product of powers.

    >>> x, k = symengine.symbols("x k")
    >>> exponential(k * symengine.log(1 + x**2))
    (1 + x**2)**k
    """
    total = symengine.expand(exponent)
    powers: dict[Expr, Expr] = {}
    rest = []
    for term in total.args if isinstance(total, symengine.Add) else (total,):
        factors = term.args if isinstance(term, symengine.Mul) else (term,)
        found = [factor for factor in factors if isinstance(factor, symengine.log)]
        if len(found) == 1:
            (logarithm,) = found
            weight = symengine.Mul(*(factor for factor in factors if factor is not logarithm))
            base = logarithm.args[0]
            powers[base] = powers.get(base, symengine.Integer(0)) + weight
        else:
            rest.append(term)
    powers = _with_sines({base: simplify(weight) for base, weight in powers.items()})
    return symengine.Mul(*(base**weight for base, weight in powers.items())) * symengine.exp(symengine.Add(*rest))


def _with_sines(powers: dict[Expr, Expr]) -> dict[Expr, Expr]:
    r"""$(1 - \cos a)^w(1 + \cos a)^w = (\sin a)^{2w}$, of either sign."""
    found = dict(powers)
    for base in powers:
        for node in base.atoms(symengine.cos):
            weight = found.get(1 - node)
            if weight is not None and found.get(1 + node) == weight:
                sine = symengine.sin(node.args[0])
                del found[1 - node], found[1 + node]
                found[sine] = found.get(sine, symengine.Integer(0)) + 2 * weight
    return found


def with_powers(expression: Expr) -> Expr:
    """The expression with its exponentials of logarithms written as powers."""
    found = {
        node: exponential(node.args[1])
        for node in expression.atoms(symengine.Pow)
        if node.args[0] == symengine.E and node.args[1].atoms(symengine.log)
    }
    return expression.xreplace(found) if found else expression
