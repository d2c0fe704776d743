r"""The member of Lewis's family that keeps energy everywhere: the reflection $A = P - Q$.

.. math:: \nabla^E_XY = P\,\nabla^g_X(PY) + Q\,\nabla^g_X(QY)

It is metric, so that all its geodesics keep their kinetic energy, not only those from $D$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from anholonomy.geometry.connections.base import AbstractConnection, Promise
from anholonomy.geometry.connections.coefficients import Coefficients, tidied
from anholonomy.geometry.connections.levi_civita import LeviCivitaConnection
from anholonomy.geometry.connections.nonholonomic import spanning_fields
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.arguments import expect

__all__ = ["EnergyPreservingConnection", "energy_preserving"]


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
    promises = frozenset({Promise.METRIC, Promise.KEEPS_ENERGY})

    @classmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> EnergyPreservingConnection:
        return cls(metric, tuple(span))

    @classmethod
    def of(cls, metric: Metric, span: Sequence[Any], functions: Sequence[str] = ()) -> EnergyPreservingConnection:
        """From spanning vectors as tensors or as rows of components in the metric's frame."""
        return cls(metric, spanning_fields(metric.frame, span, functions))

    def _frame(self) -> Frame:
        return self.metric.frame

    def _coefficients(self) -> Coefficients:
        P, Q = self.metric.projectors(self.span)
        levi_civita = LeviCivitaConnection(self.metric)
        # P nabla P + Q nabla Q = nabla + (nabla Q)(P - Q), by differentiating Q P = 0 and Q Q = Q.
        nabla = levi_civita.covariant_derivative(Q)
        difference = (nabla * (P - Q)).trace(2, 3).permuted(1, 0, 2)
        return Coefficients(tidied(levi_civita.coefficients.table + difference))

    def _in_frame(self, frame: Frame) -> EnergyPreservingConnection:
        return EnergyPreservingConnection(self.metric.in_frame(frame), self.span)


def energy_preserving(metric: Metric, span: Sequence[Any], functions: Sequence[str] = ()) -> EnergyPreservingConnection:
    """The metric connection that agrees with the nonholonomic one along the distribution."""
    expect(metric, "the metric", "Metric")
    return EnergyPreservingConnection.of(metric, span, functions)
