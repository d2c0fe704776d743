r"""LaTeX of expressions: primes become dots, names of Greek letters become letters."""

from __future__ import annotations

import re

from anholonomy.symbolic.expressions import Expr, Symbol, to_sympy

__all__ = ["latex", "latex_name"]

_DOTS = {0: "{}", 1: r"\dot{{{}}}", 2: r"\ddot{{{}}}", 3: r"\dddot{{{}}}"}


def latex_name(name: Symbol) -> str:
    r"""``theta''`` becomes ``\ddot{\theta}`` and ``u1`` becomes ``u_{1}``.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> latex_name(symbol("theta'"))
    '\\dot{\\theta}'
    """
    from sympy import Symbol as SymPySymbol
    from sympy import latex as sympy_latex

    plain = str(name.name).rstrip("'")
    order = len(name.name) - len(plain)
    stem, digits = re.fullmatch(r"(.*?)_?(\d*)", plain, re.DOTALL).groups()  # type: ignore[union-attr]
    text = sympy_latex(SymPySymbol(stem)) if stem else ""
    dotted = _DOTS[min(order, 3)].format(text) if order else text
    return f"{dotted}_{{{digits}}}" if digits and "_" not in dotted else dotted + digits


def latex(expression: Expr) -> str:
    r"""The expression in LaTeX.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> latex(symbol("m") * symbol("x'") ** 2 / 2)
    '\\frac{m \\dot{x}^{2}}{2}'
    """
    from sympy import Symbol as SymPySymbol
    from sympy import latex as sympy_latex

    names = {SymPySymbol(s.name): latex_name(s) for s in expression.free_symbols}
    return str(sympy_latex(to_sympy(expression), symbol_names=names))
