r"""Lewis's family: the freedom in the nonholonomic connection.

.. math:: \nabla^A_XY = \nabla^g_XY + A^{-1}\bigl(\nabla^g_X(AQ)\bigr)(Y)
          = \bar\nabla_XY + A^{-1}(\nabla^g_XA)(QY), \qquad A \text{ invertible}

Writing the constraint as $AQ\dot q = 0$ gives this connection; on vectors of $D$ all of them agree, because $Q$ vanishes
there. Without the factor $A^{-1}$ the geodesics are others as soon as $A$ is not the identity on $D^\perp$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from anholonomy.algebra.expressions import zero
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.connections.base import AbstractConnection
from anholonomy.geometry.connections.coefficients import Coefficients, tidied
from anholonomy.geometry.connections.nonholonomic import NonholonomicConnection, nonholonomic
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.arguments import expression, is_list

__all__ = ["LewisConnection", "lewis"]


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

    @classmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> LewisConnection:
        X, g, n = span[0], metric, range(metric.frame.size)
        lowered = [sum((g[b, c] * X[c] for c in n), zero) for b in n]
        A = Tensor.build(metric.frame, "ud", lambda a, b: int(a == b) + X[a] * lowered[b], "A")
        return cls(NonholonomicConnection.sample(metric, span), A)

    def __post_init__(self) -> None:
        if self.A.slots != "ud":
            raise DeclarationError(f"A is a tensor with the slots 'ud', not {self.A.slots!r}.")

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
            raise DeclarationError("A must be invertible, and its determinant is zero; give another tensor.") from None

    def _in_frame(self, frame: Frame) -> LewisConnection:
        moved = NonholonomicConnection(self.base.metric.in_frame(frame), self.base.span)
        return LewisConnection(moved, self.A.in_frame(frame))


def lewis(metric: Metric, span: Sequence[Any], A: Tensor | Sequence[Sequence[Any]]) -> LewisConnection:
    r"""The member of Lewis's family for an invertible tensor $A^a{}_b$, given as a tensor or by its rows.

    >>> g = Metric(Frame(["x", "y", "z"]), [1, 1, 1])
    >>> span = [["1", "0", "y"], ["0", "1", "0"]]
    >>> bent = lewis(g, span, [["1", "0", "x"], ["0", "1", "0"], ["0", "0", "1"]])
    >>> bent.coefficients == nonholonomic(g, span).coefficients
    False
    """
    base = nonholonomic(metric, span)
    if isinstance(A, Tensor):
        return LewisConnection(base, A)
    n = metric.frame.size
    if not is_list(A) or len(A) != n or any(not is_list(row) or len(row) != n for row in A):
        raise DeclarationError(f"A needs {n} rows of {n} entries, one for each direction.")
    rows = [[metric.frame.in_coordinates(expression(entry, "an entry of A")) for entry in row] for row in A]
    return LewisConnection(base, Tensor.build(metric.frame, "ud", lambda a, b: rows[a][b], "A"))
