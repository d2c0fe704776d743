r"""The canonical flip of the second tangent bundle, and integrability read off from it.

.. math::
   \kappa(x, v, \dot x, \dot v) = (x, \dot x, v, \dot v), \qquad
   TX \circ Y = (x,\ X,\ Y,\ \partial_Y X), \qquad
   [X, Y] = \text{vertical part of } TY\circ X - \kappa(TX \circ Y)

A distribution $\mathcal D = \ker\theta$ is a submanifold of $TM$ whose tangent bundle is

.. math:: T\mathcal D = \{\theta(v) = 0,\ (\partial_{\dot x}\theta)(v) + \theta(\dot v) = 0\} .

$\mathcal D$ is integrable exactly when $\kappa(V) \in T\mathcal D$ for every $V \in T\mathcal D$ with $\dot x \in \mathcal D$; the
defect is $d\theta(v, \dot x)$. Without the condition on $\dot x$, which is free in $T\mathcal D$, no proper distribution passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Symbol, Vector, dot, unused
from anholonomy.algebra.simplification.simplify import simplify_vector
from anholonomy.algebra.zero_test import verdict_of
from anholonomy.base.errors import DeclarationError
from anholonomy.base.notebook import Shown
from anholonomy.findings import CarriesFinding, Finding, Quantity, vanishing
from anholonomy.geometry.distributions.frobenius import CLAIM
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.symmetry.preserved import Span, annihilator, components, spanning
from anholonomy.geometry.tensor import Tensor, vector_components

__all__ = ["FlipTest", "SecondTangent", "bracket_by_flip", "flip_test", "tangent_equations", "tangent_lift"]

_MARK = r"\mathrm{d}\theta(v, \dot x)"


@final
@dataclass(frozen=True)
class SecondTangent(Shown):
    r"""A point of $TTM$, or a field of such points: $(x, v, \dot x, \dot v)$ over a chart.

    Examples
    --------
    >>> x, y = symengine.symbols("x y")
    >>> V = SecondTangent((x,), (y,), (2,), (3,))
    >>> V.flip().v, V.flip().flip() == V
    ((2,), True)
    """

    x: Vector
    v: Vector
    x_dot: Vector
    v_dot: Vector

    def flip(self) -> SecondTangent:
        r"""$\kappa(x, v, \dot x, \dot v) = (x, \dot x, v, \dot v)$."""
        return SecondTangent(self.x, self.x_dot, self.v, self.v_dot)

    def vertical_difference(self, other: SecondTangent) -> Vector:
        r"""$\dot v$ of the difference of two vectors at one $(x, v)$ with one $\dot x$; anything else is refused."""
        apart = [
            a - b for a, b in zip((*self.x, *self.v, *self.x_dot), (*other.x, *other.v, *other.x_dot), strict=True)
        ]
        if not verdict_of(apart):
            raise DeclarationError(
                "a difference is vertical only for vectors at one velocity that move its base point alike."
            )
        return tuple(a - b for a, b in zip(self.v_dot, other.v_dot, strict=True))


def tangent_lift(X: Tensor, Y: Tensor) -> SecondTangent:
    r"""$TX \circ Y = (x, X, Y, \partial_Y X)$: how the velocity $X$ changes when its base point moves with $Y$.

    >>> from anholonomy.geometry.vector_fields import vector_field
    >>> chart = Frame(["x", "y"])
    >>> tangent_lift(vector_field(chart, ["0", "x"]), vector_field(chart, ["y", "0"])).v_dot
    (0, y)
    """
    chart = _chart(X)
    values, direction = vector_components(X, chart), vector_components(Y, chart)
    rates = dict(zip(chart.coordinates, direction, strict=True))
    return SecondTangent(chart.coordinates, values, direction, tuple(along(value, rates) for value in values))


def bracket_by_flip(X: Tensor, Y: Tensor) -> Tensor:
    r"""$[X, Y]$ as the vertical part of $TY\circ X - \kappa(TX\circ Y)$.

    >>> from anholonomy.geometry.vector_fields import vector_field
    >>> chart = Frame(["x", "y", "z"])
    >>> print(bracket_by_flip(vector_field(chart, ["1", "0", "y"]), vector_field(chart, ["0", "1", "0"])))
    X^z = -1
    """
    difference = tangent_lift(Y, X).vertical_difference(tangent_lift(X, Y).flip())
    return Tensor.of(_chart(X), "u", {(i,): value for i, value in enumerate(difference)}, "X")


def tangent_equations(D: Span, V: SecondTangent) -> Vector:
    r"""The left sides of the equations of $T\mathcal D$ at $V$: $\theta(v)$, then $(\partial_{\dot x}\theta)(v) + \theta(\dot v)$."""
    span = spanning(D)
    chart = _chart(span[0])
    rates = dict(zip(chart.coordinates, V.x_dot, strict=True))
    rows = annihilator([e.in_frame(chart) for e in span])
    first = [dot(row, V.v) for row in rows]
    second = [dot([along(entry, rates) for entry in row], V.v) + dot(row, V.v_dot) for row in rows]
    return (*first, *second)


@final
@dataclass(frozen=True)
class FlipTest(CarriesFinding, Shown):
    r"""Whether the flip keeps the tangent vectors of a distribution that move its base point inside it.

    Attributes
    ----------
    vector
        The general $V \in T\mathcal D$ with $\dot x \in \mathcal D$: $v = u^a X_a$, $\dot x = w^a X_a$ with free numbers $u, w$.
    u, w
        Those numbers, as symbols.
    defects
        What the equations of $T\mathcal D$ leave of $\kappa(V)$; all zero exactly when the distribution is integrable.
    finding
        Whether they are proven to vanish.
    """

    vector: SecondTangent
    u: tuple[Symbol, ...]
    w: tuple[Symbol, ...]
    defects: Vector
    finding: Finding

    @property
    def is_integrable(self) -> Finding:
        """Whether the distribution is integrable: the defects vanish."""
        return self.finding


def flip_test(D: Span) -> FlipTest:
    r"""Decide integrability of a distribution by the flip.

    Every vector of $T\mathcal D$ is the velocity of a curve $u^a(s) X_a(x(s))$; the term
    $\dot u^a X_a$ is annihilated by $\theta$ on either side of the flip, so $\dot u = 0$ loses nothing.

    >>> from anholonomy.geometry.distributions.distribution import Distribution
    >>> contact = Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
    >>> flip_test(contact).is_integrable.is_refuted
    True
    >>> flip_test(contact).defects[1]      # dθ(v, ẋ)
    u1*w2 - u2*w1
    >>> spheres = Distribution.from_constraints(["x*x' + y*y' + z*z' = 0"], ["x", "y", "z"])
    >>> print(flip_test(spheres).is_integrable)
    the distribution is integrable: proven, dθ(v, ẋ) = 0
    """
    span = spanning(D)
    chart = _chart(span[0])
    fields = [e.in_frame(chart) for e in span]
    taken = {s.name for e in fields for _, value in e.items for s in value.free_symbols} | {
        q.name for q in chart.coordinates
    }
    u = tuple(unused(f"u{k}", taken.__contains__) for k in range(1, len(fields) + 1))
    w = tuple(unused(f"w{k}", taken.__contains__) for k in range(1, len(fields) + 1))
    v, x_dot = _combination(u, fields), _combination(w, fields)
    rates = dict(zip(chart.coordinates, x_dot, strict=True))
    V = SecondTangent(chart.coordinates, v, x_dot, tuple(along(value, rates) for value in v))
    defects = simplify_vector(symengine.expand(each) for each in tangent_equations(fields, V.flip()))
    named = (Quantity("dθ(v, ẋ)", value, _MARK) for value in defects)
    return FlipTest(V, u, w, defects, vanishing(CLAIM, "dθ(v, ẋ)", named, mark=_MARK))


def _combination(weights: Sequence[Symbol], fields: Sequence[Tensor]) -> Vector:
    columns = zip(*(components(e) for e in fields), strict=True)
    return tuple(dot(weights, column) for column in columns)


def _chart(X: Tensor) -> Frame:
    root = X.frame.root or X.frame
    if not root.is_chart:
        raise DeclarationError("the flip is written in coordinates, and this frame comes from no chart.")
    return root
