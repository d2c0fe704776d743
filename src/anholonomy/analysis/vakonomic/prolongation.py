r"""The multiplier's equations, differentiated along the flow until nothing new comes.

.. math:: n\mu = r \quad\Longrightarrow\quad (\dot n + nR)\,\mu = \dot r + n\nu

Rows $(n, r)$ are kept reduced over the field of functions on the constraint submanifold. When every derivative is a combination of the
rows, their span is closed: a multiplier that satisfies them at one time satisfies them always. A combination $0\cdot\mu = \varrho$ with
$\varrho \ne 0$ says that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import symengine

from anholonomy.analysis.vakonomic.multiplier_equations import MultiplierEquations
from anholonomy.symbolic.display.short_forms import short_form as display_form
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, zero
from anholonomy.symbolic.matrices.forms import MatrixForms
from anholonomy.symbolic.normal_forms.canonical import Canonical
from anholonomy.symbolic.normal_forms.divisibility import lowest
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.orbits.short_forms import shortened
from anholonomy.symbolic.patience import check
from anholonomy.symbolic.zero import witness
from anholonomy.verdict import Verdict

__all__ = ["Prolongation", "prolonged"]


@final
@dataclass(frozen=True)
class Prolongation:
    r"""The closed system of equations for $\mu$ at a state, or the one that nothing can satisfy.

    Attributes
    ----------
    rows
        Reduced rows $(n, r)$ by the column of their pivot.
    failing
        $\varrho$ of an equation $0 = \varrho$; None where the equations agree.
    divided
        What the reduction divided by: where one of these vanishes, the equations must be looked at again.
    vanished
        The expressions that were found to be zero where a derivative brought nothing new.
    order
        How often the equations $N\mu = 0$ were differentiated.
    """

    width: int
    rows: tuple[tuple[int, Vector], ...]
    failing: Expr | None
    divided: Vector
    vanished: Vector
    order: int

    @property
    def free(self) -> tuple[int, ...]:
        """The multipliers that may have any value at the start."""
        pivots = {column for column, _ in self.rows}
        return tuple(k for k in range(self.width) if k not in pivots)

    def verdict(self, on: Orbit | None) -> Verdict:
        """Whether a multiplier exists at generic states, where what was divided by is proven not to vanish."""
        return Verdict.UNKNOWN if self.witness(on) is None else Verdict.of(self.failing is None)

    def witness(self, on: Orbit | None) -> dict[Symbol, Fraction] | None:
        """A state where nothing that was divided by vanishes, nor the equation that fails."""
        return witness(symengine.Mul(*self.divided, symengine.Integer(1) if self.failing is None else self.failing), on)

    def solved(self) -> Vector:
        r"""The multipliers that the rows give where those that are free are zero."""
        values = [zero] * self.width
        for column, row in self.rows:
            values[column] = simplify(row[-1] / row[column])
        return tuple(values)


def prolonged(equations: MultiplierEquations) -> Prolongation:
    """Differentiate and reduce until the span is closed or contradicts itself; at most once more than there are multipliers."""
    return _Reduction(equations).done()


class _Reduction:
    """Rows that are taken in one by one."""

    def __init__(self, equations: MultiplierEquations) -> None:
        self.equations, self.on = equations, equations.on
        self.width = len(equations.multipliers)
        self.rows: dict[int, Vector] = {}
        self.divided: list[Expr] = []
        self.vanished: list[Expr] = []

    def done(self) -> Prolongation:
        fresh: list[Vector] = [(*row, zero) for row in self.equations.N_bn]
        for order in range(self.width + 2):
            added = []
            for row in fresh:
                check()
                left = self._reduced(row)
                if all(entry == 0 for entry in left[:-1]) and left[-1] != 0:
                    return self._result(order, left[-1])
                if any(entry != 0 for entry in left[:-1]):
                    added.append(self._taken_in(left))
            if not added:
                break
            fresh = [self.equations.differentiated(row) for row in added]
        return self._result(order, None)

    def _result(self, order: int, failing: Expr | None) -> Prolongation:
        kept = tuple(sorted(self.rows.items()))
        return Prolongation(self.width, kept, failing, tuple(self.divided), tuple(self.vanished), order)

    def _reduced(self, row: Vector) -> Vector:
        """What is left of a row when the pivots' columns are removed, a function times it."""
        for column, known in self.rows.items():
            if row[column] != 0:
                row = tuple(known[column] * a - row[column] * b for a, b in zip(row, known, strict=True))
        found = tuple(_normal(entry, self.on) for entry in row)
        self.vanished += [raw for raw, entry in zip(row, found, strict=True) if entry == 0 and raw != 0]
        return found

    def _taken_in(self, row: Vector) -> Vector:
        """A new row with its pivot, which is removed from the others."""
        row, content = _primitive(row)
        column = min((k for k in range(self.width) if row[k] != 0), key=lambda k: _length(row[k]))
        self.divided += [each for each in (content, row[column]) if each.free_symbols]
        for other, known in self.rows.items():
            if known[column] != 0:
                mixed = tuple(row[column] * a - known[column] * b for a, b in zip(known, row, strict=True))
                self.rows[other], factor = _primitive(tuple(_normal(e, self.on) for e in mixed))
                self.divided += [each for each in (factor, self.rows[other][other]) if each.free_symbols]
        self.rows[column] = row
        return row


def _length(e: Expr) -> tuple[int, int]:
    """Numbers first, then what is short."""
    return len(e.free_symbols), int(symengine.count_ops(e))


def _normal(entry: Expr, on: Orbit | None) -> Expr:
    """The normal form, in which zero is 0; on a group what it is there."""
    if entry == 0 or not entry.args:
        return entry
    short = shortened(entry, on)
    forms = Canonical([short])
    return display_form(forms, lowest(forms.ring, *forms.quotient(short)))


def _primitive(row: Vector) -> tuple[Vector, Expr]:
    """The row as polynomials without a common factor, and that factor."""
    space = MatrixForms((row,))
    entries = tuple(space.write_polynomial(space.rows[0][k]) if k in space.rows[0] else zero for k in range(len(row)))
    return entries, space.write(space.ring.invert(space.factors[0]))
