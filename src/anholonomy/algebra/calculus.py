r"""Derivatives of expressions, across kinks too, and the chain rule along a flow.

.. math:: \dot f = \partial_t f + \sum_s \partial_s f\,\dot s

A velocity is a symbol, so the total time derivative needs no ``Derivative(q(t), t)``: whoever knows the
rates of the symbols knows the rate of every function of them.

Where a function has a corner, its derivative is that on either side, $\mathrm{d}|u| = \operatorname{sign}(u)\,\mathrm{d}u$, and a
sign is constant there. SymEngine knows neither, so nobody but this file calls its ``diff`` where corners may occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, is_naught, symbol, time
from anholonomy.algebra.piecewise import corner_name, corners, is_smooth, slope
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.base.deadlines import check

__all__ = ["along", "gradient", "has_corner", "jacobian", "partial", "total_derivative"]


def partial(f: Expr, s: Symbol) -> Expr:
    r"""$\partial f/\partial s$, also through what jumps or kinks.

    >>> from anholonomy.algebra.piecewise import maximum, sign
    >>> x = symbol("x")
    >>> partial(symengine.Abs(symengine.sin(x)), x)
    cos(x)*sign(sin(x))
    >>> partial(sign(x) * x, x), partial(maximum(x, 0) ** 2, x)
    (sign(x), 2*max(x, 0)*if(x, 1, 0))
    """
    return gradient(f, (s,))[0]


def gradient(f: Expr, symbols: Sequence[Symbol]) -> Vector:
    r"""$\partial f/\partial s$ for each symbol."""
    present = f.free_symbols
    if present.isdisjoint(symbols):
        return (symengine.Integer(0),) * len(symbols)
    check()
    if not is_smooth(f):
        return _gradient_with_corners(f, symbols)
    return tuple(f.diff(s) if s in present else symengine.Integer(0) for s in symbols)


def has_corner(f: Expr, symbols: Iterable[Symbol] | None = None) -> bool:
    """Whether ``f`` jumps or kinks (with one of the symbols, where they are given), the cut of an angle apart.

    >>> x, y = symbol("x"), symbol("y")
    >>> has_corner(y * symengine.Abs(x)), has_corner(y * symengine.Abs(x), [y])
    (True, False)
    """
    if is_smooth(f):
        return False
    found = [node for node in corners(f) if corner_name(node) != "atan2"]
    if symbols is None:
        return bool(found)
    wanted = set(symbols)
    return any(not node.free_symbols.isdisjoint(wanted) for node in found)


def _gradient_with_corners(f: Expr, symbols: Sequence[Symbol]) -> Vector:
    r"""The chain rule through the outermost corners $w$, $\partial_s f = \partial_s f|_w + \partial_w f\,\partial_s w$."""
    f = _without_even_moduli(f)
    # Of an unknown function SymEngine takes the slope at a place only where the argument is no symbol: 2*(w/2).
    scale = symengine.Integer(2 if unknown_functions(f) else 1)
    marks = {node: symbol(f"_corner{k}") for k, node in enumerate(corners(f))}
    nodes = {mark: node / scale for node, mark in marks.items()}
    marked = f.xreplace({node: scale * mark for node, mark in marks.items()})
    met = [(mark, node) for node, mark in marks.items() if mark in marked.free_symbols]

    def slope_along(s: Symbol) -> Expr:
        rates = [(mark, slope(node, lambda u: partial(u, s)) / scale) for mark, node in met if s in node.free_symbols]
        through = (marked.diff(mark) * rate for mark, rate in rates if rate != 0)
        return symengine.Add(marked.diff(s), *through).xreplace(nodes)

    return tuple(map(slope_along, symbols))


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
    moving = [s for s in _sorted(f.free_symbols) if not is_naught(rates.get(s, 0))]
    return dot(gradient(f, moving), [rates[s] for s in moving])


def total_derivative(f: Expr, rates: Mapping[Symbol, Expr]) -> Expr:
    r"""Chain rule with explicit time, $\dot f = \partial_t f + \sum_s \partial_s f\,\dot s$.

    >>> x, v = symbol("x"), symbol("x'")
    >>> total_derivative(x**2 + time, {x: v})
    1 + 2*x*x'
    """
    return along(f, {**rates, time: symengine.Integer(1)})


def _sorted(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Sets of symbols iterate in an order that changes from run to run; results should not."""
    return sorted(symbols, key=str)
