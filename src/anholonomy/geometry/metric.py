r"""Metrics: lengths of vectors, indices raised and lowered, and the metric of a kinetic energy.

.. math:: g = G_{ab}\,\theta^a\otimes\theta^b, \qquad G_{ab} = g(e_a, e_b) = G_{ba}, \qquad G^{ab}G_{bc} = \delta^a_c

The kinetic energy of a system is half its metric, $T = \tfrac12 G_{ab}\,\omega^a\omega^b$. Only symmetry is
required, so that indefinite metrics are metrics too; a degenerate one is refused by whatever needs its inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, dot, matrix_vector, symbol, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant, inverse
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.answers import Part, Readable
from anholonomy.language.arguments import expect, expect_index, expect_list, expression, is_list, plain

__all__ = ["Metric", "kinetic_metric"]


class HasKineticEnergy(Protocol):
    """What `kinetic_metric` needs of a system."""

    @property
    def frame_at_values(self) -> Frame: ...
    @property
    def velocities(self) -> tuple[Symbol, ...]: ...
    @property
    def lagrangian(self) -> Expr: ...


@final
@dataclass(frozen=True, init=False, repr=False)
class Metric(Readable):
    r"""A metric by its components $G_{ab}$ in a frame.

    Parameters
    ----------
    frame
        The frame the components refer to.
    components
        A symmetric matrix, row by row, or the list of its diagonal; text, SymPy or numbers.
    functions
        Names that may be called in the text as functions nobody specifies, such as ``f`` in ``f(x, y)``.

    Attributes
    ----------
    tensor
        The components as a tensor with two lower indices.

    Examples
    --------
    >>> plane = Metric(Frame(["r", "phi"]), ["1", "r^2"])
    >>> print(plane)
    g_rr = 1
    g_phi,phi = r^2
    >>> plane.determinant
    r**2
    >>> print(plane.in_frame(Frame(["r", "phi"], [["1", "0"], ["0", "1/r"]])))
    g_11 = 1
    g_22 = 1
    """

    frame: Frame
    tensor: Tensor

    def __init__(self, frame: Frame, components: Sequence[Any] | Tensor, functions: Sequence[str] = ()) -> None:
        expect(frame, "the frame of the metric", "Frame")
        if not isinstance(components, Tensor):
            rows = _rows(components, frame.size, functions)
            components = Tensor.build(frame, "dd", lambda a, b: frame.in_coordinates(rows[a][b]), "g")
        if components.frame != frame or components.slots != "dd":
            raise DeclarationError("a metric is a tensor with two lower indices in its frame; use `in_frame` first.")
        _refuse_unless_symmetric(components)
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "tensor", components.named("g"))

    @classmethod
    def from_lagrangian(cls, frame: Frame, lagrangian: Any, functions: Sequence[str] = ()) -> Metric:
        r"""The kinetic metric $\partial^2 L/\partial\dot q^i\partial\dot q^j$ of a Lagrangian, in any frame of the chart.

        >>> L = "m*(r'^2 + r^2*phi'^2)/2 - m*g*r"
        >>> print(Metric.from_lagrangian(Frame(["r", "phi"], [["1", "0"], ["0", "1/r"]]), L))
        g_11 = m
        g_22 = m
        """
        expect(frame, "the frame of the metric", "Frame")
        chart = Frame.chart(frame.coordinates)
        velocities = [symbol(q.name + "'") for q in frame.coordinates]
        L = expression(lagrangian, "the Lagrangian", functions)
        return _hessian(chart, L, velocities).in_frame(frame)

    def __getitem__(self, index: tuple[int, int]) -> Expr:
        return self.tensor[index]

    @cached_property
    def matrix_ab(self) -> Matrix:
        r"""$G_{ab}$, row by row."""
        n = range(self.frame.size)
        return tuple(tuple(self.tensor[a, b] for b in n) for a in n)

    @cached_property
    def inverse_ab(self) -> Matrix:
        r"""$G^{ab}$, row by row."""
        try:
            return inverse(self.matrix_ab)
        except ZeroDivisionError:
            raise DeclarationError(
                "the metric is degenerate: its determinant is zero, so it has no inverse; give every direction a length."
            ) from None

    @cached_property
    def inverse(self) -> Tensor:
        r"""$G^{ab}$ as a tensor with two upper indices."""
        return Tensor.build(self.frame, "uu", lambda a, b: self.inverse_ab[a][b], "g")

    @cached_property
    def determinant(self) -> Expr:
        r"""$\det G_{ab}$, which changes with the frame by the square of the determinant of the change."""
        return determinant(self.matrix_ab)

    def lower(self, tensor: Tensor, axis: int = 0) -> Tensor:
        r"""An upper index made lower, $T_{\ldots a\ldots} = G_{ab}\,T_{\ldots}{}^b{}_{\ldots}$, in the same place."""
        return self._moved(tensor, axis, "u", self.matrix_ab)

    def raised(self, tensor: Tensor, axis: int = 0) -> Tensor:
        r"""A lower index made upper, $T_{\ldots}{}^a{}_{\ldots} = G^{ab}\,T_{\ldots b\ldots}$, in the same place."""
        return self._moved(tensor, axis, "d", self.inverse_ab)

    def _moved(self, tensor: Tensor, axis: int, kind: str, matrix: Matrix) -> Tensor:
        expect(tensor, "what has the index", "Tensor")
        expect_index(axis, tensor.rank, "the index")
        if tensor.slots[axis] != kind:
            raise DeclarationError(f"index {axis} of the tensor is already there; its slots are {tensor.slots}.")
        return tensor.in_frame(self.frame).with_index(axis, matrix, "d" if kind == "u" else "u").simplified()

    def inner(self, left: Tensor, right: Tensor) -> Expr:
        r"""$g(X, Y) = G_{ab}X^aY^b$ of two vector fields."""
        X, Y = (_components(vector, self.frame) for vector in (left, right))
        return simplify(dot(X, matrix_vector(self.matrix_ab, Y)))

    def projectors(self, span: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
        r"""The $g$-orthogonal projectors $P$ onto the span of vector fields and $Q = 1 - P$ onto its complement.

        $P^a{}_b = S_\alpha{}^a\,\bar G^{\alpha\beta}\,S_\beta{}^c\,G_{cb}$ with $\bar G_{\alpha\beta} = g(S_\alpha, S_\beta)$.

        >>> frame = Frame(["x", "y"])
        >>> P, Q = Metric(frame, [1, 1]).projectors([Tensor.of(frame, "u", {(0,): 1, (1,): 1})])
        >>> P[0, 1], Q[0, 1]
        (1/2, -1/2)
        """
        S = [_components(vector, self.frame) for vector in expect_list(span, "the vectors")]
        lowered = [matrix_vector(self.matrix_ab, row) for row in S]
        gram = tuple(tuple(dot(row, low) for low in lowered) for row in S)
        try:
            weights = inverse(gram)
        except ZeroDivisionError:
            raise DeclarationError(
                "the vectors are dependent, or the metric degenerates on their span; give independent vectors."
            ) from None
        n = range(self.frame.size)
        # Column by column: first the weights on the lowered vectors, then back along the vectors.
        dual = [[dot(row, [low[b] for low in lowered]) for b in n] for row in weights]
        matrix = [[simplify(symengine.Add(*(s[a] * d[b] for s, d in zip(S, dual, strict=True)))) for b in n] for a in n]
        P = Tensor.build(self.frame, "ud", lambda a, b: matrix[a][b], "P")
        Q = Tensor.build(self.frame, "ud", lambda a, b: int(a == b) - matrix[a][b], "Q").simplified()
        return P, Q

    def in_frame(self, frame: Frame) -> Metric:
        """The same metric with components in another frame over the same root."""
        return Metric(frame, self.tensor.in_frame(frame))

    def is_orthonormal(self) -> Finding:
        r"""Whether $G_{ab} = \delta_{ab}$ in the metric's own frame."""
        unit = Tensor.build(self.frame, "dd", lambda a, b: int(a == b))
        return (self.tensor - unit).named("(G - δ)").vanishes("the frame is orthonormal")

    def __repr__(self) -> str:
        return f"metric of {self.frame.size} directions on ({', '.join(q.name for q in self.frame.coordinates)}); print shows it"

    def as_rows(self) -> Iterable[Part]:
        return self.tensor.as_rows()


