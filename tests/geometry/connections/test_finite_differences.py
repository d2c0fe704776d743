"""Every coefficient and component against differences at 50 digits, by code that shares nothing with the library.

The reference works in coordinates with numbers only: Christoffel symbols from central differences of the metric,
curvature from differences of those, and the frame enters at the end, by its definition.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mpmath as mp
import pytest

from anholonomy.algebra.numbers.balls import evaluate_balls
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import (
    coordinate,
    energy_preserving,
    levi_civita,
    nonholonomic,
    weitzenbock,
)
from anholonomy.geometry.metric import Metric

N = range(3)
POINT = (Fraction(3, 10), Fraction(-7, 10), Fraction(11, 10))
FRAME = Frame(["x", "y", "z"], [["1", "0", "x*z"], ["y", "1 + z^2", "0"], ["sin(y)", "-x", "2"]])
METRIC = Metric(Frame(["x", "y", "z"]), [["2 + y^2", "0", "1/3"], ["0", "exp(x)", "0"], ["1/3", "0", "1 + x^2"]])
SPAN = [["1", "0", "0"], ["0", "1", "0"]]  # the first two fields of the frame
PLAIN = Frame(["x", "y", "z"], [["1", "0", "0"], ["x", "1", "0"], ["0", "sin(y)", "1"]])
WORKING, STEP = 120, mp.mpf(10) ** -22


def anchor(q):
    x, y, z = q
    return mp.matrix([[1, 0, x * z], [y, 1 + z**2, 0], [mp.sin(y), -x, 2]])


def plain_anchor(q):
    x, y, _ = q
    return mp.matrix([[1, 0, 0], [x, 1, 0], [0, mp.sin(y), 1]])


def metric(q):
    x, y, _ = q
    return mp.matrix([[2 + y**2, 0, mp.mpf(1) / 3], [0, mp.exp(x), 0], [mp.mpf(1) / 3, 0, 1 + x**2]])


def partial(f, q, i):
    """A central difference of order six: its error is h^6, 1e-132 here, where rounding leaves 1e-98."""
    shifted = lambda k: f([value + (k * STEP if j == i else 0) for j, value in enumerate(q)])
    return (45 * (shifted(1) - shifted(-1)) - 9 * (shifted(2) - shifted(-2)) + (shifted(3) - shifted(-3))) / (60 * STEP)


def christoffel(q):
    """A list of matrices: entry i is Γ^i_jk."""
    inverse, dg = metric(q) ** -1, [partial(metric, q, i) for i in N]
    value = lambda i, j, k: sum(inverse[i, l] * (dg[j][k, l] + dg[k][j, l] - dg[l][j, k]) for l in N) / 2
    return [mp.matrix([[value(i, j, k) for k in N] for j in N]) for i in N]


def projector(q):
    """The g-orthogonal projector onto the first two fields, P^i_j."""
    S = anchor(q)[:2, :]
    return S.T * (S * metric(q) * S.T) ** -1 * S * metric(q)


def connection_in_frame(gamma, q):
    """Γ^a_bc from θ^a(e_b^j ∂_j e_c^i + Γ^i_jk e_b^j e_c^k)."""
    E, de = anchor(q), [partial(anchor, q, j) for j in N]
    coframe = E**-1  # row i, column a
    G = gamma(q)

    def value(a, b, c):
        fields = (
            sum(E[b, j] * de[j][c, i] for j in N) + sum(G[i][j, k] * E[b, j] * E[c, k] for j in N for k in N) for i in N
        )
        return sum(coframe[i, a] * component for i, component in enumerate(fields))

    return {index: value(*index) for index in product(N, repeat=3)}


def riemann_in_frame(q):
    """θ^a(R(e_c, e_d)e_b), from R^i_jkl = ∂_kΓ^i_lj − ∂_lΓ^i_kj + ΓΓ − ΓΓ."""
    G = christoffel(q)
    d = [[partial(lambda p, i=i: christoffel(p)[i], q, k) for k in N] for i in N]

    def coordinate(i, j, k, l):
        return d[i][k][l, j] - d[i][l][k, j] + sum(G[i][k, m] * G[m][l, j] - G[i][l, m] * G[m][k, j] for m in N)

    R = {index: coordinate(*index) for index in product(N, repeat=4)}
    E = plain_anchor(q)
    coframe = E**-1

    def value(a, b, c, dd):
        return sum(
            coframe[i, a] * E[b, j] * E[c, k] * E[dd, l] * value for (i, j, k, l), value in R.items() if value != 0
        )

    return {index: value(*index) for index in product(N, repeat=4)}


def nonholonomic_coefficients(q):
    """Γ + ∇Q with Q = 1 − P, in coordinates."""
    G, P = christoffel(q), projector(q)
    dP = [partial(projector, q, j) for j in N]

    def value(i, j, k):
        nabla = dP[j][i, k] + sum(G[i][j, m] * P[m, k] - G[m][j, k] * P[i, m] for m in N)
        return G[i][j, k] - nabla

    return [mp.matrix([[value(i, j, k) for k in N] for j in N]) for i in N]


def energy_preserving_coefficients(q):
    """P∇P + Q∇Q applied to coordinate fields."""
    G, P = christoffel(q), projector(q)
    Q = mp.eye(3) - P
    dP = [partial(projector, q, j) for j in N]

    def value(i, j, k):
        total = mp.mpf(0)
        for M, dM in ((P, dP[j]), (Q, -dP[j])):
            moved = [dM[m, k] + sum(G[m][j, n] * M[n, k] for n in N) for m in N]
            total += sum(M[i, m] * moved[m] for m in N)
        return total

    return [mp.matrix([[value(i, j, k) for k in N] for j in N]) for i in N]


def flat(q):
    return [mp.zeros(3, 3) for _ in N]


def numbers(items):
    """The library's expressions at the point, to 60 digits."""
    items = list(items)
    values = dict(zip(FRAME.coordinates, POINT, strict=True))
    balls = evaluate_balls([value for _, value in items], values, 60)
    return {index: mp.mpf(each.mid().str(60, radius=False)) for (index, _), each in zip(items, balls, strict=True)}


