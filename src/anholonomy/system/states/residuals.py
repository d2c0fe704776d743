r"""Whether numbers that a user typed satisfy constraints, up to the rounding in them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import flint
import numpy as np

from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.balls import Ball
from anholonomy.system.constraints import Constraint
from anholonomy.system.states.newton import Point, evaluate_at, largest
from anholonomy.system.states.sizes import sizes_at
from anholonomy.tolerances import ROUNDING, TYPED

__all__ = ["excess", "violated"]


def violated(
    constraints: Sequence[Constraint],
    functions: Sequence[Expr],
    values: Point,
    unknowns: Sequence[Symbol],
    coarse: float = TYPED,
) -> Constraint | None:
    r"""The constraint that is violated most, by more than the rounding in what a user gave; None if there is none.

    The residual of $f$ is compared with the size of its terms and with $\sum|u\,\partial f/\partial u|$ over the unknowns;
    what is not an unknown is taken to be as exact as a double, and an unknown as exact as a double of the largest
    one's size: where a row says 0, the sine of pi is 0.
    """
    over = excess(functions, values, unknowns, coarse)
    worst = int(np.argmax(over))
    return constraints[worst] if over[worst] > 0 else None


def excess(functions: Sequence[Expr], values: Point, unknowns: Sequence[Symbol], coarse: float = TYPED) -> list[float]:
    """Each residual over what is allowed; 0 where it is within."""
    others = [s for s in values if s not in set(unknowns)]
    top = largest(values[u] for u in unknowns)
    sizes = sizes_at(functions, values)
    found = []
    for f, value, size in zip(functions, evaluate_at(functions, values), sizes, strict=True):
        known = [s for s in others if s in f.free_symbols]
        own, other = (_lower(gradient(f, symbols), values) for symbols in (unknowns, known))
        terms = size + sum((abs(a * values[u]) for a, u in zip(own, unknowns, strict=True)), start=flint.arb(0))
        exact = sum((abs(a * values[s]) for a, s in zip(other, known, strict=True)), start=flint.arb(0))
        allowed = coarse * terms + ROUNDING * (terms + exact + top * largest(own))
        residual = abs(value.mid())
        found.append(0.0 if residual <= allowed else float((residual / allowed).mid()) if allowed > 0 else math.inf)
    return found


def _lower(row: Sequence[Expr], values: Point) -> list[Ball]:
    """The midpoints, with 0 for entries that no digit tells from it: times a large number they would allow everything."""
    return [flint.arb(0) if value.contains(0) else value.mid() for value in evaluate_at(row, values)]
