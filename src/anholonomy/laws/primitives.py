r"""A function from its derivatives along vector fields, written with logarithms, powers and elementary functions.

.. math:: \varphi = \sum_k \alpha_k \ln P_k + \sum_j \beta_j\,m_j, \qquad
   \sum_k \alpha_k X_a(\ln P_k) + \sum_j \beta_j X_a(m_j) = \theta_a, \qquad e^{\alpha\ln P + \beta} = P^\alpha e^\beta

The $P_k$ are the factors that the $\theta_a$ divide by, and what the caller hints at: multipliers and densities are products of
powers of these, each with the sign for which its powers are real where the system lives. The $m_j$ are products of what occurs. The constants solve linear
equations exactly, and may depend on parameters. In a
chart whose every direction is among the fields, coordinates are integrated one after the other where that finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.constant_relations import constant_relations
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, identity, nodes_of, zero
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_ball
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.deadlines import check
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.potentials import potential

__all__ = ["exponential", "primitive", "primitive_along", "seems_positive", "with_powers"]

MAX_FACTORED = 400
"""Terms of a denominator up to which it is split into its factors."""
SHORT = 100
"""Operations of a factor that is tried before longer ones, and of values that are looked at together at once."""
MAX_TIED = 16
"""Redundant coordinates whose logarithms are tried."""
MAX_LETTERS = 10
"""Functions that are tried as letters of a primitive."""


def primitive(frame: Frame, fields: Sequence[Vector], values: Sequence[Expr]) -> Expr | None:
    r"""A function with $X_a(\varphi) = \theta_a$, proven by differentiation, or None if none was found.

    ``fields`` are rows of components in the frame, ``values`` the $\theta_a$.

    >>> x, y = symengine.symbols("x y")
    >>> one = symengine.Integer(1)
    >>> primitive(Frame(["x", "y"]), [(one, 0 * x), (0 * x, one)], [-x / (1 + x**2), 0 * x])
    (-1/2)*log(1 + x**2)
    >>> primitive(Frame(["x", "y"]), [(one, 0 * x), (0 * x, one)], [y, x])
    x*y
    """
    rates = [frame.direction(row) for row in fields]
    found = primitive_along(frame.coordinates, rates, values, on=frame.orbit)
    if found is not None:
        return found
    found = _one_by_one(frame, fields, values)
    return found if found is not None and _is_primitive(found, rates, values, frame.orbit) else None


def primitive_along(
    coordinates: Sequence[Symbol],
    rates: Sequence[Mapping[Symbol, Expr]],
    values: Sequence[Expr],
    hints: Iterable[Expr] = (),
    on: Orbit | None = None,
) -> Expr | None:
    """The same for fields given by the rates of coordinates along them, time among them where it is one; factors of ``hints`` may occur."""
    if all(value == 0 for value in values):
        return zero
    hints = tuple(hints)
    for ground in dict.fromkeys((on.with_free_parameters if on else None, on)):
        for basis in _bases(values, hints, set(coordinates), ground):
            check()
            for chosen in _fields(values):
                found = _combined(basis, [rates[k] for k in chosen], [values[k] for k in chosen], coordinates, ground)
                if found is not None and _is_primitive(found, rates, values, on):
                    return found
    return None


def _fields(values: Sequence[Expr]) -> Iterator[list[int]]:
    """The fields that the constants are found from: the shortest value may tell them where all are long together."""
    sizes = {k: int(symengine.count_ops(value)) for k, value in enumerate(values) if value != 0}
    if len(sizes) > 1 and sum(sizes.values()) > SHORT:
        yield [min(sizes, key=lambda k: sizes[k])]
    yield list(range(len(values)))


def _is_primitive(
    function: Expr, rates: Sequence[Mapping[Symbol, Expr]], values: Sequence[Expr], on: Orbit | None
) -> bool:
    return are_all_zero((along(function, rate) - value for rate, value in zip(rates, values, strict=True)), on)


def _combined(
    basis: Sequence[Expr],
    rates: Sequence[Mapping[Symbol, Expr]],
    values: Sequence[Expr],
    coordinates: Sequence[Symbol],
    on: Orbit | None,
) -> Expr | None:
    """The combination of the basis that has the values as its rates; constants over functions of the parameters."""
    rows = [[along(f, rate) for rate in rates] for f in basis]
    try:
        relations = constant_relations([*rows, list(values)], coordinates, on)
    except (NoNormalForm, RuntimeError):  # SymEngine refuses to divide by zero
        return None
    for relation in relations:
        if relation[-1] != 0:
            return dot([-c / relation[-1] for c in relation[:-1]], basis)
    return None


def _bases(
    values: Sequence[Expr], hints: Iterable[Expr], moving: set[Symbol], on: Orbit | None
) -> Iterator[list[Expr]]:
    """Logarithms of factors; with products of what occurs; and with all coordinates that take every value."""
    factors = list(dict.fromkeys(_factors([*values, *(1 / hint for hint in hints if hint != 0)], moving)))
    logarithms = [symengine.log(P if seems_positive(P, on) else -P) for P in factors]
    letters = _letters(values, moving)[:MAX_LETTERS]
    linear, square = ([*_products(letters, degree)] for degree in (1, 2))
    seen: list[list[Expr]] = []
    # Constant derivatives are those of coordinates that occur nowhere.
    plain = sorted(moving - (set() if on is None else set(on.tied)), key=str)[:MAX_LETTERS]
    # A long factor makes every normal form long, and is mostly there because something was not cancelled.
    short = [each for each in logarithms if symengine.count_ops(each) <= SHORT]
    bases = [short, logarithms, [*logarithms, *linear], [*logarithms, *square], [*logarithms, *plain]]
    bases.append([*logarithms, *square, *(q for q in plain if q not in letters)])
    if free_symbols(values).isdisjoint(moving):
        # A character of a group is a power of what all elements multiply: $X(\ln g_{11})$ is constant for triangular matrices.
        entries = sorted((on.tied if on is not None else ()) or moving, key=str)[:MAX_TIED]
        bases.append([*plain, *logarithms, *map(symengine.log, entries)])
    for basis in bases:
        if basis and basis not in seen:
            seen.append(basis)
            yield basis


def _factors(expressions: Sequence[Expr], moving: set[Symbol]) -> Iterator[Expr]:
    """The factors of denominators, and the sines and cosines in the expressions."""
    for expression in expressions:
        try:
            forms = Canonical([expression])
            value = forms.quotient(expression)
        except NoNormalForm:
            continue
        ring = forms.ring
        if not value.den.is_constant() and len(value.den) <= MAX_FACTORED:
            written = (ring.expanded(factor) for factor, _ in value.den.factor()[1])
            yield from (factor for factor in written if factor.free_symbols & moving)
        for generator in ring.meaning:
            if isinstance(generator, symengine.sin | symengine.cos) and generator.free_symbols & moving:
                yield generator


def _letters(values: Sequence[Expr], moving: set[Symbol]) -> list[Expr]:
    """Coordinates and elementary functions of them that occur."""
    found: dict[Expr, None] = dict.fromkeys(sorted(free_symbols(values) & moving, key=str))
    for value in values:
        check()
        nodes = [node for node in nodes_of(value, symengine.Function, symengine.Pow) if _is_elementary(node)]
        nodes = sorted((node for node in nodes if node.free_symbols & moving), key=str)
        for node in nodes:
            if isinstance(node, symengine.Pow):
                continue
            if isinstance(node, symengine.sin | symengine.cos | symengine.tan):
                found |= {symengine.sin(node.args[0]): None, symengine.cos(node.args[0]): None}
            else:
                found[node] = None
        found |= {node: None for node in nodes if isinstance(node, symengine.Pow)}
    return list(found)


def _is_elementary(node: Expr) -> bool:
    """True for functions and exponentials, but for no other power."""
    return not isinstance(node, symengine.Pow) or node.args[0] == symengine.E


def _products(letters: Sequence[Expr], degree: int) -> Iterator[Expr]:
    for count in range(1, degree + 1):
        for chosen in combinations_with_replacement(letters, count):
            yield symengine.Mul(*chosen)


def _one_by_one(frame: Frame, fields: Sequence[Vector], values: Sequence[Expr]) -> Expr | None:
    """Rational functions, one coordinate after the other, where the fields are the directions of a chart.

    For others SymPy may look for hours, and nobody can stop it.
    """
    if not frame.is_chart or tuple(map(tuple, fields)) != identity(frame.size):
        return None
    moving = set(frame.coordinates)
    functions = [node for value in values for node in nodes_of(value, symengine.Function, symengine.Pow)]
    wild = [node for node in functions if node.free_symbols & moving and not _is_whole_power(node)]
    return None if wild else potential(frame.coordinates, values)


def _is_whole_power(node: Expr) -> bool:
    return isinstance(node, symengine.Pow) and isinstance(node.args[1], symengine.Integer)


def seems_positive(factor: Expr, on: Orbit | None) -> bool:
    """True if a factor is positive where positive numbers stand for all its letters, so that powers of it are real there."""
    names = sorted(factor.free_symbols, key=str)
    point: dict[Symbol, Any] = {s: Fraction(k + 3, 2 * k + 11) for k, s in enumerate(names)}
    if on is not None and on.confines([factor]):
        drawn = on.point(names, Random(0), 0, FEW_DIGITS)
        point |= {s: drawn[s] for s in (*on.tied, *on.known) if s in point}
    try:
        return not evaluate_ball(factor, point, FEW_DIGITS) < 0
    except (ValueError, OverflowError):
        return True


def exponential(exponent: Expr) -> Expr:
    r"""$e^\varphi$ as a product of powers.

    >>> x, k = symengine.symbols("x k")
    >>> exponential(k * symengine.log(1 + x**2))
    (1 + x**2)**k
    """
    total = symengine.expand(exponent)
    powers: dict[Expr, Expr] = {}
    rest = []
    for term in total.args if isinstance(total, symengine.Add) else (total,):
        factors = term.args if isinstance(term, symengine.Mul) else (term,)
        found = [factor for factor in factors if isinstance(factor, symengine.log)]
        if len(found) == 1:
            (logarithm,) = found
            weight = symengine.Mul(*(factor for factor in factors if factor is not logarithm))
            base = logarithm.args[0]
            powers[base] = powers.get(base, symengine.Integer(0)) + weight
        else:
            rest.append(term)
    powers = _with_sines({base: simplify(weight) for base, weight in powers.items()})
    return symengine.Mul(*(base**weight for base, weight in powers.items())) * symengine.exp(symengine.Add(*rest))


def _with_sines(powers: dict[Expr, Expr]) -> dict[Expr, Expr]:
    r"""$(1 - \cos a)^w(1 + \cos a)^w = (\sin a)^{2w}$, of either sign."""
    found = dict(powers)
    for base in powers:
        for node in nodes_of(base, symengine.cos):
            weight = found.get(1 - node)
            if weight is not None and found.get(1 + node) == weight:
                sine = symengine.sin(node.args[0])
                del found[1 - node], found[1 + node]
                found[sine] = found.get(sine, symengine.Integer(0)) + 2 * weight
    return found


def with_powers(expression: Expr) -> Expr:
    """The expression with its exponentials of logarithms written as powers."""
    found = {
        node: exponential(node.args[1])
        for node in nodes_of(expression, symengine.Pow)
        if node.args[0] == symengine.E and node.args[1].atoms(symengine.log)
    }
    return expression.xreplace(found) if found else expression
