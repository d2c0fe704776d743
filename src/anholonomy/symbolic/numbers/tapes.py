"""Expressions that are evaluated again and again, walked once: a list of operations on numbered places.

`anholonomy.symbolic.arithmetic.evaluate` looks at every node of a tree at every visit; a search that comes back to the same functions
with other numbers need not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar, final

from anholonomy.symbolic.arithmetic import Arithmetic, evaluate
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, free_symbols

__all__ = ["Tape", "tape"]

T = TypeVar("T")


@final
@dataclass
class Tape:
    """Operations in order, each the name of one of `Arithmetic`'s with its arguments; values have places, those of symbols first."""

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
def tape(expressions: Vector) -> Tape:
    """The operations that lead to all the expressions; `KeyError` where a function in them is unspecified.

    >>> from anholonomy.symbolic.numbers.balls import BallArithmetic, ball
    >>> from anholonomy.symbolic.expressions import symbol
    >>> x = symbol("x")
    >>> [str(value) for value in tape((x**2 + 1, 3 * x)).run(BallArithmetic(), {x: ball(2)})]
    ['5.00000000000000', '6.00000000000000']
    """
    made = Tape(tuple(sorted(free_symbols(expressions), key=str)))
    places: dict[Expr, int] = {s: k for k, s in enumerate(made.symbols)}
    made.results = tuple(evaluate(expression, made, places) for expression in expressions)
    return made
