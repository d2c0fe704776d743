r"""The display pass: the shortest of a few forms that are proven equal.

Nothing else in the toolkit simplifies; expressions are computed with as they come and made short only for
people. The normal form is written in the base angles that leave it the fewest terms, such as differences of
headings; the candidates are its rewritings (`anholonomy.algebra.simplification.polynomials`, `anholonomy.algebra.simplification.sums`).
The winner has the fewest operations and is proven equal to the input before it is returned. If nothing shorter
is proven, the input comes back, with $\sin^2 + \cos^2 = 1$ applied where the two stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

import symengine

from anholonomy.algebra.expressions import Expr, Vector, as_expression, symbol, zero
from anholonomy.algebra.normal_forms.angles import Terms, angle_terms, occurring_bases
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Quotient
from anholonomy.algebra.piecewise import CORNERS, corner_name, corners
from anholonomy.algebra.simplification.polynomials import (
    Splitter,
    doubled,
    fractions_of,
    is_even,
    length,
    presentations,
    tangents,
)
from anholonomy.algebra.simplification.sums import signed, with_factors_outside, with_unit_circles
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import check

__all__ = ["PAGE", "READABLE", "SEARCHED", "is_readable", "readable", "simplify", "simplify_vector"]


MAX_OPERATIONS = 5_000
"""Operations and"""
MAX_SYMBOLS = 200
"""symbols beyond which an expression stays as it is."""
MAX_ANGLE_TERMS = 60
"""Terms up to which sums of angles, and doubled ones, are looked for."""
MAX_ANGLES = 4
"""Angles up to which their sums are looked for."""
MAX_WORK = 200_000
"""Term products a candidate may cost; a few hundredths of a second."""

Written: TypeAlias = tuple[Canonical, Quotient]
"""Generators, and an expression in them."""


def simplify(expression: Expr) -> Expr:
    """A short expression proven equal to the given one, never longer by count of operations.

    >>> x, y, a = symengine.symbols("x y a")
    >>> simplify(a * symengine.sin(x) ** 2 + a * symengine.cos(x) ** 2)
    a
    >>> simplify((1 - symengine.cos(x) ** 2) / symengine.sin(x))
    sin(x)
    >>> simplify(symengine.sin(x) * symengine.cos(y) + symengine.cos(x) * symengine.sin(y))
    sin(x + y)
    """
    return _inside_corners(as_expression(expression))


def _inside_corners(expression: Expr) -> Expr:
    """What jumps stays as it is, its arguments simplified: x/abs(x) is no number where sign(x) is 0."""
    jumping = [node for node in corners(expression) if corner_name(node) not in ("abs", "atan2")]
    if not jumping:
        return _simplified(expression)
    if is_zero(expression):
        return zero
    jumps = {node: symbol(f"_jump{k}") for k, node in enumerate(jumping)}
    outside = _simplified(expression.xreplace(jumps))
    met = {
        mark: CORNERS[str(corner_name(node))](*map(simplify, node.args))
        for node, mark in jumps.items()
        if mark in outside.free_symbols
    }
    return outside.xreplace(met)


@lru_cache(maxsize=4096)
def _simplified(given: Expr) -> Expr:
    check()
    expression = with_unit_circles(given)
    small = 1 < _operations(expression) <= MAX_OPERATIONS and len(expression.free_symbols) <= MAX_SYMBOLS
    if not small or _is_plain_product(expression):
        return expression
    candidates = dict.fromkeys(map(signed, _candidates(_inside_out(expression))))
    for candidate in sorted(candidates, key=length):
        if length(candidate) >= length(expression):
            break
        if is_zero(candidate - expression):
            return candidate
    return expression


def simplify_vector(expressions: Iterable[Expr]) -> Vector:
    """Each expression simplified.

    >>> x = symengine.Symbol("x")
    >>> simplify_vector([x + x * symengine.tan(x) ** 2, 2 * x - x])
    (x/cos(x)**2, x)
    """
    return tuple(simplify(expression) for expression in expressions)


def _operations(expression: Expr) -> int:
    return int(symengine.count_ops(expression))


def _is_plain_product(expression: Expr) -> bool:
    """A product of powers of different symbols and of sines and cosines of different angles: as short as it gets."""
    if not isinstance(expression, symengine.Mul):
        return False
    angles: set[Expr] = set()
    for factor in expression.args:
        base = factor.args[0] if isinstance(factor, symengine.Pow) else factor
        if isinstance(base, symengine.Symbol | symengine.Integer | symengine.Rational):
            continue
        if not isinstance(base, symengine.sin | symengine.cos) or factor is not base:
            return False
        (angle,) = base.args
        if {angle, -angle} & angles or angle.atoms(symengine.Function):
            return False
        if angle != symengine.expand(angle) or angle_terms(angle).keys() <= {symengine.pi}:
            return False
        angles.add(angle)
    return True


def _inside_out(expression: Expr) -> Expr:
    """The expression with the arguments of its functions and the radicands of its roots simplified."""
    if not expression.args or isinstance(expression, symengine.Derivative | symengine.Subs):
        return expression
    if isinstance(expression, symengine.Add | symengine.Mul):
        return expression.func(*map(_inside_out, expression.args))
    if isinstance(expression, symengine.Pow):
        base, exponent = expression.args
        if isinstance(exponent, symengine.Integer):
            return _inside_out(base) ** exponent
        return (base if base == symengine.E else simplify(base)) ** simplify(exponent)
    return expression.func(*map(simplify, expression.args))


def _candidates(expression: Expr) -> Iterator[Expr]:
    yield expression
    yield with_factors_outside(expression)
    try:
        for forms, value in _in_good_angles(expression):
            yield from _shapes(forms, value)
    except NoNormalForm:
        return


def _in_good_angles(expression: Expr) -> Iterator[Written]:
    """The normal form in the base angles that leave fewest terms, and in the usual ones where it is small too."""
    usual = _written(expression)
    best = usual
    occurring = occurring_bases(expression)
    if occurring and (found := _try(expression, occurring)) and _terms(found) < _terms(best):
        best = found
    while (other := _improved(best)) is not None:
        best = other
    yield best
    if best is not usual and _terms(usual) <= 2 * _terms(best):
        yield usual


def _improved(written: Written) -> Written | None:
    """The same with one base angle exchanged, where that leaves fewer terms."""
    forms, value = written
    used = [base for base, pair in zip(forms.angles.bases, forms.pairs, strict=True) if _uses(value, pair)]
    # An angle such as atan(tan(x)) needs the base angles inside it first, so it is no place to start from.
    plain = not any(term.atoms(symengine.Function) for base in used for term in base)
    if not (plain and 2 <= len(used) <= MAX_ANGLES and 1 < _terms(written) - 1 <= MAX_ANGLE_TERMS):
        return None
    expression = forms.ring.expression(value)
    others = [found for bases in _other_bases(used) if (found := _try(expression, bases)) is not None]
    best = min(others, key=_terms, default=written)
    return best if _terms(best) < _terms(written) else None


def _uses(value: Quotient, pair: tuple[Quotient, Quotient]) -> bool:
    wanted = [i for part in pair for i, d in enumerate(part.num.degrees()) if d]
    degrees = [part.degrees() for part in value]
    return any(d[i] for d in degrees for i in wanted)


def _written(expression: Expr, bases: Sequence[Terms] = ()) -> Written:
    forms = Canonical([expression], work=MAX_WORK, angles=bases)
    return forms, forms.quotient(expression)


def _try(expression: Expr, bases: Sequence[Terms]) -> Written | None:
    try:
        return _written(expression, bases)
    except NoNormalForm:
        return None


def _terms(written: Written) -> int:
    return len(written[1].num) + len(written[1].den)


def _shapes(forms: Canonical, value: Quotient) -> Iterator[Expr]:
    """Every presentation of the numerator over the shortest of the denominator, tangents apart."""
    ring, pairs = forms.ring, forms.radicals.pairs
    plain = list(fractions_of(ring, value, pairs))
    quotients = [ring.lifted(quotient) for quotient in (*plain, *_double_angles(forms, value))]
    splitter = Splitter(ring, pairs)
    for place, quotient in enumerate(quotients):
        if quotient in quotients[:place]:
            continue
        tangent, (num, den) = tangents(ring, quotient, pairs)
        below = min(presentations(ring, den, pairs), key=length)
        for above in presentations(ring, num, pairs):
            yield tangent * above / below
        if place < len(plain):
            yield tangent * splitter.shortest(num) / below


def _double_angles(forms: Canonical, value: Quotient) -> Iterator[Quotient]:
    for cosine, sine in list(forms.radicals.pairs.items()):
        if max(len(value.num), len(value.den)) <= MAX_ANGLE_TERMS and is_even(value, cosine, sine):
            angle = forms.ring.meaning[cosine].args[0]
            double = forms.new_pair(2 * angle)
            yield doubled(forms.ring, value, (cosine, sine), double)


def _other_bases(bases: Sequence[Terms]) -> Iterator[Sequence[Terms]]:
    """One base angle replaced by its sum with another or its difference from it."""
    for i, j in combinations(range(len(bases)), 2):
        for sign in (1, -1):
            terms = bases[i].keys() | bases[j].keys()
            sums = {t: bases[i].get(t, Fraction(0)) + sign * bases[j].get(t, Fraction(0)) for t in terms}
            combined = {t: q for t, q in sums.items() if q}
            yield [*bases[:i], combined, *bases[i + 1 :]]


# Short forms for people: what is of readable size is made short, what is longer stays as it is.


READABLE = 400
"""Operations of an expression up to which people read it, and a short form is found in a fraction of a second."""
PAGE = 1_400
"""Operations of all the equations of a system together, definitions written out, for which the same holds."""
SEARCHED = 6_000
"""Operations, definitions written out, beyond which no short form is looked for: that would take more than a second or so."""


def is_readable(expressions: Iterable[Expr]) -> bool:
    """Whether expressions together are of readable size."""
    every = list(expressions)
    return not every or int(symengine.count_ops(*every)) <= READABLE


def readable(expression: Expr) -> Expr:
    """The short form of an expression that people read; another as it is.

    >>> x = symengine.Symbol("x")
    >>> readable(symengine.sin(x) ** 2 + symengine.cos(x) ** 2)
    1
    """
    return simplify(expression) if is_readable([expression]) else expression
