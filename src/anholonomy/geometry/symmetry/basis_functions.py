r"""Functions to build symmetries from, chosen by what occurs in a metric.

.. math:: f = q^\alpha\ \cos^k\!\vartheta\,\sin^l\!\vartheta\ e^{m\eta} \cdots

Powers of coordinates that stand bare, sines and cosines of the angles $\vartheta$ and exponentials of the arguments $\eta$ that
occur. A coordinate the metric does not depend on moves the other symmetries linearly, so its own functions are polynomials,
sines, cosines and exponentials.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, final

import symengine

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.expressions import Expr, Symbol, Vector
from anholonomy.base.deadlines import check

__all__ = ["MAX_FUNCTIONS", "arguments", "automatic_basis"]

MAX_FUNCTIONS = 120
"""More functions than this cost more than they find; the rarest kinds are left out first."""

MANY = 20
"""More factors than occur in a product of sines and cosines, and how far products may outnumber what is kept of them."""

_CIRCULAR = ("sin", "cos", "tan", "cot", "sec", "csc")
_HYPERBOLIC = ("sinh", "cosh", "tanh")
one = symengine.Integer(1)


@final
class _Factor(NamedTuple):
    """A function of one argument, its degree as a polynomial, in sines and cosines, and whether nothing in the metric suggests it."""

    value: Expr
    degree: int = 0
    exotic: int = 0
    turns: int = 0


def automatic_basis(
    metric: Sequence[Sequence[Expr]],
    coordinates: Sequence[Symbol],
    degree: int = 2,
    angles: Iterable[Symbol] | None = None,
) -> Vector:
    """Functions of the coordinates, simple ones first.

    ``angles`` are coordinates of period 2π, of which only sines and cosines are admitted.

    >>> theta, phi = symengine.symbols("theta phi")
    >>> sphere = [[one, 0 * one], [0 * one, symengine.sin(theta) ** 2]]
    >>> functions = automatic_basis(sphere, [theta, phi])
    >>> symengine.sin(theta) * symengine.cos(theta) * symengine.cos(phi) in functions
    True
    >>> x, y = symengine.symbols("x y")
    >>> automatic_basis([[one, 0 * one], [0 * one, one]], [x, y])    # symmetries of a constant metric are affine
    (1, x, y)
    """
    closed = set(angles or ())
    present = {q for row in metric for entry in row for q in entry.free_symbols} & set(coordinates)
    if not present:
        return (one, *(q for q in coordinates if q not in closed))
    for exotic, exponentials, turns in (
        (2, True, MANY),
        (1, True, MANY),
        (1, False, MANY),
        (0, False, MANY),
        (0, False, 2),
        (0, False, 1),
    ):
        factors = list(_families(metric, coordinates, degree, angles, exponentials))
        found = _products(factors, degree, exotic, turns)
        if found is not None and len(found) <= MAX_FUNCTIONS:
            return found
    return found or (one, *(q for q in coordinates if q not in closed))


def _products(families: Sequence[Sequence[_Factor]], degree: int, exotic: int, turns: int) -> Vector | None:
    """The products within the bounds, simple ones first; None where they are far too many."""
    # Family by family: all choices at once are far too many for a dozen coordinates.
    kept = [_Factor(one)]
    for family in families:
        check()
        products = (
            _Factor(left.value * right.value, *(a + b for a, b in zip(left[1:], right[1:], strict=True)))
            for left in kept
            for right in family
            if left.turns + right.turns <= turns
        )
        kept = [each for each in products if each.degree <= degree and each.exotic <= exotic]
        if len(kept) > MANY * MAX_FUNCTIONS:
            return None
    kept.sort(key=lambda each: (each.degree + each.exotic, symengine.count_ops(each.value)))
    return tuple(dict.fromkeys(each.value for each in kept))


def _families(
    metric: Sequence[Sequence[Expr]],
    coordinates: Sequence[Symbol],
    degree: int,
    angles: Iterable[Symbol] | None,
    exponentials: bool,
) -> Iterator[list[_Factor]]:
    """For each argument the functions of it that a product may contain."""
    circular, exponents, bare = arguments(entry for row in metric for entry in row)
    closed = set(angles or ())
    moving = set(coordinates)
    for angle in sorted((a for a in circular if a.free_symbols & moving), key=str):
        c, s = symengine.cos(angle), symengine.sin(angle)
        yield [_Factor(f, turns=n) for f, n in ((one, 0), (c, 1), (s, 1), (c * s, 2), (c**2, 2))]
    for exponent in sorted((a for a in exponents if a.free_symbols & moving), key=str):
        yield [_Factor(symengine.exp(k * exponent)) for k in (0, 1, -1, 2, -2)]
    present = {q for row in metric for entry in row for q in entry.free_symbols}
    for i, q in enumerate(coordinates):
        cyclic = q not in present
        family = [_Factor(one)]
        if q not in closed and (cyclic or q in bare):
            family += [_Factor(q**k, degree=k) for k in range(1, degree + 1)]
        if cyclic and q in closed:
            family += [_Factor(symengine.cos(q)), _Factor(symengine.sin(q))]
        elif cyclic and angles is None and any(entry.free_symbols & moving for entry in metric[i]):
            family += [_Factor(f(q), exotic=1) for f in (symengine.cos, symengine.sin)]
            family += [_Factor(symengine.exp(k * q), exotic=1) for k in (1, -1) if exponentials]
        yield family


def arguments(expressions: Iterable[Expr]) -> tuple[set[Expr], set[Expr], set[Symbol]]:
    """Arguments of sines and of exponentials, and the symbols that stand outside all functions."""
    circular: set[Expr] = set()
    exponents: set[Expr] = set()
    bare: set[Symbol] = set()
    stack = list(expressions)
    while stack:
        node = stack.pop()
        if isinstance(node, symengine.Symbol):
            bare.add(node)
        elif function_name(node) in _CIRCULAR:
            circular.add(node.args[0])
        elif function_name(node) in _HYPERBOLIC:
            exponents.add(node.args[0])
        elif isinstance(node, symengine.Pow) and node.args[0] == symengine.E:
            exponents.add(node.args[1])
        elif isinstance(node, symengine.Add | symengine.Mul | symengine.Pow):
            stack += node.args
    return circular, _primitive(exponents), bare


def _primitive(exponents: set[Expr]) -> set[Expr]:
    """Of arguments that are multiples of one another, the one without a numerical factor."""
    bases = set()
    for exponent in exponents:
        factors = exponent.args if isinstance(exponent, symengine.Mul) else (exponent,)
        bases.add(symengine.Mul(*(f for f in factors if not isinstance(f, symengine.Number))))
    return bases
