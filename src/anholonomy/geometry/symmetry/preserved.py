r"""What the flow of a field preserves: tensors, functions, distributions.

.. math:: \mathcal L_X T = 0, \qquad X(f) = 0, \qquad [X, \mathcal D] \subset \mathcal D \iff \theta^\nu([X, X_a]) = 0

where $X_a$ span the distribution and $\theta^\nu$ its annihilator. A function is a tensor without indices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from anholonomy.findings import Finding, Quantity
from anholonomy.geometry.calculus.claims import components_vanish
from anholonomy.geometry.calculus.fields import lie_bracket, lie_derivative
from anholonomy.geometry.calculus.forms import Form
from anholonomy.geometry.calculus.metric import Metric
from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.expected import expect, expect_list
from anholonomy.geometry.frames.frame import Frame
from anholonomy.language.given import expression
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Matrix, Vector, dot
from anholonomy.symbolic.orbits.matrices import nullspace_on

__all__ = [
    "Span",
    "annihilator",
    "as_tensor",
    "components",
    "lie_derivative_of_distribution",
    "off_distribution",
    "preserves",
    "preserves_distribution",
    "scalar",
    "spanning",
]

_MARK = r"\theta^\nu([X, X_a])"

Span: TypeAlias = "Distribution | Sequence[Tensor]"
"""A distribution, or independent fields that span one."""


def scalar(frame: Frame, value: Any, functions: Sequence[str] = ()) -> Tensor:
    """A function of a frame's coordinates, such as a potential, as a tensor without indices.

    >>> print(scalar(Frame(["x"]), "x^2/2"))
    f = x^2/2
    """
    return Tensor.of(frame, "", {(): frame.in_coordinates(expression(value, "the function", functions))}, "f")


def as_tensor(thing: Tensor | Metric | Form) -> Tensor:
    """The components of a metric or a form as a tensor; a tensor as it is."""
    expect(thing, "what is preserved", "Tensor", "Metric", "Form")
    return thing if isinstance(thing, Tensor) else thing.tensor


def spanning(D: Span) -> list[Tensor]:
    """Fields that span a distribution, as tensors in one frame."""
    if isinstance(D, Distribution):
        return [Tensor.of(D.frame, "u", {(a,): v for a, v in enumerate(row)}, "X") for row in D.vectors_ai]
    for each in expect_list(D, "the fields of the distribution"):
        expect(each, "a field of the distribution", "Tensor")
    if not D:
        raise IllPosedSystem("a distribution needs at least one field that spans it.")
    return [e.in_frame(D[0].frame) for e in D]


def preserves(X: Tensor, T: Tensor | Metric | Form) -> Finding:
    r"""Whether $\mathcal L_X T = 0$ for a tensor of any type: proven, refuted, or unknown.

    >>> from anholonomy.geometry.calculus.fields import vector_field
    >>> plane = Frame(["x", "y"])
    >>> print(preserves(vector_field(plane, ["-y", "x"]), scalar(plane, "x^2 + y^2")))
    the field preserves the tensor: proven, L_X f = 0
    """
    tensor = as_tensor(T)
    return lie_derivative(tensor, X).named(f"L_X {tensor.letter}").vanishes("the field preserves the tensor")


def lie_derivative_of_distribution(X: Tensor, D: Span) -> Vector:
    r"""$\theta^\nu([X, X_a])$ for fields $X_a$ that span a distribution; all zero when $X$ preserves it.

    >>> from anholonomy.geometry.calculus.fields import vector_field
    >>> space = Frame(["x", "y", "z"])
    >>> contact = Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
    >>> lie_derivative_of_distribution(vector_field(space, ["x", "0", "z"]), contact)
    (0, 0)
    >>> [entry == 0 for entry in lie_derivative_of_distribution(vector_field(space, ["0", "1", "0"]), contact)]
    [False, True]
    """
    span = spanning(D)
    rows = annihilator(span)
    moved = [components(lie_bracket(X, e).in_frame(span[0].frame)) for e in span]
    return tuple(dot(row, each) for row in rows for each in moved)


def preserves_distribution(X: Tensor, D: Span) -> Finding:
    r"""Whether $[X, \mathcal D] \subset \mathcal D$: proven, refuted, or unknown.

    >>> from anholonomy.geometry.calculus.fields import vector_field
    >>> space = Frame(["x", "y", "z"])
    >>> contact = Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
    >>> print(preserves_distribution(vector_field(space, ["0", "1", "x"]), contact))
    the field preserves the distribution: proven, theta([X, X_a]) = 0
    """
    off = (Quantity("theta([X, X_a])", value, _MARK) for value in lie_derivative_of_distribution(X, D))
    return components_vanish(X.frame, "the field preserves the distribution", "theta([X, X_a])", off, _MARK)


def off_distribution(X: Tensor, D: Span) -> Vector:
    r"""$\theta^\nu(X)$; all zero when $X$ lies in the distribution."""
    span = spanning(D)
    values = components(X.in_frame(span[0].frame))
    return tuple(dot(row, values) for row in annihilator(span))


def annihilator(D: Span) -> Matrix:
    r"""Rows $\theta^\nu{}_a$ that span the one-forms vanishing on all the fields, in the frame of the first field."""
    if isinstance(D, Distribution):
        return D.forms_ni
    span = spanning(D)
    return nullspace_on([components(e) for e in span], span[0].frame.orbit)


def components(X: Tensor) -> Vector:
    """The components of a vector field or one-form, zeros included."""
    return tuple(X[a] for a in range(X.frame.size))
