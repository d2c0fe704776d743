"""One walk over an expression for every arithmetic: floats, arrays, balls, Taylor series, C text; and the walk recorded.

An arithmetic says what numbers, sums, products, powers and functions are in its world (`Arithmetic`); `evaluate` does the walking,
with a memo so that shared subexpressions are visited once. A `Tape` is one more arithmetic: it records the operations instead of
doing them, for functions that are evaluated again and again.
"""

from __future__ import annotations

import abc
import math
import operator
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any, Protocol, TypeVar, final

import symengine

from anholonomy.algebra.expressions import ATOMS, Expr, Symbol, Vector, free_symbols
from anholonomy.algebra.steps.definitions import Assign

__all__ = ["FUNCTIONS", "AbstractOperators", "Arithmetic", "evaluate", "function_name", "tape"]


T = TypeVar("T")

FUNCTIONS = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "sqrt", "erf", "abs", "sign", "heaviside", "max", "min", "if"),
)
"""The functions of the language; an arithmetic of numbers implements all but ``heaviside``, ``max`` and ``min``, arithmetic modulo a prime none."""


class Arithmetic(Protocol[T]):
    """What an expression's nodes mean in one number system."""

    def number(self, value: Fraction | float) -> T: ...
    def pi(self) -> T: ...
    def add(self, terms: Sequence[T]) -> T: ...
    def multiply(self, factors: Sequence[T]) -> T: ...
    def power(self, base: T, exponent: int | Fraction) -> T: ...
    def general_power(self, base: T, exponent: T) -> T: ...
    def function(self, name: str, arguments: Sequence[T]) -> T: ...


class AbstractOperators(abc.ABC):
    """Worlds whose values know Python's operators: sums, products and powers are these."""

    @abc.abstractmethod
    def number(self, value: Fraction | float) -> Any:
        """A number of that world."""

    @abc.abstractmethod
    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        """A function of the language there."""

    @final
    def pi(self) -> Any:
        return self.number(math.pi)

    @final
    def add(self, terms: Sequence[Any]) -> Any:
        return reduce(operator.add, terms)

    @final
    def multiply(self, factors: Sequence[Any]) -> Any:
        return reduce(operator.mul, factors)

    @final
    def power(self, base: Any, exponent: int | Fraction) -> Any:
        """A whole power stays one, so that its derivative at zero is finite; a half is a root."""
        if exponent < 0:
            return self.number(1.0) / self.power(base, -exponent)
        if exponent.denominator == 2:
            root = self.function("sqrt", [base])
            return root if exponent.numerator == 1 else self.power(root, exponent.numerator)
        return base ** (int(exponent) if exponent.denominator == 1 else float(exponent))

    @final
    def general_power(self, base: Any, exponent: Any) -> Any:
        return base**exponent


def function_name(expression: Expr) -> str:
    """The name of a function node (SymEngine says ``Abs`` where we say ``abs``)."""
    if isinstance(expression, symengine.FunctionSymbol):
        return str(expression.get_name())
    return type(expression).__name__.lower()


_RECIPROCALS = {"cot": "tan", "sec": "cos", "csc": "sin"}
"""SymEngine makes these of its own accord, for instance from ``tan(x + pi/2)``."""


def _operands(expression: Expr) -> Sequence[Expr]:
    """The parts of a node that need values; a numeric exponent is not one of them."""
    if type(expression) in ATOMS:
        return ()
    if isinstance(expression, symengine.Pow):
        base, exponent = expression.args
        if base == symengine.E:
            return (exponent,)
        return (base,) if isinstance(exponent, symengine.Rational) else (base, exponent)
    return expression.args  # type: ignore[no-any-return]


def _compute(expression: Expr, do: Arithmetic[T], values: Sequence[T]) -> T:
    """The value of one node from the values of its operands."""
    kind = type(expression)
    if kind is symengine.Mul:
        return do.multiply(values)
    if kind is symengine.Add:
        return do.add(values)
    if kind is symengine.Pow:
        base, exponent = expression.args
        if base == symengine.E:
            return do.function("exp", values)
        if isinstance(exponent, symengine.Integer):
            return do.power(values[0], int(exponent))
        if isinstance(exponent, symengine.Rational):
            return do.power(values[0], Fraction(int(exponent.p), int(exponent.q)))
        return do.general_power(values[0], values[1])
    if isinstance(expression, symengine.Rational):
        return do.number(Fraction(int(expression.p), int(expression.q)))
    if kind is symengine.RealDouble:
        return do.number(float(expression))
    if expression == symengine.pi:
        return do.pi()
    if expression == symengine.E:
        return do.function("exp", [do.number(Fraction(1))])
    name = function_name(expression)
    if name in FUNCTIONS and values:
        return _called(name, do, values)
    if name in _RECIPROCALS:
        return do.power(do.function(_RECIPROCALS[name], values), -1)
    raise KeyError(str(expression))


