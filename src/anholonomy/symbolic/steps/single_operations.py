"""Lists of steps with one operation each, whatever occurs twice there once: what derivatives are taken of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import symengine

from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.corners import CORNERS
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, free_symbols, symbol, zero
from anholonomy.symbolic.matrices.elimination_in_steps import is_light
from anholonomy.symbolic.steps.straight_line import Assign, Solve, Step

__all__ = ["StepWriter", "single_operations"]


@final
@dataclass
class StepWriter:
    """Collects steps under names of its own; a value that is an atom already, or a number times one, needs none."""

    prefix: str
    steps: list[Step] = field(default_factory=list)
    _count: int = 0

    def __call__(self, value: Expr) -> Expr:
        if is_light(value):
            return value
        target = self._name()
        self.steps.append(Assign(target, value))
        return target

    def solve(self, matrix: Matrix, right: Sequence[Expr]) -> Vector:
        """The unknowns of a linear system; zero where its right-hand side is."""
        if not any(right):
            return (zero,) * len(right)
        unknowns = tuple(self._name() for _ in right)
        self.steps.append(Solve(unknowns, matrix, tuple(right)))
        return unknowns

    def _name(self) -> Symbol:
        self._count += 1
        return symbol(f"{self.prefix}{self._count - 1}")


@final
@dataclass(frozen=True)
class _Named:
    """Expressions as names, each of one operation on names."""

    write: StepWriter

    def number(self, value: Fraction | float) -> Expr:
        # A double is an exact number, and products of exact numbers stay exact.
        exact = Fraction(value)
        return symengine.Rational(exact.numerator, exact.denominator)

    def pi(self) -> Expr:
        return symengine.pi

    def add(self, terms: Sequence[Expr]) -> Expr:
        return self.write(symengine.Add(*terms))

    def multiply(self, factors: Sequence[Expr]) -> Expr:
        return self.write(symengine.Mul(*factors))

    def power(self, base: Expr, exponent: int | Fraction) -> Expr:
        return self.write(base ** self.number(Fraction(exponent)))

    def general_power(self, base: Expr, exponent: Expr) -> Expr:
        return self.write(base**exponent)

    def function(self, name: str, arguments: Sequence[Expr]) -> Expr:
        return self.write((CORNERS[name] if name in CORNERS else getattr(symengine, name))(*arguments))


def single_operations(steps: Iterable[Step], outputs: Sequence[Expr], prefix: str = "$") -> tuple[list[Step], Vector]:
    """The same steps with one operation each, called ``prefix`` and a number, and the outputs as atoms or multiples of them.

    >>> x, z = symengine.symbols("x z")
    >>> found, outputs = single_operations([Assign(z, symengine.sin(x + 1) ** 2)], [z * symengine.sin(x + 1)])
    >>> [str(step.value) for step in found], outputs
    (['1 + x', 'sin($0)', '$1**2', '$1*$2'], ($3,))
    """
    steps = list(steps)
    write = StepWriter(prefix)
    arithmetic = _Named(write)
    defined = {target for step in steps for target in step.targets}
    inputs = free_symbols([*outputs, *(source for step in steps for source in step.sources)]) - defined
    known: dict[Expr, Expr] = {s: s for s in inputs}

    def name(expression: Expr) -> Expr:
        return evaluate(expression, arithmetic, known)

    for step in steps:
        if isinstance(step, Assign):
            known[step.target] = name(step.value)
        else:
            matrix = tuple(tuple(map(name, row)) for row in step.matrix)
            write.steps.append(Solve(step.unknowns, matrix, tuple(map(name, step.right)), step.least))
            known.update((z, z) for z in step.unknowns)
    return write.steps, tuple(map(name, outputs))
