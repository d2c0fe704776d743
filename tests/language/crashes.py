"""Random texts read, written, differentiated, substituted and simplified: run apart, because a crash ends the interpreter.

    python crashes.py SEED COUNT

prints each text before anything is done with it, so that the last line names the culprit.
"""

from __future__ import annotations

import random
import sys
from contextlib import suppress

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import from_sympy, symbol, to_sympy
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.errors import Error
from anholonomy.language import parse_expression, to_text

LEAVES = ["x", "y", "x'", "-x", "-1", "2", "-3", "1/2", "pi", "t", "0"]
ONE = ["sign", "abs", "sqrt", "sin", "cos", "exp", "log", "atan", "tan", "erf", "heaviside", "tanh", "asin", "sinh"]
TWO = ["atan2", "max", "min"]
POWERS = ["1/2", "-1/2", "1/3", "3/2", "2", "-1", "y", "x", "-x", "2/3"]
ROOTS = ["sqrt(-{})", "(-{})^(1/3)", "(-{})^y", "sqrt(-{})*sqrt(y)", "1/sqrt(-{})"]


def grown(rng: random.Random, depth: int) -> str:
    """A text; roots of what looks negative, signs and angles are frequent."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(LEAVES)
    inner = [grown(rng, depth - 1) for _ in range(3)]
    return [
        f"({inner[0]} + {inner[1]})",
        f"({inner[0]} - {inner[1]})",
        f"({inner[0]}*{inner[1]})",
        f"({inner[0]}/({inner[1]}))",
        f"({inner[0]})^({rng.choice(POWERS)})",
        f"{rng.choice(ONE)}({inner[0]})",
        f"{rng.choice(ONE[:3])}({rng.choice(ROOTS).format('(' + inner[0] + ')')})",
        f"{rng.choice(TWO)}({inner[0]}, {rng.choice(inner)})",
        f"if({inner[0]} {rng.choice(['<', '>=', '>'])} {inner[1]}, {inner[2]}, 1)",
        f"-({inner[0]})",
    ][rng.randrange(10)]


def handle(text: str) -> None:
    """Everything that a declaration does to a text, short of mechanics."""
    try:
        f = parse_expression(text)
    except Error:
        return
    x, y, v = symbol("x"), symbol("y"), symbol("x'")
    for g in (f, partial(f, x), partial(partial(f, x), y)):
        for place in ({x: -y}, {y: x}, {v: (-x) ** (y / 3)}, {x: v * (-y) ** parse_expression("1/2"), y: -v}):
            with suppress(RuntimeError):  # SymEngine's, for a place where something is infinite
                str(g.xreplace(place))
    with suppress(Error):
        to_text(f)


def handle_slowly(text: str) -> None:
    """What costs more: the display pass, and there and back through SymPy."""
    try:
        f = parse_expression(text)
    except Error:
        return
    simplify(f)
    from_sympy(to_sympy(f))


if __name__ == "__main__":
    seed, count = map(int, sys.argv[1:])
    rng = random.Random(seed)
    for k in range(count):
        text = grown(rng, rng.randint(1, 4))
        print(text, flush=True)
        handle(text)
        if k % 50 == 0 and len(text) < 40:
            handle_slowly(text)
