r"""Constant linear relations between functions, exactly.

.. math:: \sum_u c_u\, F_{u,e}(q) = 0 \quad\text{for all } q \text{ and } e

The functions are brought to polynomials in independent generators over one denominator for each $e$; the coefficients
of the monomials in $q$ are linear equations for the constants $c_u$, over the rationals or over rational functions of
the parameters. A relation between generators that is missed loses solutions, never adds one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import flint
import symengine

from anholonomy.algebra.elimination import kernel_of_echelon
from anholonomy.algebra.expressions import Expr, Symbol, Vector, zero
from anholonomy.algebra.linear_algebra.symbolic import nullspace, row_echelon
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Quotient, Ring
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.residues.linear_algebra import PRIMES, modular_kernel, rational
from anholonomy.base.deadlines import check

__all__ = ["coefficient_rows", "constant_factor", "constant_relations", "independent_functions"]

Rows: TypeAlias = list[dict[int, Polynomial]]
"""Linear equations: by column, a polynomial in the parameters."""


def constant_relations(
    functions: Sequence[Sequence[Expr]], coordinates: Iterable[Symbol], on: Orbit | None = None
) -> list[Vector]:
    r"""A basis of the constant vectors $c$ with $\sum_u c_u F_{u,e} = 0$, on a group where one is given.

    Constants may depend on parameters.

    Late functions are the free ones, so each vector has its last entry in a column of its own. Raises `NoNormalForm`
    where the functions outgrow the bounds of normal forms.

    >>> x, a = symengine.symbols("x a")
    >>> s, c = symengine.sin(x), symengine.cos(x)
    >>> ((sine, one, cosine, linear),) = constant_relations([[s**2], [a], [c**2], [x]], [x])
    >>> sine / one, cosine / one, linear
    (-a, -a, 0)
    """
    width, moving = len(functions), set(coordinates)
    if on is not None and on.touches(entry for each in functions for entry in each):
        functions, moving = _in_parameters(functions, on), moving | set(on.parameters)
    ring, rows, parameters = coefficient_rows(functions, moving)
    columns = _not_forced_to_zero(rows, width)
    place = {column: k for k, column in enumerate(columns)}
    kept = [{place[u]: p for u, p in row.items() if u in place} for row in rows]
    kept = [row for row in kept if row]
    found = _kernel(ring, kept, len(columns), parameters)
    return [tuple(vector[place[u]] if u in place else zero for u in range(width)) for vector in found]


def _in_parameters(functions: Sequence[Sequence[Expr]], on: Orbit) -> list[list[Expr]]:
    """Functions on a group as functions of its parameters."""
    chart = on.chart
    if chart is None:
        raise NoNormalForm
    return [[entry.xreplace(chart) for entry in each] for each in functions]


def independent_functions(
    functions: Sequence[Sequence[Expr]], coordinates: Iterable[Symbol], on: Orbit | None = None
) -> tuple[int, ...]:
    """Which of the lists form a basis of their span over the constants, early ones preferred.

    >>> x = symengine.Symbol("x")
    >>> independent_functions([[x, 0], [2 * x, 0], [0, x]], [x])
    (0, 2)
    """
    lists = [[zero + entry for entry in each] for each in functions]
    relations = constant_relations(lists, coordinates, on)
    dependent = {max(u for u, c in enumerate(vector) if c != 0) for vector in relations}
    return tuple(u for u in range(len(lists)) if u not in dependent)


def constant_factor(functions: Sequence[Expr], coordinates: Iterable[Symbol]) -> Expr:
    """The largest factor without coordinates that all the functions share, negative where the first one leads with a minus.

    >>> x, y, a = symengine.symbols("x y a")
    >>> constant_factor([-2 * a * x, 4 * a**2 * y + 6 * a], [x, y])
    -2*a
    """
    ring, rows, _ = coefficient_rows([[entry] for entry in functions], set(coordinates), shared=False)
    entries = [p for u in range(len(functions)) for row in rows for v, p in row.items() if v == u]
    if not entries:
        return symengine.Integer(1)
    common, scale = entries[0], flint.fmpq(0)
    for entry in entries:
        common = common.gcd(entry)
        for q in entry.coeffs():
            scale = flint.fmpq(flint.fmpz.gcd(scale.p * q.q, q.p * scale.q), scale.q * q.q)
    sign = -1 if entries[0].leading_coefficient() < 0 else 1
    return sign * ring.expanded(common / common.leading_coefficient() * scale)


def coefficient_rows(
    functions: Sequence[Sequence[Expr]], coordinates: set[Symbol], shared: bool = True
) -> tuple[Ring, Rows, list[int]]:
    """The coefficients of every monomial in the coordinates, and the generators that are parameters.

    Numerators over a shared denominator may be added; unshared, each is over its own.
    """
    forms = Canonical([entry for each in functions for entry in each])
    raw = [[forms.quotient(entry) if entry != 0 else None for entry in each] for each in functions]
    ring = forms.ring
    moving = [bool(meaning.free_symbols & coordinates) for meaning in ring.meaning]
    rows: dict[tuple[int, tuple[int, ...]], dict[int, dict[tuple[int, ...], Any]]] = {}
    for e in range(len(functions[0]) if functions else 0):
        values = {u: ring.lifted(value) for u, each in enumerate(raw) if (value := each[e]) is not None}
        above = _over_one_denominator(ring, values) if shared else {u: value.num for u, value in values.items()}
        for u, polynomial in above.items():
            for exponents, coefficient in polynomial.to_dict().items():
                key = tuple(n if moves else 0 for n, moves in zip(exponents, moving, strict=True))
                rest = tuple(0 if moves else n for n, moves in zip(exponents, moving, strict=True))
                rows.setdefault((e, key), {}).setdefault(u, {})[rest] = coefficient
    parameters = [i for i, moves in enumerate(moving) if not moves]
    polynomials = [{u: ring.context.from_dict(terms) for u, terms in row.items()} for row in rows.values()]
    return ring, polynomials, parameters


def _over_one_denominator(ring: Ring, values: Mapping[int, Quotient]) -> dict[int, Polynomial]:
    common, seen = ring.context.constant(1), set()
    for value in values.values():
        if str(value.den) not in seen:
            seen.add(str(value.den))
            common = common * (value.den / common.gcd(value.den))
    factors: dict[str, Polynomial] = {}
    result = {}
    for u, value in values.items():
        factor = factors.setdefault(str(value.den), common / value.den)
        numerator = ring.times(value.num, factor)
        if not numerator.is_zero():
            result[u] = numerator
    return result


def _not_forced_to_zero(rows: Rows, width: int) -> list[int]:
    """Columns left when every equation with a single unknown has put that unknown to zero."""
    dead: set[int] = set()
    waiting = [set(row) for row in rows]
    while single := {next(iter(left)) for row in waiting if len(left := row - dead) == 1}:
        dead |= single
    return [u for u in range(width) if u not in dead]


def _kernel(ring: Ring, rows: Rows, width: int, parameters: Sequence[int]) -> list[Vector]:
    if any(i in ring.relations or not isinstance(ring.meaning[i], symengine.Symbol) for i in parameters):
        # Constants such as sqrt(2) obey relations of their own; numbers cannot stand in for them.
        return _symbolic_kernel(_written(ring, rows, range(width)), width)
    for prime in PRIMES:
        found = _verified_kernel(ring, rows, width, parameters, prime)
        if found is not None:
            return [_without_denominators(vector) for vector in found]
    raise NoNormalForm


def _verified_kernel(ring: Ring, rows: Rows, width: int, parameters: Sequence[int], prime: int) -> list[Vector] | None:
    """The kernel read off modulo a prime at two choices of parameters, proven afterwards; None where the prime misleads.

    Modulo a prime the rank can only be smaller, so that vectors which are proven to be annihilated are all there are.
    """
    rng = random.Random(prime)
    values = [[rng.randrange(2, prime) for _ in ring.meaning] for _ in range(2 if parameters else 1)]
    samples = [modular_kernel(rows, width, each, prime) for each in values]
    if len(samples[0]) != len(samples[-1]):
        return None
    vectors = []
    for first, last in zip(samples[0], samples[-1], strict=True):
        check()
        constants = [rational(value, prime) for value in first] if first == last else [None]
        if any(q is None for q in constants) or not _annihilate(ring, rows, constants):
            found = _with_parameters(ring, rows, [u for u, q in enumerate(first) if q != 0], width)
            if found is None:
                return None
            vectors.append(found)
        else:
            vectors.append(tuple(symengine.Rational(q.numerator, q.denominator) for q in constants if q is not None))
    return vectors


def _annihilate(ring: Ring, rows: Rows, constants: Sequence[Fraction | None]) -> bool:
    weights = {u: flint.fmpq(q.numerator, q.denominator) for u, q in enumerate(constants) if q}
    zeros = (sum((weights[u] * p for u, p in row.items() if u in weights), ring.context.constant(0)) for row in rows)
    return all(total.is_zero() for total in zeros)


def _with_parameters(ring: Ring, rows: Rows, support: Sequence[int], width: int) -> Vector | None:
    """The one kernel vector on a support that has a single free column, over functions of the parameters."""
    place = {u: k for k, u in enumerate(support)}
    kept = [{place[u]: p for u, p in row.items() if u in place} for row in rows]
    found = nullspace(_written(ring, [row for row in kept if row], range(len(support))))
    if len(found) != 1:
        return None
    (vector,) = found
    return tuple(vector[place[u]] if u in place else zero for u in range(width))


def _written(ring: Ring, rows: Rows, columns: Iterable[int]) -> list[Vector]:
    wanted = list(columns)
    return list(dict.fromkeys(tuple(ring.expanded(row[u]) if u in row else zero for u in wanted) for row in rows))


def _symbolic_kernel(matrix: Sequence[Vector], width: int) -> list[Vector]:
    reduced, pivots = row_echelon(matrix)
    rows = {u: [entry / row[u] for entry in row] for row, u in zip(reduced, pivots, strict=False)}
    return [tuple(vector) for vector in kernel_of_echelon(rows, width, symengine.Integer(1))]


def _without_denominators(vector: Vector) -> Vector:
    """Integers instead of fractions, the first one positive."""
    scale = lcm(*(int(entry.q) for entry in vector if isinstance(entry, symengine.Rational)))
    first = next((entry for entry in vector if entry != 0), zero)
    sign = -1 if isinstance(first, symengine.Rational) and first < 0 else 1
    return tuple(entry * scale * sign for entry in vector)
