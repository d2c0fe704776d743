r"""The kernel of differential operators among fields whose coefficients are constants over a basis of functions.

.. math:: P\Bigl(\sum_u c_u f_u W_u\Bigr) = \sum_u c_u\,\bigl(f_u\, A_u + \partial_j f_u\, B_u{}^j\bigr) = 0

is linear in the constants $c_u$, and its null space is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import symengine

from anholonomy.geometry.calculus.fields import lie_bracket
from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.geometry.frames.frame import Frame
from anholonomy.geometry.symmetry.conditions import Operator
from anholonomy.geometry.symmetry.preserved import components
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.display.simplify import simplify, simplify_vector
from anholonomy.symbolic.expressions import Expr, Vector, dot, symbol, zero
from anholonomy.symbolic.matrices.constant_relations import constant_factor, constant_relations, independent_functions
from anholonomy.symbolic.matrices.linear import inverse
from anholonomy.symbolic.normal_forms.denominators import has_poles
from anholonomy.symbolic.patience import check

__all__ = ["MAX_UNKNOWNS", "closed", "directions", "in_terms_of", "is_redundant", "parts", "solutions"]

MAX_COORDINATES = 25
"""Up to this many coordinates the right-invariant fields of a group are written out; they need the inverse of an element."""
MAX_UNKNOWNS = 340
"""On a group, the number of functions times directions up to which the equations are solved: some seconds."""

one = symengine.Integer(1)
_HERE = symbol("_here")


def solutions(g: Tensor, functions: Vector, operators: Sequence[Operator]) -> list[Tensor]:
    """Fields in the kernel of all operators, independent over the constants."""
    coordinates, on = g.frame.coordinates, g.frame.orbit
    gradients = [gradient(f, coordinates) for f in functions]
    columns, candidates = [], []
    right = _right_invariant(g.frame)
    for W in [*directions(g), *(right if _leads_further(g.frame, right, functions) else ())]:
        value, symbols = parts(W, operators)
        for f, slopes in zip(functions, gradients, strict=True):
            check()
            columns.append([f * A + dot(slopes, B) for A, B in zip(value, symbols, strict=True)])
            candidates.append((f, W))
    # Functions of one weight for all directions together, indices up before indices down.
    size, n = len(functions), g.frame.size
    order = sorted(range(len(columns)), key=lambda u: (u // size // n, u % size, u))
    order += range(len(columns), len(columns) + len(right))
    columns += [[entry for P in operators for entry in P(W)] for W in right]
    candidates += [(one, W) for W in right]
    basis = [order[k] for k in independent_functions([_scaled(*candidates[u]) for u in order], coordinates, on)]
    # The last columns are the free ones; with the simplest there, solutions are simple.
    relations = constant_relations([columns[u] for u in reversed(basis)], coordinates, on)
    return [
        _combination(g, [(c, *candidates[u]) for c, u in zip(constants, reversed(basis), strict=True) if c != 0])
        for constants in reversed(relations)
    ]


def _scaled(f: Expr, W: Tensor) -> Vector:
    return tuple(f * value for value in components(W))


def parts(W: Tensor, operators: Sequence[Operator]) -> tuple[Vector, list[Vector]]:
    r"""$A$ and $B^j$ with $P(fW) = f A + \partial_j f\, B^j$, read off from $f = 1$ and $f = q^j - c$ where $c = q^j$."""
    value = tuple(entry for P in operators for entry in P(W))
    slopes = []
    for q in W.frame.coordinates:
        # At c = q the function q - c vanishes, and what is left of the operator is its symbol.
        moved = (entry for P in operators for entry in P((q - _HERE) * W))
        slopes.append([entry.xreplace({_HERE: q}) for entry in moved])
    return value, [tuple(each) for each in zip(*slopes, strict=True)]


def _right_invariant(frame: Frame) -> list[Tensor]:
    """The right-invariant fields of a group."""
    if frame.right_invariant is None or len(frame.coordinates) > MAX_COORDINATES:
        return []
    return [Tensor.of(frame, "u", {(a,): entry for a, entry in enumerate(row)}, "X") for row in frame.right_invariant()]


def _leads_further(frame: Frame, right: Sequence[Tensor], functions: Vector) -> bool:
    """Whether right-invariant fields deserve functions in front: those that are polynomials are in reach without."""
    if is_redundant(frame) and 2 * len(functions) * frame.size > MAX_UNKNOWNS:
        return False
    return any(has_poles(value, frame.coordinates) for W in right for value in components(W))


def directions(g: Tensor) -> list[Tensor]:
    r"""$e_a$, and $g^{ab} e_b$ unless the inverse metric is constant: a field may be simple with its index up or down."""
    frame, n = g.frame, range(g.frame.size)
    upper = [Tensor.of(frame, "u", {(a,): 1}, "X") for a in n]
    rows = inverse([[g[a, b] for b in n] for a in n])
    if not any(entry.free_symbols & set(frame.coordinates) for row in rows for entry in row):
        return upper
    return upper + [Tensor.of(frame, "u", {(b,): entry for b, entry in enumerate(row)}, "X") for row in rows]


def _combination(g: Tensor, terms: Iterable[tuple[Expr, Expr, Tensor]]) -> Tensor:
    total: dict[int, Expr] = {}
    for c, f, W in terms:
        for (a,), value in W.items:
            total[a] = total.get(a, zero) + c * f * value
    factor = constant_factor([total[a] for a in sorted(total)], g.frame.coordinates)
    return Tensor.of(g.frame, "u", {(a,): simplify(value / factor) for a, value in total.items()}, "X")


def closed(fields: list[Tensor]) -> list[Tensor]:
    """The fields with their brackets, until nothing new appears.

    Isometries of an n-dimensional metric form an algebra of at most n(n+1)/2 dimensions, so this ends.
    """
    known = list(fields)
    for a, X in enumerate(known):
        for Y in known[:a]:
            bracket = lie_bracket(X, Y)
            if bracket.items and in_terms_of(bracket, known) is None:
                known.append(bracket.simplified())
    return known


def in_terms_of(X: Tensor, fields: Sequence[Tensor]) -> Vector | None:
    """The constants that combine the fields into X, or None."""
    vectors = [components(each) for each in (*fields, X)]
    relations = constant_relations(vectors, X.frame.coordinates, X.frame.orbit)
    relation = next((each for each in relations if each[-1] != 0), None)
    if relation is None:
        return None
    return simplify_vector(-c / relation[-1] for c in relation[:-1])


def is_redundant(frame: Frame) -> bool:
    """Whether coordinates of a group are tied to each other."""
    return frame.orbit is not None and bool(frame.orbit.tied)
