"""Writing is readable, ordered, and undone by reading."""

from __future__ import annotations

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy.algebra.arithmetic import FUNCTIONS
from anholonomy.base.errors import Error, ExpressionError
from anholonomy.language import parse_expression, to_text
from tests.wording import blames

x, y = symengine.symbols("x y")

# Each text is written exactly as it was read.
FIXED = [
    "0",
    "-1",
    "1/2",
    "-2/3",
    "x",
    "-x",
    "m*x'^2/2 - g*m*z",
    "x'^2 + y'^2 + 2*x",
    "x*y/(2*z)",
    "1/x",
    "1/(x*y)",
    "-1/(2*x^2)",
    "1/sqrt(x)",
    "sqrt(x)*y",
    "x^(3/2)",
    "(x + y)^2",
    "(x + y)*z",
    "z - (x + y)",
    "y - x",
    "x^y",
    "x^(-y)",
    "x^(y + 1)",
    "(x^y)^z",
    "(-2)^x",
    "(2/3)^x",
    "exp(-x)",
    "exp(1)",
    "exp(2*x) + 1",
    "2*pi",
    "atan2(y, x)",
    "abs(x)*sign(y)",
    "cos(theta)*y' - sin(theta)*x'",
    "m*cos(theta)*x'",
    "I*theta'^2/2 + t*x",
    "x''",
    "θ*φ'",
    "x/1e400",
    "3e20*x",
]


@pytest.mark.parametrize("text", FIXED)
def test_a_tidy_text_is_written_as_it_was_read(text):
    assert to_text(parse_expression(text)) == text


def test_order_does_not_depend_on_how_the_sum_was_built():
    terms = [f"{name}*{other}'" for name in "abcdef" for other in "uvw"]
    assert to_text(parse_expression(" + ".join(terms))) == to_text(parse_expression(" + ".join(terms[::-1])))


@pytest.mark.parametrize("value", [0.1, -0.1, 1e-300, 5e-324, 1.7976931348623157e308, 2.0 / 3.0, 1e22])
def test_a_double_comes_back_as_a_rational_that_rounds_to_it(value):
    back = parse_expression(to_text(symengine.RealDouble(value) * x))
    ratio = back / x
    assert int(ratio.p) / int(ratio.q) == value


@pytest.mark.parametrize(
    "expression",
    [
        symengine.I,
        symengine.oo,
        symengine.nan,
        symengine.cot(x),
        symengine.Symbol("a b"),
        symengine.Symbol("sin"),
        symengine.Symbol("x'''"),
        symengine.RealDouble(float("inf")),
        x + symengine.I,
        symengine.gamma(x),
    ],
    ids=str,
)
def test_what_the_language_lacks_is_not_written(expression):
    with blames(ExpressionError):
        to_text(expression)


def test_a_deep_expression_is_written_without_recursion():
    deep = x
    for _ in range(2000):
        deep = 1 / (1 + symengine.sin(deep))
    assert to_text(deep).count("sin") == 2000


NAMES = st.sampled_from(["x", "y", "z", "x'", "y''", "m", "θ", "t", "E", "pi"])
NUMBERS = st.one_of(
    st.integers(-12, 12).map(str),
    st.fractions(-9, 9, max_denominator=12).map(str),
    st.just("0.25"),
    st.just("1e-3"),
)


TWO = ("atan2", "max", "min", "if")


def combined(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(lambda terms: "(" + ") + (".join(terms) + ")"),
        st.lists(inner, min_size=2, max_size=4).map(lambda terms: "(" + ") * (".join(terms) + ")"),
        pair.map(lambda p: f"({p[0]}) - ({p[1]})"),
        pair.map(lambda p: f"t + 2*({p[0]} + {p[1]}) - ({p[0]} + {p[1]})"),
        pair.map(lambda p: f"({p[0]}) / ({p[1]})"),
        pair.map(lambda p: f"({p[0]}) ^ ({p[1]})"),
        st.tuples(inner, st.sampled_from(["-3", "-1", "2", "1/2", "-1/2", "2/3", "-5/2"])).map(
            lambda p: f"({p[0]}) ^ ({p[1]})"
        ),
        inner.map(lambda e: f"-({e})"),
        st.tuples(st.sampled_from([f for f in FUNCTIONS if f not in TWO]), inner).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(st.sampled_from(TWO[:3]), pair).map(lambda p: f"{p[0]}({p[1][0]}, {p[1][1]})"),
        st.tuples(st.sampled_from(["<", ">", "<=", ">="]), pair).map(lambda p: f"if({p[1][0]} {p[0]} {p[1][1]}, x, 2)"),
    )


TEXTS = st.recursive(st.one_of(NAMES, NUMBERS), combined, max_leaves=12)


@pytest.mark.exhaustive
@settings(max_examples=600, deadline=None, derandomize=True)
@given(TEXTS)
def test_reading_undoes_writing(text):
    try:
        expression = parse_expression(text)
    except Error:
        return
    written = to_text(expression)
    assert parse_expression(written) == expression
    assert to_text(parse_expression(written)) == written
