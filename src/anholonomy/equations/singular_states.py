"""States where the equations divide by zero though the system may not fail: what the choice of their speeds divides by vanishes.

Printed equations, LaTeX, C and exported functions all say it with the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector
from anholonomy.algebra.numbers.balls import Ball
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.algebra.simplification.simplify import SEARCHED, simplify
from anholonomy.algebra.steps.definitions import Assign, inline, written_size
from anholonomy.base.notebook import Shown
from anholonomy.language.writing import brief
from anholonomy.system.states.rounding import blurred_at

if TYPE_CHECKING:
    from anholonomy.equations.equations_of_motion import EquationsOfMotion

__all__ = ["Divisors", "degenerates", "divisors_of"]


@final
@dataclass(frozen=True)
class Divisors(Shown):
    """Functions of coordinates, time and parameters that must not vanish, by way of ``definitions``."""

    values: Vector = ()
    definitions: tuple[Assign, ...] = ()

    def texts(self, whole: bool = False) -> tuple[str, ...]:
        """What is divided by, in words; the count of its operations where it is longer than a paragraph."""
        sizes = (written_size([value], self.definitions) for value in self.values)
        return tuple(
            f"[{size:,} operations]" if self.definitions else brief(value, whole)
            for value, size in zip(self.values, sizes, strict=True)
        )

    def sentence(self, whole: bool = False) -> str:
        """``singular where cos(theta) = 0``, or nothing."""
        places = " or ".join(f"{text} = 0" for text in self.texts(whole))
        return f"singular where {places}" if places else ""

    def vanishing(self, point: Mapping[Symbol, Ball]) -> tuple[str, ...]:
        """Those that cannot be told from zero at a point whose numbers are rounded."""
        found = blurred_at(self.values, point, steps=self.definitions)
        return tuple(
            text for text, value in zip(self.texts(), found, strict=True) if not value.is_finite() or value.contains(0)
        )


def divisors_of(equations: EquationsOfMotion) -> Divisors:
    """What the frame of some equations divides by, in short forms where these can be found."""
    frame = equations.frame
    if frame is None or equations.speeds == equations.model.velocities:
        return Divisors()
    if written_size(frame.pivots, frame.definitions) > SEARCHED:
        return Divisors(frame.pivots, frame.definitions)
    found = (_without_number(simplify(_without_root(pivot))) for pivot in inline(frame.pivots, frame.definitions))
    return Divisors(tuple(dict.fromkeys(pivot for pivot in found if not isinstance(pivot, symengine.Number))))


def _without_root(pivot: Expr) -> Expr:
    """A root of a modulus vanishes where what is inside does."""
    while isinstance(pivot, symengine.Pow | symengine.Abs):
        pivot = pivot.args[0]
    return pivot


def _without_number(pivot: Expr) -> Expr:
    """What vanishes does so whatever number stands before it."""
    if not isinstance(pivot, symengine.Mul):
        return pivot
    return symengine.Mul(*(factor for factor in pivot.args if not isinstance(factor, symengine.Number)))


def degenerates(equations: EquationsOfMotion, state: Mapping[Symbol, float]) -> str:
    """What degenerates at a state where equations cannot be solved, as a clause.

    With costates it is either the constraints, or these costates, which leave no inertia along the admissible directions.
    """
    if not equations.costates:
        return "the inertia or the constraints degenerate there"
    rows = [entry for row in equations.model.matrix_na for entry in row]
    if (evaluate := in_doubles(tuple(state), rows)) is not None:
        found = np.asarray(evaluate(np.array([*state.values()])), dtype=float).reshape(-1, equations.model.frame.size)
        if np.isfinite(found).all() and np.linalg.matrix_rank(found) < len(found):
            return "the constraints are dependent there, and leave their multipliers undetermined"
    names = ", ".join(mu.name for mu in equations.costates)
    return f"with this value of {names} no inertia is left along some admissible direction"
