"""Points drawn for decisions on a group lie on it: their logarithm is in the algebra."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import symengine
from scipy.linalg import logm

from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.groups import SO3, MatrixGroup
from anholonomy.geometry.points import nearest

J, ONE = np.array([[0, -1], [1, 0]]), np.eye(2, dtype=int)
SL2 = [np.array(a) for a in ([[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]])]


def unit(i: int, j: int, n: int) -> np.ndarray:
    found = np.zeros((n, n), dtype=int)
    found[i, j] = 1
    return found


def beside(*blocks) -> np.ndarray:
    size = sum(len(block) for block in blocks)
    found, start = np.zeros((size, size), dtype=int), 0
    for block in blocks:
        found[start : start + len(block), start : start + len(block)] = block
        start += len(block)
    return found


def on_squares(A: np.ndarray) -> np.ndarray:
    """What a matrix does to the products of two coordinates."""
    pairs = list(itertools.combinations_with_replacement(range(len(A)), 2))
    found = np.zeros((len(pairs), len(pairs)), dtype=int)
    for column, (i, j) in enumerate(pairs):
        for k in range(len(A)):
            for pair, value in (((k, j), A[k, i]), ((i, k), A[k, j])):
                found[pairs.index(tuple(sorted(pair))), column] += value
    return found


def real(C: np.ndarray) -> np.ndarray:
    return np.block([[C.real, -C.imag], [C.imag, C.real]]).astype(int)


SO = [unit(j, i, 3) - unit(i, j, 3) for i, j in itertools.combinations(range(3), 2)]
SU2 = [real(np.array(c)) for c in ([[1j, 0], [0, -1j]], [[0, 1], [-1, 0]], [[0, 1j], [1j, 0]])]
MOVES = [unit(0, 2, 3), unit(1, 2, 3)]
GROUPS = {
    "so(3) and its squares": [beside(a, on_squares(a)) for a in SO],
    "sl(2) and its squares": [beside(a, on_squares(a)) for a in SL2],
    "so(3) and a scale": [*(beside(a, [[0]]) for a in SO), beside(np.zeros((3, 3)), [[1]])],
    "a screw": [beside(J, [[0, 1], [0, 0]])],
    "two turns": [beside(J, 2 * J)],
    "a screw and a scale": [beside(J, [[0, 1], [0, 0]]), beside(ONE, 0 * ONE)],
    "su(2)": SU2,
    "u(2)": [*SU2, real(1j * np.eye(2))],
    "similarities": [beside(J, [[0]]), beside(ONE, [[0]]), *MOVES],
    "a spiral and moves": [beside(J + 2 * ONE, [[0]]), *MOVES],
    "a torus": [np.diag([1, 2, -3]), np.diag([0, 1, -1])],
    "Galilei": [beside(J, 0 * ONE), *(unit(i, j, 4) for i, j in ((0, 2), (1, 2), (0, 3), (1, 3), (2, 3)))],
    "Jordan": [np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]]), unit(0, 2, 3), unit(1, 2, 3)],
    "half a plane": [unit(0, 0, 2), unit(0, 1, 2)],
    "moves with a turn twice as fast": [beside(J, [[0]], 2 * J), unit(0, 2, 5), unit(1, 2, 5)],
}


def group_of(name: str) -> MatrixGroup:
    return MatrixGroup([matrix.tolist() for matrix in GROUPS[name]])


def number(value) -> float:
    return float(value) if not hasattr(value, "mid") else float(value.mid().str(20, radius=False))


@pytest.mark.parametrize("name", GROUPS)
def test_a_point_has_its_logarithm_in_the_algebra(name):
    group = group_of(name)
    basis = np.array([matrix.ravel() for matrix in GROUPS[name]], dtype=float).T
    for seed in range(4):
        # One factor is near the identity, where the principal logarithm is the one in the algebra.
        point = group.frame.orbit.point(group.coordinates, random.Random(seed), 0, 30)
        # What takes every value may be drawn beyond the reach of a logarithm, and is no matter of the others.
        point = {q: 0 if q.name not in drawn(group) else value for q, value in point.items()}
        found = logm(group.element(np.array([number(point[q]) for q in group.coordinates])))
        weights = np.linalg.lstsq(basis, found.real.ravel(), rcond=None)[0]
        assert abs(basis @ weights - found.ravel()).max() < 1e-10


def drawn(group: MatrixGroup) -> set[str]:
    orbit = group.frame.orbit
    return {q.name for block in (*orbit.blocks, *orbit.loose) for q in block.coordinates}


def test_coordinates_that_a_direction_ties_are_decided_together():
    g = {q.name: q for q in group_of("Jordan").coordinates}
    on = group_of("Jordan").frame.orbit
    assert zero_test(g["g11"] - g["g22"], on) is Verdict.PROVEN
    assert zero_test(g["g11"] - g["g12"], on) is Verdict.REFUTED
    thrice = MatrixGroup([beside(J, 3 * J).tolist()])
    g = {q.name: q for q in thrice.coordinates}
    cosine = 4 * g["g11"] ** 3 - 3 * g["g11"]
    assert zero_test(cosine - g["g33"], thrice.frame.orbit) is Verdict.PROVEN
    assert zero_test(cosine + g["g33"], thrice.frame.orbit) is Verdict.REFUTED


@pytest.mark.parametrize(("name", "entry"), [("so(3) and a scale", "g44"), ("half a plane", "g11")])
def test_an_exponential_is_positive(name, entry):
    group = group_of(name)
    q, on = symengine.Symbol(entry), group.frame.orbit
    assert q not in on.tied
    assert zero_test(symengine.sqrt(q**2) - q, on) is not Verdict.REFUTED
    assert zero_test(symengine.sqrt(q**2) + q, on) is Verdict.REFUTED
    assert all(number(on.point([q], random.Random(k), k, 30)[q]) > 0 for k in range(20))


def test_invariants_that_say_the_same_twice_make_no_chart():
    """Three equations of which two are independent leave a surface, and Cayley's curve may leave the group on it."""
    group = group_of("two turns")
    (block,) = group.frame.orbit.blocks
    twice = type(block)(block.coordinates, block.fields, block.origin, (*block.invariants, 2 * block.invariants[0]))
    assert len(twice.invariants) == len(block.coordinates) - len(block.fields)
    assert twice.chart is None


