r"""A Lagrangian without what is the rate of a function of the configuration, which changes no motion.

.. math:: L = L' + \frac{d}{dt}F(q), \qquad \frac{\partial L}{\partial\dot q^i}\Big|_{\dot q = 0} = A_i(q), \qquad \partial_jA_i = \partial_iA_j
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import symengine

from anholonomy.algebra.calculus import gradient, has_corner, partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, time, zero
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.system.model import Model

__all__ = ["without_total_derivatives"]

_LONG = 2_000
"""Operations from which on a Lagrangian stays as it is."""


@lru_cache(maxsize=64)
def without_total_derivatives(model: Model) -> Model:
    """The same motions from a Lagrangian that lacks closed linear terms; the model itself where there are none.

    >>> import anholonomy as ah
    >>> system = ah.System(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2 + sin(y)*x' + x*cos(y)*y' + exp(x)*x'")
    >>> without_total_derivatives(system.model).lagrangian
    (1/2)*x'**2 + (1/2)*y'**2
    """
    w = model.velocities
    if model.momenta_a is not None or not model.frame.is_chart or symengine.count_ops(model.lagrangian) > _LONG:
        return model
    if has_corner(model.lagrangian):
        return model
    try:
        own = tuple(zero if is_zero(each) else each for each in _at_rest(model.lagrangian, w))
        dropped = _closed(own, model.coordinates)
        return (
            model.replaced(lagrangian=_less(model.lagrangian, dropped, w))
            if any(each != 0 for each in dropped)
            else model
        )
    except RuntimeError:  # SymEngine refuses to divide by zero
        return model


def _closed(own: Vector, q: Sequence[Symbol]) -> Vector:
    """The whole one-form if it is closed, and otherwise those terms of it that depend on their own coordinate alone."""
    if not free_symbols(own) & {time} and are_all_zero(
        partial(own[i], q[j]) - partial(own[j], q[i]) for i in range(len(q)) for j in range(i)
    ):
        return own
    others = ({*q, time} - {s} for s in q)
    return tuple(
        symengine.Add(*(term for term in _terms(value) if term.free_symbols.isdisjoint(strange)))
        for value, strange in zip(own, others, strict=True)
    )


def _less(lagrangian: Expr, dropped: Vector, w: Sequence[Symbol]) -> Expr:
    """The difference; terms without a linear part stay as they were written."""
    kept: list[Expr] = []
    linear: list[Expr] = []
    for term in _terms(lagrangian):
        (linear if any(each != 0 for each in _at_rest(term, w)) else kept).append(term)
    left = symengine.expand(symengine.Add(*linear) - dot(dropped, w))
    return symengine.Add(*kept, *(() if are_all_zero([left]) else (left,)))


def _at_rest(value: Expr, w: Sequence[Symbol]) -> Vector:
    return tuple(slope.xreplace(dict.fromkeys(w, zero)) for slope in gradient(value, w))


def _terms(value: Expr) -> Sequence[Expr]:
    return value.args if isinstance(value, symengine.Add) else (value,)