def kinetic_metric(model: HasKineticEnergy) -> Metric:
    r"""$G_{ab} = \partial^2 L/\partial w^a\partial w^b$ of a system, in the frame it was declared in and for its values.

    Terms of the Lagrangian that are linear in the velocities leave no trace in it.
    """
    model = plain(model)
    return _hessian(model.frame_at_values, model.lagrangian, model.velocities)


def _hessian(frame: Frame, lagrangian: Expr, velocities: Sequence[Symbol]) -> Metric:
    rows = [simplify_vector(gradient(p, velocities)) for p in gradient(lagrangian, velocities)]
    moving = {s for row in rows for entry in row for s in entry.free_symbols} & set(velocities)
    if moving:
        raise DeclarationError(
            f"the kinetic energy is not quadratic in the velocities: its Hessian contains {min(moving, key=str)}; "
            "only a quadratic one is a metric."
        )
    return Metric(frame, Tensor.build(frame, "dd", lambda a, b: rows[a][b]))


def _rows(components: Sequence[Any], size: int, functions: Sequence[str]) -> list[list[Expr]]:
    what = "a component of the metric"
    if not is_list(components) or len(components) != size:
        raise DeclarationError(f"a metric needs {size} rows or a diagonal of {size} entries, one for each direction.")
    if all(isinstance(row, list | tuple) for row in components):
        if any(len(row) != size for row in components):
            raise DeclarationError(f"every row of the metric needs {size} entries, one for each direction.")
        return [[expression(entry, what, functions) for entry in row] for row in components]
    diagonal = [expression(entry, what, functions) for entry in components]
    return [[diagonal[a] if a == b else zero for b in range(size)] for a in range(size)]


def _refuse_unless_symmetric(tensor: Tensor) -> None:
    for a in range(tensor.frame.size):
        for b in range(a):
            if zero_test(tensor[a, b] - tensor[b, a], tensor.frame.orbit) is Verdict.REFUTED:
                raise DeclarationError(
                    f"a metric is symmetric; the entries ({b + 1}, {a + 1}) and ({a + 1}, {b + 1}) differ."
                )


def _components(vector: Tensor, frame: Frame) -> list[Expr]:
    expect(vector, "the vector field", "Tensor")
    if vector.slots != "u":
        raise DeclarationError(f"a vector field has one upper index, and this tensor has the slots {vector.slots!r}.")
    brought = vector.in_frame(frame)
    return [brought[a] for a in range(frame.size)]
