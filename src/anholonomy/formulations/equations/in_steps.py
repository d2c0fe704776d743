"""Equations that are too long to write out, step by step: one line for each definition, then the equations in these."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from anholonomy.language import to_text
from anholonomy.language.names import is_written_symbol
from anholonomy.symbolic.display.pythagoras import with_unit_circles
from anholonomy.symbolic.expressions import Expr, Symbol, dot, symbol

if TYPE_CHECKING:
    from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion

__all__ = ["step_lines"]


def step_lines(equations: EquationsOfMotion) -> list[str]:
    """Every definition and every equation as it stands, nothing written out and nothing left out."""
    inner = equations.frame.definitions if equations.frame else ()
    steps = {step.target: step.value for step in (*inner, *equations.definitions)}
    unknowns = (*equations.rates, *equations.multipliers)
    meant = zip(equations.speeds, equations.speed_values, strict=False)
    rows = [(dot(entries, unknowns), value) for entries, value in zip(equations.K, equations.right, strict=True)]
    sides = [*meant, *steps.items(), *rows]
    names = _names(steps, {each for row in sides for side in row for each in side.free_symbols})
    return [f"{_text(left, names)} = {_text(right, names)}" for left, right in sides]


def _text(side: Expr, names: dict[Symbol, Symbol]) -> str:
    return to_text(with_unit_circles(side.xreplace(names)))


def _names(targets: Iterable[Symbol], used: Iterable[Symbol]) -> dict[Symbol, Symbol]:
    """Names ``c1``, ``c2``, … for what has none in the language, with a letter that is free."""
    nameless = [target for target in targets if not is_written_symbol(target.name)]
    letter = "c"
    while any(re.fullmatch(rf"{letter}\d+", each.name) for each in used):
        letter += "_"
    return {target: symbol(f"{letter}{k}") for k, target in enumerate(nameless, 1)}