@pytest.mark.parametrize(
    "group", [SO3(), MatrixGroup([a.tolist() for a in SO]), group_of("su(2)")], ids=["q", "g", "u"]
)
def test_a_rounded_element_is_brought_back_to_the_group(group):
    rng = np.random.default_rng(1)
    (block,) = group.frame.orbit.blocks
    for _ in range(3):
        element = group.exp(rng.normal(size=3))
        place = {
            q: symengine.Rational(*float(v).as_integer_ratio()) for q, v in zip(group.coordinates, element, strict=True)
        }
        found = nearest(block, place)
        assert all(value.xreplace(found) == 0 for value in block.invariants)
        assert max(abs(float(found[q] - place[q])) for q in place) < 1e-13
        first = block.coordinates[0]
        assert nearest(block, place | {first: place[first] + symengine.Rational(1, 10**6)}) is None


def test_a_function_is_written_short():
    on, m = SO3().frame.orbit, symengine.Symbol("m")
    q0, q1, q2, q3 = SO3().coordinates
    square = q0**2 + q1**2 + q2**2 + q3**2
    assert shortened(m * (square - 1) / q1, on) == 0
    assert shortened(m * (square + 1), on) == 2 * m
    assert shortened(square * q1 + (1 - square) * q2, on) == q1
    assert shortened(m * q0, on) == m * q0
    assert shortened(m, on) == m
