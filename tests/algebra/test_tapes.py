"""A tape gives what a walk over the trees gives, whatever the numbers are."""

from __future__ import annotations

import pytest
import symengine as se

from anholonomy.algebra.arithmetic import evaluate, tape
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import BallArithmetic, ball, precision
from anholonomy.system.states.newton import evaluate_at
from tests.programs.programs import every_function


@pytest.mark.parametrize("point", [(0.3, 0.7), (-1.4, 0.2), (1.9, -1.1)])
def test_every_function_of_the_language(point):
    x, y = symbol("x"), symbol("y")
    expressions = (*every_function(x, y), se.cot(x), x, se.Integer(2))
    with precision(40):
        known = {s: ball(value) for s, value in zip((x, y), point, strict=True)}
        taped = tape(expressions).run(BallArithmetic(), known)
        for expression, value in zip(expressions, taped, strict=True):
            walked = evaluate(expression, BallArithmetic(), dict(known))
            assert value.mid() == walked.mid()
            assert value.rad() == walked.rad()


def test_values_of_unspecified_functions_are_taken_from_the_point():
    x = symbol("x")
    V = se.Function("V")(x)
    with precision(30):
        assert evaluate_at([V + x], {x: ball(2), V: ball(3)}) == [ball(5)]


def test_a_symbol_without_a_value_is_named():
    with pytest.raises(KeyError, match="y"):
        evaluate_at([symbol("x") + symbol("y")], {symbol("x"): ball(1)})
