r"""Tensors, functions and distributions that the flow of a field preserves, and the equations for the field.

.. math:: \mathcal L_X T = 0, \qquad X(f) = 0, \qquad [X, \mathcal D] \subset \mathcal D \iff \theta^\nu([X, X_a]) = 0

where $X_a$ span the distribution and $\theta^\nu$ its annihilator. A function is a tensor without indices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from anholonomy.algebra.expressions import Matrix, Vector, dot
from anholonomy.algebra.linear_algebra.symbolic import nullspace_on
from anholonomy.base.errors import DeclarationError
from anholonomy.findings import Finding, Quantity
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor, components_vanish
from anholonomy.geometry.vector_fields import lie_bracket, lie_derivative
from anholonomy.language.arguments import expect, expect_list, expression

__all__ = [
    "Operator",
    "Span",
    "annihilator",
    "as_tensor",
    "components",
    "conditions",
    "off_distribution",
    "preserves",
    "preserves_distribution",
    "scalar",
    "spanning",
]

_MARK = r"\theta^\nu([X, X_a])"


Span: TypeAlias = "Distribution | Sequence[Tensor]"
"""A distribution, or independent fields that span one."""
Operator: TypeAlias = Callable[[Tensor], Vector]
"""A linear differential operator of first order on fields; its kernel is what is looked for."""


def preserves(X: Tensor, T: Tensor | Metric | Form) -> Finding:
    r"""Whether $\mathcal L_X T = 0$ for a tensor of any type: proven, refuted, or unknown.

    >>> from anholonomy.geometry.vector_fields import vector_field
    >>> plane = Frame(["x", "y"])
    >>> print(preserves(vector_field(plane, ["-y", "x"]), scalar(plane, "x^2 + y^2")))
    the field preserves the tensor: proven, L_X f = 0
    """
    tensor = as_tensor(T)
    return lie_derivative(tensor, X).named(f"L_X {tensor.letter}").vanishes("the field preserves the tensor")


def preserves_distribution(X: Tensor, D: Span) -> Finding:
    r"""Whether $[X, \mathcal D] \subset \mathcal D$: proven, refuted, or unknown.

    >>> from anholonomy.geometry.vector_fields import vector_field
    >>> space = Frame(["x", "y", "z"])
    >>> contact = Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
    >>> print(preserves_distribution(vector_field(space, ["0", "1", "x"]), contact))
    the field preserves the distribution: proven, theta([X, X_a]) = 0
    """
    off = (Quantity("theta([X, X_a])", value, _MARK) for value in lie_derivative_of_distribution(X, D))
    return components_vanish(X.frame, "the field preserves the distribution", "theta([X, X_a])", off, _MARK)


def lie_derivative_of_distribution(X: Tensor, D: Span) -> Vector:
    r"""$\theta^\nu([X, X_a])$ for fields $X_a$ that span a distribution; all zero when $X$ preserves it.

    >>> from anholonomy.geometry.vector_fields import vector_field
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


def off_distribution(X: Tensor, D: Span) -> Vector:
    r"""$\theta^\nu(X)$; all zero when $X$ lies in the distribution."""
    span = spanning(D)
    values = components(X.in_frame(span[0].frame))
    return tuple(dot(row, values) for row in annihilator(span))


def conditions(
    g: Tensor, potential: Any, preserving: Sequence[Tensor | Form], distribution: Span | None, inside: Span | None
) -> list[Operator]:
    r"""What must vanish on a field $X$: $\mathcal L_X g$ first, then $\mathcal L_X T$, $\theta^\nu([X, X_a])$ and $\theta^\nu(X)$ if asked for."""
    operators = [_preserving(g)]
    if potential is not None:
        function = potential if isinstance(potential, Tensor) else scalar(g.frame, potential)
        operators.append(_preserving(function.in_frame(g.frame)))
    operators += [
        _preserving(as_tensor(T).in_frame(g.frame)) for T in expect_list(preserving, "the tensors to preserve")
    ]
    if distribution is not None:
        operators.append(_keeping(distribution, g))
    if inside is not None:
        operators.append(_inside(inside, g))
    return operators


def _preserving(T: Tensor) -> Operator:
    indices = [index for index, _ in Tensor.build(T.frame, T.slots, lambda *_: 1).items]
    if T.slots == "dd":
        indices = [(a, b) for a, b in indices if a <= b]
    return partial(_changes, T, indices)


def _changes(T: Tensor, indices: Sequence[Any], X: Tensor) -> Vector:
    changed = lie_derivative(T, X)
    return tuple(changed[index] for index in indices)


def _keeping(D: Span, g: Tensor) -> Operator:
    brought = [e.in_frame(g.frame) for e in spanning(D)]
    rows = annihilator(brought)
    return partial(_leaving, rows, brought)


def _leaving(rows: Sequence[Vector], brought: Sequence[Tensor], X: Tensor) -> Vector:
    return tuple(dot(row, components(lie_bracket(X, e))) for row in rows for e in brought)


def _inside(D: Span, g: Tensor) -> Operator:
    rows = annihilator([e.in_frame(g.frame) for e in spanning(D)])
    return partial(_outside, rows)


def _outside(rows: Sequence[Vector], X: Tensor) -> Vector:
    return tuple(dot(row, components(X)) for row in rows)


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
        raise DeclarationError("a distribution needs at least one field that spans it.")
    return [e.in_frame(D[0].frame) for e in D]


def annihilator(D: Span) -> Matrix:
    r"""Rows $\theta^\nu{}_a$ that span the one-forms vanishing on all the fields, in the frame of the first field."""
    if isinstance(D, Distribution):
        return D.forms_ni
    span = spanning(D)
    return nullspace_on([components(e) for e in span], span[0].frame.orbit)


def components(X: Tensor) -> Vector:
    """The components of a vector field or one-form, zeros included."""
    return tuple(X[a] for a in range(X.frame.size))
