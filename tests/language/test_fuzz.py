"""Whatever the text: an expression or a refusal, and nothing runs. What is accepted has Python's value."""

from __future__ import annotations

import builtins
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import symengine

from anholonomy.algebra.expressions import symbol
from anholonomy.base.errors import Error
from anholonomy.language import parse_assignment, parse_equation, parse_expression, to_text
from anholonomy.language.parser import Unexpected, read
from anholonomy.language.syntax_errors import Trouble

SEEDS = [
    "m*x'^2/2 - m*g*z",
    "x'*sin(theta) = y'*cos(theta)",
    "theta' = 1",
    "__import__('os').system('true')",
    "().__class__.__bases__[0].__subclasses__()",
    "exec('x=1')",
    "eval(compile('1', '', 'eval'))",
    "(lambda: 0)()",
    "open('/etc/passwd').read()",
    "[x for x in (1, 2)]",
    "{'a': 1}['a']",
    "f'{x}'",
    "atan2(y - 1e-3, -x)^-2**3",
    "sqrt(1 - (x/R)^2)*exp(-t/tau)*abs(sign(u))",
    "((((1.5e3))))/θ''",
]
CHARACTERS = "xyzt θ'’0123456789.eE+-*/^()=,_ \n\t\"[]{}:;!@#$%&|~`\\<>?\0é²π"
WORDS = [
    *(
        "sin(",
        "cos(",
        "atan2(",
        "sqrt(",
        "log(",
        "tan(",
        "exp(",
        "asin(",
        "pi",
        "t",
        "x'",
        "y''",
        "2",
        "0.5",
        "1e3",
    ),
    *("+", "-", "*", "/", "^", "**", "(", ")", ",", "=", " ", "m", "0", "1000", "eval(", "__import__", "x"),
]


def mutated(rng, text):
    letters = list(text)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(letters) + 1)
        match rng.randrange(4):
            case 0:
                letters.insert(at, rng.choice(CHARACTERS))
            case 1:
                del letters[at : at + rng.randint(1, 3)]
            case 2:
                letters[at:at] = list(rng.choice(WORDS))
            case 3:
                letters[at:at] = letters[rng.randrange(len(letters) + 1) :][:10]
    return "".join(letters)


def random_text(rng):
    match rng.randrange(3):
        case 0:
            return "".join(rng.choices(CHARACTERS, k=rng.randint(0, 25)))
        case 1:
            return "".join(rng.choices(WORDS, k=rng.randint(1, 14)))
    return mutated(rng, rng.choice(SEEDS))


def test_any_text_is_read_or_refused_and_nothing_runs(monkeypatch):
    def caught(*_, **__):
        raise AssertionError("a text was executed")

    rng = random.Random(20240229)
    texts = [random_text(rng) for _ in range(20_000)]
    outcomes = []
    with monkeypatch.context() as patched:
        for owner, name in [
            (builtins, "eval"),
            (builtins, "exec"),
            (builtins, "compile"),
            (builtins, "open"),
        ]:
            patched.setattr(owner, name, caught)
        patched.setattr(os, "system", caught)
        for text in texts:
            try:
                expression = parse_expression(text)
            except Error as refusal:
                outcomes.append(str(refusal))
            else:
                outcomes.append(expression)
    sentences = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert all(sentence.count("\n") == 2 for sentence in sentences)
    assert all(isinstance(outcome, (str, symengine.Basic)) for outcome in outcomes)
    assert 500 < len(texts) - len(sentences) < 15_000


@pytest.mark.parametrize("parse", [parse_equation, parse_assignment])
def test_any_equation_or_assignment_is_read_or_refused(parse):
    rng = random.Random(7)
    sentences = []
    for _ in range(3000):
        text = mutated(rng, rng.choice(["x' = 2*y", "m=1", "x*sin(t) = (y)", "a=b=c"]))
        try:
            parse(text)
        except Error as refusal:
            sentences.append(str(refusal))
    assert 500 < len(sentences) < 3000


VALUES = {"x": 0.7, "y": -1.3, "m": 2.5, "x'": 0.31, "θ''": 1.9}
MATH = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "atan", "sinh", "tanh", "asinh", "exp")},
    "abs": abs,
}


def random_tree(rng, depth):
    """A text of the language and its value by Python's own arithmetic; few parentheses."""
    kind = rng.randrange(8) if depth else rng.randrange(2)
    if kind == 0:
        name = rng.choice(list(VALUES))
        return name, VALUES[name], 4
    if kind == 1:
        text = rng.choice(["2", "3", "0.5", "1.25e0", "7e-1"])
        return text, float(text), 4
    left, a, la = random_tree(rng, depth - 1)
    if kind == 2:
        name = rng.choice(list(MATH))
        return f"{name}({left})", float(MATH[name](a)), 4
    if kind == 3:
        return f"-{wrap(left, la, 2)}", -a, 2
    if kind == 4:
        exponent = rng.choice([2, 3, -1, -2])
        return f"{wrap(left, la, 4)}^{exponent}", a**exponent, 3
    right, b, lb = random_tree(rng, depth - 1)
    if kind == 5:
        sign = rng.choice("+-")
        return f"{left} {sign} {wrap(right, lb, 1)}", a + b if sign == "+" else a - b, 0
    if kind == 6:
        return f"{wrap(left, la, 1)}*{wrap(right, lb, 2)}", a * b, 1
    return f"{wrap(left, la, 1)}/{wrap(right, lb, 2)}", a / b, 1


def wrap(text, level, wanted):
    return text if level >= wanted else f"({text})"


