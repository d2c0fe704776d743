r"""What must vanish on a field that is a symmetry, each a linear differential operator of first order.

.. math:: X \mapsto \mathcal L_X T, \qquad X \mapsto \theta^\nu([X, X_a]), \qquad X \mapsto \theta^\nu(X)

for tensors and functions to preserve, a distribution to preserve, and one to lie in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from anholonomy.geometry.calculus.fields import lie_bracket, lie_derivative
from anholonomy.geometry.calculus.forms import Form
from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.geometry.expected import expect_list
from anholonomy.geometry.symmetry.preserved import Span, annihilator, as_tensor, components, scalar, spanning
from anholonomy.symbolic.expressions import Vector, dot

__all__ = ["Operator", "conditions"]

Operator: TypeAlias = Callable[[Tensor], Vector]
"""A linear differential operator of first order on fields; its kernel is what is looked for."""


def conditions(
    g: Tensor, potential: Any, preserving: Sequence[Tensor | Form], distribution: Span | None, inside: Span | None
) -> list[Operator]:
    r"""$\mathcal L_X g$ first, then what else was asked for."""
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
