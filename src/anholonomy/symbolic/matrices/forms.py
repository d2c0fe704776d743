r"""A matrix as polynomials: every row times the factor that clears it, $P_i = f_i A_i$.

Its entries share one ring of generators, so that rows can be combined without another thought about sines and roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import symengine

from anholonomy.symbolic.display.short_forms import short_form
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Matrix, as_expression
from anholonomy.symbolic.matrices.factored import Factored, Factors
from anholonomy.symbolic.matrices.fraction_free import Row, cleared
from anholonomy.symbolic.normal_forms.canonical import Canonical
from anholonomy.symbolic.normal_forms.divisibility import lowest, without_content
from anholonomy.symbolic.normal_forms.quotients import Polynomial, Quotient, Ring

__all__ = ["MatrixForms", "as_matrix", "as_square", "joined"]

MAX_JOINED_TERMS = 100
"""Terms up to which a product of factors is multiplied out."""
MAX_WORK = 4_000_000
"""Term products spent on one matrix; a second or two."""


class MatrixForms:
    """The rows of a matrix as polynomials, each times the factor that cleared it."""

    def __init__(self, matrix: Matrix, work: int = MAX_WORK) -> None:
        self.forms = Canonical((entry for row in matrix for entry in row), work=work)
        self.ring: Ring = self.forms.ring
        quotients = [[self.forms.quotient(entry) for entry in row] for row in matrix]
        self.rows: list[Row] = []
        self.factors: list[Quotient] = []
        for values in quotients:
            # The ring may have grown since the first entries were read.
            row, below = cleared(self.ring, [self.ring.lifted(value) for value in values])
            entries, above = without_content(self.ring, list(row.values()))
            self.rows.append(dict(zip(row, entries, strict=True)))
            self.factors.append(self.ring.cancelled(below, above))

    def write(self, value: Quotient) -> Expr:
        return short_form(self.forms, value)

    def write_polynomial(self, value: Polynomial) -> Expr:
        written = self.write(Quotient(value, self.ring.context.constant(1)))
        # Two terms may be the cosine of a difference.
        return simplify(written) if len(value) == 2 and self.forms.pairs else written

    def write_factored(self, factors: Factors, value: Factored) -> Expr:
        """Multiplied out where that is short, else over a product."""
        if prod(len(factors.known[f]) ** power for f, power in value.below.items()) <= MAX_JOINED_TERMS:
            return self.write(joined(factors, value))
        below = (self.write_polynomial(factors.known[f]) ** power for f, power in value.below.items())
        return self.write_polynomial(value.num) / symengine.Mul(*below)


def as_matrix(matrix: Sequence[Sequence[Expr]]) -> Matrix:
    rows = tuple(tuple(as_expression(entry) for entry in row) for row in matrix)
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the rows of a matrix have equal lengths")
    return rows


def as_square(matrix: Sequence[Sequence[Expr]]) -> Matrix:
    rows = as_matrix(matrix)
    if rows and len(rows) != len(rows[0]):
        raise ValueError(f"a square matrix was expected, not one of {len(rows)} × {len(rows[0])}")
    return rows


def joined(factors: Factors, value: Factored) -> Quotient:
    return lowest(factors.ring, value.num, factors.times(factors.ring.context.constant(1), value.below))
