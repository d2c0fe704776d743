"""Unspecified functions in an expression, and at one point, where their values and derivatives are free symbols.

A smooth function takes any prescribed values and derivatives at finitely many *different* points. So
$f(x), f(y), f'(x)$ may be replaced by new symbols when the arguments are proven to differ where the
expression is evaluated; without that proof nothing may be concluded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import final

import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS
from anholonomy.algebra.expressions import Expr, Symbol, Vector, nodes_of, symbol

__all__ = ["Jets", "unknown_functions", "with_jets"]


def unknown_functions(expression: Expr) -> set[Expr]:
    """Calls of functions that nobody specified.

    >>> f, x = symengine.Function("f"), symengine.Symbol("x")
    >>> unknown_functions(f(x) + symengine.Function("sign")(x))
    {f(x)}
    """
    return {node for node in nodes_of(expression, symengine.FunctionSymbol) if node.get_name() not in FUNCTIONS}


@final
@dataclass(frozen=True)
class Jets:
    """An expression without unknown functions.

    The new symbols are independent at a point where every group of ``differences`` has one that is not zero. ``values`` says
    what they stand for.
    """

    expression: Expr
    differences: tuple[Vector, ...] = ()
    values: tuple[tuple[Expr, Symbol], ...] = ()


def with_jets(expression: Expr) -> Jets | None:
    """Replace unknown functions and their derivatives by symbols; None where that is not possible.

    >>> f, x = symengine.Function("f"), symengine.Symbol("x")
    >>> jets = with_jets(f(x) - f(2 * x))
    >>> len(jets.expression.free_symbols), jets.differences
    (2, ((x,),))
    """
    nodes = list(dict.fromkeys(_unknown(expression)))
    if not nodes:
        return Jets(expression)
    groups: dict[tuple[str, int, tuple[int, ...]], list[Vector]] = {}
    values: dict[Expr, Symbol] = {}
    for count, node in enumerate(nodes):
        values[node] = symbol(f"_jet{count}")
        function, *variables = node.args if isinstance(node, symengine.Derivative) else (node,)
        arguments = function.args
        if not isinstance(function, symengine.FunctionSymbol):
            return None
        if variables and any(a.args or arguments.count(a) > 1 for a in arguments):
            return None
        order = sorted(arguments.index(variable) for variable in variables)
        groups.setdefault((function.get_name(), len(arguments), tuple(order)), []).append(tuple(arguments))
    differences = tuple(
        tuple(difference.xreplace(values) for a, b in zip(one, other, strict=True) if (difference := a - b) != 0)
        for group in groups.values()
        for one, other in combinations(group, 2)
    )
    return Jets(expression.xreplace(values), differences, tuple(values.items()))


def _unknown(expression: Expr) -> Iterator[Expr]:
    """Calls and derivatives of unknown functions; what occurs many times is walked once."""
    seen, waiting = set(), [expression]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, symengine.Derivative | symengine.Subs):
            yield node
            continue
        if isinstance(node, symengine.FunctionSymbol) and node.get_name() not in FUNCTIONS:
            yield node
        waiting.extend(reversed(node.args))
