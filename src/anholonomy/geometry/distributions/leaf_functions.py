r"""Functions constant along fields, from sums of elementary functions with unknown constants.

.. math:: F = \sum_k c_k\,\varphi_k(q), \qquad \sum_k c_k\, X_a(\varphi_k) = 0

The $\varphi_k$ are products of the coordinates and of the sines, cosines, exponentials, roots and logarithms that occur
in the fields; coordinates that occur in a denominator also come with negative powers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

import symengine

from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.arithmetic import FUNCTIONS, function_name
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Matrix, dot
from anholonomy.symbolic.matrices.constant_relations import constant_relations
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm

__all__ = ["ansatz_functions"]

MAX_FUNCTIONS = 240
"""Unknowns up to which the equations of leaves are solved within a second or so."""


def ansatz_functions(frame: Frame, forms: Matrix, vectors: Matrix, degree: int, rich: bool = False) -> list[Expr]:
    """Solutions among the products of at most ``degree`` factors, shortest first; ``rich`` adds functions that do not occur.

    >>> y, one = symengine.Symbol("y"), symengine.Integer(1)
    >>> ansatz_functions(Frame(["x", "y"]), ((one, -2 * y),), ((2 * y, one),), 2)
    [x - y**2]
    """
    basis = list(dict.fromkeys(_products(_letters(frame, forms, vectors, degree, rich), degree)))
    if not basis or len(basis) > MAX_FUNCTIONS:
        return []
    rates = [frame.direction(X) for X in vectors]
    try:
        relations = constant_relations(
            [[along(f, rate) for rate in rates] for f in basis], frame.coordinates, frame.orbit
        )
    except NoNormalForm:
        return []
    return sorted((dot(c, basis) for c in relations), key=lambda F: int(symengine.count_ops(F)))


def _letters(frame: Frame, forms: Matrix, vectors: Matrix, degree: int, rich: bool) -> list[Expr]:
    """The coordinates and the functions of them that occur; from degree 2 on inverses and logarithms as well."""
    moving = set(frame.coordinates)
    letters: dict[Expr, None] = dict.fromkeys(frame.coordinates)
    for row in (*forms, *vectors):
        for entry in row:
            for node in _nodes(entry):
                if not node.free_symbols & moving:
                    continue
                if isinstance(node, symengine.sin | symengine.cos):
                    angle = node.args[0]
                    letters |= {symengine.sin(angle): None, symengine.cos(angle): None}
                elif isinstance(node, symengine.tan):
                    angle = node.args[0]
                    letters |= {symengine.sin(angle): None, symengine.cos(angle): None, 1 / symengine.cos(angle): None}
                elif _is_letter(node):
                    letters[node] = None
                    if isinstance(node, symengine.Pow) and node.args[0] == symengine.E:
                        letters[1 / node] = None
    tied = frame.orbit.tied if frame.orbit else ()
    for q in frame.coordinates:
        if q in tied:
            continue  # functions on a group are polynomials of its redundant coordinates
        if rich:
            letters |= dict.fromkeys((symengine.sin(q), symengine.cos(q), symengine.exp(q), symengine.exp(-q)))
        elif degree > 1:
            letters |= {1 / q: None, symengine.log(q): None}
    return list(letters)


def _is_letter(node: Expr) -> bool:
    if isinstance(node, symengine.Pow):
        base, exponent = node.args
        return base == symengine.E or (
            isinstance(exponent, symengine.Rational) and not isinstance(exponent, symengine.Integer)
        )
    return isinstance(node, symengine.Function) and function_name(node) in FUNCTIONS


def _nodes(expression: Expr) -> Iterator[Expr]:
    yield expression
    for argument in expression.args:
        yield from _nodes(argument)


def _products(letters: Sequence[Expr], degree: int) -> Iterator[Expr]:
    for size in range(1, degree + 1):
        for chosen in combinations_with_replacement(letters, size):
            product = symengine.Mul(*chosen)
            if product.free_symbols:
                yield product
