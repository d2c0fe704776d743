r"""Speeds in a user's words, $u^b = Y^b{}_a(q,t)\,w^a + z^b(q,t)$: velocities, or definitions by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anholonomy.language import check_name
from anholonomy.language.given import expression
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, symbol, unused
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["read_speeds"]


def read_speeds(model: Model, given: Mapping[Any, Any] | Sequence[Any] | str) -> tuple[tuple[Symbol, ...], Vector]:
    """Symbols and definitions of one speed for each admissible direction, each affine in the velocities."""
    symbols, values = _read(model, given)
    _refuse_unless_affine(model, symbols, jacobian(values, model.velocities))
    constraints = len(model.independent.constraints)
    free = model.frame.size - constraints
    if len(values) != free:
        raise IllPosedSystem(
            f"{model.name}: there are {len(values)} speeds and {model.frame.size} - {constraints} = "
            f"{free} admissible directions; give one speed for each."
        )
    return symbols, tuple(values)


def _read(model: Model, given: Mapping[Any, Any] | Sequence[Any] | str) -> tuple[tuple[Symbol, ...], list[Expr]]:
    """Symbols and definitions; a velocity that is a speed keeps its name."""
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence):
        raise IllPosedSystem(
            f"{model.name}: `speeds` is {given!r}; give a list of velocities, a dict of definitions, or 'orthonormal'."
        )
    names = [q.name for q in model.coordinates]
    labelled = list(given.items()) if isinstance(given, Mapping) else [(None, value) for value in given]
    symbols: list[Symbol] = []
    values: list[Expr] = []
    allowed = {*model.names}
    for k, (name, text) in enumerate(labelled, 1):
        what = f"the speed {name or k}"
        value = expression(text, what, coordinates=names).xreplace(model.named)
        if unknown := sorted(s.name for s in value.free_symbols if s.name not in allowed):
            near = near_symbol(unknown[0], allowed)
            cure = f"did you mean {near}?" if near else "define `speeds` by velocities, or give `span` for names alone."
            raise IllPosedSystem(
                f"{model.name}: {unknown[0]} appears in {what} but is neither a coordinate, a velocity nor a parameter; {cure}"
            )
        if value in model.velocities and name in (None, value.name):
            symbols.append(value)
        elif name is None:
            symbols.append(unused(f"u{k}", lambda taken: taken in model.names or symbol(taken) in symbols))
        else:
            check_name(str(name), f"{model.name}: the speed")
            if name in model.names:
                raise IllPosedSystem(f"{model.name}: the speed {name} clashes with another name; rename it.")
            symbols.append(symbol(str(name)))
        values.append(value)
    if twice := sorted({u.name for u in symbols if symbols.count(u) > 1}):
        raise IllPosedSystem(f"{model.name}: the speed {twice[0]} is given twice; keep one.")
    return tuple(symbols), values


def _refuse_unless_affine(model: Model, symbols: Sequence[Symbol], Y: Matrix) -> None:
    for u, row in zip(symbols, Y, strict=True):
        for entry in row:
            for slope in jacobian([entry], model.velocities)[0]:
                if zero_test(slope) is not Verdict.PROVEN:
                    raise IllPosedSystem(
                        f"{model.name}: the speed {u.name} is not linear in the velocities; its definition may be "
                        "linear, with an inhomogeneous part."
                    )
