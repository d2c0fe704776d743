"""Derivatives through corners: the modulus has the sign for a slope, and the sign has none."""

from __future__ import annotations

import pytest
import symengine

from anholonomy.algebra.calculus import along, gradient, has_corner, jacobian, partial, total_derivative
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import evaluate_ball
from anholonomy.algebra.piecewise import sign
from anholonomy.language import parse_expression, to_text

X, Y, V = symbol("x"), symbol("y"), symbol("x'")

CORNERS = [
    "abs(x)",
    "sign(x)",
    "abs(x)^2",
    "abs(x)^3",
    "x^2*abs(x)",
    "abs(sin(x) + y)",
    "abs(x*y)*x",
    "sign(2*x + 1)*x",
    "abs(x - abs(y - abs(x)))",
    "abs(abs(x)^2 - 1)^2",
    "sin(abs(x))*exp(-abs(x*y))",
    "sqrt(abs(x) + 1)/(2 + sign(x - y))",
    "(2 + y)^abs(x)",
    "log(abs(x))",
    "abs(sqrt(-x + 3))*sign(sqrt(3 - x))",
    "max(x, y)*min(x^2, y, 1/2)",
    "if(x > y, x^2, x < -1, sin(x*y), 2*x)",
    "heaviside(x - y)*erf(x*y)",
    "atan2(y, x)*abs(x)",
]
POINTS = [{X: 0.7, Y: -0.3}, {X: -1.3, Y: 0.4}, {X: 2.1, Y: 1.7}, {X: -0.2, Y: -0.9}]


@pytest.mark.parametrize("text", CORNERS)
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_the_slope_is_that_of_a_difference(text, point):
    f, step = parse_expression(text), 1e-12
    ahead, behind = ({**point, X: point[X] + h} for h in (step, -step))
    difference = (evaluate_ball(f, ahead, 60) - evaluate_ball(f, behind, 60)) / (ahead[X] - behind[X])
    assert float(evaluate_ball(partial(f, X), point, 30)) == pytest.approx(float(difference), abs=1e-10)


@pytest.mark.parametrize("text", CORNERS)
def test_second_derivatives_can_be_written(text):
    f = parse_expression(text)
    for row in jacobian(gradient(f, (X, Y)), (X, Y)):
        for entry in row:
            assert parse_expression(to_text(entry)) == entry


def test_an_even_power_has_no_corner():
    assert partial(partial(symengine.Abs(V) ** 2, V), V) == 2


def test_flows_and_time():
    t = symbol("t")
    assert along(symengine.Abs(X), {X: V}) == V * sign(X)
    rate = total_derivative(symengine.Abs(X * t), {X: V})
    assert rate.expand() == ((X + t * V) * sign(X * t)).expand()


def test_functions_nobody_specified_are_left_alone():
    f = symengine.Function("f")
    slope = partial(f(X) * symengine.Abs(X), X)
    assert slope == f(X).diff(X) * symengine.Abs(X) + f(X) * sign(X)


def test_an_unknown_function_of_a_modulus_has_its_slope_at_a_place():
    slope = partial(symengine.Function("f")(symengine.Abs(X)), X)
    (inner,) = slope.atoms(symengine.Subs)
    for value in (2, -2):
        # For f = s^3, whose slope is 3s^2 at s = |x|.
        cubed = slope.xreplace({inner: 3 * inner.args[-1] ** 2})
        assert float(evaluate_ball(cubed, {X: value}, 30)) == 3 * value * abs(value)


def test_has_corner():
    assert not has_corner(X**2)
    assert has_corner(1 + sign(X * Y) ** 3)
    assert not has_corner(V * symengine.Abs(X), [V])
