r"""Potentials of closed one-forms: $F$ with $\partial_i F = \theta_i$, one coordinate after the other.

.. math:: F \leftarrow F + \int \bigl(\theta_i - \partial_i F\bigr)\,dq^i

The integrals are SymPy's; the result is checked by differentiation, so that a wrong one is never returned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import symengine

from anholonomy.symbolic.arithmetic import function_name, unknown_functions
from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, from_sympy, to_sympy, zero
from anholonomy.symbolic.zero import are_all_zero, is_zero

__all__ = ["is_closed", "potential"]

MAX_OPERATIONS = 60
"""SymPy's integration may not come back from much longer integrands."""

_INTEGRALS: dict[str, Callable[[Expr], Expr]] = {
    "sin": lambda u: -symengine.cos(u),
    "cos": symengine.sin,
    "sign": symengine.Abs,
    "abs": lambda u: u * symengine.Abs(u) / 2,
}


def is_closed(q: Sequence[Symbol], form: Sequence[Expr]) -> bool:
    r"""Whether $\partial_i\theta_j = \partial_j\theta_i$ is proven.

    >>> x, y = symengine.symbols("x y")
    >>> is_closed([x, y], [y, x]), is_closed([x, y], [y, -x])
    (True, False)
    """
    return all(is_zero(partial(form[j], q[i]) - partial(form[i], q[j])) for i, j in combinations(range(len(q)), 2))


def potential(q: Sequence[Symbol], form: Sequence[Expr]) -> Expr | None:
    """A function with the form as its differential, or None if none was found.

    >>> x, y = symengine.symbols("x y")
    >>> potential([x, y], [2 * x * y, x**2 + symengine.cos(y)])
    x**2*y + sin(y)
    """
    F = zero
    for s, entry in zip(q, form, strict=True):
        rest = simplify(entry - partial(F, s))
        if rest == 0 or is_zero(rest):
            continue
        part = _antiderivative(rest, s)
        if part is None:
            return None
        F = F + part
    proven = are_all_zero(a - b for a, b in zip(gradient(F, q), form, strict=True))
    return simplify(F) if proven else None


def _by_table(f: Expr, s: Symbol) -> Expr | None:
    r"""Terms that are a constant times $s^n$, or sine, cosine, sign or modulus of $as+b$: what gravity and springs are made of.

    >>> x, a = symengine.symbols("x a")
    >>> _by_table(a * symengine.sin(2 * x + a) + a * x, x)
    (1/2)*a*x**2 + (-1/2)*a*cos(a + 2*x)
    """
    expanded = symengine.expand(f)
    parts = [_of_term(term, s) for term in (expanded.args if expanded.is_Add else (expanded,))]
    return None if None in parts else symengine.Add(*parts)


def _of_term(term: Expr, s: Symbol) -> Expr | None:
    factors = term.args if term.is_Mul else (term,)
    moving = [factor for factor in factors if s in factor.free_symbols]
    constant = symengine.Mul(*(factor for factor in factors if s not in factor.free_symbols))
    if not moving:
        return constant * s
    (factor, *more) = moving
    if more:
        return None
    if factor == s:
        return constant * s**2 / 2
    if isinstance(factor, symengine.Pow) and factor.args[0] == s and isinstance(factor.args[1], symengine.Integer):
        return None if factor.args[1] == -1 else constant * s ** (factor.args[1] + 1) / (factor.args[1] + 1)
    if (name := function_name(factor)) in _INTEGRALS:
        rate = partial(factor.args[0], s)
        if rate != 0 and s not in rate.free_symbols:
            return constant * _INTEGRALS[name](factor.args[0]) / rate
    return None


def _antiderivative(f: Expr, s: Symbol) -> Expr | None:
    if s not in f.free_symbols:
        return f * s
    if (found := _by_table(f, s)) is not None:
        return found
    if int(symengine.count_ops(f)) > MAX_OPERATIONS or unknown_functions(f):
        return None
    import sympy

    integrand = to_sympy(f)
    # Real symbols, or arctangents come back as logarithms of complex numbers.
    real = {a: sympy.Symbol(a.name, real=True) for a in integrand.free_symbols}
    try:
        found = sympy.integrate(integrand.xreplace(real), real[sympy.Symbol(s.name)], heurisch=False)
    except (NotImplementedError, ValueError, TypeError, RecursionError):
        return None
    if found.has(sympy.Integral, sympy.Piecewise, sympy.RootSum, sympy.I):
        return None
    try:
        return from_sympy(found)
    except (RuntimeError, TypeError, ValueError):
        return None
