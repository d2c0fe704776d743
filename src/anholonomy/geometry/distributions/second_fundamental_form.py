r"""Projectors and second fundamental form: how a distribution bends in a metric.

.. math:: P = X\,(X^{\mathsf T}gX)^{-1}X^{\mathsf T}g, \quad Q = 1 - P, \qquad
   S(X, Y) = Q\,\nabla^g_X Y = -(\nabla^g_X Q)(Y) \qquad X, Y \in D

The skew part is half the bracket, $S(X, Y) - S(Y, X) = Q[X, Y]$; the symmetric part says how geodesics leave $D$. Lewis's
$(\nabla_X P)(Y)$, with his $P$ the projector onto $D^\perp$, is $-S$.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final

import symengine

from anholonomy.algebra.expressions import Matrix, dot, matrix_vector
from anholonomy.algebra.linear_algebra.symbolic import inverse, nullspace_on
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.findings import Finding
from anholonomy.geometry.connections.levi_civita import LeviCivitaConnection
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.answers import Part, Readable

__all__ = ["SecondFundamentalForm", "as_metric", "orthogonal_complement", "projectors", "second_fundamental_form"]


@final
@dataclass(frozen=True, repr=False)
class SecondFundamentalForm(Readable):
    r"""$S(X_a, X_b) = Q\nabla_{X_a}X_b$ on the fields of a basis, extended by zero to $D^\perp$.

    Attributes
    ----------
    tensor
        $S^c{}_{ab}$ with $S(X, Y)^c = S^c{}_{ab}X^aY^b$; direction first.
    """

    tensor: Tensor

    @cached_property
    def symmetric(self) -> Tensor:
        r"""$\tfrac12(S(X,Y) + S(Y,X))$: how geodesics that start in $D$ leave it."""
        return _half(self.tensor + self.tensor.permuted(0, 2, 1))

    @cached_property
    def skew(self) -> Tensor:
        r"""$\tfrac12(S(X,Y) - S(Y,X)) = \tfrac12 Q[X,Y]$: zero exactly for integrable $D$."""
        return _half(self.tensor - self.tensor.permuted(0, 2, 1))

    def is_totally_geodesic(self) -> Finding:
        """$S = 0$: $D$ has leaves, and they are totally geodesic."""
        return self.tensor.vanishes("the distribution is totally geodesic")

    def is_geodesically_invariant(self) -> Finding:
        """The symmetric part vanishes: a geodesic that starts in $D$ stays in it, integrable or not."""
        return self.symmetric.vanishes("the distribution is geodesically invariant")

    def __call__(self, X: Sequence[Any], Y: Sequence[Any]) -> tuple[Any, ...]:
        """$S(X, Y)$ for components of vectors in $D$."""
        total = [symengine.Integer(0)] * self.tensor.frame.size
        for (c, a, b), value in self.tensor.items:
            total[c] += value * X[a] * Y[b]
        return tuple(map(simplify, total))

    def as_rows(self) -> Iterable[Part]:
        return self.tensor.as_rows()


def second_fundamental_form(metric: Metric, vectors_ai: Matrix) -> SecondFundamentalForm:
    r"""$S = -(\nabla_X Q)(Y)$ with both arguments projected, which needs no basis of $D$ once $Q$ is known.

    >>> polar = Metric(Frame(["r", "phi"]), ["1", "r^2"])
    >>> print(second_fundamental_form(polar, ((symengine.Integer(0), symengine.Integer(1)),)))
    S^r_phi,phi = -r
    """
    P, Q = projectors(metric, vectors_ai)
    n = range(metric.frame.size)
    onto = tuple(tuple(P[b, a] for b in n) for a in n)
    nabla = LeviCivitaConnection(metric).covariant_derivative(Q)
    both = nabla.with_index(0, onto, "d").with_index(2, onto, "d").permuted(1, 0, 2)
    return SecondFundamentalForm((-both).simplified().named("S"))


def _half(tensor: Tensor) -> Tensor:
    return tensor.map(lambda value: value / 2).simplified()


def projectors(metric: Metric, vectors_ai: Matrix) -> tuple[Tensor, Tensor]:
    """$P$ onto the span and $Q$ onto its orthogonal complement, as tensors ``ud``."""
    frame, g = metric.frame, metric.matrix_ab
    lowered = [matrix_vector(g, X) for X in vectors_ai]
    try:
        weights = inverse([[dot(X, form) for form in lowered] for X in vectors_ai]) if vectors_ai else ()
    except ZeroDivisionError:
        raise DeclarationError(
            "the metric is degenerate on the distribution, which has no orthogonal projector."
        ) from None
    columns, forms = tuple(zip(*vectors_ai, strict=True)), tuple(zip(*lowered, strict=True))

    def entry(a: int, b: int) -> Any:
        return simplify(dot(matrix_vector(weights, forms[b]), columns[a])) if vectors_ai else 0

    P = Tensor.build(frame, "ud", entry, "P")
    one = Tensor.build(frame, "ud", lambda a, b: int(a == b), "Q")
    return P, (one - P).simplified()


def orthogonal_complement(metric: Metric, vectors_ai: Matrix) -> Matrix:
    """Fields that span the directions orthogonal to the given ones."""
    return nullspace_on([matrix_vector(metric.matrix_ab, X) for X in vectors_ai], metric.frame.orbit)


def as_metric(frame: Frame, g: Any) -> Metric:
    """A metric from a `Metric`, a tensor with two lower indices, or a matrix or diagonal of expressions."""
    if isinstance(g, Metric):
        return g.in_frame(frame)
    if isinstance(g, Tensor):
        if g.slots != "dd":
            raise DeclarationError(f"a metric is a tensor with the slots 'dd', not {g.slots!r}.")
        tensor = g.in_frame(frame)
        return Metric(frame, [[tensor[a, b] for b in range(frame.size)] for a in range(frame.size)])
    return Metric(frame, g)
