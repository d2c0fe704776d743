r"""Vector fields: brackets, the Lie derivative of any tensor, volume and divergence.

.. math::
   [X, Y]^d = X(Y^d) - Y(X^d) + X^a Y^b c_{ab}{}^d, \qquad
   \mathcal L_X e_b = M_b{}^a e_a, \quad M_b{}^a = X^c c_{cb}{}^a - e_b(X^a), \qquad
   (\mathcal L_X T)^a{}_b = X(T^a{}_b) + M_d{}^a\, T^d{}_b - M_b{}^d\, T^a{}_d

.. math::
   \mathrm{vol} = \sqrt{|\det g_{ab}|}\;\theta^1\wedge\ldots\wedge\theta^n, \qquad
   \mathcal L_X\,\mu = (\operatorname{div}_\mu X)\,\mu

A vector field is a `Tensor` with one upper index.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Vector
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.numbers.balls import evaluate_balls
from anholonomy.algebra.numbers.random_points import Ground, finite_point
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.field_text import read_component, read_index
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame, HasTensor
from anholonomy.geometry.tensor import Index, Tensor, vector_components
from anholonomy.language.arguments import expect, is_list

__all__ = ["lie_bracket", "lie_derivative", "vector_field"]


def vector_field(
    frame: Frame, components: Sequence[Any] | Mapping[Any, Any], letter: str = "X", functions: Sequence[str] = ()
) -> Tensor:
    r"""The field $X^a e_a$, from a list of components or from a dict by label.

    >>> chart = Frame(["x", "y"])
    >>> print(vector_field(chart, {"y": "x"}))
    X^y = x
    """
    expect(frame, "the frame of the field", "Frame")
    if isinstance(components, Mapping):
        items = {read_index(key, frame.labels): value for key, value in components.items()}
    elif not is_list(components) or len(components) != frame.size:
        raise DeclarationError(f"a vector field in this frame has {frame.size} components, one for each direction.")
    else:
        items = {(a,): value for a, value in enumerate(components)}
    if any(len(index) != 1 for index in items):
        raise DeclarationError("a component of a vector field has one label.")
    values = {i: read_component(v, "a component of the field", functions) for i, v in items.items()}
    return Tensor.of(frame, "u", {i: frame.in_coordinates(v) for i, v in values.items()}, letter)


def lie_bracket(X: Tensor, Y: Tensor) -> Tensor:
    r"""$[X, Y]$, in the frame of $X$.

    >>> chart = Frame(["x", "y", "z"])
    >>> print(lie_bracket(vector_field(chart, ["1", "0", "y"]), vector_field(chart, ["0", "1", "0"], "Y")))
    [X, Y]^z = -1
    """
    expect(X, "the field", "Tensor")
    left, right = vector_components(X, X.frame), vector_components(Y, X.frame)
    values: dict[Index, Expr] = {(d,): entry for d, entry in enumerate(bracket(X.frame, left, right))}
    return Tensor.of(X.frame, "u", values, f"[{X.letter}, {Y.letter}]")


def lie_derivative(tensor: Tensor, X: Tensor) -> Tensor:
    r"""$\mathcal L_X T$, in the frame of the tensor. Forms have their own, `Form.lie_derivative`.

    >>> polar = Frame(["r", "phi"])
    >>> r = polar.coordinates[0]
    >>> plane = Tensor.of(polar, "dd", {(0, 0): 1, (1, 1): r**2}, "g")
    >>> print(lie_derivative(plane, vector_field(polar, {"phi": 1})))
    g = 0
    >>> print(lie_derivative(plane, vector_field(polar, {"r": "r"})))
    g_rr = 2
    g_phi,phi = 2*r^2
    """
    expect(tensor, "what is differentiated", "Tensor")
    frame = tensor.frame
    components = vector_components(X, frame)
    rates = frame.direction(components)
    result = tensor.map(lambda value: along(value, rates))
    turning = _turning(frame, components)
    upper = tuple(zip(*turning, strict=True))
    for axis, slot in enumerate(tensor.slots):
        turned = tensor.with_index(axis, upper if slot == "u" else turning, slot)
        result = result + turned if slot == "u" else result - turned
    return result


def _turning(frame: Frame, components: Vector) -> Matrix:
    r"""$M_b{}^a = \theta^a([X, e_b])$."""
    n = range(frame.size)
    return tuple(
        tuple(
            symengine.Add(
                -frame.derivative(b, components[a]),
                *(components[c] * frame.structure_abd[c][b][a] for c in n if components[c] != 0),
            )
            for a in n
        )
        for b in n
    )


def frame_volume(frame: Frame) -> Form:
    r"""$\theta^1\wedge\ldots\wedge\theta^n$.

    >>> print(frame_volume(Frame(["x", "y"])))
    dx∧dy
    """
    return Form.of(frame, frame.size, {tuple(range(frame.size)): 1})


def volume_form(metric: Tensor | HasTensor) -> Form:
    r"""$\sqrt{|\det g_{ab}|}\,\theta^1\wedge\ldots\wedge\theta^n$ of a metric, positive or Lorentzian, in the metric's frame.

    >>> polar = Frame(["r", "phi"])
    >>> print(volume_form(Tensor.of(polar, "dd", {(0, 0): 1, (1, 1): polar.coordinates[0] ** 4}, "g")))
    r^2 dr∧dphi
    >>> print(volume_form(Tensor.of(polar, "dd", {(0, 0): -1, (1, 1): polar.coordinates[0] ** 4}, "g")))
    r^2 dr∧dphi
    """
    expect(metric, "the metric", "Metric", "Tensor")
    g = metric if isinstance(metric, Tensor) else metric.tensor
    if g.slots != "dd":
        raise DeclarationError(f"a metric has two lower indices, and the tensor given has {g.slots or 'none'}.")
    n = range(g.frame.size)
    det = determinant([[g[a, b] for b in n] for a in n])
    root = symengine.sqrt(-det if _is_negative(det, g.frame.orbit) else det)
    return Form.of(g.frame, g.frame.size, {tuple(n): root})


def _is_negative(function: Expr, on: Ground | None) -> bool:
    """Whether a function is negative at every one of some random points; that of no degenerate metric changes its sign."""
    rng = random.Random(0)
    points = [finite_point([function], rng, on=on) for _ in range(6)]
    return all(point is not None and evaluate_balls([function], point, 30)[0] < 0 for point in points)


def divergence(field: Tensor, volume: Form) -> Expr:
    r"""$\operatorname{div}_\mu X$ with $\mathcal L_X\mu = (\operatorname{div}_\mu X)\,\mu$.

    >>> polar = Frame(["r", "phi"])
    >>> divergence(vector_field(polar, {"r": "r"}), Form(polar, "r*dr∧dphi"))
    2
    """
    expect(field, "the field", "Tensor")
    expect(volume, "the volume", "Form")
    density = volume[tuple(range(volume.frame.size))] if volume.degree == volume.frame.size else 0
    if is_zero(density):
        raise DeclarationError("a divergence needs a volume: a form of the highest degree that is not zero.")
    return simplify(volume.lie_derivative(field)[tuple(range(volume.frame.size))] / density)