def assert_equal_to_50_digits(items, reference, least):
    found = numbers(items)
    assert len(found) >= least
    for index, expected in reference.items():
        assert abs(found.get(index, 0) - expected) < mp.mpf(10) ** -50 * max(1, abs(expected)), index


KINDS = {
    "Levi-Civita": (lambda: levi_civita(METRIC.in_frame(FRAME)), christoffel, 27),
    "nonholonomic": (lambda: nonholonomic(METRIC.in_frame(FRAME), SPAN), nonholonomic_coefficients, 20),
    "energy preserving": (lambda: energy_preserving(METRIC.in_frame(FRAME), SPAN), energy_preserving_coefficients, 10),
    "coordinate": (lambda: coordinate(FRAME), flat, 20),
}


@pytest.mark.exhaustive_for("energy preserving", "nonholonomic")
@pytest.mark.parametrize(("make", "gamma", "least"), KINDS.values(), ids=KINDS.keys())
def test_coefficients(make, gamma, least):
    with mp.workdps(WORKING):
        q = [mp.mpf(v.numerator) / v.denominator for v in POINT]
        assert_equal_to_50_digits(make().coefficients.items, connection_in_frame(gamma, q), least)


def test_weitzenbock_in_coordinates():
    """(1.4.2): W^i_jk = e_a^i ∂_j E^a_k."""
    with mp.workdps(WORKING):
        q = [mp.mpf(v.numerator) / v.denominator for v in POINT]
        E = anchor(q)
        dE = [partial(lambda p: anchor(p) ** -1, q, j) for j in N]  # row k, column a
        expected = {(i, j, k): sum(E[a, i] * dE[j][k, a] for a in N) for i, j, k in product(N, repeat=3)}
        seen = weitzenbock(FRAME).in_frame(METRIC.frame)
        assert_equal_to_50_digits(seen.coefficients.items, expected, 15)


@pytest.mark.exhaustive
def test_curvature_of_levi_civita_in_the_frame():
    with mp.workdps(WORKING):
        q = [mp.mpf(v.numerator) / v.denominator for v in POINT]
        curvature = levi_civita(METRIC.in_frame(PLAIN)).curvature
        assert_equal_to_50_digits(curvature.items, riemann_in_frame(q), 30)
