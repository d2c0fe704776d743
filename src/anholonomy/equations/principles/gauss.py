r"""Gauss's principle of least constraint: of all accelerations that the constraints allow, the least constrained.

.. math::
   Z(\dot w) = \tfrac12 (\dot w - M^{-1}(Q - h))^{\mathsf T} M\,(\dot w - M^{-1}(Q - h)) \to \min, \qquad A\dot w + b = 0
   :label: gauss

a quadratic problem with linear conditions. With multipliers $\kappa$ its solution is where $\partial Z/\partial\dot w = A^{\mathsf T}\kappa$.
Conditions that are dependent, or that contradict each other, are first met as nearly as can be,
$A^{\mathsf T}(A\dot w + b) = 0$, and $Z$ is least among those accelerations; this is what ``redundant="keep"`` asks for.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.calculus import gradient, jacobian
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, identity, matrix_vector, unused, zero
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.language.arguments import plain
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import full_frame
from anholonomy.system.model import Model

__all__ = ["Gauss", "gauss_function"]


def gauss_function(model: Model) -> Expr:
    r"""$Z = \tfrac12 M_{ab}\dot w^a\dot w^b + (h_a - Q_a)\dot w^a$, up to a term without accelerations.

    >>> from anholonomy.catalogue import skate
    >>> print(gauss_function(skate()).expand())
    (1/2)*I*theta''**2 + (1/2)*m*x''**2 + (1/2)*m*y''**2
    """
    model = plain(model)
    E, a = variational_derivative(model), model.accelerations
    pull = [h - Q for h, Q in zip(E.bias_a, model.forces_a, strict=True)]
    return dot(a, matrix_vector(E.mass_ab, a)) / 2 + dot(pull, a)


@final
class Gauss(AbstractPrinciple):
    """Velocities and the multipliers of a quadratic problem; dependent conditions allowed."""

    name = "gauss"
    title = "Gauss's principle of least constraint"
    handles = ~Kind.FORCE_MOMENTUM
    choose_frame = staticmethod(full_frame)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        A, b, size = model.matrix_na, model.bias_n, model.frame.size
        slopes = gradient(gauss_function(model), model.accelerations)
        at_rest = dict.fromkeys(model.accelerations, zero)
        hessian = jacobian(slopes, model.accelerations)
        # Only constraints on accelerations may contradict each other; the others keep the better condition of A.
        clashing = any(Kind.ACCELERATION in model.constraints[k].kind for k in model.redundant_rows)
        conditions, wanted = _normal(A, b, size) if clashing else (A, tuple(-b_n for b_n in b))
        top = [(*row, *(-A_n[a] for A_n in A)) for a, row in enumerate(hessian)]
        bottom = [(*row, *(zero,) * len(A)) for row in conditions]
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=model.velocities,
            multipliers=tuple(unused(f"kappa{n}", model.names.__contains__) for n, _ in enumerate(A, start=1)),
            K=(*top, *bottom),
            rhs=(*(-slope.xreplace(at_rest) for slope in slopes), *wanted),
            acceleration_matrix=identity(size),
            acceleration_bias=(zero,) * size,
            needs_least_squares=model.keeps_redundant,
        )


def _normal(A: Matrix, b: Vector, size: int) -> tuple[Matrix, Vector]:
    r"""$A^{\mathsf T}A\,\dot w = -A^{\mathsf T}b$: what is left of $A\dot w + b = 0$ when it has no solution."""
    columns = tuple(zip(*A, strict=True)) if A else ((),) * size
    return tuple(tuple(dot(c, d) for d in columns) for c in columns), tuple(-dot(c, b) for c in columns)
