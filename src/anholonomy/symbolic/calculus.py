r"""Derivatives as functions of expressions: gradients, and the chain rule along a flow.

A velocity is a symbol, so the total time derivative needs no ``Derivative(q(t), t)``: whoever knows the
rates of the symbols knows the rate of every function of them.

Where a modulus has a corner, its derivative is the sign, $\mathrm{d}|u| = \operatorname{sign}(u)\,\mathrm{d}u$, and the sign
is constant on either side. SymEngine leaves both unevaluated, so nobody but this file calls its ``diff``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import symengine

from anholonomy.symbolic.elimination import Recorder
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, time
from anholonomy.symbolic.steps import Assign

__all__ = ["along", "gradient", "has_corner", "jacobian", "partial", "rates_of_steps", "total_derivative"]


def partial(f: Expr, s: Symbol) -> Expr:
    r"""$\partial f/\partial s$, also through moduli and signs.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x = symbol("x")
    >>> partial(symengine.Abs(symengine.sin(x)), x)
    cos(x)*sign(sin(x))
    >>> partial(symengine.sign(x) * x, x)
    sign(x)
    """
    return gradient(f, (s,))[0]


def gradient(f: Expr, symbols: Sequence[Symbol]) -> Vector:
    r"""$\partial f/\partial s$ for each symbol."""
    present = f.free_symbols
    if present.isdisjoint(symbols):
        return (symengine.Integer(0),) * len(symbols)
    if has_corner(f):
        return tuple(_partial_with_corners(f, s) if s in present else symengine.Integer(0) for s in symbols)
    return tuple(f.diff(s) if s in present else symengine.Integer(0) for s in symbols)


def has_corner(f: Expr, symbols: Iterable[Symbol] | None = None) -> bool:
    """Whether a modulus or a sign occurs in ``f`` (of one of the symbols, where they are given).

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> has_corner(y * symengine.Abs(x)), has_corner(y * symengine.Abs(x), [y])
    (True, False)
    """
    corners = f.atoms(symengine.Abs, symengine.sign)
    if symbols is None:
        return bool(corners)
    return any(not node.free_symbols.isdisjoint(symbols) for node in corners)


def _partial_with_corners(f: Expr, s: Symbol) -> Expr:
    """SymEngine's derivative with what it leaves unevaluated filled in."""
    slope = _without_even_moduli(f).diff(s)
    filled: dict[Expr, Expr] = {}
    for node in slope.atoms(symengine.Derivative, symengine.Subs):
        derivative = node.args[0] if isinstance(node, symengine.Subs) else node
        inner = derivative.args[0]
        if isinstance(inner, symengine.sign):
            filled[node] = symengine.Integer(0)
        elif isinstance(inner, symengine.Abs) and isinstance(node, symengine.Subs):
            filled[node] = symengine.sign(node.args[-1])
        elif isinstance(inner, symengine.Abs):
            filled[node] = symengine.sign(inner.args[0]) * partial(inner.args[0], derivative.args[1])
    return slope.xreplace(filled) if filled else slope


def _without_even_moduli(f: Expr) -> Expr:
    r"""$|u|^{2k} = u^{2k}$, which has no corner; nested ones from the outside in."""
    while even := {
        node: node.args[0].args[0] ** node.args[1]
        for node in f.atoms(symengine.Pow)
        if isinstance(node.args[0], symengine.Abs) and _is_even(node.args[1])
    }:
        f = f.xreplace(even)
    return f


def _is_even(exponent: Expr) -> bool:
    return isinstance(exponent, symengine.Integer) and int(exponent) % 2 == 0


def jacobian(functions: Iterable[Expr], symbols: Sequence[Symbol]) -> Matrix:
    r"""$J_{ij} = \partial f_i/\partial s_j$."""
    return tuple(gradient(f, symbols) for f in functions)


def along(f: Expr, rates: Mapping[Symbol, Expr]) -> Expr:
    r"""The derivative of ``f`` in a direction, $\sum_s \partial_s f\,\dot s$ over the symbols with a rate."""
    moving = [s for s in _sorted(f.free_symbols) if rates.get(s, 0) != 0]
    return dot(gradient(f, moving), [rates[s] for s in moving])


def total_derivative(f: Expr, rates: Mapping[Symbol, Expr]) -> Expr:
    r"""Chain rule with explicit time, $\dot f = \partial_t f + \sum_s \partial_s f\,\dot s$.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x, v = symbol("x"), symbol("x'")
    >>> total_derivative(x**2 + time, {x: v})
    1 + 2*x*x'
    """
    return along(f, {**rates, time: symengine.Integer(1)})


def rates_of_steps(definitions: Sequence[Assign], rates: Mapping[Symbol, Expr], record: Recorder) -> dict[Symbol, Expr]:
    """The rates of everything defined by ``definitions``, added to ``rates``.

    The new expressions are recorded as steps, so that a derivative is no longer than its function.
    """
    known = dict(rates)
    for step in definitions:
        known[step.target] = record(along(step.value, known))
    return known


def _sorted(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Sets of symbols iterate in an order that changes from run to run; results should not."""
    return sorted(symbols, key=str)
