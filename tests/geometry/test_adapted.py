"""Adapted frames span exactly the admissible velocities, and their brackets are those of the fields they stand for."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest
import symengine
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anholonomy.algebra.expressions import dot, symbol, time
from anholonomy.algebra.numbers.balls import ball, evaluate_ball, precision
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.steps.definitions import Recorder, inline
from anholonomy.algebra.steps.in_balls import run_steps
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.adapted_frame import adapt, particular_solution
from anholonomy.geometry.frame import Frame
from anholonomy.language import parse_expression
from anholonomy.system.states.newton import evaluate_at
from tests.wording import blames

ENTRIES = st.sampled_from(
    [
        "0",
        "0",
        "1",
        "-1",
        "2",
        "1/3",
        "q0",
        "q1*q0",
        "sin(q0)",
        "cos(q1)",
        "-sin(q1)",
        "r",
        "r*cos(q0)",
        "t",
        "cos(t)*q0",
        "exp(q1/4)",
        "sqrt(1 + q0^2)",
    ]
)
TURNING = Frame(["q0", "q1", "q2"], [["cos(q2)", "sin(q2)", "0"], ["-sin(q2)", "cos(q2)", "0"], ["0", "0", "1"]])


def chart(size):
    return Frame.chart([symbol(f"q{i}") for i in range(size)])


def velocities(size):
    return [symbol(f"q{i}'") for i in range(size)]


@st.composite
def constraints(draw, affine=True, size=None):
    """A matrix of 1 to 3 rows over 2 to 6 velocities with full rank at a point, an offset, and the point."""
    width = size or draw(st.integers(2, 6))
    count = draw(st.integers(1, min(3, width)))
    text = [[draw(ENTRIES) for _ in range(width)] for _ in range(count)]
    matrix = tuple(tuple(map(parse_expression, row)) for row in text)
    offset = tuple(parse_expression(draw(ENTRIES) if affine else "0") for _ in range(count))
    names = [*(symbol(f"q{i}") for i in range(width)), symbol("r"), time]
    point = random_point(names, random.Random(draw(st.integers(0, 99))), 1)
    with mpmath.workdps(20):
        values = mpmath.matrix([[mp(entry, point) for entry in row] for row in matrix])
        assume(abs(mpmath.det(values * values.T)) > 1e-3)
    return matrix, offset, point


def mp(expression, point):
    """An expression in mpmath, by SymPy: an arithmetic that is not ours."""
    import sympy

    names = sorted(expression.free_symbols, key=str)
    function = sympy.lambdify([sympy.Symbol(s.name) for s in names], sympy.sympify(str(expression)), "mpmath")
    return mpmath.mpf(function(*(mpmath.mpf(point[s].numerator) / point[s].denominator for s in names)))


def chosen(base, matrix, offset, point, strict=False):
    return adapt(
        base,
        matrix,
        offset,
        lambda e: float(evaluate_ball(e, point, 16)),
        velocities(base.size),
        lambda _: False,
        strict,
    )


def written_out(frame):
    """Span and offset without definitions."""
    n = frame.base.size
    flat = inline([*(entry for row in frame.span_ba for entry in row), *frame.offset_a], frame.definitions)
    rows = len(frame.span_ba)
    return [flat[k * n : (k + 1) * n] for k in range(rows)], flat[rows * n :]


def vanishes(expression):
    """Proven zero; where the expression is long or the test undecided, a ball of 30 digits decides."""
    expression = symengine.sympify(expression)
    verdict = zero_test(expression) if symengine.count_ops(expression) < 150 else Verdict.UNKNOWN
    if verdict is Verdict.UNKNOWN:
        point = random_point(expression.free_symbols, random.Random(1), 1)
        return abs(evaluate_ball(expression, point, 60)) < 1e-30
    return verdict is Verdict.PROVEN


@pytest.mark.exhaustive
@settings(max_examples=25, deadline=None)
@given(case=constraints(), strict=st.booleans())
def test_admissible_velocities_and_only_those(case, strict):
    """A S = 0 and A s + a = 0 identically, and S has full rank at the point."""
    matrix, offset, point = case
    width = len(matrix[0])
    frame = chosen(chart(width), matrix, offset, point, strict)
    span, particular = written_out(frame)
    assert len(span) == width - len(matrix)
    for row, a in zip(matrix, offset, strict=True):
        assert all(vanishes(dot(row, vector)) for vector in span)
        assert vanishes(dot(row, particular) + a)
    if span:
        with mpmath.workdps(30):
            S = mpmath.matrix([[mp(symengine.sympify(entry), point) for entry in vector] for vector in span])
            assert abs(mpmath.det(S * S.T)) > 1e-8


@pytest.mark.exhaustive
@settings(max_examples=25, deadline=None)
@given(case=constraints())
def test_pivots_do_not_vanish_where_they_were_chosen(case):
    matrix, offset, point = case
    frame = chosen(chart(len(matrix[0])), matrix, offset, point, strict=True)
    with precision(20):
        known = run_steps(frame.definitions, {s: ball(v) for s, v in point.items()})
        assert all(abs(float(value)) > 1e-6 for value in evaluate_at(frame.pivots, known))


@pytest.mark.exhaustive
@settings(max_examples=25, deadline=None)
@given(case=constraints())
def test_the_shortest_particular_solution(case):
    """A s + a = 0, and s is a combination of the rows."""
    matrix, offset, point = case
    record = Recorder("$s")
    s = inline(particular_solution(matrix, offset, record), record.assignments)
    with mpmath.workdps(40):
        A = mpmath.matrix([[mp(entry, point) for entry in row] for row in matrix])
        a = mpmath.matrix([mp(entry, point) for entry in offset])
        v = mpmath.matrix([mp(symengine.sympify(entry), point) for entry in s])
        along_rows = A.T * mpmath.lu_solve(A * A.T, A * v)
        assert mpmath.norm(A * v + a) < mpmath.mpf(10) ** -30
        assert mpmath.norm(v - along_rows) < mpmath.mpf(10) ** -30


def bracket_by_differences(frame, point, speeds):
    """[u^b e_b + e_0 + d_t, e_a] in coordinates from central differences, speeds held fixed."""
    names = [*frame.base.coordinates, time]
    anchor = frame.base.anchor_ai
    size = len(anchor)

    def fields(at):
        known = run_steps(frame.definitions, {s: ball(v) for s, v in {**point, **at}.items()})
        S = [evaluate_at(row, known) for row in frame.span_ba]
        s = evaluate_at(frame.offset_a, known)
        e = [evaluate_at(row, known) for row in anchor]
        drift = evaluate_at(frame.base.drift_i, known)
        to_coordinates = lambda row, extra: [
            sum((row[a] * e[a][i] for a in range(size)), start=extra[i]) for i in range(len(drift))
        ]
        nothing = [ball(0)] * len(drift)
        basis = [to_coordinates(row, nothing) for row in S]
        w = [sum((u * row[a] for u, row in zip(speeds, S, strict=True)), start=s[a]) for a in range(size)]
        return [*to_coordinates(w, drift), ball(1)], [[*row, ball(0)] for row in basis], e

    h = ball(Fraction(1, 10**16))

    def derivative(direction, pick):
        steps = [{n: ball(point[n]) + sign * h * d for n, d in zip(names, direction, strict=True)} for sign in (1, -1)]
        up, down = (pick(fields(at)) for at in steps)
        return [(a - b) / (2 * h) for a, b in zip(up, down, strict=True)]

    X, basis, e = fields({})
    result = []
    for a, Y in enumerate(basis):
        ahead, back = derivative(X, lambda f, a=a: f[1][a]), derivative(Y, lambda f: f[0])
        result.append([p - q for p, q in zip(ahead, back, strict=True)][:-1])
    return result, e


def check_transport(frame, point):
    record = Recorder("$r")
    transported = frame.transport(frame.flow(record), frame.fields(record))
    with precision(50):
        speeds = [ball(Fraction(k + 2, 3)) for k in range(len(frame.speeds))]
        expected, e = bracket_by_differences(frame, point, speeds)
        known = {s: ball(v) for s, v in point.items()} | dict(zip(frame.speeds, speeds, strict=True))
        known = run_steps([*frame.definitions, *record.assignments], known)
        for row, brackets in zip(transported, expected, strict=True):
            components = evaluate_at(row, known)
            for i, value in enumerate(brackets):
                found = sum((c * e[a][i] for a, c in enumerate(components)), start=ball(0))
                assert abs(float((found - value).mid())) < 1e-24 * (1 + abs(float(value.mid())))


@settings(max_examples=25, deadline=None)
@given(case=constraints())
def test_transport_is_the_bracket(case):
    matrix, offset, point = case
    check_transport(chosen(chart(len(matrix[0])), matrix, offset, point), point)


@settings(max_examples=12, deadline=None)
@given(case=constraints(size=3), drift=st.tuples(ENTRIES, ENTRIES, ENTRIES))
def test_transport_over_a_turning_base(case, drift):
    """The base frame has structure of its own, and a drift."""
    matrix, offset, point = case
    one = tuple(tuple(symengine.Integer(int(i == j)) for j in range(3)) for i in range(3))
    base = TURNING.change(one, tuple(map(parse_expression, drift)))
    check_transport(chosen(base, matrix, offset, point), point)


@pytest.mark.exhaustive
def test_long_choices_keep_their_definitions():
    """Three full rows over six velocities are too long to write out; the brackets go through the definitions."""
    matrix = tuple(tuple(parse_expression(f"{i + 1} + sin(q{j} + {i})*r^{j}") for j in range(6)) for i in range(3))
    offset = tuple(map(parse_expression, ("t", "q0", "1")))
    point = random_point([*(symbol(f"q{i}") for i in range(6)), symbol("r"), time], random.Random(5), 1)
    frame = chosen(chart(6), matrix, offset, point)
    assert frame.definitions
    check_transport(frame, point)


def test_speeds_that_are_velocities_keep_their_names():
    matrix = ((parse_expression("-q1"), symengine.Integer(0), symengine.Integer(1)),)
    point = dict.fromkeys(map(symbol, ("q0", "q1", "q2", "t")), Fraction(1, 2))
    frame = chosen(chart(3), matrix, (symengine.Integer(0),), point)
    assert [u.name for u in frame.speeds] == ["q0'", "q1'"]
    assert frame.pivots == ()


def test_as_many_constraints_as_velocities():
    matrix = ((symengine.Integer(2), symengine.Integer(0)), (symbol("q0"), symengine.Integer(1)))
    point = dict.fromkeys(map(symbol, ("q0", "q1", "t")), Fraction(1, 2))
    frame = chosen(chart(2), matrix, (symengine.Integer(-4), time), point)
    assert frame.span_ba == ()
    assert frame.velocities == (2, -2 * symbol("q0") - time)


def test_dependent_rows_are_reported():
    row = (symbol("q0"), symengine.Integer(1))
    point = dict.fromkeys(map(symbol, ("q0", "q1", "t")), Fraction(1, 2))
    with blames(ZeroDivisionError):
        chosen(chart(2), (row, tuple(2 * entry for entry in row)), (symengine.Integer(0),) * 2, point)
