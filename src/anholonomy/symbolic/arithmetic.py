"""One walk over an expression serves every arithmetic: floats, arrays, balls, Taylor series, C text.

A backend says what numbers, sums, products, powers and functions are in its world (`Arithmetic`);
`evaluate` does the walking, with a memo so that shared subexpressions are visited once.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

import symengine

from anholonomy.symbolic.expressions import Expr

__all__ = ["FUNCTIONS", "Arithmetic", "evaluate", "function_name"]

T = TypeVar("T")

FUNCTIONS = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "sqrt", "abs", "sign"),
)
"""The functions of the language; every arithmetic implements exactly these."""


class Arithmetic(Protocol[T]):
    """What an expression's nodes mean in one number system."""

    def number(self, value: Fraction | float) -> T: ...
    def pi(self) -> T: ...
    def add(self, terms: Sequence[T]) -> T: ...
    def multiply(self, factors: Sequence[T]) -> T: ...
    def power(self, base: T, exponent: int | Fraction) -> T: ...
    def general_power(self, base: T, exponent: T) -> T: ...
    def function(self, name: str, arguments: Sequence[T]) -> T: ...


def function_name(expression: Expr) -> str:
    """The language's name of a function node (SymEngine says ``Abs`` where we say ``abs``)."""
    return type(expression).__name__.lower()


class _Walk(Generic[T]):
    """One evaluation: an arithmetic and what is already known."""

    def __init__(self, arithmetic: Arithmetic[T], known: MutableMapping[Expr, T]) -> None:
        self.arithmetic, self.known = arithmetic, known

    def __call__(self, expression: Expr) -> T:
        if expression not in self.known:
            self.known[expression] = self.compute(expression)
        return self.known[expression]

    def compute(self, expression: Expr) -> T:
        do = self.arithmetic
        match expression:
            case symengine.Integer() | symengine.Rational():
                return do.number(Fraction(str(expression)))
            case symengine.RealDouble():
                return do.number(float(expression))
            case symengine.Add():
                return do.add([self(term) for term in expression.args])
            case symengine.Mul():
                return do.multiply([self(factor) for factor in expression.args])
            case symengine.Pow():
                base, exponent = expression.args
                if base == symengine.E:
                    return do.function("exp", [self(exponent)])
                if isinstance(exponent, symengine.Integer):
                    return do.power(self(base), int(exponent))
                if isinstance(exponent, symengine.Rational):
                    return do.power(self(base), Fraction(str(exponent)))
                return do.general_power(self(base), self(exponent))
        if expression == symengine.pi:
            return do.pi()
        if expression == symengine.E:
            return do.function("exp", [do.number(Fraction(1))])
        name = function_name(expression)
        if name in FUNCTIONS and expression.args:
            return do.function(name, [self(argument) for argument in expression.args])
        raise KeyError(str(expression))


def evaluate(expression: Expr, arithmetic: Arithmetic[T], known: MutableMapping[Expr, T]) -> T:
    """The value of ``expression`` where ``known`` gives the values of its symbols.

    ``known`` is also the memo: it gains every subexpression visited. A symbol without a value raises
    `KeyError` with its name.
    """
    return _Walk(arithmetic, known)(expression)
