"""Sines, cosines and tangents in expressions, and the angles in them."""

from __future__ import annotations

from collections.abc import Iterable

from anholonomy.symbolic.arithmetic import function_name
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.system.model import Model

__all__ = ["angles_of", "spoken", "turning_nodes"]


def turning_nodes(expressions: Iterable[Expr]) -> set[Expr]:
    """The sines, cosines and tangents in expressions.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> turning_nodes([x * symengine.sin(x) ** 2])
    {sin(x)}
    """
    seen, found, stack = set[Expr](), set[Expr](), list(expressions)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if function_name(node) in ("sin", "cos", "tan"):
            found.add(node)
        stack += node.args
    return found


def spoken(model: Model) -> list[Expr]:
    """What a declaration says."""
    return [model.lagrangian, *(c.declared for c in model.constraints), *model.forces_a, *(model.momenta_a or ())]


def angles_of(model: Model) -> set[Symbol]:
    """Coordinates that are declared as angles, and whatever is a term in the argument of a sine, lengths apart."""
    kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
    arguments = [node.args[0] for node in turning_nodes(spoken(model))]
    terms = {s for argument in arguments for s in argument.free_symbols if partial(argument, s) in (1, -1)}
    return {q for q, kind in kinds.items() if kind == "angle"} | {s for s in terms if kinds.get(s) != "length"}
