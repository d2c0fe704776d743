"""Special values of free parameters, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.language.brevity import Readable, brief
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.expressions import Expr, Vector

__all__ = ["SpecialValues"]


@final
@dataclass(frozen=True, repr=False)
class SpecialValues(Readable):
    """Conditions on free parameters, outside of which a decision is the same for all values.

    Attributes
    ----------
    alternatives
        Lists of functions of the parameters: the decision may change only where all functions of one of the lists are zero.
    """

    alternatives: tuple[Vector, ...]

    def __bool__(self) -> bool:
        return bool(self.alternatives)

    def lines(self, whole: bool = False) -> list[str]:
        """The values, as equations for the parameters."""
        rows = ([_solved(f) for f in each] for each in self.alternatives)
        return [", or ".join(" and ".join(f"{brief(a, whole)} = {brief(b, whole)}" for a, b in row) for row in rows)]

    def latex(self) -> str:
        """The same in LaTeX."""
        rows = ([_solved(f) for f in each] for each in self.alternatives)
        return r" \text{, or } ".join(
            r" \text{ and } ".join(f"{latex(a)} = {latex(b)}" for a, b in row) for row in rows
        )


def _solved(condition: Expr) -> tuple[Expr, Expr]:
    """The two sides, solved for a parameter that stands alone in it with a number in front."""
    for p in sorted(condition.free_symbols, key=str):
        slope = symengine.expand(partial(condition, p))
        if isinstance(slope, symengine.Rational):
            return p, symengine.expand(p - condition / slope)
    return condition, symengine.Integer(0)
