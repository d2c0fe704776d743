"""Power series with balls for coefficients, against mpmath's Taylor series of every function of the language."""

from __future__ import annotations

import flint
import mpmath
import pytest
import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.numbers.power_series import SeriesArithmetic, coefficients, run_series, truncated
from anholonomy.algebra.steps.definitions import Solve
from anholonomy.language.arguments import expression

TERMS = 6
FUNCTIONS = {
    "sin(x)": mpmath.sin,
    "cos(x)": mpmath.cos,
    "tan(x)": mpmath.tan,
    "asin(x/3)": lambda x: mpmath.asin(x / 3),
    "acos(x/3)": lambda x: mpmath.acos(x / 3),
    "atan(x)": mpmath.atan,
    "sinh(x)": mpmath.sinh,
    "cosh(x)": mpmath.cosh,
    "tanh(x)": mpmath.tanh,
    "asinh(x)": mpmath.asinh,
    "acosh(2 + x)": lambda x: mpmath.acosh(2 + x),
    "atanh(x/3)": lambda x: mpmath.atanh(x / 3),
    "exp(x)": mpmath.exp,
    "log(x)": mpmath.log,
    "sqrt(x)": mpmath.sqrt,
    "erf(x)": mpmath.erf,
    "x^(1/3)": mpmath.cbrt,
    "x^(-3/2)": lambda x: x ** mpmath.mpf(-1.5),
    "x^pi": lambda x: x**mpmath.pi,
    "1/(1 + x)": lambda x: 1 / (1 + x),
    "abs(-x)": lambda x: x,
    "sign(-x)*x": lambda x: -x,
    "max(x, 2)*x": lambda x: 2 * x,
    "atan2(x, -1)": lambda x: mpmath.pi - mpmath.atan(x),
}


@pytest.mark.parametrize("text", FUNCTIONS)
def test_functions(text: str) -> None:
    x, at = symengine.Symbol("x"), "0.7"
    with truncated(TERMS, 40):
        known = {x: flint.arb_series([flint.arb(at), 1])}
        found = coefficients(evaluate(expression(text, "f"), SeriesArithmetic(), known), TERMS)
    with mpmath.workdps(60):
        wanted = mpmath.taylor(FUNCTIONS[text], mpmath.mpf(at), TERMS - 1)
        for ball, value in zip(found, wanted, strict=True):
            assert abs(mpmath.mpf(ball.mid().str(40, radius=False)) - value) < 1e-25
            assert ball.rad() < 1e-30


def test_what_is_not_known_is_not_finite() -> None:
    x = symengine.Symbol("x")
    with truncated(3, 30):
        for text in ("abs(x)", "1/x"):
            found = evaluate(expression(text, "f"), SeriesArithmetic(), {x: flint.arb_series([0, 1])})
            assert not coefficients(found, 1)[0].is_finite()


def test_linear_systems() -> None:
    x, a, b = symengine.symbols("x a b")
    step = Solve((a, b), ((x, symengine.Integer(1)), (symengine.Integer(1), x)), (x, symengine.Integer(0)))
    with truncated(4, 30):
        found = run_series([step], {x: flint.arb_series([2, 1])})
        wanted = flint.arb_series([2, 1]) ** 2 / (flint.arb_series([2, 1]) ** 2 - 1)
        gap = coefficients(found[a] - wanted, 4)
    assert all(each.contains(0) and each.rad() < 1e-30 for each in gap)
    singular = Solve((a, b), ((x, x), (x, x)), (x, x))
    with truncated(4, 30), pytest.raises(ZeroDivisionError):
        run_series([singular], {x: flint.arb_series([2, 1])})
