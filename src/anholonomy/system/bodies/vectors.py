r"""Vectors of three expressions, and how a user's text becomes one.

.. math:: (a \times b)_1 = a_2b_3 - a_3b_2 \text{ and cyclic}, \qquad
   Q(a, \theta) = \cos\theta\,1 + \sin\theta\,[a]_\times + (1 - \cos\theta)\,a a^{\mathsf T}
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, matrix_vector, zero
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.language.arguments import expression, is_list
from anholonomy.system.units.quantities import is_quantity, value_in

__all__ = [
    "AXES", "ORIGIN", "add", "axis_number", "cross", "number", "positive", "product", "rotation", "scaled", "scalar", "size",
    "transposed", "unit", "vector",
]  # fmt: skip

_one = symengine.Integer(1)
ORIGIN: Vector = (zero, zero, zero)
AXES: Matrix = ((_one, zero, zero), (zero, _one, zero), (zero, zero, _one))
"""The unit vectors, which are also the unit matrix."""


def scalar(given: Any, what: str, *units: str) -> Expr:
    """One expression from text, a number or a SymPy expression, or from a quantity of one of these units.

    >>> scalar("2*m", "the mass", "kg"), scalar("500 g", "the mass", "kg"), scalar("30 deg", "the slope", "")
    (2*m, 1/2, (1/6)*pi)
    """
    if units and is_quantity(given):
        given = value_in(given, what, units)
    return expression(given, what)


def number(value: Expr) -> float | None:
    """The value of an expression without symbols; None where it has some, or none that is real."""
    if value.free_symbols:
        return None
    try:
        return float(value)
    except (RuntimeError, TypeError, ValueError):
        return None


def positive(given: Any, what: str, *units: str) -> Expr:
    """An expression that, where it is a number, is positive."""
    value = scalar(given, what, *units)
    if (known := number(value)) is not None and known <= 0:
        raise DeclarationError(f"{what} is {given}; give a positive one.")
    return value


def size(given: Any, what: str, *units: str) -> Expr:
    """An expression that, where it is a number, is not negative."""
    value = scalar(given, what, *units)
    if (known := number(value)) is not None and known < 0:
        raise DeclarationError(f"{what} is {given}; give one that is not negative.")
    return value


def vector(given: Any, what: str, *units: str) -> Vector:
    """Three expressions from a list of three."""
    if not is_list(given) or len(given) != 3:
        raise DeclarationError(f"{what} is {quoted(given)}; give a list of three components.")
    return tuple(scalar(entry, what, *units) for entry in given)


def axis_number(given: Any, what: str) -> int:
    """An axis by its number."""
    if not isinstance(given, Integral) or given not in (1, 2, 3):
        raise DeclarationError(f"{what} has axis={quoted(given)}; say 1, 2 or 3.")
    return int(given)


def unit(given: Any, what: str) -> Vector:
    """A direction of length one."""
    a = vector(given, what)
    square = dot(a, a)
    if zero_test(square) is Verdict.PROVEN:
        raise DeclarationError(f"{what} is zero; give a direction.")
    return a if zero_test(square - 1) is Verdict.PROVEN else tuple(entry / symengine.sqrt(square) for entry in a)


def add(*vectors: Vector) -> Vector:
    """The sum."""
    return tuple(symengine.Add(*entries) for entries in zip(*vectors, strict=True))


def scaled(factor: Expr, a: Vector) -> Vector:
    r"""$\lambda a$."""
    return tuple(factor * entry for entry in a)


def cross(a: Vector, b: Vector) -> Vector:
    r"""$a \times b$."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def transposed(matrix: Matrix) -> Matrix:
    """Rows and columns exchanged."""
    return tuple(zip(*matrix, strict=True))


def product(left: Matrix, right: Matrix) -> Matrix:
    """The matrix product."""
    columns = transposed(right)
    return tuple(matrix_vector(columns, row) for row in left)


def rotation(axis: Vector, angle: Expr) -> Matrix:
    r"""$Q(a, \theta)$ about a unit vector: column by column, $Q e_k$."""
    c, s = symengine.cos(angle), symengine.sin(angle)
    columns = (
        add(scaled(c, e), scaled(s, cross(axis, e)), scaled((1 - c) * a, axis)) for a, e in zip(axis, AXES, strict=True)
    )
    return transposed(tuple(columns))
