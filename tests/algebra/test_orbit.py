"""Zero on a group: proven by its parametrisation, refuted by a point of it, never decided beside it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import symengine

from anholonomy.algebra.linear_algebra.symbolic import independent_rows_on, kernel_on
from anholonomy.algebra.zero_test import witness, zero_test
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.groups import SL2R, SO3, SO21, AbstractGroup, MatrixGroup, as_group

GROUPS = [SO3(), SL2R(), SO21(), as_group("SE3"), SO3() * SL2R("b_")]


def random_polynomial(group: AbstractGroup, rng: random.Random, terms: int = 4) -> symengine.Basic:
    symbols = (*group.coordinates, symengine.Symbol("m"))
    return symengine.Add(
        *(rng.randint(-5, 5) * symengine.Mul(*rng.choices(symbols, k=rng.randint(0, 2))) for _ in range(terms))
    )


def at(expression: symengine.Basic, point: dict) -> Fraction:
    values = {q: symengine.Rational(v.numerator, v.denominator) for q, v in point.items()}
    return Fraction(str(symengine.expand(expression.xreplace(values))))


@pytest.mark.parametrize("group", GROUPS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_the_ideal_of_the_invariants_is_zero_and_nothing_else(group, seed):
    rng = random.Random(seed)
    invariants = list(group.invariants.values())
    member = symengine.Add(*(random_polynomial(group, rng) * value for value in invariants))
    assert zero_test(member, group.frame.orbit) is Verdict.PROVEN
    outside = member + rng.choice(group.coordinates) - 7
    assert zero_test(outside, group.frame.orbit) is Verdict.REFUTED
    point = witness(outside, group.frame.orbit)
    assert at(outside, point) != 0
    assert all(at(value, point) == 0 for value in invariants if value.free_symbols <= set(point))


def test_a_witness_lies_on_the_part_of_the_identity():
    """det g = 1 follows from g^T b g = b on that part alone: the ideal of the forms does not contain it."""
    group = SO21()
    determinant = symengine.DenseMatrix([list(row) for row in group.matrix]).det()
    assert zero_test(determinant - 1, group.frame.orbit) is Verdict.PROVEN
    assert zero_test(determinant + 1, group.frame.orbit) is Verdict.REFUTED
    rng, last = random.Random(3), group.matrix[2][2]
    points = [group.frame.orbit.point(group.coordinates, rng, attempt, 30) for attempt in range(40)]
    assert all(point[last] >= 1 for point in points)  # elsewhere it is at most -1


def test_roots_signs_and_denominators():
    q0, q1, q2, q3 = SO3().coordinates
    on, square = SO3().frame.orbit, q0**2 + q1**2 + q2**2 + q3**2
    assert zero_test(symengine.sqrt(square) - 1, on) is Verdict.PROVEN
    assert zero_test(symengine.sqrt(q0**2) - q0, on) is Verdict.REFUTED  # the far half of the sphere is reached
    assert zero_test(symengine.sin(q0) ** 2 + symengine.cos(q0) ** 2 - square, on) is Verdict.PROVEN
    assert zero_test((q0 - q1) / (square - 1), on) is Verdict.UNKNOWN  # defined nowhere on the group
    assert zero_test((square - 1) / q0, on) is Verdict.PROVEN


def test_a_group_without_a_rational_parametrisation_by_cayley():
    """diag(a, a^2) preserves no form, and Cayley's map leaves it; what its relation determines makes a chart."""
    group = MatrixGroup([[[1, 0], [0, 2]]])
    a, b = group.coordinates
    on = group.frame.orbit
    assert on.blocks[0].by_cayley is None
    (free,) = on.parameters
    assert on.chart == {a: 1 + free, b: (1 + free) ** 2}
    assert zero_test(b - a**2, on) is Verdict.PROVEN
    assert zero_test(symengine.Symbol("m") * (b**2 - a**4) / (1 + a), on) is Verdict.PROVEN
    assert zero_test(b - a**3, on) is Verdict.REFUTED
    point = witness(b - a**3, on)
    assert abs(point[b] - point[a] ** 2) < Fraction(1, 10**15)


def test_coordinates_that_are_free_have_no_orbit():
    for name in ("SE2", "Heisenberg", "R(x, y)"):
        assert as_group(name).frame.orbit is None
    assert {q.name for q in as_group("SE3").frame.orbit.tied} == {"q0", "q1", "q2", "q3"}


def test_the_rank_is_that_on_the_group():
    R, on = SO3().matrix, SO3().frame.orbit
    one, o = symengine.Integer(1), symengine.Integer(0)
    rows = [*R[:2], [R[0][1] * R[1][2] - R[0][2] * R[1][1], o, o], R[2]]
    assert independent_rows_on(rows, on) == (0, 1, 2)
    # R R^T - 1 vanishes on the group and nowhere else: the kernel is everything.
    gram = [[symengine.Add(*(x * y for x, y in zip(a, b, strict=True))) for b in R] for a in R]
    kernel = kernel_on([[gram[i][j] - (one if i == j else o) for j in range(3)] for i in range(3)], on)
    assert len(kernel.vectors) == 3
    assert kernel.proven
