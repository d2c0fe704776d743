"""Coframes, anholonomy in two ways and against finite differences, and the frames made from frames."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest
import symengine
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.errors import DeclarationError
from anholonomy.geometry import Frame
from anholonomy.geometry.tensor import Tensor
from anholonomy.geometry.vector_fields import lie_bracket, vector_field
from anholonomy.language import parse_expression
from tests.wording import blames

FRAMES = {
    "Heisenberg": (["x", "y", "z"], [["1", "0", "-y/2"], ["0", "1", "x/2"], ["0", "0", "1"]]),
    "SE(2)": (["x", "y", "a"], [["cos(a)", "sin(a)", "0"], ["-sin(a)", "cos(a)", "0"], ["0", "0", "1"]]),
    "SO(3), body axes": (
        ["f", "n", "s"],
        [
            ["sin(s)/sin(n)", "cos(s)", "-sin(s)*cos(n)/sin(n)"],
            ["cos(s)/sin(n)", "-sin(s)", "-cos(s)*cos(n)/sin(n)"],
            ["0", "0", "1"],
        ],
    ),
    "no symmetry": (["x", "y", "z"], [["1", "0", "0"], ["x*z", "1 + z^2", "0"], ["sin(y)", "-x", "2"]]),
    "the frame of the issue": (["x", "y", "z"], [["1", "0", "0"], ["0", "1", "-x"], ["0", "x", "1"]]),
    "square roots": (["x", "y"], [["sqrt(1 + y^2)", "x/y"], ["exp(x)", "-log(2 + x^2)"]]),
    "four directions": (
        ["x", "y", "a", "b"],
        [
            ["cos(a)", "sin(a)", "tan(b)", "0"],
            ["0", "0", "0", "1"],
            ["y", "0", "1", "x"],
            ["0", "exp(x)", "0", "b"],
        ],
    ),
    "moving": (["t", "x", "y"], [["1", "y*t", "0"], ["0", "cos(t)", "sin(t)"], ["0", "-sin(t)", "cos(t)"]]),
}
every_frame = pytest.mark.parametrize(("names", "vectors"), FRAMES.values(), ids=FRAMES.keys())
POINT = ["0.37", "0.81", "0.53", "-0.29"]


def in_mpmath(names, expressions):
    """Functions of the coordinates in mpmath, by SymPy: an arithmetic that is not ours."""
    symbols = [sympy.Symbol(name) for name in names]
    return [sympy.lambdify(symbols, sympy.sympify(str(e)), "mpmath") for e in expressions]


@every_frame
def test_structure_against_finite_differences_at_50_digits(names, vectors):
    n = len(names)
    frame = Frame(names, vectors)
    field = [in_mpmath(names, map(parse_expression, row)) for row in vectors]
    with mpmath.workdps(50):
        q, h = [mpmath.mpf(value) for value in POINT[:n]], mpmath.mpf(10) ** -16
        A = mpmath.matrix([[f(*q) for f in row] for row in field])

        def slope(f, i):
            ahead, behind = ([c + s * h * (i == k) for k, c in enumerate(q)] for s in (1, -1))
            return (f(*ahead) - f(*behind)) / (2 * h)

        dA = [[[slope(f, i) for i in range(n)] for f in row] for row in field]
        for a, b in product(range(n), range(n)):
            bracket = [mpmath.fsum(A[a, i] * dA[b][j][i] - A[b, i] * dA[a][j][i] for i in range(n)) for j in range(n)]
            expected = mpmath.lu_solve(A.T, mpmath.matrix(bracket))
            found = [f(*q) for f in in_mpmath(names, frame.structure_abd[a][b])]
            assert max(abs(found[d] - expected[d]) for d in range(n)) < 1e-28


@pytest.mark.exhaustive_for("four directions")
@every_frame
def test_coframe_and_structure_from_it(names, vectors):
    frame = Frame(names, vectors)
    assert frame.dual_check().verdict is Verdict.PROVEN
    assert (frame.structure - frame.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN
    assert (frame.structure + frame.anholonomy).is_zero().verdict is Verdict.PROVEN
    fields = [vector_field(frame, [int(a == b) for b in range(frame.size)]) for a in range(frame.size)]
    for (a, theta), (b, field) in product(enumerate(frame.coframe), enumerate(fields)):
        assert is_zero(theta(field) - int(a == b))
    a, b = fields[0], fields[1]
    assert all(is_zero(lie_bracket(a, b)[d] - frame.structure[0, 1, d]) for d in range(frame.size))


CONSTANTS = {
    "Heisenberg": {(0, 1, 2): 1},
    "SE(2)": {(0, 2, 1): -1, (1, 2, 0): 1},
    "SO(3), body axes": {(0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1},
}


@pytest.mark.parametrize(("name", "constants"), CONSTANTS.items(), ids=CONSTANTS.keys())
def test_known_structure_constants(name, constants):
    frame = Frame(*FRAMES[name])
    expected = constants | {(b, a, d): -c for (a, b, d), c in constants.items()}
    for found in (frame.structure, frame.structure_from_coframe()):
        assert (found - Tensor.of(frame, "ddu", expected)).is_zero().verdict is Verdict.PROVEN


ENTRIES = st.sampled_from(["0", "0", "1", "x", "y", "sin(x)", "x*y", "-2", "exp(y)"])


@settings(max_examples=12, deadline=None)
@given(lower=st.tuples(ENTRIES, ENTRIES, ENTRIES), upper=st.tuples(ENTRIES, ENTRIES, ENTRIES))
def test_the_two_ways_agree_on_random_frames(lower, upper):
    (a, b, c), (d, e, f) = (tuple(map(parse_expression, part)) for part in (lower, upper))
    first = Frame(["x", "y", "z"], [[1, d, e], [0, 1, f], [0, 0, 1]])
    one, nil = symengine.Integer(1), symengine.Integer(0)
    frame = first.change(((one, nil, nil), (a, one, nil), (b, c, one)))
    assert frame.dual_check().verdict is Verdict.PROVEN
    assert (frame.structure - frame.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN


def test_a_root_with_its_own_structure():
    """Quaternion rates: the anchor is not square, and both ways use the constants of the root."""
    w, x, y, z = q = symengine.symbols("w x y z")
    half = symengine.Rational(1, 2)
    anchor = tuple(tuple(half * e for e in row) for row in ((-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w)))
    epsilon = tuple(
        tuple(tuple(symengine.Integer((a - b) * (b - d) * (d - a) // 2) for d in range(3)) for b in range(3))
        for a in range(3)
    )
    body = Frame.with_structure(q, anchor, epsilon, ["1", "2", "3"])
    changed = body.change(((w, x, symengine.Integer(0)), (x, -w, y), (symengine.Integer(0), z, symengine.Integer(1))))
    for frame in (body, changed):
        assert frame.dual_check().verdict is Verdict.PROVEN
        assert (frame.structure - frame.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN


def test_time_among_the_coordinates():
    """On Q × R the brackets with e_0 + ∂_t are those the frame on Q keeps as structure of its drift."""
    vectors, drift = [["cos(t)", "sin(t)*x"], ["-sin(t)", "2 + y^2"]], ["y*t", "x"]
    moving = Frame(["x", "y"], vectors, drift)
    whole = Frame(["t", "x", "y"], [["1", *drift], *(["0", *row] for row in vectors)])
    for a, d in product(range(2), range(2)):
        assert is_zero(whole.structure[0, a + 1, d + 1] - moving.drift_structure_ad[a][d])
        assert is_zero(whole.structure[1, 2, d + 1] - moving.structure[0, 1, d])
        assert whole.structure[0, a + 1, 0] == 0
    assert str(whole.coframe[0]) == "dt"


@pytest.mark.parametrize("name", ["SE(2)", "no symmetry", "moving"])
@pytest.mark.parametrize("factor", ["exp(x)*(2 + y^2)", "f(x, y)"])
def test_rescaled(name, factor):
    names, vectors = FRAMES[name]
    frame = Frame(names, vectors)
    scaled = frame.rescaled(factor, functions=["f"])
    f, n = parse_expression(factor, functions=["f"]), range(3)
    assert scaled.dual_check().verdict is Verdict.PROVEN
    for a, b, d in product(n, n, n):
        turned = (scaled.derivative(a, f) * int(b == d) - scaled.derivative(b, f) * int(a == d)) / f
        assert is_zero(scaled.structure[a, b, d] - turned - f * frame.structure[a, b, d])


def metric(frame, rows):
    return Tensor.build(frame, "dd", lambda a, b: parse_expression(rows[a][b]), "g")


METRICS = {
    "sphere": ([["1", "0"], ["0", "sin(x)^2"]], 2),
    "full": ([["1 + x^2", "x*y"], ["x*y", "1 + y^2"]], 2),
    "parameters": ([["m", "0", "m*a*cos(x)"], ["0", "m", "m*a*sin(x)"], ["m*a*cos(x)", "m*a*sin(x)", "J + m*a^2"]], 3),
}


@pytest.mark.parametrize(("rows", "size"), METRICS.values(), ids=METRICS.keys())
def test_orthonormalised(rows, size):
    chart = Frame(["x", "y", "z"][:size])
    start = chart.rescaled("exp(y)")
    g = metric(chart, rows)
    frame = start.orthonormalised(g)
    delta = Tensor.build(frame, "dd", lambda a, b: int(a == b))
    assert (g.in_frame(frame) - delta).is_zero().verdict is Verdict.PROVEN
    # The first k vectors keep their span: the change from the old frame is triangular.
    for a in range(size):
        old = vector_field(frame, [int(a == b) for b in range(size)]).in_frame(start)
        assert all(is_zero(old[b]) for b in range(a + 1, size))
    assert frame.dual_check().verdict is Verdict.PROVEN
    assert (frame.structure - frame.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN


def test_orthonormalised_takes_an_object_with_a_tensor():
    chart = Frame(["x", "y"])

    class Weighted:
        tensor = metric(chart, [["4", "0"], ["0", "9"]])

    assert chart.orthonormalised(Weighted()).anchor_ai == ((symengine.Rational(1, 2), 0), (0, symengine.Rational(1, 3)))


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([["0", "1"], ["1", "0"]], ()),
        ([["-1", "0"], ["0", "1"]], ()),
        ([["1", "x"], ["y", "1"]], ()),
    ],
)
def test_orthonormalised_refuses(rows, names):
    chart = Frame(["x", "y"])
    with blames(DeclarationError, *names):
        chart.orthonormalised(metric(chart, rows))


def test_semi_holonomic_affine_and_solved_for_others():
    frame = Frame.semi_holonomic(["z' = y*x' + cos(t)"], ["x", "y", "z"])
    assert frame.drift_i == (0, 0, symengine.cos(symengine.Symbol("t")))
    assert frame.labels == ("x", "y", "z")
    skate = Frame.semi_holonomic(["x'*sin(a) = y'*cos(a)"], ["x", "y", "a"], dependent=["y"])
    assert skate.labels == ("x", "a", "y")
    assert str(skate.coframe[2]) == "-tan(a) dx + dy"
    free = Frame.semi_holonomic({"z": "f(x, z)*y'"}, ["x", "y", "z"], functions=["f"])
    assert str(free.coframe[2].in_frame(free).d()) == "-D(f(x, z), x) θ^x∧θ^y + D(f(x, z), z) θ^y∧θ^z"


@pytest.mark.parametrize(
    ("constraints", "dependent"),
    [
        (["x'*z' = y'"], ["y"]),
        (["x'*sin(y) + z' = 0"], None),
        (["z' = x'", "z' = y'"], None),
        (["w' = x'"], None),
        (["z' = x'"], ["y"]),
    ],
)
def test_semi_holonomic_refuses(constraints, dependent):
    with blames(DeclarationError):
        Frame.semi_holonomic(constraints, ["x", "y", "z"], dependent=dependent)


def test_blocks_are_the_whole():
    frame = Frame(*FRAMES["four directions"])
    for m in range(5):
        blocks = frame.structure_blocks(m)
        assert len(blocks) == 8
        total = sum(blocks.values(), Tensor.of(frame, "ddu", {}))
        assert total == frame.structure
        assert (blocks["DN^N"] + blocks["ND^N"].permuted(1, 0, 2)).is_zero().verdict is Verdict.PROVEN
    with blames(DeclarationError):
        frame.structure_blocks(5)
