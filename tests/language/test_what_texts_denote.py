"""Texts with closed answers: what each construct of the language denotes."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS, function_name
from anholonomy.algebra.expressions import symbol, time
from anholonomy.algebra.piecewise import angle
from anholonomy.language import parse_assignment, parse_equation, parse_expression, to_text
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import lower

x, y, z = symbol("x"), symbol("y"), symbol("z")
R = symengine.Rational

MEANINGS = [
    ("7", symengine.Integer(7)),
    ("0.3", R(3, 10)),
    ("1e-3", R(1, 1000)),
    ("2.5E2", symengine.Integer(250)),
    (".5", R(1, 2)),
    ("5.", symengine.Integer(5)),
    ("007", symengine.Integer(7)),
    ("x + y - z", x + y - z),
    ("x - y - z", x - y - z),
    ("x/y/z", x / (y * z)),
    ("x/y*z", x * z / y),
    ("-x^2", -(x**2)),
    ("(-x)^2", x**2),
    ("2^3^2", symengine.Integer(512)),
    ("2**3**2", symengine.Integer(512)),
    ("2^-1", R(1, 2)),
    ("2^-3^2", R(1, 512)),
    ("2^+3", symengine.Integer(8)),
    ("2^--3", symengine.Integer(8)),
    ("x*-y", -x * y),
    ("--x", x),
    ("-+-x", x),
    ("x--y", x + y),
    ("(((x)))", x),
    ("x'", symbol("x'")),
    ("x''", symbol("x''")),
    ("x’", symbol("x'")),
    ("x′′", symbol("x''")),
    ("x'^2", symbol("x'") ** 2),
    ("θ_1'*φ", symbol("θ_1'") * symbol("φ")),
    ("t*x", time * x),
    ("pi", symengine.pi),
    ("2*π", 2 * symengine.pi),
    ("atan2(y, x)", angle(y, x)),
    ("sqrt(x)", x ** R(1, 2)),
    ("exp(1)", symengine.E),
    ("abs(-x)", symengine.Abs(x)),
    ("abs(-abs(x))", symengine.Abs(x)),
    ("sin (x)", symengine.sin(x)),
    ("tan(x + pi/2)", -symengine.cos(x) / symengine.sin(x)),
    (" x\n\t+\r\n y ", x + y),
    ("x - x", symengine.Integer(0)),
    ("1e350/1e349*x", 10 * x),
    ("asin(0.1 + 0.2 + 0.7)", symengine.pi / 2),
]


@pytest.mark.parametrize(("text", "meaning"), MEANINGS, ids=[text for text, _ in MEANINGS])
def test_text_denotes_the_expression(text, meaning):
    assert parse_expression(text) == meaning


@pytest.mark.parametrize(
    "name", ["I", "E", "S", "N", "O", "Q", "oo", "nan", "zoo", "beta", "gamma", "lambda", "e", "_a"]
)
def test_famous_letters_are_plain_symbols(name):
    assert parse_expression(name) == symbol(name)
    assert parse_expression(f"{name}^2 + 1") == symbol(name) ** 2 + 1


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("sqrt", "exp", "if")])
def test_every_function_of_the_language_is_read(name):
    arguments = (x, y) if name in ("atan2", "max", "min") else (x,)
    parsed = parse_expression(f"{name}({', '.join(map(str, arguments))})")
    assert function_name(parsed) == name
    assert parsed.args == arguments


CHOICES = [
    ("if(x > y, 1, 2)", [(3, 2, 1), (2, 3, 2), (2, 2, 2)]),
    ("if(x >= y, 1, 2)", [(3, 2, 1), (2, 3, 2), (2, 2, 1)]),
    ("if(x < y, 1, 2)", [(3, 2, 2), (2, 3, 1), (2, 2, 2)]),
    ("if(x <= y, 1, 2)", [(3, 2, 2), (2, 3, 1), (2, 2, 1)]),
    ("if(x < 0, -x, x <= 1, y, x > 5, x^2, 7)", [(-2, 9, 2), (0, 9, 9), (1, 9, 9), (2, 9, 7), (5, 9, 7), (6, 9, 36)]),
    ("max(x, y, 1) - min(x, y)", [(3, 2, 1), (-1, -4, 5), (0.5, 1e-30, 1)]),
    ("max(x, y)", [(1e-30, -1, 1e-30), (-1e300, 1e300, 1e300)]),
    ("heaviside(x) + y", [(-2, 0, 0), (0, 0, 0.5), (1e-300, 0, 1)]),
    ("erf(x)", [(0.5, 0, math.erf(0.5)), (-2, 0, math.erf(-2))]),
]


@pytest.mark.parametrize(("text", "values"), CHOICES, ids=[text for text, _ in CHOICES])
def test_choices_extremes_and_steps_have_their_values_and_are_read_back(text, values):
    expression = parse_expression(text)
    assert parse_expression(to_text(expression)) == expression
    for at_x, at_y, wanted in values:
        found = NumpyBackend().compile(lower([x, y], [], [], [expression]))(0.0, [at_x, at_y])
        assert found[0] == pytest.approx(wanted, rel=1e-15)


def test_an_equation_is_left_minus_right():
    assert parse_equation("x'*sin(y) = z") == symbol("x'") * symengine.sin(y) - z
    assert parse_equation("0 = x") == -x


def test_an_assignment_gives_name_and_value():
    assert parse_assignment("theta'=1") == ("theta'", 1)
    assert parse_assignment(" m = 2.5 ") == ("m", R(5, 2))
    assert parse_assignment("x’ = -pi/2") == ("x'", -symengine.pi / 2)


def test_the_language_does_without_sympy():
    script = "import sys, anholonomy.language; print('sympy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False"]


def test_long_sums_are_read_as_one_list():
    text = " + ".join(f"m{i}*x{i}'^2/2" for i in range(3000))
    parsed = parse_expression(text)
    assert len(parsed.args) == 3000
    assert parse_expression(to_text(parsed)) == parsed
