"""The printed formulas are evaluated with SymPy alone, so that they share nothing with what they are compared to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest
import sympy as sp


def velocity(q: sp.Symbol) -> sp.Symbol:
    return sp.Symbol(q.name + "'")


def total_derivative(f: sp.Expr, q: Sequence[sp.Symbol]) -> sp.Expr:
    r"""$\dot f = \partial_t f + \dot q\,\partial_q f + \ddot q\,\partial_{\dot q} f$; accelerations are symbols with two primes."""
    moving = [*q, *map(velocity, q)]
    return f.diff(sp.Symbol("t")) + sum(f.diff(s) * velocity(s) for s in moving)


@pytest.fixture
def d_dt() -> Callable[..., sp.Expr]:
    return total_derivative


@pytest.fixture
def variation() -> Callable[[sp.Expr, Sequence[sp.Symbol]], sp.Matrix]:
    r"""$E_i = \frac{d}{dt}\frac{\partial L}{\partial\dot q^i} - \frac{\partial L}{\partial q^i}$."""
    return lambda L, q: sp.Matrix([total_derivative(L.diff(velocity(s)), q) - L.diff(s) for s in q])


@pytest.fixture
def numbers() -> Callable[..., sp.Matrix]:
    """Numbers for symbols, by name, in several dictionaries."""

    def evaluate(expressions: sp.Matrix, *given: Mapping[str, float]) -> sp.Matrix:
        merged = {name: value for values in given for name, value in values.items()}
        return expressions.subs({sp.Symbol(name): sp.Float(value, 40) for name, value in merged.items()}).evalf(30)

    return evaluate
