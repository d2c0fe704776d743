r"""Steps: assignments and linear systems, written out, counted, and common subexpressions named once.

A long computation is a list of steps $z_k = f_k(z_{<k}, \ldots)$ instead of one nested tree. Each step names its result, later steps
use the name, and the chain rule goes through the names (`anholonomy.algebra.steps.derivatives`), so nothing swells: a derivative costs
a constant times the steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast, final

import symengine

from anholonomy.algebra.expressions import ATOMS, Expr, Matrix, Symbol, Vector, replaced, symbol, zero
from anholonomy.base.caching import cached_property, fields_only

__all__ = ["Assign", "Recorder", "Solve", "Step", "assignments_to", "in_one_pass", "inline", "share", "written_size"]


@final
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


@final
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


@final
class Recorder:
    """Collects steps under names of its own; a value that is an atom already, or a number times one, needs none.

    >>> x, y = symengine.symbols("x y")
    >>> record = Recorder("w")
    >>> record(x * y), record(2 * x), record.solve(((x,),), [y])
    (w0, 2*x, (w1,))
    """

    def __init__(self, prefix: str, steps: Iterable[Step] = ()) -> None:
        self.prefix = prefix
        self.steps: list[Step] = list(steps)
        self._more_names = 0

    def __call__(self, value: Expr) -> Expr:
        if _is_light(value):
            return value
        target = self._name(0)
        self.steps.append(Assign(target, value))
        return target

    def solve(self, matrix: Matrix, right: Sequence[Expr]) -> Vector:
        """The unknowns of a linear system; zero where its right-hand side is."""
        if not any(right):
            return (zero,) * len(right)
        unknowns = tuple(map(self._name, range(len(right))))
        self.steps.append(Solve(unknowns, matrix, tuple(right)))
        self._more_names += len(unknowns) - 1
        return unknowns

    def keep(self, step: Solve) -> None:
        """Add a linear system whose unknowns have names already."""
        self.steps.append(step)
        self._more_names -= 1

    @property
    def assignments(self) -> list[Assign]:
        """The steps, where no linear system is among them."""
        return cast("list[Assign]", self.steps)

    def _name(self, k: int) -> Symbol:
        return symbol(f"{self.prefix}{len(self.steps) + self._more_names + k}")


def _is_light(value: Expr) -> bool:
    if type(value) in ATOMS:
        return True
    if isinstance(value, symengine.Mul):
        head, *rest = value.args
        return len(rest) == 1 and isinstance(head, symengine.Number) and not rest[0].args
    return not value.args


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


# Common subexpressions, named once.
#
# SymEngine's own search finds any part of a sum inside other sums, but its time grows with the square of the size. Large inputs are
# shared in one pass: every subtree that occurs twice, and, with their terms in one order for all, whatever sums or products begin with
# alike.


_THOROUGH = 2_500
"""Up to this many operations SymEngine's thorough search takes milliseconds."""


def share(expressions: Sequence[Expr], prefix: str) -> tuple[list[tuple[Symbol, Expr]], list[Expr]]:
    """Named subexpressions in order of use, and the expressions in terms of them.

    >>> x, y = symengine.symbols("x y")
    >>> share([symengine.sin(x + y), symengine.cos(x + y)], "w")
    ([(w0, x + y)], [sin(w0), cos(w0)])
    """
    if symengine.count_ops(*expressions) > _THOROUGH:
        return in_one_pass(expressions, prefix)
    found, reduced = symengine.cse(list(expressions))
    names = {s: symbol(f"{prefix}{i}") for i, (s, _) in enumerate(found)}
    return (
        [(names[s], replaced(value, names)) for s, value in found],
        [replaced(expression, names) for expression in reduced],
    )


def in_one_pass(expressions: Sequence[Expr], prefix: str) -> tuple[list[tuple[Symbol, Expr]], list[Expr]]:
    """The same for expressions of any length.

    >>> a, b, c, d = symengine.symbols("a b c d")
    >>> in_one_pass([(a + b) ** 2, (a + b + c) ** 2, (a + b + c + d) ** 2], "w")[1]
    [w0**2, w1**2, (d + w1)**2]
    """
    uses: Counter[Expr] = Counter()
    arguments: dict[Expr, tuple[Expr, ...]] = {}
    stack = list(expressions)
    while stack:
        node = stack.pop()
        uses[node] += 1
        if node not in arguments:
            arguments[node] = node.args
            stack.extend(arguments[node])
    kinds = {
        kind: _Beginnings(a for n, a in arguments.items() if isinstance(n, kind))
        for kind in (symengine.Add, symengine.Mul)
    }
    named: list[tuple[Symbol, Expr]] = []
    done: dict[Any, Expr] = {}

    def name(value: Expr) -> Symbol:
        named.append((symbol(f"{prefix}{len(named)}"), value))
        return named[-1][0]

    def combined(kind: type, parts: Sequence[Expr]) -> Expr:
        """A sum or product, by way of the beginnings that others share."""
        so_far: list[Expr] = []
        for part, place in kinds[kind].places(parts):
            so_far.append(rebuild(part))
            if kinds[kind].is_shared(place):
                if (kind, place) not in done:
                    done[kind, place] = name(kind(*so_far))
                so_far = [done[kind, place]]
        return kind(*so_far)

    def rebuild(node: Expr) -> Expr:
        if node in done:
            return done[node]
        parts = arguments[node]
        kind = next((kind for kind in kinds if isinstance(node, kind)), None)
        if not parts:
            result = node
        elif kind is not None:
            result = combined(kind, parts)
        else:
            new = [rebuild(part) for part in parts]
            result = node if new == list(parts) else node.func(*new)
        if uses[node] > 1 and result.args and not _is_trivial(node):
            result = name(result)
        done[node] = result
        return result

    return named, [rebuild(expression) for expression in expressions]


@final
class _Beginnings:
    """What lists begin with alike, once each has its most frequent members first: a tree whose places are numbered."""

    def __init__(self, lists: Iterable[Sequence[Expr]]) -> None:
        lists = list(lists)
        often = Counter(part for parts in lists for part in parts)
        self._rank = {part: (-often[part], k) for k, part in enumerate(often)}
        self._next: dict[tuple[int, Expr], int] = {}
        self._count = [0]
        self._branches = [0]  # the most lists that go on alike from each place
        for parts in lists:
            before = 0
            for place in self._walk(parts):
                self._count[place] += 1
                self._branches[before] = max(self._branches[before], self._count[place] if before else 0)
                before = place
        self._first = {place for (before, _), place in self._next.items() if not before}

    def _ordered(self, parts: Sequence[Expr]) -> list[Expr]:
        return sorted(parts, key=self._rank.__getitem__)

    def _walk(self, parts: Sequence[Expr]) -> Iterable[int]:
        place = 0
        for part in self._ordered(parts):
            place = self._next.setdefault((place, part), len(self._count))
            if place == len(self._count):
                self._count.append(0)
                self._branches.append(0)
            yield place

    def places(self, parts: Sequence[Expr]) -> list[tuple[Expr, int]]:
        """The members in order, each with the number of the beginning that ends with it."""
        return list(zip(self._ordered(parts), self._walk(parts), strict=True))

    def is_shared(self, place: int) -> bool:
        """Whether several lists begin so, and do not all go on alike."""
        return place not in self._first and 1 < self._count[place] > self._branches[place]


def _is_trivial(node: Expr) -> bool:
    """A sign in front of a symbol is not worth a name."""
    return isinstance(node, symengine.Mul) and len(node.args) == 2 and node.args[0] == -1
