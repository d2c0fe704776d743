r"""A connection: covariant derivatives, torsion, curvature and geodesics, from coefficients in a frame.

.. math::
   \nabla_{e_b}e_c &= \Gamma^a{}_{bc}\,e_a, \qquad
   T^a{}_{bc} = \Gamma^a{}_{bc} - \Gamma^a{}_{cb} - c_{bc}{}^a, \\
   R^a{}_{bcd} &= \theta^a\bigl(R(e_c, e_d)e_b\bigr)
     = e_c(\Gamma^a{}_{db}) - e_d(\Gamma^a{}_{cb}) + \Gamma^a{}_{ce}\Gamma^e{}_{db} - \Gamma^a{}_{de}\Gamma^e{}_{cb}
       - c_{cd}{}^e\,\Gamma^a{}_{eb}

with $T(X, Y) = \nabla_XY - \nabla_YX - [X, Y]$ and $R(X, Y)Z = \nabla_X\nabla_YZ - \nabla_Y\nabla_XZ - \nabla_{[X,Y]}Z$. Ricci is the
trace $R_{bd} = R^a{}_{bad}$, so that spheres curve positively.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import combinations
from typing import ClassVar, final

import symengine

from anholonomy.algebra.expressions import Expr, zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.base.notebook import Shown
from anholonomy.findings import Finding
from anholonomy.geometry.connections.coefficients import Coefficients, tidied, tidy, transform
from anholonomy.geometry.connections.geodesics import Geodesics, geodesics
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Index, Tensor
from anholonomy.language.arguments import expect

__all__ = ["AbstractConnection", "Promise"]


class Promise(Enum):
    """What a kind of connection may promise for every metric and every distribution."""

    FLAT = "flat"
    TORSION_FREE = "free of torsion"
    METRIC = "metric"
    KEEPS_ENERGY = "keeps the energy of its geodesics"


class AbstractConnection(Shown, abc.ABC):
    r"""An affine connection $\nabla$, seen from a frame.

    A kind of connection says which frame it is seen from, what its coefficients are there, and what it is
    when seen from another; everything else is here. The laws in the tests try what it promises.
    """

    promises: ClassVar[frozenset[Promise]] = frozenset()
    """What holds of every connection of this kind; the rest fails for some."""

    @classmethod
    @abc.abstractmethod
    def sample(cls, metric: Metric, span: Sequence[Tensor]) -> AbstractConnection:
        """One of this kind, seen from the metric's frame, made of a metric and of fields that span a distribution."""

    @abc.abstractmethod
    def _frame(self) -> Frame:
        """The frame that the coefficients refer to."""

    @abc.abstractmethod
    def _coefficients(self) -> Coefficients:
        r"""$\Gamma^a{}_{bc}$ in that frame, by the kind's own formula."""

    @abc.abstractmethod
    def _in_frame(self, frame: Frame) -> AbstractConnection:
        """The same connection seen from another frame, by the kind's own formula there."""

    @final
    def __repr__(self) -> str:
        return f"{type(self).__name__} in the {self.frame!r}"

    @final
    @property
    def frame(self) -> Frame:
        """The frame that every component refers to."""
        return self._frame()

    @final
    @cached_property
    def coefficients(self) -> Coefficients:
        r"""$\Gamma^a{}_{bc}$ at ``[a, b, c]``; the first lower index is the direction."""
        return self._coefficients()

    def _repr_latex_(self) -> str | None:
        return self.coefficients._repr_latex_()

    @final
    def coefficients_in(self, frame: Frame) -> Coefficients:
        """The coefficients in another frame, by the law of transformation."""
        return transform(self.coefficients, frame)

    @final
    def in_frame(self, frame: Frame) -> AbstractConnection:
        """The same connection seen from another frame over the same root."""
        return self if frame == self.frame else self._in_frame(frame)

    @final
    def covariant_derivative(self, tensor: Tensor, along: Tensor | None = None) -> Tensor:
        r"""$\nabla_b T^{a\ldots}{}_{c\ldots}$: the direction is a new first index, or is contracted with ``along``.

        $\nabla_bT^a{}_c = e_b(T^a{}_c) + \Gamma^a{}_{bd}T^d{}_c - \Gamma^d{}_{bc}T^a{}_d$, and so on for every index; a function is
        a tensor without any.
        """
        expect(tensor, "what is differentiated", "Tensor")
        T = tensor.in_frame(self.frame)
        terms: dict[Index, list[Expr]] = {}
        for index, value in T.items:
            for b in range(self.frame.size):
                terms.setdefault((b, *index), []).append(self.frame.derivative(b, value))
            for axis, slot in enumerate(T.slots):
                self._add_rotation(terms, index, value, axis, slot)
        slots = "d" + T.slots
        total = {index: tidy(symengine.Add(*each)) for index, each in terms.items()}
        derivative = Tensor.of(self.frame, slots, total, f"D{T.letter}")
        if along is None:
            return derivative
        expect(along, "the direction", "Tensor")
        if along.slots != "u":
            raise DeclarationError(f"a direction is a vector field, and this tensor has the slots {along.slots!r}.")
        return tidied((along.in_frame(self.frame) * derivative).trace(0, 1)).named(derivative.letter)

    def _add_rotation(self, terms: dict[Index, list[Expr]], index: Index, value: Expr, axis: int, slot: str) -> None:
        """What the frame's own turning adds through one index of one component."""
        for (a, b, c), gamma in self.coefficients.items:
            old, new, factor = (c, a, gamma) if slot == "u" else (a, c, -gamma)
            if old == index[axis]:
                place = (b, *index[:axis], new, *index[axis + 1 :])
                terms.setdefault(place, []).append(factor * value)

    @final
    def exterior_derivative(self, form: Tensor) -> Tensor:
        r"""The antisymmetric part of $\nabla\varphi$ for a form given as a tensor with lower indices only.

        $(\nabla_\wedge\varphi)_{a_0\ldots a_k} = \sum_i (-1)^i\,\nabla_{a_i}\varphi_{a_0\ldots\hat a_i\ldots a_k}$, which is $d\varphi$ for a
        connection without torsion and differs from it by the torsion otherwise.
        """
        expect(form, "the form", "Tensor")
        if set(form.slots) - {"d"}:
            raise DeclarationError(f"a form has lower indices only, and this tensor has the slots {form.slots!r}.")
        nabla = self.covariant_derivative(form)
        moves = [(i, (*range(1, i + 1), 0, *range(i + 1, nabla.rank))) for i in range(nabla.rank)]
        total = nabla
        for i, axes in moves[1:]:
            total = total + (-1) ** i * nabla.permuted(*axes)
        return tidied(total).named(f"d{form.letter}")

    @final
    @cached_property
    def torsion(self) -> Tensor:
        r"""$T^a{}_{bc} = \Gamma^a{}_{bc} - \Gamma^a{}_{cb} - c_{bc}{}^a$ at ``[a, b, c]``."""
        G, c = self.coefficients, self.frame.structure_abd
        n = range(self.frame.size)
        values: dict[Index, Expr] = {}
        for a in n:
            for b, d in combinations(n, 2):
                values[a, b, d] = tidy(G[a, b, d] - G[a, d, b] - c[b][d][a])
                values[a, d, b] = -values[a, b, d]
        return Tensor.of(self.frame, "udd", values, "T")

    @final
    @cached_property
    def curvature(self) -> Tensor:
        r"""$R^a{}_{bcd} = \theta^a(R(e_c, e_d)e_b)$ at ``[a, b, c, d]``: the last two indices are the loop."""
        n = range(self.frame.size)
        values: dict[Index, Expr] = {}
        for a in n:
            for b in n:
                for c, d in combinations(n, 2):
                    values[a, b, c, d] = tidy(self._curvature(a, b, c, d))
                    values[a, b, d, c] = -values[a, b, c, d]
        return Tensor.of(self.frame, "uddd", values, "R")

    def _curvature(self, a: int, b: int, c: int, d: int) -> Expr:
        G, frame = self.coefficients, self.frame
        n = range(frame.size)
        moving = frame.derivative(c, G[a, d, b]) - frame.derivative(d, G[a, c, b])
        turning = [G[a, c, e] * G[e, d, b] - G[a, d, e] * G[e, c, b] for e in n]
        closing = [frame.structure_abd[c][d][e] * G[a, e, b] for e in n]
        return moving + symengine.Add(*turning) - symengine.Add(*closing)

    @final
    @cached_property
    def ricci(self) -> Tensor:
        r"""$R_{bd} = R^a{}_{bad}$; symmetric for Levi-Civita, not in general."""
        return tidied(self.curvature.trace(0, 2)).named("Ric")

    @final
    def scalar(self, metric: Metric) -> Expr:
        r"""$G^{bd}R_{bd}$."""
        expect(metric, "the metric", "Metric")
        G = metric.in_frame(self.frame).inverse_ab
        return tidy(symengine.Add(*(G[b][d] * value for (b, d), value in self.ricci.items), zero))

    @final
    def is_flat(self) -> Finding:
        """Whether the curvature vanishes: proven, refuted or unknown."""
        return self.curvature.vanishes("the connection is flat")

    @final
    def is_torsion_free(self) -> Finding:
        """Whether the torsion vanishes: proven, refuted or unknown."""
        return self.torsion.vanishes("the connection is free of torsion")

    @final
    def is_metric(self, metric: Metric) -> Finding:
        r"""Whether $\nabla g = 0$, so that parallel vectors keep their lengths and angles."""
        expect(metric, "the metric", "Metric")
        return self.covariant_derivative(metric.tensor).vanishes("the connection is metric")

    @final
    def preserves_energy(self, metric: Metric) -> Finding:
        r"""Whether $g(\dot q, \dot q)$ is constant along every geodesic: $\nabla_{(a}g_{bc)} = 0$, which is weaker than metric.

        The condition is cubic in the velocity, so that it is the cyclic sum that must vanish and not the
        components with three equal indices.
        """
        expect(metric, "the metric", "Metric")
        nabla = self.covariant_derivative(metric.tensor)
        cyclic = nabla + nabla.permuted(1, 2, 0) + nabla.permuted(2, 0, 1)
        return tidied(cyclic).vanishes("geodesics keep their energy")

    @final
    def keeps(self, promise: Promise, metric: Metric) -> Finding:
        """Whether a promise holds: proven, refuted or unknown."""
        asked: dict[Promise, Callable[[], Finding]] = {
            Promise.FLAT: self.is_flat,
            Promise.TORSION_FREE: self.is_torsion_free,
            Promise.METRIC: lambda: self.is_metric(metric),
            Promise.KEEPS_ENERGY: lambda: self.preserves_energy(metric),
        }
        return asked[promise]()

    @final
    def geodesic_equations(self) -> Geodesics:
        r"""$\dot\omega^a = -\Gamma^a{}_{bc}\omega^b\omega^c$ in the connection's frame."""
        return geodesics(self.coefficients)
