"""Common subexpressions, named once.

SymEngine's own search also finds sums inside sums and products inside products, which is worth a tenth or so of the
operations, but its time grows with the square of the size. Large inputs are therefore shared by structure alone, in
one pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import symengine

from anholonomy.symbolic.expressions import Expr, Symbol, replaced, symbol

__all__ = ["share"]

_THOROUGH = 10_000
"""Up to this many operations SymEngine's thorough search takes milliseconds."""


def share(expressions: Sequence[Expr], prefix: str) -> tuple[list[tuple[Symbol, Expr]], list[Expr]]:
    """Named subexpressions in order of use, and the expressions in terms of them.

    >>> x, y = symengine.symbols("x y")
    >>> share([symengine.sin(x + y), symengine.cos(x + y)], "w")
    ([(w0, x + y)], [sin(w0), cos(w0)])
    """
    if symengine.count_ops(*expressions) > _THOROUGH:
        return _by_structure(expressions, prefix)
    found, reduced = symengine.cse(list(expressions))
    names = {s: symbol(f"{prefix}{i}") for i, (s, _) in enumerate(found)}
    return (
        [(names[s], replaced(value, names)) for s, value in found],
        [replaced(expression, names) for expression in reduced],
    )


def _by_structure(expressions: Sequence[Expr], prefix: str) -> tuple[list[tuple[Symbol, Expr]], list[Expr]]:
    """Every subtree that occurs more than once gets a name."""
    uses: Counter[Expr] = Counter()
    arguments: dict[Expr, tuple[Expr, ...]] = {}
    stack = list(expressions)
    while stack:
        node = stack.pop()
        uses[node] += 1
        if node not in arguments:
            arguments[node] = node.args
            stack.extend(arguments[node])
    named: list[tuple[Symbol, Expr]] = []
    done: dict[Expr, Expr] = {}

    def rebuild(node: Expr) -> Expr:
        if node in done:
            return done[node]
        parts = arguments[node]
        if not parts:
            result = node
        else:
            new = [rebuild(part) for part in parts]
            result = node if new == list(parts) else node.func(*new)
            if uses[node] > 1 and not _is_trivial(node):
                target = symbol(f"{prefix}{len(named)}")
                named.append((target, result))
                result = target
        done[node] = result
        return result

    return named, [rebuild(expression) for expression in expressions]


def _is_trivial(node: Expr) -> bool:
    """A sign in front of a symbol is not worth a name."""
    return isinstance(node, symengine.Mul) and len(node.args) == 2 and node.args[0] == -1
