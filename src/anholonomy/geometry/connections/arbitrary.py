r"""Any connection, by its coefficients in a frame: $\nabla_{e_b}e_c = \Gamma^a{}_{bc}\,e_a$."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.connections.base import AbstractConnection
from anholonomy.geometry.connections.coefficients import Coefficients, tidied, transform
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Index, Tensor
from anholonomy.language.arguments import expect, expect_mapping, expression

__all__ = ["ArbitraryConnection", "connection"]


@final
@dataclass(frozen=True, repr=False)
class ArbitraryConnection(AbstractConnection):
    r"""A connection that is given, not derived.

    >>> given = ArbitraryConnection.from_text(Frame(["x", "y"]), {(0, 1, 0): "y"})
    >>> print(given.torsion)
    T^x_xy = -y
    T^x_yx = y
    >>> print(given.curvature)
    R = 0
    """

    given: Coefficients

    @classmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> ArbitraryConnection:
        x, y = metric.frame.coordinates[:2]
        return cls(Coefficients.of(metric.frame, {(0, 1, 0): x, (1, 0, 0): x * y, (0, 0, 1): y}))

    @classmethod
    def from_text(
        cls, frame: Frame, coefficients: Mapping[Index, Any], functions: Sequence[str] = ()
    ) -> ArbitraryConnection:
        r"""From a dict that holds $\Gamma^a{}_{bc}$ at ``(a, b, c)``, as text, SymPy or numbers."""
        expect(frame, "the frame of the connection", "Frame")
        n = frame.size
        expect_mapping(coefficients, "the coefficients")
        for index in coefficients:
            if not isinstance(index, tuple) or len(index) != 3 or not all(i in range(n) for i in index):
                raise DeclarationError(f"a coefficient has three indices from 0 to {n - 1}, and {index} is none.")
        what = "a coefficient of the connection"
        values = {index: expression(value, what, functions) for index, value in coefficients.items()}
        return cls(Coefficients.of(frame, {index: frame.in_coordinates(value) for index, value in values.items()}))

    @classmethod
    def shifted(cls, base: AbstractConnection, difference: Tensor) -> ArbitraryConnection:
        r"""$\nabla_XY + S(X, Y)$ for a tensor $S^a{}_{bc}$ whose first lower index is the direction."""
        if difference.slots != "udd":
            raise DeclarationError(f"a difference of connections has the slots 'udd', not {difference.slots!r}.")
        total = base.coefficients.table + difference.in_frame(base.frame)
        return cls(Coefficients(tidied(total)))

    def _frame(self) -> Frame:
        return self.given.frame

    def _coefficients(self) -> Coefficients:
        return self.given

    def _in_frame(self, frame: Frame) -> ArbitraryConnection:
        return ArbitraryConnection(transform(self.given, frame))


def connection(frame: Frame, coefficients: Mapping[Index, Any], functions: Sequence[str] = ()) -> ArbitraryConnection:
    r"""Any connection, from a dict with $\Gamma^a{}_{bc}$ at ``(a, b, c)``; what is missing is zero."""
    return ArbitraryConnection.from_text(frame, coefficients, functions)
