"""Functions without a formula, such as a potential $V(x, y)$: declared, derived with, and written out when numbers are wanted.

What an equation says about $V$ at a point, it says about finitely many of its derivatives there, and those of a smooth
function may be any numbers. So a random state has random values of $V$ and its derivatives, too (`jets`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement
from typing import Any

import symengine

from anholonomy.algebra.expressions import Expr, Vector
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.language import check_name, parse_expression
from anholonomy.language.arguments import expect_list, expression
from anholonomy.system.model import Model

__all__ = ["calls_only", "jets", "read_functions", "refuse_calls", "refuse_unspecified", "with_functions"]


def read_functions(name: str, given: Sequence[str], places: set[str]) -> Vector:
    """The declared calls, such as ``V(x, y)``; the arguments are coordinates, parameters or time, each once."""
    expect_list(given, f"{name}: `functions`", "a list of texts such as ['V(x, y)']", verb="is")
    found: dict[str, Expr] = {}
    for text in given:
        head = text.partition("(")[0].strip() if isinstance(text, str) else text
        check_name(head, f"{name}: the function")
        call = parse_expression(text, what=f"{name}: the function {head}", functions=[head])
        arguments = call.args if isinstance(call, symengine.FunctionSymbol) and call.get_name() == head else ()
        names = [str(each) for each in arguments]
        if not names or len(set(names)) < len(names) or not places.issuperset(names):
            raise DeclarationError(
                f"{name}: the function {quoted(text)} must be declared with its arguments, coordinates, parameters or t, each "
                "once, such as 'V(x, y)'."
            )
        if head in found or head in places:
            raise DeclarationError(f"{name}: {head} is declared twice; rename the function.")
        found[head] = call
    return tuple(found.values())


def calls_only(name: str, what: str, value: Expr, functions: Vector) -> Expr:
    """The expression, whose calls must be those declared."""
    for call in sorted(unknown_functions(value) - set(functions), key=str):
        declared = next(str(f) for f in functions if f.get_name() == call.get_name())
        raise DeclarationError(
            f"{name}: {what} has {call!s:.60}, and the function is declared as {declared}; write it so."
        )
    return value


def refuse_calls(name: str, what: str, value: object, functions: Vector) -> None:
    """Say that unspecified functions belong in the Lagrangian and the forces, where a text calls one elsewhere."""
    for head in (call.get_name() for call in functions):
        if isinstance(value, str) and re.search(rf"(?<![\w']){re.escape(head)}\s*\(", value):
            raise DeclarationError(
                f"{name}: {what} calls {head}; a function that is not specified may be in the Lagrangian, the potential and "
                "the forces only, so write it out here."
            )


def refuse_unspecified(model: Model, what: str) -> None:
    """Say which function must be written out before there can be ``what``, such as ``"a motion"``."""
    for call in model.functions:
        raise NotSupportedError(
            f"{model.name}: {what} needs the function {call} written out; say "
            f'system.with_functions({call.get_name()}="…") first, with a text in {", ".join(map(str, call.args))}.'
        )


def with_functions(model: Model, given: Mapping[str, Any]) -> Model:
    """The model with functions written out, as texts in the names of their arguments."""
    calls = {call.get_name(): call for call in model.functions}
    written: dict[Expr, Expr] = {}
    for head, text in given.items():
        if head not in calls:
            known = ", ".join(map(str, model.functions)) or "none"
            raise UnknownNameError(f"{model.name} has no function {head!r}; its functions are {known}.")
        value = expression(text, f"{model.name}: the function {head}")
        allowed = {*calls[head].args, *model.parameter_symbols}
        if strangers := sorted(s.name for s in value.free_symbols - allowed):
            raise DeclarationError(
                f"{model.name}: {strangers[0]} appears in the function {head} but is none of the arguments of "
                f"{calls[head]} and no parameter; declare it so, or write it with these."
            )
        written[calls[head]] = value
    return _written_out(model, written)


def _written_out(model: Model, values: Mapping[Expr, Expr]) -> Model:
    return model.replaced(
        lagrangian=model.lagrangian.xreplace(values),
        forces_a=tuple(force.xreplace(values) for force in model.forces_a),
        momenta_a=None if model.momenta_a is None else tuple(p.xreplace(values) for p in model.momenta_a),
        functions=tuple(call for call in model.functions if call not in values),
    )


_ORDER = 3
"""No principle differentiates a Lagrangian more often."""


def jets(model: Model, rng: random.Random) -> dict[Expr, Fraction]:
    """Random values of the functions and of their derivatives at one point, by the nodes of expressions.

    >>> from anholonomy.system.declaration.declare import declare
    >>> model = declare(coordinates=["x"], lagrangian="x'^2/2 - V(x)", functions=["V(x)"])
    >>> [str(node) for node in jets(model, random.Random(1))]
    ['V(x)', 'Derivative(V(x), x)', 'Derivative(V(x), x, x)', 'Derivative(V(x), x, x, x)']
    """
    nodes = (
        reduce(lambda node, s: node.diff(s), variables, call)
        for call in model.functions
        for order in range(_ORDER + 1)
        for variables in combinations_with_replacement(call.args, order)
    )
    return {node: Fraction(rng.randint(-9999, 9999), 5003) for node in nodes}
