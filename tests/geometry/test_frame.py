"""Frames: structure functions of known frames, the law of their transformation, and the Jacobi identity."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import free_symbols, symbol, time
from anholonomy.algebra.numbers.balls import evaluate_balls
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.zero_test import is_zero
from anholonomy.errors import DeclarationError
from anholonomy.geometry.frame import Frame
from anholonomy.language import parse_expression
from tests.wording import blames

x, y, theta, phi, psi = symengine.symbols("x y theta phi psi")
PLANE = ["x", "y", "theta"]
EULER = ["phi", "theta", "psi"]
# Body axes in the angles of Euler (precession, nutation, spin).
BODY = [
    ["sin(psi)/sin(theta)", "cos(psi)", "-sin(psi)*cos(theta)/sin(theta)"],
    ["cos(psi)/sin(theta)", "-sin(psi)", "-cos(psi)*cos(theta)/sin(theta)"],
    ["0", "0", "1"],
]
# The same rotations seen from space: the structure constants change sign.
SPACE = [
    ["-sin(phi)*cos(theta)/sin(theta)", "cos(phi)", "sin(phi)/sin(theta)"],
    ["cos(phi)*cos(theta)/sin(theta)", "sin(phi)", "-cos(phi)/sin(theta)"],
    ["1", "0", "0"],
]


def epsilon(a, b, d):
    return (a - b) * (b - d) * (d - a) // 2


def structure(frame):
    n = range(frame.size)
    return {(a, b, d): frame.structure_abd[a][b][d] for a, b, d in product(n, n, n)}


def assert_equal_at_30_digits(left, right, seed=0):
    """Both sides evaluated at random points; the difference is smaller than 1e-30."""
    left, right = list(left), list(right)
    rng = random.Random(seed)
    for _ in range(3):
        point = random_point(free_symbols(map(symengine.sympify, (*left, *right))), rng, 1)
        values = evaluate_balls([symengine.sympify(l - r) for l, r in zip(left, right, strict=True)], point, 40)
        for value in values:
            assert value.is_finite()
            assert abs(value) < 1e-30


def test_a_chart_has_no_structure():
    chart = Frame.chart([x, y])
    assert chart.is_chart
    assert chart.anchor_ai == ((1, 0), (0, 1))
    assert set(structure(chart).values()) == {0}


def test_the_plane_group():
    """[forward, turn] = -sideways, [sideways, turn] = forward, the translations commute."""
    frame = Frame(PLANE, [["cos(theta)", "sin(theta)", "0"], ["-sin(theta)", "cos(theta)", "0"], ["0", "0", "1"]])
    expected = {(0, 2, 1): -1, (2, 0, 1): 1, (1, 2, 0): 1, (2, 1, 0): -1}
    for index, value in structure(frame).items():
        assert is_zero(value - expected.get(index, 0)), index


@pytest.mark.parametrize(("vectors", "sign"), [(BODY, 1), (SPACE, -1)], ids=["body", "space"])
def test_rotations_have_the_structure_constants_of_so3(vectors, sign):
    frame = Frame(EULER, vectors)
    for index, value in structure(frame).items():
        assert is_zero(value - sign * epsilon(*index)), index


def test_body_axes_commute_with_space_axes():
    body, space = Frame(EULER, BODY), Frame(EULER, SPACE)
    for left, right in product(range(3), range(3)):
        X, Y = (dict(zip(f.coordinates, f.anchor_ai[k], strict=True)) for f, k in ((body, left), (space, right)))
        for q in body.coordinates:
            assert is_zero(along(Y[q], X) - along(X[q], Y))


def test_a_scaled_frame_is_anholonomic():
    """e_1 = f(y) d_x, e_2 = d_y: the bracket is -(f'/f) e_1."""
    frame = Frame(["x", "y"], [["exp(y)*(1 + y^2)", "0"], ["0", "1"]])
    assert is_zero(frame.structure_abd[0][1][0] + 1 + 2 * y / (1 + y**2))
    assert frame.structure_abd[0][1][1] == 0


def test_a_frame_that_turns_in_time():
    """[d_t, e_1] = rate * e_2 for axes that turn at a rate."""
    c, s = symengine.cos(3 * time), symengine.sin(3 * time)
    frame = Frame.chart([x, y]).change(((c, s), (-s, c)))
    expected = ((0, 3), (-3, 0))
    assert all(is_zero(frame.drift_structure_ad[a][d] - expected[a][d]) for a in range(2) for d in range(2))
    assert frame.drift_i == (0, 0)
    assert set(structure(frame).values()) == {0}


def test_a_drift_carries_the_frame():
    """[e_0 + d_t, d_x] = -d(e_0)/dx."""
    chart = Frame.chart([x, y])
    frame = chart.change(chart.anchor_ai, (x * y, time * x))
    assert frame.drift_i == (x * y, time * x)
    assert frame.drift_structure_ad == ((-y, -time), (-x, 0))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_reordered_directions(order):
    """A permutation of a frame permutes its structure constants; it also needs pivoting."""
    body = Frame(EULER, BODY)
    rows = tuple(tuple(symengine.Integer(int(i == k)) for i in range(3)) for k in order)
    changed = body.change(rows)
    for (a, b, d), value in structure(changed).items():
        assert is_zero(value - epsilon(order[a], order[b], order[d]))


@pytest.mark.parametrize("rows", [[["1", "0"]], [["1"], ["0"]], [["1", "0", "0"], ["0", "1", "0"]]])
def test_a_frame_needs_a_square_matrix(rows):
    with blames(DeclarationError):
        Frame(["x", "y"], rows)


# Random changes are triangular up to a permutation, so that quotients stay short.
ENTRIES = st.sampled_from(["0", "1/3", "x/4", "sin(y)/3", "cos(z)/4", "t/5", "x*y/6", "z/5", "exp(x)/9", "y*t/7"])


@st.composite
def changes(draw, size=3):
    upper = [
        [parse_expression(draw(ENTRIES)) if j > i else symengine.Integer(0) for j in range(size)] for i in range(size)
    ]
    for i, entry in enumerate(draw(st.permutations(["1", "2 + sin(y)", "1"][:size]))):
        upper[i][i] = parse_expression(entry)
    return tuple(tuple(upper[i]) for i in draw(st.permutations(range(size))))


def offsets(size=3):
    return st.tuples(*[ENTRIES.map(parse_expression)] * size)


CHART = Frame.chart([symbol(q) for q in "xyz"])


def everything(frame):
    yield from (entry for row in frame.anchor_ai for entry in row)
    yield from frame.drift_i
    yield from (entry for plane in frame.structure_abd for row in plane for entry in row)
    yield from (entry for row in frame.drift_structure_ad for entry in row)


@pytest.mark.exhaustive
@settings(max_examples=10, deadline=None)
@given(first=changes(2), second=changes(2), f=offsets(2), g=offsets(2))
def test_two_changes_are_one(first, second, f, g):
    """B2 after B1 is B2 B1, and the drift g over f is f + g B1."""
    chart, n = Frame.chart([x, y]), range(2)
    two = chart.change(first, f).change(second, g)
    composed = tuple(tuple(sum(second[b][k] * first[k][a] for k in n) for a in n) for b in n)
    offset = tuple(f[a] + sum(g[k] * first[k][a] for k in n) for a in n)
    assert_equal_at_30_digits(everything(two), everything(chart.change(composed, offset)))


@settings(max_examples=10, deadline=None)
@given(rows=changes(), f=offsets())
def test_brackets_of_the_anchors_are_the_structure(rows, f):
    """[e_a, e_b]^i = c_ab^d e_d^i in coordinates, and with the drift."""
    frame = CHART.change(rows, f)
    fields = [frame.direction([int(a == b) for b in range(3)]) for a in range(3)]
    drift = frame.drift_direction([0, 0, 0])
    left, right = [], []
    for a, b in product(range(3), range(3)):
        for i, q in enumerate(frame.coordinates):
            left.append(along(fields[b][q], fields[a]) - along(fields[a][q], fields[b]))
            right.append(sum(frame.structure_abd[a][b][d] * frame.anchor_ai[d][i] for d in range(3)))
    for a in range(3):
        for i, q in enumerate(frame.coordinates):
            left.append(along(fields[a][q], drift) - along(drift[q], fields[a]))
            right.append(sum(frame.drift_structure_ad[a][d] * frame.anchor_ai[d][i] for d in range(3)))
    assert_equal_at_30_digits(left, right)


@settings(max_examples=10, deadline=None)
@given(rows=changes())
def test_jacobi_identity(rows):
    """The cyclic sum of e_a(c_bc^d) + c_bc^f c_af^d vanishes, and c is antisymmetric."""
    frame = CHART.change(rows)
    c = frame.structure_abd
    fields = [frame.direction([int(a == b) for b in range(3)]) for a in range(3)]
    cyclic = []
    for d in range(3):
        total = 0
        for a, b, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            total += along(c[b][k][d], fields[a]) + sum(c[b][k][f] * c[a][f][d] for f in range(3))
        cyclic.append(total)
    assert_equal_at_30_digits(cyclic, [0, 0, 0])
    for a, b, d in product(range(3), repeat=3):
        assert is_zero(c[a][b][d] + c[b][a][d])


def test_a_change_and_its_inverse():
    body = Frame(EULER, BODY)
    matrix = symengine.DenseMatrix(3, 3, [entry for row in body.anchor_ai for entry in row]).inv()
    back = body.change(tuple(tuple(matrix[a, i] for i in range(3)) for a in range(3)))
    assert_equal_at_30_digits(everything(back), everything(Frame.chart(body.coordinates)))


def test_a_disguised_zero_is_no_pivot():
    """The second pivot is 1 - sin^2 - cos^2."""
    one = symengine.sin(x) ** 2 + symengine.cos(x) ** 2
    zero, unit = symengine.Integer(0), symengine.Integer(1)
    z = symbol("z")
    rows = ((unit, one, zero), (unit, unit, z**2 + 1), (zero, unit, zero))
    frame = CHART.change(rows)
    fields = [frame.direction([int(a == b) for b in range(3)]) for a in range(3)]
    q = frame.coordinates[2]
    bracket = along(fields[1][q], fields[0]) - along(fields[0][q], fields[1])
    total = sum(frame.structure_abd[0][1][d] * frame.anchor_ai[d][2] for d in range(3))
    assert_equal_at_30_digits([bracket], [total])


def test_components_as_a_table_for_a_notebook():
    frame = Frame(PLANE, [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"], ["-sin(theta)", "cos(theta)", "0"]])
    html = frame.anholonomy.table()._repr_html_()
    assert html.count("<tr>") == 1 + len(frame.anholonomy.items)
    assert "<td>1</td><td>2</td><td>3</td><td>$1$</td>" in html
