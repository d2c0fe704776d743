r"""The Levi-Civita connection in any frame, metric and free of torsion, by Koszul's formula.

.. math::
   \Gamma^a{}_{bc} &= \left\{{a\atop bc}\right\} + \gamma^a{}_{bc}, \qquad
   \left\{{a\atop bc}\right\} = \tfrac12 G^{ad}\bigl[e_b(G_{cd}) + e_c(G_{bd}) - e_d(G_{bc})\bigr], \\
   \gamma_{abc} &= \tfrac12\bigl[G_{ad}\,c_{bc}{}^d + G_{bd}\,c_{ac}{}^d + G_{cd}\,c_{ab}{}^d\bigr]

The first part is all there is in coordinates, the second all there is in an orthonormal frame. Neither is the
connection by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.expressions import Expr
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import LIMIT, patience
from anholonomy.geometry.connections.base import AbstractConnection, Promise
from anholonomy.geometry.connections.coefficients import Coefficients, tidied
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.arguments import expect

__all__ = ["LeviCivitaConnection", "levi_civita"]

_HALF = symengine.Rational(1, 2)


@final
@dataclass(frozen=True, repr=False)
class LeviCivitaConnection(AbstractConnection):
    r"""The connection of a metric.

    >>> sphere = LeviCivitaConnection(Metric(Frame(["theta", "phi"]), ["1", "sin(theta)^2"]))
    >>> print(sphere.coefficients)
    Gamma^theta_phi,phi = -sin(2*theta)/2
    Gamma^phi_theta,phi = cos(theta)/sin(theta)
    Gamma^phi_phi,theta = cos(theta)/sin(theta)
    >>> sphere.scalar(sphere.metric)
    2
    """

    metric: Metric
    promises = frozenset({Promise.TORSION_FREE, Promise.METRIC, Promise.KEEPS_ENERGY})

    @classmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> LeviCivitaConnection:
        return cls(metric)

    def _frame(self) -> Frame:
        return self.metric.frame

    def _coefficients(self) -> Coefficients:
        together = self.christoffel.table + self.rotation_coefficients.table
        return Coefficients(tidied(together.named("Gamma")))

    def _in_frame(self, frame: Frame) -> LeviCivitaConnection:
        return LeviCivitaConnection(self.metric.in_frame(frame))

    @cached_property
    def christoffel(self) -> Coefficients:
        r"""$\left\{{a\atop bc}\right\}$: the part that comes from the metric changing along the frame."""
        return self._raised(self._metric_part, "Christoffel")

    @cached_property
    def rotation_coefficients(self) -> Coefficients:
        r"""$\gamma^a{}_{bc}$, Ricci's rotation coefficients: the part that the frame's anholonomy makes."""
        return self._raised(self._frame_part, "gamma")

    def _metric_part(self, a: int, b: int, c: int) -> Expr:
        e, G = self.frame.derivative, self.metric
        return _HALF * (e(b, G[c, a]) + e(c, G[b, a]) - e(a, G[b, c]))

    def _frame_part(self, a: int, b: int, c: int) -> Expr:
        G, s = self.metric, self.frame.structure_abd
        n = range(self.frame.size)
        terms = (G[a, d] * s[b][c][d] + G[b, d] * s[a][c][d] + G[c, d] * s[a][b][d] for d in n)
        return _HALF * symengine.Add(*terms)

    def _raised(self, lowered: Callable[[int, int, int], Expr], letter: str) -> Coefficients:
        n, G = range(self.frame.size), self.metric.inverse_ab
        table = {(a, b, c): lowered(a, b, c) for a in n for b in n for c in n}

        def value(a: int, b: int, c: int) -> Expr:
            return symengine.Add(*(G[a][d] * table[d, b, c] for d in n if G[a][d] != 0))

        return Coefficients.build(self.frame, value, letter)


def levi_civita(metric: Metric, time_limit: float | None = LIMIT) -> LeviCivitaConnection:
    """The connection of a metric, metric and free of torsion, in the metric's frame.

    Its coefficients are formed at once; refused with `TimeLimitError` where that takes longer than ``time_limit`` seconds.
    """
    expect(metric, "the metric", "Metric")
    found = LeviCivitaConnection(metric)
    with patience(time_limit):
        found.coefficients  # noqa: B018 (kept for whatever is asked of it)
    return found
