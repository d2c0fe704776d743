r"""Straight-line definitions: how large expressions stay small.

A long computation is a list of steps $z_k = f_k(z_{<k}, \ldots)$ instead of one nested tree. Each step
names its result, later steps use the name, and the chain rule goes through the names
(`anholonomy.symbolic.calculus`), so nothing swells: a derivative costs a constant times the steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import symengine

from anholonomy.lazy import cached_property, fields_only
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, replaced

__all__ = ["Assign", "Solve", "Step", "assignments_to", "inline", "written_size"]


@dataclass(frozen=True)
class Assign:
    """``target = value``."""

    target: Symbol
    value: Expr

    @property
    def targets(self) -> tuple[Symbol, ...]:
        return (self.target,)

    @property
    def sources(self) -> Vector:
        return (self.value,)


@dataclass(frozen=True)
class Solve:
    r"""The unknowns $z$ of $M z = b$, factorised when the numbers are known, never as symbols.

    With ``least``, $z = M^+ b$: the shortest of those that make $|M z - b|$ least, whatever the rank of $M$.
    """

    unknowns: tuple[Symbol, ...]
    matrix: Matrix
    right: Vector
    least: bool = False

    __getstate__ = fields_only

    @cached_property
    def _hash(self) -> int:
        return hash((self.unknowns, self.matrix, self.right, self.least))

    def __hash__(self) -> int:
        return self._hash  # asked for by every cache of what is compiled

    def is_small(self, limit: int) -> bool:
        """Whether it has one solution, of so few unknowns that it may be written out."""
        return not self.least and len(self.unknowns) <= limit

    @property
    def targets(self) -> tuple[Symbol, ...]:
        return self.unknowns

    @property
    def sources(self) -> Vector:
        return (*(entry for row in self.matrix for entry in row), *self.right)


Step: TypeAlias = Assign | Solve


def assignments_to(targets: Iterable[Symbol], steps: Sequence[Step]) -> list[Assign]:
    """The assignments that lead to some targets, in their order; what a linear system stands between is none.

    >>> x, a, b, c = symengine.symbols("x a b c")
    >>> assignments_to([b], [Assign(a, 2 * x), Assign(c, x), Assign(b, a + 1)])
    [Assign(target=a, value=2*x), Assign(target=b, value=1 + a)]
    """
    wanted, kept = set(targets), list[Assign]()
    for step in reversed(steps):
        if isinstance(step, Assign) and step.target in wanted:
            wanted |= step.value.free_symbols
            kept.append(step)
    return kept[::-1]


def inline(expressions: Iterable[Expr], definitions: Sequence[Assign]) -> Vector:
    """The expressions with every definition written out (for people; it may grow large)."""
    values: dict[Symbol, Expr] = {}
    for step in definitions:
        values[step.target] = replaced(step.value, values)
    return tuple(replaced(expression, values) for expression in expressions)


def written_size(expressions: Iterable[Expr], definitions: Sequence[Assign]) -> int:
    """Operations with every definition written out, counted without writing any out."""
    sizes: dict[Expr, int] = {}
    meanings: dict[Symbol, int] = {}
    for step in definitions:
        meanings[step.target] = _size(step.value, sizes, meanings)
    return sum(_size(expression, sizes, meanings) for expression in expressions)


def _size(expression: Expr, sizes: dict[Expr, int], meanings: dict[Symbol, int]) -> int:
    stack = [(expression, False)]
    while stack:
        node, ready = stack.pop()
        if node in sizes:
            continue
        if not node.args:
            sizes[node] = meanings.get(node, 0)
        elif ready:
            own = len(node.args) - 1 if isinstance(node, symengine.Add | symengine.Mul) else 1
            sizes[node] = own + sum(sizes[part] for part in node.args)
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in node.args)
    return sizes[expression]