@pytest.mark.exhaustive
def test_accepted_texts_have_the_value_that_python_computes():
    rng = random.Random(11)
    values = {symengine.Symbol(name): value for name, value in VALUES.items()}
    compared, refused = 0, []
    for _ in range(3000):
        try:
            text, value, _ = random_tree(rng, 5)
        except (OverflowError, ZeroDivisionError):
            continue
        if not 1e-6 < abs(value) < 1e6:
            continue
        try:
            expression = parse_expression(text)
        except Error as refusal:
            refused.append((text, str(refusal)))
            continue
        for form in (expression, parse_expression(to_text(expression))):
            computed = complex(form.subs(values).n(100))
            assert abs(computed - value) <= 1e-6 * abs(value), text
        compared += 1
    assert compared > 1000
    # Exact arithmetic sees zeros that rounding hides; nothing else is a reason to refuse here.
    assert all("zero" in sentence or "large" in sentence for _, sentence in refused), refused


def in_another_interpreter(*arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout.splitlines()[-1:], done.stderr[-500:])
    return done.stdout


@pytest.mark.exhaustive_for("short")
@pytest.mark.parametrize(
    ("seed", "count"), [(1, 400), pytest.param(2, 6000, marks=pytest.mark.exhaustive)], ids=["short", "long"]
)
def test_no_text_kills_the_interpreter(seed, count):
    script = Path(__file__).with_name("crashes.py")
    assert len(in_another_interpreter(str(script), str(seed), str(count)).splitlines()) == count


KILLERS = """
import anholonomy as ah
from anholonomy.system.declaration.toml import from_toml

for text in ("sign(sqrt(-x))", "abs(sqrt(-x))", "atan2(sqrt(-x), sqrt(-x))", "sign((-2*x)^y)", "abs((-x)^(1/3))*sign(y*sqrt(-x))"):
    system = ah.System(name="root", coordinates=["x", "y"], lagrangian=f"(x'^2 + y'^2)/2 - {text}")
    assert str(system.derive()) == str(ah.System(**from_toml(system.to_toml())).derive())
    system = ah.System(name="free", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2")
    run = system.simulate({"x": -1, "y": 1, "x'": 0.1, "y'": 0}, until=1, events={"e": text + " - 2"})
    assert run.is_complete
print("alive")
"""


@pytest.mark.exhaustive
def test_roots_of_what_looks_negative_pass_declaration_file_and_event():
    assert in_another_interpreter("-c", KILLERS).split() == ["alive"]


def sound_text(rng, depth=3):
    """A text of the grammar; some of them divide by zero or take roots of negative numbers."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["x", "y'", "θ''", "2", ".5", "3.e-2", "1e3", "pi", "t", "0"])
    inner = [sound_text(rng, depth - 1) for _ in range(3)]
    signs = ["+", "-", "*", "/", "^", "**", "^-", "*-", " + ", "\t-"]
    match rng.randrange(5):
        case 0:
            return f"({inner[0]})"
        case 1:
            return f"{rng.choice(['sin', 'sqrt', 'log', 'abs', 'atan'])}({inner[0]})"
        case 2:
            return f"if({inner[0]} {rng.choice(['<', '>='])} {inner[1]}, {inner[2]}, x)"
        case 3:
            return f"max({inner[0]},{inner[1]})"
    return f"{rng.choice(['', '-', '- +'])}{inner[0]}{rng.choice(signs)}{inner[1]}{rng.choice(signs)}{inner[2]}"


@pytest.mark.parametrize("start", ["expression", "equation", "assignment", "inequality"])
def test_a_mistake_is_where_no_text_could_go_on(start):
    """What stands before the place fits as far as it goes, and what stands there fits nowhere behind it."""
    rng = random.Random(11)
    sides = {"expression": "{1}", "equation": "{0} = {1}", "assignment": "x'={1}", "inequality": "{0} <= {1}"}[start]
    sound = [sides.format(sound_text(rng, 2), sound_text(rng)) for _ in range(400)]
    texts = [*sound, *(mutated(rng, text) for text in sound), *(random_text(rng) for _ in range(1000))]
    read_whole, refused = 0, 0
    for text in texts:
        at = unexpected(text, start)
        if at is None:
            read_whole += 1
            continue
        before = unexpected(text[:at], start)
        assert before in (None, at, len(text[:at].rstrip())), text
        if at < len(text):
            refused += 1
            assert all(unexpected(text[: at + 1] + end, start) == at for end in ENDS), text
    assert 300 < read_whole < 1400
    assert refused > 300


ENDS = ("", " x", " (x)", " 2", " )", " , x)", " = x", " < x", " + x", " *x", " ^2")
"""Whatever follows behind a mistake, its place stays."""


def unexpected(text, start):
    """The place at which a text does not fit the grammar; None where it fits."""
    try:
        read(text, start)
    except Unexpected as problem:
        return problem.at
    except Trouble:
        return None
    return None


@pytest.mark.parametrize(
    ("text", "at"),
    [("1e9999 x", 7), ("asin(2) $", 8), ("asin(2) )", None), ("f(1) 2", 5), ("(1/0) x", None), ("2 + asin(2 3", 11)],
)
def test_a_neighbour_that_does_not_fit_comes_before_an_operand_without_sense(text, at):
    if at is None:
        with pytest.raises(Trouble):
            read(text, "expression")
    else:
        assert unexpected(text, "expression") == at


def test_deep_texts_are_read_without_recursion():
    limit = sys.getrecursionlimit()
    for depth in (150, 4 * limit):
        assert read("(" * depth + "x" + ")" * depth, "expression").expr == symbol("x")
        assert read("sqrt(" * 3 + "(" * depth + "x" + ")" * (depth + 3), "expression").depth == 3
