"""Simplified expressions are equal to what they came from and never longer."""

import random

import pytest
import symengine
from hypothesis import assume, given, settings

from anholonomy.algebra.numbers.balls import evaluate_ball
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector

from .identities import NONZERO, ZERO
from .strategies import a, rewritten, smooth, treacherous, x, y

quick = settings(max_examples=60, deadline=None, derandomize=True)

TEXTBOOK = {
    "a*sin(x)**2 + a*cos(x)**2": "a",
    "sin(x)*cos(y) + cos(x)*sin(y)": "sin(x + y)",
    "cos(x)*cos(y) + sin(x)*sin(y)": "cos(x - y)",
    "(1 - cos(x)**2)/sin(x)": "sin(x)",
    "m*a**2*w + J*w": "w*(J + m*a**2)",
    "sin(x)/cos(x)": "tan(x)",
    "1/(1 + tan(x)**2)": "cos(x)**2",
    "cos(x)**4 - sin(x)**4": "cos(2*x)",
    "(x**2 - 1)/(x - 1)": "x + 1",
    "a*b + a*c + d*b + d*c": "(a + d)*(b + c)",
    "a/(b*c) + d/(b*c)": "(a + d)/(b*c)",
    "sqrt(sin(x)**2 + cos(x)**2 + y)": "sqrt(1 + y)",
    "cosh(x)**2 - sinh(x)**2 + x": "1 + x",
    "f(x)*sin(x)**2 + f(x)*cos(x)**2": "f(x)",
    "sqrt(x**2) + abs(x)": "2*abs(x)",
    "x**2*y/sqrt(x**2*y**2)": "abs(x)*y/abs(y)",
    "sqrt(r**2*(cos(x)**2 + sin(x)**2))": "abs(r)",
    "(2 + 2*sin(x)**2/a**2 + 4*cos(x)**2/b**2)*y/2": "(1 + sin(x)**2/a**2 + 2*cos(x)**2/b**2)*y",
}


def operations(expression):
    return symengine.count_ops(expression)


@pytest.mark.parametrize(("text", "short"), TEXTBOOK.items())
def test_textbook_forms(text, short):
    assert simplify(symengine.sympify(text)) == symengine.sympify(short)


def test_kinetic_energy_of_the_chaplygin_sleigh():
    m, I, a, v, theta, w = symengine.symbols("m I a v theta theta'")
    vx, vy = v * symengine.cos(theta), v * symengine.sin(theta)
    turning = (vx - a * symengine.sin(theta) * w) ** 2 + (vy + a * symengine.cos(theta) * w) ** 2
    short = simplify(m * turning / 2 + I * w**2 / 2)
    assert symengine.expand(short - m * v**2 / 2 - (I + m * a**2) * w**2 / 2) == 0
    assert operations(short) <= operations(m * v**2 / 2 + (I + m * a**2) * w**2 / 2)


@pytest.mark.parametrize("text", [*ZERO, *NONZERO])
def test_never_longer(text):
    expression = symengine.sympify(text)
    assert operations(simplify(expression)) <= operations(expression)


@pytest.mark.parametrize("text", ZERO)
def test_zero_is_written_zero(text):
    assert simplify(symengine.sympify(text)) == 0


def assert_equal_in_number(left, right):
    rng = random.Random(3)
    for kind in range(8):
        point = random_point([x, y, a], rng, kind)
        before, after = evaluate_ball(left, point, 30), evaluate_ball(right, point, 30)
        if before.is_finite():
            assert after.is_finite()
            assert before.overlaps(after)


@quick
@given(rewritten(smooth))
def test_equal_where_defined(pair):
    _, disguised = pair
    short = simplify(disguised)
    assert operations(short) <= operations(disguised)
    assert_equal_in_number(disguised, short)


@quick
@given(treacherous)
def test_equal_on_every_branch(expression):
    assume(not expression.has(symengine.I))
    short = simplify(expression)
    assert operations(short) <= operations(expression)
    assert_equal_in_number(expression, short)


def test_vectors_keep_their_length():
    assert simplify_vector([x - x, x * y / y]) == (0, x)
