r"""The connection of partial derivatives, seen from a moving frame.

.. math:: e_\mu = A_\mu{}^\nu\partial_\nu, \qquad \gamma_\mu{}^\nu = dA_\mu{}^\lambda\,(A^{-1})_\lambda{}^\nu, \qquad
          \nabla X^\nu = dX^\nu + \gamma_\mu{}^\nu X^\mu, \qquad \nabla\alpha_\mu = d\alpha_\mu - \gamma_\mu{}^\nu\alpha_\nu

so that $\nabla_{e_\kappa}e_\mu = \gamma_\mu{}^\nu(e_\kappa)\,e_\nu$. It makes the coordinate fields parallel, not the frame. Its curvature
and its torsion both vanish, in every frame: $d\theta^\nu = -\gamma_\mu{}^\nu\wedge\theta^\mu$, which says that the antisymmetric part
of $\gamma$ is the frame's structure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from anholonomy.algebra.expressions import Expr, dot
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.connections.base import AbstractConnection, Promise
from anholonomy.geometry.connections.coefficients import Coefficients
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.arguments import expect

__all__ = ["CoordinateConnection", "coordinate"]


@final
@dataclass(frozen=True, repr=False)
class CoordinateConnection(AbstractConnection):
    r"""The flat connection of the coordinates, by Delphenich's $\gamma$ in a frame.

    >>> frame = Frame(["x", "y"], [["1", "0"], ["0", "x"]])
    >>> gamma = CoordinateConnection(frame)
    >>> print(gamma.coefficients)
    gamma^2_12 = 1/x
    >>> print(gamma.form(1, 1))
    gamma_1 = 1/x
    >>> bool(gamma.is_flat()), bool(gamma.is_torsion_free())
    (True, True)
    """

    seen_from: Frame
    promises = frozenset({Promise.FLAT, Promise.TORSION_FREE})

    @classmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> CoordinateConnection:
        return cls(metric.frame)

    def __post_init__(self) -> None:
        if not (self.seen_from.root or self.seen_from).is_chart:
            raise DeclarationError(
                "the frame is not built on coordinate directions (its coordinates are redundant), so they are no frame "
                "to be parallel; take another connection."
            )

    def _frame(self) -> Frame:
        return self.seen_from

    def _coefficients(self) -> Coefficients:
        frame = self.seen_from
        columns = tuple(zip(*frame.inverse_ab, strict=True))

        def value(nu: int, kappa: int, mu: int) -> Expr:
            return dot([frame.derivative(kappa, entry) for entry in frame.matrix_ba[mu]], columns[nu])

        return Coefficients.build(frame, value, "gamma")

    def _in_frame(self, frame: Frame) -> CoordinateConnection:
        return CoordinateConnection(frame)

    @cached_property
    def forms(self) -> dict[tuple[int, int], Tensor]:
        r"""The one-forms $\gamma_\mu{}^\nu$ by ``(mu, nu)``."""
        n = range(self.frame.size)
        return {(mu, nu): self.form(mu, nu) for mu in n for nu in n}

    def form(self, mu: int, nu: int) -> Tensor:
        r"""The one-form $\gamma_\mu{}^\nu = \gamma^\nu{}_{\kappa\mu}\,\theta^\kappa$."""
        return Tensor.build(self.frame, "d", lambda kappa: self.coefficients[nu, kappa, mu], "gamma")


def coordinate(frame: Frame) -> CoordinateConnection:
    """The connection that makes the coordinate fields parallel, seen from a frame."""
    expect(frame, "the frame", "Frame")
    return CoordinateConnection(frame)
