"""Where expressions jump or kink."""

from __future__ import annotations

import pytest
import symengine

from anholonomy.language import parse_expression
from anholonomy.symbolic.switches import switches, touches

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
}


@pytest.mark.parametrize("text", CASES)
def test_what_switches(text):
    expression = parse_expression(text)
    signs, edges = CASES[text]
    expected = {parse_expression(s) for s in signs}
    assert {s if s in expected else (-s).expand() for s in switches(expression)} == expected
    assert {*touches(expression)} == {*map(parse_expression, edges)}


def test_constants_do_not_switch():
    assert switches(symengine.Abs(symengine.sqrt(2) - 2)) == ()
