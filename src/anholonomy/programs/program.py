"""A program: the numbers-in, numbers-out form of a computation, a list of steps, the only thing a backend sees.

Names are neutral (``x0`` for states, ``p0`` for parameters, ``t`` for time), so that no choice of the
user's names can collide with a generated one. Shared subexpressions are steps of their own; linear
systems are `Solve` steps, factorised at run time or unrolled when they are small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.calculus import has_corner
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, replaced, symbol, time
from anholonomy.algebra.steps.definitions import Assign, Solve, Step, share
from anholonomy.algebra.steps.linear_systems import unroll
from anholonomy.base.caching import cached_property
from anholonomy.base.notebook import Shown

__all__ = ["Program", "joined", "lower", "with_expressions"]


@final
@dataclass(frozen=True)
class Program(Shown):
    """``outputs`` as functions of ``states``, ``parameters`` and time, by way of ``steps``.

    Attributes
    ----------
    states, parameters
        Neutral symbols ``x0 …`` and ``p0 …`` in the order of the arrays a compiled function takes.
    steps
        `Assign` and `Solve`, each using only inputs and the targets of earlier steps. The sources of a
        `Solve` are symbols or numbers.
    outputs
        Expressions in inputs and targets; one value each.
    sections
        Names for stretches of the outputs, each with its length, in order; empty where the outputs are one thing.
    pivots
        What an unrolled linear system divides by, where this was chosen at a state: the program is as good as these are
        large.
    """

    states: tuple[Symbol, ...]
    parameters: tuple[Symbol, ...]
    steps: tuple[Step, ...]
    outputs: Vector
    pivots: Vector = ()
    sections: tuple[tuple[str, int], ...] = ()

    @cached_property
    def _hash(self) -> int:
        return hash((self.states, self.parameters, self.steps, self.outputs))

    def __hash__(self) -> int:
        return self._hash  # asked for by every cache of what is compiled

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each named stretch of the outputs is."""
        ends = list(accumulate(length for _, length in self.sections))
        return {name: slice(end - length, end) for (name, length), end in zip(self.sections, ends, strict=True)}

    @cached_property
    def operations(self) -> int:
        """How many arithmetic operations one evaluation takes, a factorisation counted as n³/3."""
        expressions = [*self.outputs, *(source for step in self.steps for source in step.sources)]
        solves = [len(step.unknowns) for step in self.solves]
        return int(symengine.count_ops(*expressions)) + sum(n**3 // 3 + n**2 for n in solves)

    @cached_property
    def has_corners(self) -> bool:
        """True when it contains ``abs`` or ``sign`` of something that moves, which have no Taylor series at zero.

        >>> x, k = symengine.symbols("x k")
        >>> [lower([x], [k], [], [f]).has_corners for f in (-abs(x), -x, abs(k) * x)]
        [True, False, False]
        """
        moving = {*self.states, time}
        for step in self.steps:
            if any(has_corner(source, moving) for source in step.sources):
                return True
            if not moving.isdisjoint(free_symbols(step.sources)):
                moving.update(step.targets)
        return any(has_corner(output, moving) for output in self.outputs)

    @cached_property
    def solves(self) -> tuple[Solve, ...]:
        """The linear systems among the steps."""
        return tuple(step for step in self.steps if isinstance(step, Solve))

    @property
    def is_straight(self) -> bool:
        """True when there is nothing to factorise, so that any backend can differentiate it."""
        return not self.solves

    @cached_property
    def has_least_squares(self) -> bool:
        """True when a linear system may be dependent, so that its rank is found as it is solved."""
        return any(step.least for step in self.solves)

    @property
    def of_pivots(self) -> Program:
        """The same steps with the pivots as outputs."""
        return Program(self.states, self.parameters, self.steps, self.pivots)

    def unrolled(
        self, matrix_at_reference: Callable[[Solve], np.ndarray | None] = lambda step: None, limit: int = 8
    ) -> Program:
        """The same program with every `Solve` of at most ``limit`` unknowns written as assignments.

        ``matrix_at_reference`` gives a solve's matrix in numbers, from which the pivots are chosen; None
        means that the diagonal will do (a positive definite matrix).
        """
        steps: list[Step] = []
        pivots: list[Expr] = []
        for step in self.steps:
            if isinstance(step, Solve) and step.is_small(limit):
                reference = matrix_at_reference(step)
                assignments, divisors = unroll(step, reference)
                steps += assignments
                pivots += divisors if reference is not None else ()
            else:
                steps.append(step)
        changing = tuple(pivot for pivot in pivots if not isinstance(pivot, symengine.Number))
        return replace(self, steps=tuple(steps), pivots=changing)


def lower(
    states: Sequence[Symbol],
    parameters: Sequence[Symbol],
    steps: Sequence[Step],
    outputs: Sequence[Expr] | Mapping[str, Sequence[Expr]],
) -> Program:
    """Give every symbol its neutral name, share subexpressions, and put the steps in order; outputs may come in named sections."""
    sections = tuple((name, len(part)) for name, part in outputs.items()) if isinstance(outputs, Mapping) else ()
    flat = [output for part in outputs.values() for output in part] if isinstance(outputs, Mapping) else outputs
    lowered = _lowered(tuple(states), tuple(parameters), _in_order(steps, flat), tuple(flat))
    return replace(lowered, sections=sections) if sections else lowered


@lru_cache(maxsize=32)
def _lowered(states: Vector, parameters: Vector, steps: tuple[Step, ...], outputs: Vector) -> Program:
    """The same for steps that the outputs need; what a principle is chosen by is not lowered again to be integrated."""
    names: dict[Symbol, Symbol] = {s: symbol(f"x{i}") for i, s in enumerate(states)}
    names |= {p: symbol(f"p{i}") for i, p in enumerate(parameters)}
    defined = [target for step in steps for target in step.targets]
    names |= {z: symbol(f"z{i}") for i, z in enumerate(defined)}

    expressions = [replaced(source, names) for step in steps for source in step.sources]
    expressions += [replaced(output, names) for output in outputs]
    found, values = share(expressions, "w")
    reduced = iter(values)
    nodes: list[Step] = [Assign(target, value) for target, value in found]
    for step in steps:
        nodes += _renamed(step, names, reduced)
    final = tuple(reduced)
    inputs = [names[s] for s in states], [names[p] for p in parameters]
    return Program(tuple(inputs[0]), tuple(inputs[1]), _in_order(nodes, final), final)


def _renamed(step: Step, names: Mapping[Symbol, Symbol], values: Iterator[Expr]) -> list[Step]:
    """The step with neutral names and reduced sources; entries of a solve become symbols."""
    if isinstance(step, Assign):
        return [Assign(names[step.target], next(values))]
    unknowns = tuple(names[z] for z in step.unknowns)
    entries: list[Step] = []

    def atom(value: Expr) -> Expr:
        if not value.args:
            return value
        entries.append(Assign(symbol(f"{unknowns[0].name}k{len(entries)}"), value))
        return entries[-1].targets[0]

    matrix = tuple(tuple(atom(next(values)) for _ in row) for row in step.matrix)
    right = tuple(atom(next(values)) for _ in step.right)
    return [*entries, Solve(unknowns, matrix, right, step.least)]


def _in_order(nodes: Sequence[Step], outputs: Sequence[Expr]) -> tuple[Step, ...]:
    """The nodes that the outputs need, each after what it uses."""
    maker = {target: k for k, node in enumerate(nodes) for target in node.targets}
    needs = [sorted({maker[s] for s in free_symbols(node.sources) if s in maker}) for node in nodes]
    ordered: list[int] = []
    state = [0] * len(nodes)  # 0 unseen, 1 open, 2 placed
    stack = sorted({maker[s] for s in free_symbols(outputs) if s in maker}, reverse=True)
    while stack:
        k = stack[-1]
        if state[k] == 0:
            state[k] = 1
            stack += [j for j in reversed(needs[k]) if state[j] == 0]
        else:
            stack.pop()
            if state[k] == 1:
                state[k] = 2
                ordered.append(k)
    return tuple(nodes[k] for k in ordered)


def joined(programs: Sequence[Program]) -> Program:
    """Programs of the same inputs as one, their outputs one after the other.

    >>> x = symbol("x")
    >>> joined([lower([x], [], [], [x + 1]), lower([x], [], [], [2 * x])]).outputs
    (1 + x0, 2*x0)
    """
    steps: list[Step] = []
    outputs: list[Expr] = []
    for k, program in enumerate(programs):
        names: dict[Symbol, Symbol] = {
            target: symbol(f"{target.name}j{k}") for step in program.steps for target in step.targets
        }

        def renamed(e: Expr, names: dict[Symbol, Symbol] = names) -> Expr:
            return replaced(e, names)

        steps += [with_expressions(step, renamed, names) for step in program.steps]
        outputs += map(renamed, program.outputs)
    return Program(programs[0].states, programs[0].parameters, tuple(steps), tuple(outputs))


def with_expressions(step: Step, f: Callable[[Expr], Expr], names: Mapping[Symbol, Symbol] | None = None) -> Step:
    """The step with each of its expressions replaced by a function of it, and targets that have other ``names`` renamed."""
    names = {} if names is None else names
    if isinstance(step, Assign):
        return Assign(names.get(step.target, step.target), f(step.value))
    matrix = tuple(tuple(map(f, row)) for row in step.matrix)
    unknowns = tuple(names.get(u, u) for u in step.unknowns)
    return Solve(unknowns, matrix, tuple(map(f, step.right)), step.least)
