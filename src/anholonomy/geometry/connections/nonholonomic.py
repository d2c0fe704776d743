r"""The nonholonomic connection: its geodesics that start along a distribution are the constrained motions.

.. math:: \bar\nabla_XY = \nabla^g_XY + (\nabla^g_XQ)(Y), \qquad
          \bar\Gamma^a{}_{bc} = \Gamma^a{}_{bc} + \nabla^g_bQ^a{}_c

with $P$ and $Q = 1 - P$ the $g$-orthogonal projectors onto the distribution $D$ and its complement. For $Y$ in $D$ it is
$P\,\nabla^g_XY$, so that it restricts to $D$ and is metric there; what it does to other vectors is a matter of choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.findings import Finding
from anholonomy.geometry.connections.base import AbstractConnection
from anholonomy.geometry.connections.coefficients import Coefficients, tidied
from anholonomy.geometry.connections.levi_civita import LeviCivitaConnection
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.arguments import expect, expression, is_list

__all__ = ["NonholonomicConnection", "nonholonomic"]


@final
@dataclass(frozen=True, repr=False)
class NonholonomicConnection(AbstractConnection):
    r"""The constrained affine connection of a metric and a distribution.

    Attributes
    ----------
    metric
        The kinetic metric.
    span
        Vector fields that span the distribution of admissible velocities.

    Examples
    --------
    >>> chart = Frame(["x", "y", "theta"])
    >>> skate = NonholonomicConnection.of(
    ...     Metric(chart, ["m", "m", "I"]), [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]])
    >>> bool(skate.is_metric(skate.metric))
    False
    >>> print(skate.restricts())
    the connection restricts to the distribution: proven, S = 0
    """

    metric: Metric
    span: tuple[Tensor, ...]

    @classmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> NonholonomicConnection:
        return cls(metric, tuple(span))

    @classmethod
    def of(cls, metric: Metric, span: Sequence[Any], functions: Sequence[str] = ()) -> NonholonomicConnection:
        """From spanning vectors as tensors or as rows of components in the metric's frame."""
        return cls(metric, spanning_fields(metric.frame, span, functions))

    def _frame(self) -> Frame:
        return self.metric.frame

    def _coefficients(self) -> Coefficients:
        # The covariant derivative puts its direction first, the coefficients between their two other indices.
        difference = self.levi_civita.covariant_derivative(self.projectors[1]).permuted(1, 0, 2)
        return Coefficients(tidied(self.levi_civita.coefficients.table + difference))

    def _in_frame(self, frame: Frame) -> NonholonomicConnection:
        return NonholonomicConnection(self.metric.in_frame(frame), tuple(v.in_frame(frame) for v in self.span))

    @cached_property
    def levi_civita(self) -> LeviCivitaConnection:
        """The connection of the metric alone."""
        return LeviCivitaConnection(self.metric)

    @cached_property
    def projectors(self) -> tuple[Tensor, Tensor]:
        r"""$P$ onto the distribution and $Q$ onto its $g$-orthogonal complement."""
        return self.metric.projectors(self.span)

    def restricts(self) -> Finding:
        r"""Whether $\bar\nabla_XY$ lies in $D$ for $Y$ in $D$: $Q\,\bar\nabla_X(PZ) = Q\,(\bar\nabla_XP)(Z)$ vanishes for every $Z$."""
        P, Q = self.projectors
        leaving = (self.covariant_derivative(P) * Q).trace(1, 4).permuted(2, 0, 1)
        return tidied(leaving).named("S").vanishes("the connection restricts to the distribution")


def spanning_fields(frame: Frame, span: Sequence[Any], functions: Sequence[str] = ()) -> tuple[Tensor, ...]:
    """Vector fields in a frame, from a distribution, tensors or rows of components; an empty span is refused."""
    span = getattr(span, "vectors_ai", span)
    if not is_list(span):
        raise DeclarationError(f"a span is a distribution or a list of vectors, and {quoted(span)} is neither.")
    fields = []
    for k, vector in enumerate(span, 1):
        if isinstance(vector, Tensor):
            fields.append(vector.in_frame(frame))
            continue
        if not is_list(vector) or len(vector) != frame.size:
            raise DeclarationError(f"vector {k} of the span needs {frame.size} components, one for each direction.")
        row = [frame.in_coordinates(expression(entry, f"vector {k} of the span", functions)) for entry in vector]
        fields.append(Tensor.of(frame, "u", {(a,): entry for a, entry in enumerate(row)}, "X"))
    if not fields:
        raise DeclarationError("a distribution without vectors allows no motion; give at least one spanning vector.")
    return tuple(fields)


def nonholonomic(metric: Metric, span: Sequence[Any], functions: Sequence[str] = ()) -> NonholonomicConnection:
    """The connection whose geodesics from a distribution are the constrained motions; ``span`` in the metric's frame."""
    expect(metric, "the metric", "Metric")
    return NonholonomicConnection.of(metric, span, functions)
