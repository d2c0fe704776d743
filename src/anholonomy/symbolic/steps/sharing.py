"""Common subexpressions, named once.

SymEngine's own search finds any part of a sum inside other sums, but its time grows with the square of the size. Large inputs are
shared in one pass: every subtree that occurs twice, and, with their terms in one order for all, whatever sums or products begin with
alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, final

import symengine

from anholonomy.symbolic.expressions import Expr, Symbol, replaced, symbol

__all__ = ["share"]

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
