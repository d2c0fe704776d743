"""Balls contain the true value, and say so when there is none."""

import random
from fractions import Fraction

import flint
import mpmath
import pytest
import symengine
from hypothesis import given, settings

from anholonomy.algebra.arithmetic import FUNCTIONS, evaluate
from anholonomy.algebra.numbers.balls import evaluate_ball, evaluate_balls, excludes_zero, precision
from anholonomy.algebra.numbers.random_points import finite_point, random_point
from anholonomy.algebra.piecewise import CORNERS

from .strategies import HighPrecision, a, smooth, x, y


def apply(name, *arguments):
    return CORNERS[name](*arguments) if name in CORNERS else getattr(symengine, name)(*arguments)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_encloses_its_value(name):
    if name in ("atan2", "max", "min", "if"):
        more = [y * x] if name == "if" else []
        expression, point = apply(name, x, y, *more), {x: Fraction(-1, 3), y: Fraction(-2)}
    else:
        expression, point = apply(name, x), {x: Fraction(5, 4) if name == "acosh" else Fraction(1, 3)}
    found = evaluate_ball(expression, point, 40)
    with mpmath.workdps(60):
        expected = evaluate(expression, HighPrecision(), {s: HighPrecision().number(v) for s, v in point.items()})
        text = mpmath.nstr(expected, 50)
    assert found.rad() < 1e-40
    with precision(50):
        assert abs(found - flint.arb(text)) < 1e-40


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("log(x)", -1), ("log(x)", 0), ("sqrt(x)", -1), ("x**(1/3)", -8), ("x**y", -1), ("asin(x)", 2)),
        *(("acosh(x)", 0), ("atanh(x)", 1), ("1/(x - 1)", 1), ("1/(x**2 - 2*x + 1)", 1), ("atan2(sin(x), x)", 0)),
        *(("0*x + exp(1/x)", 0), ("atan(1/x)", 0), ("tanh(1/x)", 0)),
    ],
)
def test_outside_its_domain_nothing_is_finite(text, value):
    found = evaluate_ball(symengine.sympify(text), {x: value, symengine.Symbol("y"): Fraction(1, 2)}, 30)
    assert not found.is_finite()
    assert not excludes_zero(found)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(smooth)
def test_more_digits_refine(expression):
    point = random_point([x, y, a], random.Random(5))
    coarse, fine = evaluate_ball(expression, point, 15), evaluate_ball(expression, point, 60)
    assert coarse.overlaps(fine)
    assert fine.rad() <= coarse.rad()


def test_precision_is_put_back():
    before = flint.ctx.prec
    evaluate_ball(symengine.sin(x), {x: "0.1"}, 100)
    with pytest.raises(KeyError, match="x"):
        evaluate_ball(x, {}, 100)
    assert flint.ctx.prec == before


def test_values_may_be_text_floats_and_balls():
    one, tenth = evaluate_balls([x + y, a], {x: 0.5, y: flint.arb("0.5"), a: "0.1"}, 30)
    assert one == 1
    assert tenth.overlaps(flint.arb("0.1"))
    assert not evaluate_ball(a, {a: 0.1}, 30).overlaps(evaluate_ball(a, {a: "0.1"}, 30))


def test_points_are_found_in_narrow_domains():
    expressions = [symengine.sympify(t) for t in ("acosh(x)", "asin(y)", "log(-z)")]
    point = finite_point(expressions, random.Random(0), tries=200)
    assert all(value.is_finite() for value in evaluate_balls(expressions, point, 30))
    assert finite_point([symengine.sqrt(-1 - x**2)], random.Random(0)) is None
