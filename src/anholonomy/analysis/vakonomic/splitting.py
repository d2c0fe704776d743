r"""The admissible directions and what is orthogonal to them, $TQ = D \oplus D^\perp$, with brackets split the same way.

.. math:: [X_a, Z_\kappa] = c_{a\kappa}{}^bX_b + c_{a\kappa}{}^\lambda Z_\lambda, \qquad A^\lambda(Z_\kappa) = \delta^\lambda_\kappa
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import final

from anholonomy.analysis.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.analysis.vakonomic.multiplier_equations import complement
from anholonomy.findings import Quantity
from anholonomy.formulations.euler_lagrange import variational_derivative
from anholonomy.geometry.brackets import bracket
from anholonomy.lazy import cached_property
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot, matrix_vector
from anholonomy.symbolic.orbits.short_forms import shortened_vector
from anholonomy.system.model import Model

__all__ = ["Splitting"]


@final
@dataclass(frozen=True)
class Splitting:
    """Of a system whose constraints are linear in the velocities and whose kinetic metric does not depend on them."""

    model: Model

    @cached_property
    def motion(self) -> ReducedMotion:
        return reduced_motion(self.model)

    @property
    def X(self) -> Matrix:
        """The admissible directions, a row each, in the system's own frame."""
        return self.motion.span_ba

    @cached_property
    def Z(self) -> Matrix:
        """The directions orthogonal to them, dual to the constraints."""
        plain = self.motion.model
        rows = complement(plain, plain.matrix_na, lambda e: e)
        return tuple(shortened_vector(row, self.motion.on) for row in rows)

    @cached_property
    def metric_ab(self) -> Matrix:
        return variational_derivative(self.model.with_words(constraints=())).mass_ab

    def bracket(self, left: Vector, right: Vector) -> Vector:
        """Of two fields with these components in the system's own frame."""
        return bracket(self.model.frame, left, right)

    def across(self, field: Vector) -> Vector:
        r"""The components along $D^\perp$: what the constraints say of a field."""
        return matrix_vector(self.motion.model.matrix_na, field)

    def within(self, field: Vector) -> Vector:
        r"""The momenta of the part in $D$: products with the admissible directions, to which $D^\perp$ adds nothing."""
        return matrix_vector(self.X, matrix_vector(self.metric_ab, field))

    def brackets(self, left: str, right: str, part: str) -> Iterator[Quantity]:
        """The parts ``D`` or ``D⊥`` of all brackets between two of the subspaces, as quantities that may have to vanish."""
        rows = {"D": self.X, "D⊥": self.Z}
        names = {"D": "X", "D⊥": "Z"}
        take = self.within if part == "D" else self.across
        pairs = (
            combinations(range(len(rows[left])), 2)
            if left == right
            else product(*(range(len(rows[s])) for s in (left, right)))
        )
        for a, b in pairs:
            label = f"the part of [{names[left]}{a + 1}, {names[right]}{b + 1}] in {part}"
            for value in take(self.bracket(rows[left][a], rows[right][b])):
                yield Quantity(label, value)

    def slopes(self, directions: Matrix) -> Iterator[Quantity]:
        """The derivative of the Lagrangian of admissible velocities along directions, the speeds held fixed."""
        own = self.motion.velocities
        restricted: Expr = self.model.lagrangian.xreplace(own)
        for row in directions:
            yield Quantity("the slope of the Lagrangian on D", along(restricted, self.model.frame.direction(row)))

    def velocity(self) -> Vector:
        """The admissible velocity in the system's own frame: any, its speeds being free."""
        return tuple(self.motion.velocities[w] for w in self.model.velocities)

    def product(self, left: Vector, right: Vector) -> Expr:
        """The kinetic product of two vectors."""
        return dot(left, matrix_vector(self.metric_ab, right))
