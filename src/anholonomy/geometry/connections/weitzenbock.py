r"""Weitzenböck's connection: the one that makes a frame parallel.

.. math:: \nabla^w e_a = 0: \qquad W^a{}_{bc} = 0 \text{ in that frame}, \qquad
          W^i{}_{jk} = e_a{}^i\,\partial_j E^a{}_k \text{ in coordinates}, \qquad R = 0, \qquad T = \Omega = -c

Since $(\nabla^w_b g)(e_a, e_c) = e_b(G_{ac})$, it is metric exactly when the components of the metric in the parallel
frame are constant; an orthonormal frame is the usual case, and a general one is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from anholonomy.geometry.connections.base import AbstractConnection, Promise
from anholonomy.geometry.connections.coefficients import Coefficients, transform
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.arguments import expect

__all__ = ["WeitzenbockConnection", "weitzenbock"]


@final
@dataclass(frozen=True, repr=False)
class WeitzenbockConnection(AbstractConnection):
    r"""The connection for which the fields of ``parallel`` are constant, seen from ``seen_from`` (itself by default).

    >>> turning = Frame(["x", "y", "theta"],
    ...     [["cos(theta)", "sin(theta)", "0"], ["-sin(theta)", "cos(theta)", "0"], ["0", "0", "1"]])
    >>> W = WeitzenbockConnection(turning)
    >>> print(W.torsion)               # minus the structure functions
    T^1_23 = -1
    T^1_32 = 1
    T^2_13 = 1
    T^2_31 = -1
    >>> print(W.in_frame(Frame(["x", "y", "theta"])).coefficients)
    Gamma^x_theta,y = 1
    Gamma^y_theta,x = -1
    >>> bool(W.is_flat())
    True
    """

    parallel: Frame
    seen_from: Frame | None = None
    promises = frozenset({Promise.FLAT})

    @classmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> WeitzenbockConnection:
        return cls(metric.frame)

    def _frame(self) -> Frame:
        return self.seen_from or self.parallel

    def _coefficients(self) -> Coefficients:
        return transform(Coefficients.of(self.parallel, {}), self._frame())

    def _in_frame(self, frame: Frame) -> WeitzenbockConnection:
        return WeitzenbockConnection(self.parallel, frame)


def weitzenbock(frame: Frame) -> WeitzenbockConnection:
    """The connection that makes a frame parallel."""
    expect(frame, "the parallel frame", "Frame")
    return WeitzenbockConnection(frame)
