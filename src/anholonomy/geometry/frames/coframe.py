r"""What a frame makes: its coframe, its anholonomy in two ways, and other frames.

.. math::
   \theta^a(e_b) = \delta^a_b, \qquad c_{ab}{}^d = \theta^d([e_a, e_b]) = -d\theta^d(e_a, e_b), \qquad
   \Omega_{ab}{}^d = -c_{ab}{}^d

The coframe is written in the root of the frame, where $d$ needs no bracket of the frame's own fields; so the
structure functions found from it are independent of those found from the brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Protocol

import symengine

from anholonomy.findings import Finding
from anholonomy.geometry.calculus.forms import Form
from anholonomy.geometry.calculus.tensor import Index, Tensor
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.display.simplify import simplify, simplify_vector
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot, zero
from anholonomy.symbolic.numbers.balls import Ground
from anholonomy.symbolic.zero import is_zero

if TYPE_CHECKING:
    from anholonomy.geometry.frames.frame import Frame

__all__ = ["coframe", "dual_check", "orthonormal_rows", "structure", "structure_blocks", "structure_from_coframe"]


class HasTensor(Protocol):
    """A metric that is more than its tensor."""

    @property
    def tensor(self) -> Tensor: ...


def structure(frame: Frame) -> Tensor:
    r"""$c_{ab}{}^d$ as components; not a tensor field, since another frame has another."""
    values: dict[Index, Expr] = {
        (a, b, d): value
        for a, rows in enumerate(frame.structure_abd)
        for b, row in enumerate(rows)
        for d, value in enumerate(row)
    }
    return Tensor.of(frame, "ddu", values, "c")


def coframe(frame: Frame) -> tuple[Form, ...]:
    r"""$\theta^b = (B^{-1})_a{}^b E^a$, written in the coframe $E^a$ of the root."""
    root = frame.root or frame
    columns = zip(*frame.inverse_ab, strict=True)
    return tuple(Form.of(root, 1, {(a,): value for a, value in enumerate(column)}) for column in columns)


def dual_check(frame: Frame) -> Finding:
    r"""Whether $\theta^a(e_b) - \delta^a_b$ vanishes for all $a, b$: the certificate of the coframe."""
    n = range(frame.size)
    forms = [[theta[i] for i in n] for theta in coframe(frame)]
    pairings: dict[Index, Expr] = {(a, b): dot(forms[a], frame.matrix_ba[b]) - int(a == b) for a, b in product(n, n)}
    return Tensor.of(frame, "ud", pairings, "(θe - δ)").vanishes("the coframe is dual to the frame")


def structure_from_coframe(frame: Frame) -> Tensor:
    r"""$c_{ab}{}^d = -d\theta^d(e_a, e_b)$."""
    values: dict[Index, Expr] = {}
    for d, theta in enumerate(coframe(frame)):
        curl = theta.d()
        for a, b in product(range(frame.size), repeat=2):
            if a < b:
                values[a, b, d] = -simplify(_on_pair(curl, frame.matrix_ba[a], frame.matrix_ba[b]))
                values[b, a, d] = -values[a, b, d]
    return Tensor.of(frame, "ddu", values, "c")


def _on_pair(form: Form, left: Vector, right: Vector) -> Expr:
    terms = (w * (left[i] * right[j] - left[j] * right[i]) for (i, j), w in form.items)
    return symengine.Add(*terms)


def structure_blocks(frame: Frame, m: int) -> Mapping[str, Tensor]:
    r"""The structure functions by blocks along the first ``m`` directions (D) and the others (N).

    The key ``"DN^D"`` holds the $c_{i\alpha}{}^k$ with $e_i, e_k$ among the first and $e_\alpha$ among the others.
    """
    if not isinstance(m, int) or not 0 <= m <= frame.size:
        raise IllPosedSystem(f"the frame has {frame.size} directions; it cannot be parted after {m!r:.40}.")
    whole = structure(frame)
    blocks: dict[str, dict[Index, Expr]] = {f"{a}^{b}": {} for a in ("DD", "DN", "ND", "NN") for b in "DN"}
    for index, value in whole.items:
        a, b, d = ("D" if i < m else "N" for i in index)
        blocks[f"{a}{b}^{d}"][index] = value
    return {key: Tensor.of(frame, "ddu", values, "c") for key, values in blocks.items()}


def orthonormal_rows(frame: Frame, metric: Tensor | HasTensor) -> Matrix:
    r"""Gram and Schmidt: $v_k = e_k - \sum_{j<k}\frac{g(e_k, v_j)}{g(v_j, v_j)}v_j$ and $u_k = v_k/\sqrt{g(v_k, v_k)}$.

    Square roots come in at the end only, so the steps in between stay rational where the metric is.
    """
    tensor = metric if isinstance(metric, Tensor) else getattr(metric, "tensor", None)
    if not isinstance(tensor, Tensor):
        raise IllPosedSystem(f"the metric is {metric!r:.60}; give a Metric or Tensor.")
    if tensor.slots != "dd":
        raise IllPosedSystem(f"a metric has two lower indices, and the tensor given has {tensor.slots or 'none'}.")
    g, n = tensor.in_frame(frame), range(frame.size)
    if any(not is_zero(g[a, b] - g[b, a], frame.orbit) for a in n for b in n if a < b):
        raise IllPosedSystem("a metric is symmetric, and the tensor given is not.")
    rows: list[Vector] = []
    squares: list[Expr] = []
    for k in n:
        row = [zero] * frame.size
        row[k] = symengine.Integer(1)
        for other, square in zip(rows, squares, strict=True):
            share = dot([g[k, b] for b in n], other) / square
            row = [x - share * y for x, y in zip(row, other, strict=True)]
        rows.append(simplify_vector(row))
        # g(v, v) = g(v, e_k), because v is orthogonal to every e_j before.
        squares.append(_positive(simplify(dot([g[k, b] for b in n], rows[k])), k, frame.orbit))
    return tuple(tuple(x / symengine.sqrt(square) for x in row) for row, square in zip(rows, squares, strict=True))


def _positive(square: Expr, k: int, on: Ground | None) -> Expr:
    if is_zero(square, on) or (isinstance(square, symengine.Number) and square.is_negative):
        raise IllPosedSystem(f"the metric is not positive on the first {k + 1} directions of the frame.")
    return square
