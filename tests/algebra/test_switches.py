"""Where expressions jump or kink."""

from __future__ import annotations

import pytest
import symengine

from anholonomy.algebra.numbers.balls import evaluate_ball
from anholonomy.algebra.switching import held, switches, touches
from anholonomy.language import parse_expression

CASES = {
    "x^2 + sin(y)": ((), ()),
    "abs(x - 1)*sign(y)": (("x - 1", "y"), ()),
    "sign(abs(x) - 1)": (("abs(x) - 1", "x"), ()),
    "x'/sqrt(x'^2)": (("x'",), ()),
    "(x^4*y^2*z)^(1/2)": (("x", "y"), ("z",)),
    "((x - y)^2)^(3/2)": (("x - y",), ()),
    "-x'/sqrt(x'^2 + y'^2)": ((), ("x'^2 + y'^2",)),
    "sqrt(1 - cos(x))": ((), ("1 - cos(x)",)),
    "sqrt(1 + 3*x^2*y^4)": ((), ()),
    "sqrt(1 - x^2)": ((), ("1 - x^2",)),
    "sin(atan2(x, y - 2))": (("x",), ()),
    "abs(-3)*sqrt(2)": ((), ()),
    "max(x, y)*heaviside(z - 1)": (("x - y", "z - 1"), ()),
    "min(x, y, 1)": (("x - y", "x - 1", "y - 1"), ()),
    "if(x < 2, abs(y), z)": (("x - 2", "y"), ()),
}


@pytest.mark.parametrize("text", CASES)
def test_what_switches(text):
    expression = parse_expression(text)
    signs, edges = CASES[text]
    expected = {parse_expression(s) for s in signs}
    assert {s if s in expected else (-s).expand() for s in switches(expression)} == expected
    assert {*touches(expression)} == {*map(parse_expression, edges)}


@pytest.mark.parametrize(
    "text", ["max(x, y, 1)", "min(x, y) + heaviside(y)", "if(x < 2, abs(y), x*y)", "max(x, if(y > 0, x^2, 1))"]
)
def test_held_signs_change_nothing_where_they_are_right(text):
    expression = parse_expression(text)
    for point in ({"x": 0.4, "y": -1.7}, {"x": 2.6, "y": 0.3}, {"x": -0.8, "y": 2.9}):
        at = {symengine.Symbol(name): value for name, value in point.items()}
        signs = {u: 1 if float(evaluate_ball(u, at, 20)) > 0 else -1 for u in switches(expression)}
        free = held(expression, {u: symengine.Symbol(f"s{k}") for k, u in enumerate(signs)})
        moving = {*at} & {s for u in switches(free) for s in u.free_symbols}
        assert not moving
        known = at | {symengine.Symbol(f"s{k}"): s for k, s in enumerate(signs.values())}
        assert float(evaluate_ball(free, known, 20)) == float(evaluate_ball(expression, at, 20))


def test_constants_do_not_switch():
    assert switches(symengine.Abs(symengine.sqrt(2) - 2)) == ()


@pytest.mark.parametrize(
    ("text", "regular"),
    [
        ("(abs(x)*a - 24*x)/abs(x)", "a - 24*s"),
        ("(abs(x - y)*a - 24*x + 24*y)/abs(x - y)", "a - 24*s"),
        ("(x*a + abs(x)*(y*x + a*abs(x)))/sqrt(x^2)", "s*a + y*x + a*s*x"),
        ("(x + 1)/abs(x)", "s*(x + 1)/x"),
    ],
)
def test_what_cancels_is_no_pole_once_the_signs_are_held(text: str, regular: str) -> None:
    expression, s = parse_expression(text), symengine.Symbol("s")
    (u,) = switches(expression)
    expected = parse_expression(regular)
    side = s if u.subs({"x": 3, "y": 1}) > 0 else -s
    assert (held(expression, {u: side}) - expected).expand() == 0
