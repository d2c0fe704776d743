"""One rewriting of sums, applied everywhere inside an expression, in linear time."""

from __future__ import annotations

from collections.abc import Callable

import symengine

from anholonomy.symbolic.expressions import Expr

__all__ = ["rewritten_sums"]


def rewritten_sums(expression: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with every sum changed, innermost first, inside powers and functions too.

    >>> x, y = symengine.symbols("x y")
    >>> rewritten_sums(y * symengine.sin(x + 1), lambda total: total - 1)
    y*sin(x)
    """
    done: dict[Expr, Expr] = {}
    stack = [(expression, False)]
    # An explicit stack: derived expressions can be deeper than Python's own.
    while stack:
        node, ready = stack.pop()
        if node in done:
            continue
        if not node.args or isinstance(node, symengine.Derivative | symengine.Subs):
            done[node] = node
        elif ready:
            parts = [done[part] for part in node.args]
            rebuilt = node if parts == list(node.args) else _with_parts(node, parts)
            done[node] = change(rebuilt) if isinstance(rebuilt, symengine.Add) else rebuilt
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in node.args)
    return done[expression]


def _with_parts(node: Expr, parts: list[Expr]) -> Expr:
    if isinstance(node, symengine.FunctionSymbol):
        return symengine.Function(node.get_name())(*parts)
    return node.func(*parts)
