r"""Vakonomic equations: Euler and Lagrange's for $\mathcal L = L + \mu_\nu\varphi^\nu$, the multipliers varied like coordinates.

.. math::
   \frac{d}{dt}\frac{\partial\mathcal L}{\partial w^a} - e_a(\mathcal L)
   - (w^b c_{ba}{}^d + c_{0a}{}^d)\frac{\partial\mathcal L}{\partial w^d} = 0, \qquad \dot\varphi^\nu = 0
   :label: vakonomic

These are the extremals of the action among curves that satisfy the constraints, which are not in general the motions
of mechanics. The multipliers are part of the state: linear equations for $\dot w$ and $\dot\mu$,

.. math::
   \begin{pmatrix} M + \mu_\nu\,\partial^2\varphi^\nu & A^{\mathsf T}\\ A & 0\end{pmatrix}
   \begin{pmatrix}\dot w\\ \dot\mu\end{pmatrix} = \begin{pmatrix}-\bar h\\ -b\end{pmatrix}
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import final

from anholonomy.algebra.expressions import Matrix, Symbol, dot, identity, unused, zero
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import VariationalDerivative, variational_derivative
from anholonomy.equations.principles.base import NO_FORCES, AbstractPrinciple, Need
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.checks.well_posed import is_nonsingular
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import full_frame
from anholonomy.system.model import Model
from anholonomy.system.states.newton import rows_at
from anholonomy.system.states.random_states import generic_points

__all__ = ["Vakonomic"]


def _costates(model: Model) -> tuple[Symbol, ...]:
    """One multiplier for each constraint."""
    return tuple(unused(f"mu{n}", model.names.__contains__) for n, _ in enumerate(model.constraints, start=1))


def _extended(model: Model) -> VariationalDerivative:
    r"""The variational derivative of $L + \mu_\nu\varphi^\nu$, the multipliers held fixed."""
    phi = [c.expression for c in model.constraints]
    lagrangian = model.lagrangian + dot(_costates(model), phi)
    return variational_derivative(model.replaced(lagrangian=lagrangian, constraints=()))


def _matrix(model: Model) -> Matrix:
    A = model.matrix_na
    top = [(*row, *(A_n[a] for A_n in A)) for a, row in enumerate(_extended(model).mass_ab)]
    return (*top, *((*row, *(zero,) * len(A)) for row in A))


def _irregular(model: Model) -> str:
    """The matrix must be invertible at some state with some multipliers; then it is so at almost all."""
    rng = random.Random(5)
    with precision(60):
        for point in generic_points(model):
            multipliers = {mu: ball(Fraction(rng.randint(-40, 40), 7)) for mu in _costates(model)}
            if is_nonsingular(rows_at(_matrix(model), {**point, **multipliers})):
                return ""
    return f"those of {model.name} do not determine the rates of velocities and multipliers at any sampled state"


REGULAR = Need("regular vakonomic equations", _irregular)


@final
class Vakonomic(AbstractPrinciple):
    """Velocities and costates; a variational principle, not that of d'Alembert."""

    name = "vakonomic"
    title = "Vakonomic equations"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.NONLINEAR | Kind.POSITION
    needs = (NO_FORCES, REGULAR)
    agrees = False
    costates = staticmethod(_costates)
    choose_frame = staticmethod(full_frame)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        size, mu, E = model.frame.size, _costates(model), _extended(model)
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=(*model.velocities, *mu),
            K=_matrix(model),
            rhs=(*(-h for h in E.bias_a), *(-b for b in model.bias_n)),
            acceleration_matrix=tuple((*row, *(zero,) * len(mu)) for row in identity(size)),
            acceleration_bias=(zero,) * size,
            costates=mu,
        )
