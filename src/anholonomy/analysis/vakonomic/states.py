"""A state in small numbers at which something does not vanish: positive parameters, and nothing that is divided by zero."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from anholonomy.analysis.vakonomic.multiplier_equations import MultiplierEquations
from anholonomy.symbolic.arithmetic import unknown_functions
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols
from anholonomy.symbolic.numbers.balls import DIGITS, evaluate_balls, excludes_zero
from anholonomy.symbolic.numbers.jets import with_jets

__all__ = ["state_with"]

_SMALL = tuple(Fraction(n, d) for n, d in ((1, 1), (1, 2), (2, 1), (3, 2), (1, 3), (3, 1)))
_TRIES = 60
"""Draws of small numbers."""


def state_with(
    f: Expr, others: Sequence[Expr], equations: MultiplierEquations
) -> tuple[tuple[Symbol, Fraction], ...] | None:
    """Values of what ``f`` depends on, with which neither it nor the others vanish; None where none was met.

    Redundant coordinates have no small numbers; functions that nobody specified take any values, and their derivatives too.
    """
    jets, on = with_jets(f), equations.on
    if jets is None:
        return None
    shown = jets.expression
    every = [shown, *(e for e in others if not unknown_functions(e))]
    names = free_symbols(every)
    if jets.differences or (on is not None and not names.isdisjoint(on.tied)):
        return None
    known = {} if on is None else {s: Fraction(str(value)) for s, value in on.values}
    rng = random.Random(len(names))
    for _ in range(_TRIES):
        point = {s: known[s] if s in known else _drawn(s, equations, rng) for s in sorted(names, key=str)}
        values = evaluate_balls(every, point, DIGITS)
        if all(map(excludes_zero, values)):
            return tuple((s, value) for s, value in point.items() if s in shown.free_symbols)
    return None


def _drawn(s: Symbol, equations: MultiplierEquations, rng: random.Random) -> Fraction:
    size = rng.choice(_SMALL)
    return -size if s in equations.rates and rng.random() < 0.3 else size
