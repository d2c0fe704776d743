r"""What brackets say about a function with given derivatives along fields.

.. math:: X_A(\varphi) = \theta_A \quad\Longrightarrow\quad [X_A, X_B](\varphi) = X_A(\theta_B) - X_B(\theta_A)

Brackets with the given fields are added until they span no more. Every other such bracket is a combination of these,
$[X_A, X_B] = f^CX_C$, and must have the value $f^C\theta_C$: where one has not, there is no such function, and where all have there is one
around every generic point. (Brackets of brackets follow: what $d\theta$ does not see is closed under brackets.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple, final

import symengine

from anholonomy.analysis.closed_forms.primitives import primitive
from anholonomy.findings import Quantity
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frames.frame import Frame
from anholonomy.lazy import cached_property
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.display.simplify import simplify, simplify_vector
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, identity, zero
from anholonomy.symbolic.matrices.linear import determinant, solve
from anholonomy.symbolic.orbits.matrices import independent_rows_on
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.patience import check

__all__ = ["ValuedField", "Hull"]

_READABLE = 1_500
"""Operations in the given fields up to which brackets are looked at as functions."""

_MINORS = 20
"""Minors of a basis that are written out."""


class ValuedField(NamedTuple):
    r"""A field, and the value that the derivative of a function along it must have.

    ``components`` are those in a frame, and last that of time; ``rates`` is the same on coordinates and time.
    """

    name: str
    components: Vector
    rates: Mapping[Symbol, Expr]
    value: Expr


def width_of(frame: Frame, fields: Sequence[ValuedField]) -> int:
    """The most directions there can be: those of the frame, and time where a field moves along it."""
    return frame.size + any(field.components[-1] != 0 for field in fields)


@final
@dataclass(frozen=True)
class Hull:
    """Fields and their brackets as functions, as many as are independent."""

    frame: Frame
    fields: tuple[ValuedField, ...]
    on: Orbit | None

    @property
    def fits_on_a_page(self) -> bool:
        """Whether the fields are short enough to be written out."""
        entries = [e for field in self.fields for e in (*field.components, field.value)]
        return not entries or int(symengine.count_ops(*entries)) <= _READABLE

    def bracket(self, A: ValuedField, B: ValuedField) -> ValuedField:
        r"""$[A, B]$ with the value that it must have."""
        X, Y = A.components[:-1], B.components[:-1]
        row = simplify_vector(bracket(self.frame, X, Y, A.rates, B.rates))
        value = simplify(along(B.value, A.rates) - along(A.value, B.rates))
        return ValuedField(f"[{A.name}, {B.name}]", (*row, zero), self.frame.direction(row), value)

    @cached_property
    def _grown(self) -> tuple[tuple[ValuedField, ...], tuple[ValuedField, ...]]:
        """A basis of everything that brackets reach, and the brackets that are not in it."""
        basis, rest = list(self.fields), list[ValuedField]()
        for k, old in enumerate(basis):
            for a, new in enumerate(self.fields[: k if k < len(self.fields) else None]):
                check()
                found = self.bracket(new, old)
                if a == k or (all(entry == 0 for entry in found.components) and found.value == 0):
                    continue
                rows = [field.components for field in (*basis, found)]
                (basis if len(independent_rows_on(rows, self.on)) > len(basis) else rest).append(found)
        return tuple(basis), tuple(rest)

    @property
    def basis(self) -> tuple[ValuedField, ...]:
        """Independent fields that span everything that brackets reach."""
        return self._grown[0]

    @property
    def minors(self) -> Vector | None:
        """What vanishes together where the basis is none: for such values of parameters brackets reach less, and the obstructions say nothing. None where these are many."""
        rows = [field.components for field in self.basis]
        width, height = len(rows[0]), len(rows)
        if comb(width, height) > _MINORS:
            return None
        return tuple(
            determinant([[row[k] for k in chosen] for row in rows]) for chosen in combinations(range(width), height)
        )

    def obstructions(self) -> Iterator[Quantity]:
        r"""$X_A(\theta_B) - X_B(\theta_A) - f^C\theta_C$ of every bracket that is not in the basis; all must vanish."""
        columns = tuple(zip(*(field.components for field in self.basis), strict=True))
        values = [field.value for field in self.basis]
        for found in self._grown[1]:
            check()
            (weights,) = solve(columns, [found.components])
            misfit = found.value - dot(weights, values)
            yield Quantity(f"the misfit of {found.name}", misfit, r"X_A\theta_B - X_B\theta_A - f^C\theta_C")

    def integrated(self) -> Expr | None:
        """A function with these derivatives, one coordinate after the other, where brackets give its slope along each; None where none is found."""
        frame, basis = self.frame, self.basis
        if not frame.is_chart or len(basis) != frame.size or any(each.components[-1] != 0 for each in basis):
            return None
        (slopes,) = solve([each.components[:-1] for each in basis], [[each.value for each in basis]])
        return primitive(frame, identity(frame.size), tuple(map(simplify, slopes)))
