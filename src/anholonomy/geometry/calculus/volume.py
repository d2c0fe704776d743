r"""Volume forms, and how a flow changes them.

.. math::
   \mathrm{vol} = \sqrt{|\det g_{ab}|}\;\theta^1\wedge\ldots\wedge\theta^n, \qquad
   \mathcal L_X\,\mu = (\operatorname{div}_\mu X)\,\mu
"""

from __future__ import annotations

import random

import symengine

from anholonomy.geometry.calculus.forms import Form
from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.geometry.expected import expect
from anholonomy.geometry.frames.coframe import HasTensor
from anholonomy.geometry.frames.frame import Frame
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.matrices.linear import determinant
from anholonomy.symbolic.numbers.balls import Ground, evaluate_balls, finite_point
from anholonomy.symbolic.zero import is_zero

__all__ = ["divergence", "frame_volume", "volume_form"]


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
        raise IllPosedSystem(f"a metric has two lower indices, and the tensor given has {g.slots or 'none'}.")
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

    >>> from anholonomy.geometry.calculus.fields import vector_field
    >>> polar = Frame(["r", "phi"])
    >>> divergence(vector_field(polar, {"r": "r"}), Form(polar, "r*dr∧dphi"))
    2
    """
    expect(field, "the field", "Tensor")
    expect(volume, "the volume", "Form")
    density = volume[tuple(range(volume.frame.size))] if volume.degree == volume.frame.size else 0
    if is_zero(density):
        raise IllPosedSystem("a divergence needs a volume: a form of the highest degree that is not zero.")
    return simplify(volume.lie_derivative(field)[tuple(range(volume.frame.size))] / density)
