r"""The Gibbs–Appell equations: the acceleration energy, differentiated by the accelerations that are left free.

.. math::
   G(q, w, \dot w, t) = \tfrac12 M_{ab}\,\dot w^a\dot w^b + h_a\,\dot w^a, \qquad
   \frac{\partial G}{\partial\dot u^r} = \frac{\partial\dot w^a}{\partial\dot u^r}\,Q_a
   :label: gibbs-appell

$G$ is the Gibbs function of any regular Lagrangian, up to terms without accelerations: $\partial G/\partial\dot w^a = E_a$.
Where the constraints are linear in the velocities, $\dot w = S^{\mathsf T}\dot u + \dots$ in any speeds $u$. Constraints that are
nonlinear, or given only at the level of accelerations, $A\dot w + b = 0$, leave the directions $A S^{\mathsf T} = 0$ free, and
$G$ is differentiated along these.
"""

from __future__ import annotations

from typing import final

from anholonomy.algebra.calculus import along, gradient, jacobian
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, identity, matrix_vector, symbol, zero
from anholonomy.algebra.steps.definitions import Assign, Recorder
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.language.arguments import plain
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model

__all__ = ["GibbsAppell", "gibbs_function"]


def gibbs_function(model: Model, accelerations: Vector | None = None) -> Expr:
    r"""$G = \tfrac12 M_{ab}\dot w^a\dot w^b + h_a\dot w^a$ at the given accelerations (default: their symbols).

    >>> from anholonomy.catalogue import skate
    >>> print(gibbs_function(skate()).expand())
    (1/2)*I*theta''**2 + (1/2)*m*x''**2 + (1/2)*m*y''**2
    """
    model = plain(model)
    E = variational_derivative(model)
    a = model.accelerations if accelerations is None else accelerations
    return dot(a, matrix_vector(E.mass_ab, a)) / 2 + dot(E.bias_a, a)


@final
class GibbsAppell(AbstractPrinciple):
    """Any speeds for linear constraints; velocities for nonlinear ones and for those on accelerations."""

    name = "gibbs-appell"
    title = "Gibbs–Appell"
    handles = ~(Kind.REDUNDANT | Kind.FORCE_MOMENTUM)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        if model.kinds & (Kind.NONLINEAR | Kind.ACCELERATION):
            return self._along_directions(model, frame)
        return self._in_speeds(model, frame)

    def _in_speeds(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        """Substitute the accelerations by those of the speeds, then differentiate."""
        record = Recorder("$r")
        velocities, flow = frame.velocities, frame.flow(record)
        rates = _symbols("$g", len(frame.speeds))
        bias = tuple(record(along(value, flow)) for value in velocities)
        moved = [b + dot(row, rates) for b, row in zip(bias, jacobian(velocities, frame.speeds), strict=True)]
        G = gibbs_function(model, tuple(moved))
        K, right = _stationary(gradient(G - dot(model.forces_a, moved), rates), rates)
        given = zip(model.velocities, velocities, strict=True)
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=frame.speeds,
            definitions=(
                *frame.definitions,
                *(Assign(w, value) for w, value in given if w != value),
                *record.assignments,
            ),
            K=K,
            rhs=right,
            is_definite=True,
            acceleration_matrix=jacobian(velocities, frame.speeds),
            acceleration_bias=bias,
            frame=frame,
        )

    def _along_directions(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        """Differentiate along the directions that the constraints leave free."""
        slopes_a = gradient(gibbs_function(model) - dot(model.forces_a, model.accelerations), model.accelerations)
        K, right = _stationary(matrix_vector(frame.span_ba, slopes_a), model.accelerations)
        size = model.frame.size
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=model.velocities,
            definitions=frame.definitions,
            K=(*K, *model.matrix_na),
            rhs=(*right, *(-b for b in model.bias_n)),
            acceleration_matrix=identity(size),
            acceleration_bias=(zero,) * size,
            frame=frame,
        )


def _stationary(slopes: Vector, unknowns: tuple[Symbol, ...]) -> tuple[tuple[Vector, ...], Vector]:
    """The linear equations that make the slopes vanish."""
    at_rest = dict.fromkeys(unknowns, zero)
    return jacobian(slopes, unknowns), tuple(-slope.xreplace(at_rest) for slope in slopes)


def _symbols(prefix: str, count: int) -> tuple[Symbol, ...]:
    return tuple(symbol(f"{prefix}{k}") for k in range(count))
