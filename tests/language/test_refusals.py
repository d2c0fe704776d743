"""Every mistake has its sentence, and the caret stands under the culprit."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy.base.errors import DeclarationError, Error, ExpressionError
from anholonomy.language import RESERVED, check_name, parse_assignment, parse_equation, parse_expression
from tests.wording import blames

# text, a fragment of the sentence, the column of the caret
EXPRESSIONS = [
    ("", "empty", 0),
    ("   ", "empty", 0),
    ("2x", "write `*` between them: `2*x`", 1),
    ("2(x)", "write `*` between them: `2*(...)`", 1),
    ("10theta", "write `*` between them: `10*theta`", 2),
    ("x + 2.5theta", "write `*` between them: `2.5*theta`", 7),
    ("1e3x'", "write `*` between them: `1e3*x'`", 3),
    ("x1 y", "write `*` between them: `x1*y`", 3),
    ("x y", "write `*` between them: `x*y`", 2),
    ("(a)(b)", "write `*` between them: `(...)*(...)`", 3),
    ("(a)b", "write `*` between them: `(...)*b`", 3),
    ("x' y", "write `*` between them: `x'*y`", 3),
    ("1 + x(y)", "for a product write `x*(...)`", 4),
    ("x(t)", "its velocity `x'`", 0),
    ("1.2.3", "two numbers stand side by side", 3),
    ("1 2", "two numbers stand side by side", 2),
    ("2e", "write `*` between them: `2*e`", 1),
    ("sin", "needs its argument in parentheses", 0),
    ("sin x", "write `sin(...)`", 4),
    ("sin^2(x)", "needs its argument in parentheses", 0),
    ("sin()", "has no argument", 4),
    ("sin(x, y)", "takes one argument", 0),
    ("atan2(x)", "takes two arguments", 0),
    ("atan2(x, y, z)", "but has 3", 0),
    ("arcsin(x)", "write `asin(...)`", 0),
    ("ln(x)", "write `log(...)`", 0),
    ("cot(x)", "write `1/tan(...)`", 0),
    ("1 + sine(x)", "did you mean `sin`", 4),
    ("Cos(x)", "did you mean `cos`", 0),
    ("sin'(x)", "a function has no primes", 0),
    ("x'''", "stops at the second derivative", 1),
    ("t'", "time, whose derivative is 1", 1),
    ("pi'", "a constant, whose derivative is 0", 2),
    ("x '", "a prime must touch its name", 2),
    ("'", "a prime belongs directly after a name", 0),
    ("2'", "a prime belongs directly after a name", 1),
    ('x"', "two primes", 1),
    ("x.y", "names have no parts", 1),
    ("x[0]", "write `(`", 1),
    ("(x", "never closed", 0),
    ("1 + (x*(y)", "never closed", 4),
    ("sin(x", "never closed", 3),
    ("x)", "closes nothing", 1),
    (")", "closes nothing", 0),
    ("()", "parentheses are empty", 1),
    ("x +", "the text ends after `+`", 3),
    ("x **", "the text ends after `**`", 4),
    ("x */ y", "missing between `*` and `/`", 3),
    ("x ***y", "missing between `**` and `*`", 4),
    ("* x", "begins with `*`", 0),
    ("x + (y*)", "missing between `*` and `)`", 7),
    ("x, y", "a comma only separates", 1),
    ("1,5", "decimals are written with a point", 1),
    ("atan2(, x)", "missing before this comma", 6),
    ("atan2(x,)", "missing between `,` and `)`", 8),
    ("x = y", "an expression is wanted", 2),
    ("x == y", "single `=`", 2),
    ("x < y", "a comparison stands only as a condition", 2),
    ("sin(x < y)", "a comparison stands only as a condition", 4),
    ("if(x, y, z)", "a condition is a comparison", 3),
    ("if(x == 0, y, z)", "equality is no condition; compare by `<`", 5),
    ("if(x != 0, y, z)", "equality is no condition", 5),
    ("if(x = 0, y, z)", "equality is no condition", 5),
    ("if(0 < x < 1, y, z)", "a condition is one comparison; put one `if` inside another", 9),
    ("if(x > 0 and x < 1, y, z)", "conditions are not joined; put one `if` inside another", 9),
    ("if(x > 0 && x < 1, y, z)", "conditions are not joined", 9),
    ("if(x > 0 || x < 1, y, z)", "conditions are not joined", 9),
    ("if(x > 0; y; z)", "commas separate a condition and its values", 8),
    ("if(x ≥ 0, y, z)", "write `>=`", 5),
    ("if(x ≤ 0, y, z)", "write `<=`", 5),
    ("|x|", "write `abs(...)`", 0),
    (f"-({np.float64(0.5)!r})*x", "is how NumPy shows a number; write the number alone", 4),
    ("x(t)", "a coordinate is written `x`, and its velocity `x'`", 0),
    ("x'(t)", "the velocity is written `x'`.", 0),
    ("t'", "whose derivative is 1; write `1`", 1),
    ("if(x > y, z)", "takes a condition and two values", 0),
    ("if(x > y, z, x > 1)", "conditions and values take turns", 13),
    ("if(x > 0, y, z, 1)", "takes a condition and two values", 0),
    ("max(x)", "takes two arguments or more", 0),
    ("Heaviside(x)", "write `heaviside(...)`", 0),
    ("piecewise(x, y)", "write `if(x > 0, a, b)`", 0),
    ("x != y", "not part of the language", 2),
    ("x := y", "write a single `=`", 2),
    ("x; y", "a text of its own", 1),
    ("x²", "write `^2`", 1),
    ("\N{OHM SIGN}*t", "write `Ω`", 0),
    ("x − y", "write `-`", 2),
    ("m·g", "write `*`", 1),
    ("\\theta", "write `theta`", 0),
    ("1 + \\dot{x}^2", "write `x'`", 4),
    ("\\dot\\theta", "write `theta'`", 0),
    ("\\ddot{ \\theta }", "write `theta''`", 0),
    ("\\frac{1}{2}", "write `(...)/(...)`", 0),
    ("\\{x", "remove the `\\`", 0),
    ("x\u0307^2", "write `'`", 1),
    ("np.sin(x)", "write `sin(...)` instead of `np.sin(...)`", 2),
    ("2*numpy.arctan2(y, x)", "write `atan2(...)` instead of `numpy.arctan2(...)`", 7),
    ("np.pi/2", "write `pi` instead of `np.pi`", 2),
    ("theta.diff(t)", "the time derivative of theta is written `theta'`", 5),
    ("Derivative(theta, t)", "the time derivative of theta is written `theta'`", 0),
    ("diff(2*x)", "the time derivative of x is written `x'`", 0),
    ("cos(30°)", "write `30*pi/180`", 6),
    ("22.5 deg", "write `22.5*pi/180`", 5),
    ("x°", "write `(...)*pi/180`", 1),
    ("a$b", "the character `$`", 1),
    ("x\0y", "U+0000", 1),
    ("x\u200by", "U+200B", 1),
    ("lambda x: x", "write `*` between them: `lambda*x`", 7),
    ("__import__('os').system('true')", "quotes are not part", 11),
    ("1/0", "divides by zero", 2),
    ("x/(1 - 1)", "divides by zero", 3),
    ("1/(x - x)", "divides by zero", 3),
    ("0^-1", "divides by zero", 0),
    ("log(0)", "log(0) is not a real number", 0),
    ("1 + log(-1)", "not a real number", 4),
    ("sqrt(-1)", "sqrt(-1) is not a real number", 0),
    ("sqrt(-1)^2", "sqrt(-1) is not a real number", 0),
    ("0*asin(2)", "asin(2) is not a real number", 2),
    ("acosh(1/2)", "not a real number", 0),
    ("atanh(1)", "not a real number", 0),
    ("(-8)^(1/3)", "not a real number", 1),
    ("x + (-8)^(y - y + 1/3)", "not a real number", 5),
    ("asin(x - x + sqrt(2))", "not a real number", 0),
    ("tan(pi/2)", "infinite or undefined", 0),
    ("atan2(0, 0)", "infinite or undefined", 0),
    ("exp(1000)", "too large", 0),
    ("1e400", "too large", 0),
    ("x*1e401", "beyond ±400", 2),
    ("10^400", "too large", 0),
    ("x^1001", "exceeds 1000", 2),
    ("((x + 1)^50)^50", "exceeds 1000", 2),
    ("x^1000*x", "exceeds 1000", 0),
    ("9^9^9^9", "exceeds 1000", 4),
]
EQUATIONS = [
    ("x", "write `... = 0`", 1),
    ("x = y = z", "more than one `=`", 6),
    ("x == y", "single `=`", 3),
    ("= x", "to the left", 0),
    ("x =", "to the right", 3),
    ("(x = y)", "inside parentheses", 3),
    ("x + = y", "missing between `+` and `=`", 4),
    ("(x", "never closed", 0),
    ("x <= y", "a comparison stands only as a condition", 2),
    ("x = 1/0", "divides by zero", 6),
]
ASSIGNMENTS = [
    ("m", "`name = value`", 1),
    ("", "`name = value`", 0),
    ("= 2", "`name = value`", 0),
    ("2 = m", "`name = value`", 0),
    ("a + b = 2", "`name = value`", 2),
    ("m == 2", "single `=`", 3),
    ("m = ", "to the right", 3),
    ("t = 1", "reserved", 0),
    ("sin = 1", "is a function", 0),
    ("x''' = 1", "second derivative", 1),
    ("m = 2 kg", "`2*kg`", 6),
]
CASES = [
    *((parse_expression, *case) for case in EXPRESSIONS),
    *((parse_equation, *case) for case in EQUATIONS),
    *((parse_assignment, *case) for case in ASSIGNMENTS),
]


@pytest.mark.parametrize(("parse", "text", "fragment", "column"), CASES, ids=lambda value: repr(value)[:30])
def test_a_bad_text_is_refused_with_its_sentence_and_place(parse, text, fragment, column):
    with pytest.raises(ExpressionError) as refused:
        parse(text, what="the Lagrangian")
    sentence, line, caret = str(refused.value).split("\n")
    assert sentence.startswith("the Lagrangian: ")
    assert sentence.endswith((".", "?"))
    assert fragment in sentence
    assert caret.rstrip("^").strip() == ""
    assert len(line) == 4 + len(text)
    assert caret.index("^") - 4 == column


def test_the_caret_finds_its_line_in_a_text_of_several():
    with pytest.raises(ExpressionError) as refused:
        parse_expression("x +\ny z +\nw")
    assert str(refused.value).split("\n")[1:] == ["    y z +", "      ^"]


def test_a_long_line_is_shown_around_the_culprit():
    with pytest.raises(ExpressionError) as refused:
        parse_expression("x + " * 1000 + "$" + " + x" * 1000)
    _, line, caret = str(refused.value).split("\n")
    assert len(line) < 100
    assert line[caret.index("^")] == "$"


@pytest.mark.parametrize("value", [None, 3, b"x", ["x"], 1.5])
def test_what_is_not_text_is_refused(value):
    for parse in (parse_expression, parse_equation, parse_assignment):
        with blames(ExpressionError):
            parse(value)


@pytest.mark.parametrize("name", ["x'", "2x", "", "a b", "x.y", 3, "é", *sorted(RESERVED)])
def test_names_that_cannot_be_read_back_are_refused(name):
    with blames(DeclarationError, "coordinate", *([name] if name else [])):
        check_name(name, "the coordinate")


@pytest.mark.parametrize("name", ["x", "theta_1", "θ", "I", "lambda", "_", "T", "Pi"])
def test_good_names_pass_and_are_read_as_themselves(name):
    check_name(name, "the coordinate")
    assert parse_expression(name).name == name


HOSTILE = {
    "too long": "x+" * 100_001 + "x",
    "parentheses": "(" * 100_000 + "x" + ")" * 100_000,
    "calls": "sin(" * 40_000,
    "tower": "9^" * 60_000 + "9",
    "tower of names": "x^" * 60_000 + "x",
    "power of power": "(10^9)^(10^9)",
    "nested powers": "(" * 150 + "2" + ")^7" * 150,
    "nested powers of a product": "(" * 150 + "2*x" + ")^7" * 150,
    "nested powers of a root": "(" * 150 + "sqrt(2)" + ")^7" * 150,
    "nested powers of a sum": "(" * 150 + "x+1" + ")^7" * 150,
    "digits": "1" * 150_000,
    "exponent digits": "1e" + "9" * 150_000,
    "large exponent": "1e999999999",
    "product of large numbers": "*".join(["1e300"] * 20_000),
    "product of powers": "*".join(["2^1000"] * 10_000),
    "sum of fractions": "+".join(f"x/{2 * i + 1}" for i in range(8_000)),
    "primes": "x" + "'" * 150_000,
    "signs": "+" * 100_000,
    "long name called": "a" * 150_000 + "(x)",
    "long name": "a" * 150_000,
    "long name and more": "a" * 150_000 + " $",
    "operators": "x*" * 50_000 + "*",
    "factorial exponent": "x^(10^300)",
    "nested calls of a long sum": "sin(" * 199 + "+".join(f"x{i}" for i in range(5_000)) + ")" * 199,
    "nested exponentials": "exp(" * 199 + "1" + ")" * 199,
    "nested fractions": "1/(1+" * 199 + "x" + ")" * 199,
}


@pytest.mark.exhaustive_for("tower of names", "tower")
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_is_refused(text):
    with blames(Error):
        parse_expression(text)
