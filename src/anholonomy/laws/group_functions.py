r"""Functions on a group in the names of the group, such as entries of the rotation matrix.

.. math:: f(q_0, q_1, q_2, q_3) = a + b^i\gamma_i + c^{ij}\gamma_i\gamma_j, \qquad \gamma = (R_{31}, R_{32}, R_{33})

The constants are found by linear algebra on the group; a polynomial in no such row or column stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

import symengine

from anholonomy.algebra.constant_relations import constant_relations
from anholonomy.algebra.expressions import Expr, Symbol, dot, nodes_of
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.redundant_coordinates import without_square
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry.frame import Frame
from anholonomy.laws.primitives import seems_positive

__all__ = ["in_names", "logarithm_in_names", "logarithms_in_names", "reduced_in_names"]

_SHORT, _LONG = 2, 3_000
"""Operations below which nothing is gained, and above which nothing is tried."""


@lru_cache(maxsize=256)
def in_names(value: Expr, frame: Frame) -> Expr:
    r"""The polynomial as one of degree two in a row or a column of named functions, where it is; itself otherwise.

    >>> from anholonomy.geometry.groups import SO3
    >>> frame, (q0, q1, q2, q3) = SO3().frame, SO3().coordinates
    >>> in_names(5 + (1 - 2 * q1**2 - 2 * q2**2) * (2 * q1 * q3 - 2 * q0 * q2), frame)
    5 + R33*R31
    """
    on = frame.orbit
    size = int(symengine.count_ops(value))
    if on is None or not frame.named or not _SHORT < size < _LONG or value.free_symbols.isdisjoint(on.tied):
        return value
    if any(
        not isinstance(node.args[1], symengine.Integer) or node.args[1] < 0 for node in nodes_of(value, symengine.Pow)
    ):
        return value  # no polynomial
    for names in _families(frame):
        monomials = [symengine.Integer(1), *names, *(a * b for a, b in combinations_with_replacement(names, 2))]
        # The last square follows from the others, whose sum is 1, so it is left out of what is looked for.
        written = [m.xreplace(dict(frame.named)) for m in monomials]
        try:
            relations = constant_relations(
                [*([w] for w in written[:-1]), [value]], frame.coordinates, on.with_free_parameters
            )
        except (NoNormalForm, RuntimeError):
            continue
        for relation in relations:
            if relation[-1] != 0:
                return simplify(dot([-c / relation[-1] for c in relation[:-1]], monomials[:-1]))
    return value


def reduced_in_names(value: Expr, frame: Frame) -> Expr:
    """A function of names of which the squares of a row add up to one, with the square of that one eliminated that makes it shortest."""
    for family in _families(frame):
        square = symengine.Add(*(s**2 for s in family)) - 1
        if value.free_symbols.isdisjoint(family) or not is_zero(frame.in_coordinates(square), frame.orbit):
            continue
        return min((simplify(without_square(value, s, s**2 - square)) for s in family), key=symengine.count_ops)
    return value


def logarithms_in_names(value: Expr, frame: Frame) -> Expr:
    """The same with the arguments of its logarithms in names."""
    return value.xreplace(
        {node: symengine.log(in_names(node.args[0], frame)) for node in nodes_of(value, symengine.log)}
    )


def logarithm_in_names(value: Expr, frame: Frame) -> Expr:
    """The logarithm of a positive function on a group as a sum over its factors, each in names; where nothing is gained, as it is."""
    if not frame.named or value.free_symbols.isdisjoint((*frame.coordinates, *frame.named)):
        return symengine.log(value)
    try:
        forms = Canonical([value])
        num, den = forms.quotient(value)
    except NoNormalForm:
        return symengine.log(value)
    terms = []
    for polynomial, sign in ((num, 1), (den, -1)):
        unit, factors = polynomial.factor()
        # The function is positive, so that minus signs come in pairs.
        terms.append(sign * symengine.log(symengine.Rational(abs(int(unit.p)), int(unit.q))))
        for factor, power in factors:
            written = frame.in_coordinates(forms.ring.expanded(factor))
            positive = seems_positive(written, frame.orbit)
            terms.append(sign * int(power) * symengine.log(in_names(written if positive else -written, frame)))
    return symengine.Add(*terms)


def _families(frame: Frame) -> Iterator[tuple[Symbol, ...]]:
    """Names that differ in their last, or in their last but one, character: the rows and columns of a matrix."""
    for cut in (-1, -2):
        families: dict[str, list[Symbol]] = {}
        for s in frame.named:
            key = s.name[:cut] + s.name[cut + 1 :] if cut == -2 else s.name[:cut]
            families.setdefault(key, []).append(s)
        yield from (tuple(family) for _, family in sorted(families.items(), reverse=True) if len(family) > 1)
