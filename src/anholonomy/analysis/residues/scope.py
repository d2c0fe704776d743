"""What holds at a random point modulo a prime, in words."""

from __future__ import annotations

import random
from functools import lru_cache

import symengine

from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.analysis.residues.levels import GENERIC_LEVELS, residue_level
from anholonomy.findings import Scope
from anholonomy.language.writing import to_text
from anholonomy.symbolic.expressions import Expr, free_symbols, nodes_of
from anholonomy.symbolic.numbers.balls import FEW_DIGITS, evaluate_balls, random_point
from anholonomy.system.model import Model

__all__ = ["generic", "where_positive"]

_POINTS = 60
"""Real points at which the arguments of absolute values are looked at."""


def generic(model: Model) -> Scope:
    """Where ranks at a point hold: where the declared values do, and off what constraints on positions single out where these are not solved."""
    where = GENERIC_LEVELS if residue_level(model) is None else "at generic points"
    return Scope(points=where, values=tuple(sorted(model.values.items(), key=lambda item: str(item[0]))))


@lru_cache(maxsize=64)
def where_positive(motion: ReducedMotion) -> str | None:
    """Where absolute values are their arguments, which random residues take them to be; None where no real point was met at which all are."""
    model = motion.model
    every = [model.lagrangian, *(model.momenta_a or ()), *model.forces_a, *(c.expression for c in model.constraints)]
    corners = {node.args[0] for e in every for kind in (symengine.Abs, symengine.sign) for node in nodes_of(e, kind)}
    arguments: list[Expr] = sorted(corners, key=str)
    if not arguments:
        return ""
    values, rng = model.values, random.Random(3)
    here = [e.xreplace(values) for e in arguments]
    for kind in range(_POINTS):
        found = evaluate_balls(here, random_point(free_symbols(here), rng, kind), FEW_DIGITS)
        if all(bool(value > 0) for value in found):
            return (
                f"where {' and '.join(to_text(e) for e in arguments)} {'is' if len(arguments) == 1 else 'are'} positive"
            )
    return None