def _called(name: str, do: Arithmetic[T], values: Sequence[T]) -> T:
    """A function of the language; the step and the extremes by the sign and by ``if``, where no digit is lost."""
    if name == "heaviside":
        one, half = do.number(Fraction(1)), do.number(Fraction(1, 2))
        return do.multiply([half, do.add([one, do.function("sign", values)])])
    if name == "max":
        return reduce(lambda a, b: do.function("if", [_difference(do, a, b), a, b]), values)
    if name == "min":
        return reduce(lambda a, b: do.function("if", [_difference(do, b, a), a, b]), values)
    return do.function(name, values)


def _difference(do: Arithmetic[T], a: T, b: T) -> T:
    return do.add([a, do.multiply([do.number(Fraction(-1)), b])])


def evaluate(expression: Expr, arithmetic: Arithmetic[T], known: MutableMapping[Expr, T]) -> T:
    """The value of ``expression`` where ``known`` gives the values of its symbols.

    ``known`` is also the memo: it gains every subexpression visited. A symbol without a value raises
    `KeyError` with its name. The walk keeps its own stack, so depth is no limit.
    """
    stack: list[tuple[Expr, Sequence[Expr] | None]] = [(expression, None)]
    while stack:
        node, operands = stack.pop()
        if operands is None:
            if node in known:
                continue
            operands = _operands(node)
            missing = [(operand, None) for operand in reversed(operands) if operand not in known]
            if missing:
                stack.append((node, operands))
                stack += missing
                continue
        if node not in known:
            known[node] = _compute(node, arithmetic, [known[operand] for operand in operands])
    return known[expression]


@final
@dataclass
class Tape:
    """Operations in order, each the name of one of `Arithmetic`'s with its arguments; values have places, those of symbols first.

    `evaluate` looks at every node of a tree at every visit; a search that comes back to the same functions with other numbers need not.
    """

    symbols: tuple[Symbol, ...]
    operations: list[tuple[str, Any, Any]] = field(default_factory=list)
    results: tuple[int, ...] = ()

    def _does(self, name: str, first: Any, second: Any = None) -> int:
        self.operations.append((name, first, second))
        return len(self.symbols) + len(self.operations) - 1

    def number(self, value: Fraction | float) -> int:
        return self._does("number", value)

    def pi(self) -> int:
        return self._does("pi", None)

    def add(self, terms: Sequence[int]) -> int:
        return self._does("add", tuple(terms))

    def multiply(self, factors: Sequence[int]) -> int:
        return self._does("multiply", tuple(factors))

    def power(self, base: int, exponent: int | Fraction) -> int:
        return self._does("power", base, exponent)

    def general_power(self, base: int, exponent: int) -> int:
        return self._does("general_power", base, exponent)

    def function(self, name: str, arguments: Sequence[int]) -> int:
        return self._does("function", name, tuple(arguments))

    def run(self, do: Arithmetic[T], known: Mapping[Symbol, T]) -> list[T]:
        """The values of the expressions, where ``known`` has those of their symbols."""
        values = [known[s] for s in self.symbols]
        for name, first, second in self.operations:
            match name:
                case "add":
                    values.append(do.add([values[k] for k in first]))
                case "multiply":
                    values.append(do.multiply([values[k] for k in first]))
                case "power":
                    values.append(do.power(values[first], second))
                case "number":
                    values.append(do.number(first))
                case "function":
                    values.append(do.function(first, [values[k] for k in second]))
                case "general_power":
                    values.append(do.general_power(values[first], values[second]))
                case _:
                    values.append(do.pi())
        return [values[k] for k in self.results]


@lru_cache(maxsize=256)
def tape(expressions: Vector, steps: tuple[Assign, ...] = ()) -> Tape:
    """The operations that lead to all the expressions, by way of the ``steps``; `KeyError` where a function in them is unspecified.

    >>> from anholonomy.algebra.numbers.balls import BallArithmetic, ball
    >>> from anholonomy.algebra.expressions import symbol
    >>> x = symbol("x")
    >>> [str(value) for value in tape((x**2 + 1, 3 * x)).run(BallArithmetic(), {x: ball(2)})]
    ['5.00000000000000', '6.00000000000000']
    """
    symbols = free_symbols((*expressions, *(step.value for step in steps))) - {step.target for step in steps}
    made = Tape(tuple(sorted(symbols, key=str)))
    places: dict[Expr, int] = {s: k for k, s in enumerate(made.symbols)}
    for step in steps:
        places[step.target] = evaluate(step.value, made, places)
    made.results = tuple(evaluate(expression, made, places) for expression in expressions)
    return made
