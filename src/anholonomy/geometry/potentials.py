r"""Potentials of closed one-forms: $F$ with $\partial_i F = \theta_i$, one coordinate after the other.

.. math:: F \leftarrow F + \int \bigl(\theta_i - \partial_i F\bigr)\,dq^i

The integrals are SymPy's; the result is checked by differentiation, so that a wrong one is never returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import symengine

from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol, from_sympy, to_sympy, zero
from anholonomy.symbolic.simplify import simplify
from anholonomy.symbolic.zero import are_all_zero, is_zero

__all__ = ["is_closed", "potential"]

MAX_OPERATIONS = 60
"""SymPy's integration may not come back from much longer integrands."""


def is_closed(q: Sequence[Symbol], form: Sequence[Expr]) -> bool:
    r"""Whether $\partial_i\theta_j = \partial_j\theta_i$ is proven.

    >>> x, y = symengine.symbols("x y")
    >>> is_closed([x, y], [y, x]), is_closed([x, y], [y, -x])
    (True, False)
    """
    return all(is_zero(form[j].diff(q[i]) - form[i].diff(q[j])) for i, j in combinations(range(len(q)), 2))


def potential(q: Sequence[Symbol], form: Sequence[Expr]) -> Expr | None:
    """A function with the form as its differential, or None if none was found.

    >>> x, y = symengine.symbols("x y")
    >>> potential([x, y], [2 * x * y, x**2 + symengine.cos(y)])
    x**2*y + sin(y)
    """
    F = zero
    for s, entry in zip(q, form, strict=True):
        rest = simplify(entry - F.diff(s))
        if rest == 0 or is_zero(rest):
            continue
        part = _antiderivative(rest, s)
        if part is None:
            return None
        F = F + part
    proven = are_all_zero(a - b for a, b in zip(gradient(F, q), form, strict=True))
    return simplify(F) if proven else None


def _antiderivative(f: Expr, s: Symbol) -> Expr | None:
    if s not in f.free_symbols:
        return f * s
    if int(symengine.count_ops(f)) > MAX_OPERATIONS or f.atoms(symengine.FunctionSymbol):
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
