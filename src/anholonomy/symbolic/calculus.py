r"""Derivatives as functions of expressions: gradients, and the chain rule along a flow.

A velocity is a symbol, so the total time derivative needs no ``Derivative(q(t), t)``: whoever knows the
rates of the symbols knows the rate of every function of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import symengine

from anholonomy.symbolic.elimination import Recorder
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, time
from anholonomy.symbolic.steps import Assign

__all__ = ["along", "gradient", "jacobian", "rates_of_steps", "total_derivative"]


def gradient(f: Expr, symbols: Sequence[Symbol]) -> Vector:
    r"""$\partial f/\partial s$ for each symbol."""
    present = f.free_symbols
    return tuple(f.diff(s) if s in present else symengine.Integer(0) for s in symbols)


def jacobian(functions: Iterable[Expr], symbols: Sequence[Symbol]) -> Matrix:
    r"""$J_{ij} = \partial f_i/\partial s_j$."""
    return tuple(gradient(f, symbols) for f in functions)


def along(f: Expr, rates: Mapping[Symbol, Expr]) -> Expr:
    r"""The derivative of ``f`` in a direction, $\sum_s \partial_s f\,\dot s$ over the symbols with a rate."""
    return symengine.Add(*(f.diff(s) * rates[s] for s in _sorted(f.free_symbols) if rates.get(s, 0) != 0))


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
