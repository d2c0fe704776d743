r"""The freedom in the nonholonomic connection: Lewis's family, and the member that keeps energy everywhere.

.. math:: \nabla^A_XY = \nabla^g_XY + A^{-1}\bigl(\nabla^g_X(AQ)\bigr)(Y)
          = \bar\nabla_XY + A^{-1}(\nabla^g_XA)(QY), \qquad A \text{ invertible}

Writing the constraint as $AQ\dot q = 0$ gives this connection; on vectors of $D$ all of them agree, because $Q$ vanishes
there. Without the factor $A^{-1}$ the geodesics are others as soon as $A$ is not the identity on $D^\perp$. The reflection
$A = P - Q$ gives

.. math:: \nabla^E_XY = P\,\nabla^g_X(PY) + Q\,\nabla^g_X(QY)

which is metric, so that all its geodesics keep their kinetic energy, not only those from $D$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from anholonomy.geometry.calculus.metric import Metric
from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.geometry.connections.base import AbstractConnection
from anholonomy.geometry.connections.coefficients import Coefficients
from anholonomy.geometry.connections.levi_civita import LeviCivita
from anholonomy.geometry.connections.nonholonomic import NonholonomicConnection, spanning_fields
from anholonomy.geometry.connections.tidying import tidied
from anholonomy.geometry.frames.frame import Frame
from anholonomy.lazy import cached_property
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.matrices.linear import inverse

__all__ = ["EnergyPreservingConnection", "LewisConnection"]


@final
@dataclass(frozen=True, repr=False)
class LewisConnection(AbstractConnection):
    r"""The member of Lewis's family that belongs to an invertible tensor $A^a{}_b$.

    >>> chart = Frame(["x", "y", "z"])
    >>> base = NonholonomicConnection.of(Metric(chart, [1, 1, 1]), [["1", "0", "y"], ["0", "1", "0"]])
    >>> doubled = LewisConnection(base, Tensor.build(chart, "ud", lambda a, b: 2 * (a == b), "A"))
    >>> doubled.coefficients == base.coefficients           # a constant multiple of the identity changes nothing
    True
    """

    base: NonholonomicConnection
    A: Tensor

    def __post_init__(self) -> None:
        if self.A.slots != "ud":
            raise IllPosedSystem(f"A is a tensor with the slots 'ud', not {self.A.slots!r}.")

    def _frame(self) -> Frame:
        return self.base.frame

    def _coefficients(self) -> Coefficients:
        A, Q = self.A.in_frame(self.frame), self.base.projectors[1]
        nabla = self.base.levi_civita.covariant_derivative(A)
        # A^{-1} on the upper index, Q on the lower one: S^a_bc = (A^{-1})^a_d (nabla_b A^d_e) Q^e_c.
        turned = nabla.with_index(1, self._inverse, "u")
        difference = (turned * Q).trace(2, 3).permuted(1, 0, 2)
        return Coefficients(tidied(self.base.coefficients.table + difference))

    @cached_property
    def _inverse(self) -> tuple[tuple[Any, ...], ...]:
        A, n = self.A.in_frame(self.frame), range(self.frame.size)
        try:
            return inverse([[A[a, b] for b in n] for a in n])
        except ZeroDivisionError:
            raise IllPosedSystem("A must be invertible, and its determinant is zero; give another tensor.") from None

    def _in_frame(self, frame: Frame) -> LewisConnection:
        moved = NonholonomicConnection(self.base.metric.in_frame(frame), self.base.span)
        return LewisConnection(moved, self.A.in_frame(frame))


@final
@dataclass(frozen=True, repr=False)
class EnergyPreservingConnection(AbstractConnection):
    r"""$\nabla^E = P\nabla^gP + Q\nabla^gQ$: metric, and the nonholonomic connection on $D$.

    >>> chart = Frame(["x", "y", "z"])
    >>> keeping = EnergyPreservingConnection.of(Metric(chart, [1, 1, 1]), [["1", "0", "y"], ["0", "1", "0"]])
    >>> bool(keeping.is_metric(keeping.metric)), bool(keeping.preserves_energy(keeping.metric))
    (True, True)
    """

    metric: Metric
    span: tuple[Tensor, ...]

    @classmethod
    def of(cls, metric: Metric, span: Sequence[Any], functions: Sequence[str] = ()) -> EnergyPreservingConnection:
        """From spanning vectors as tensors or as rows of components in the metric's frame."""
        return cls(metric, spanning_fields(metric.frame, span, functions))

    def _frame(self) -> Frame:
        return self.metric.frame

    def _coefficients(self) -> Coefficients:
        P, Q = self.metric.projectors(self.span)
        levi_civita = LeviCivita(self.metric)
        # P nabla P + Q nabla Q = nabla + (nabla Q)(P - Q), by differentiating Q P = 0 and Q Q = Q.
        nabla = levi_civita.covariant_derivative(Q)
        difference = (nabla * (P - Q)).trace(2, 3).permuted(1, 0, 2)
        return Coefficients(tidied(levi_civita.coefficients.table + difference))

    def _in_frame(self, frame: Frame) -> EnergyPreservingConnection:
        return EnergyPreservingConnection(self.metric.in_frame(frame), self.span)
