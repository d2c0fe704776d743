"""Random Lagrangians of fields."""

from __future__ import annotations

import random

LETTERS = ("t", "s")


def random_lagrangian(seed: int, fields: tuple[str, ...]) -> str:
    """A polynomial with sines in fields, first derivatives and parameters."""
    draw = random.Random(seed)
    names = [*fields, *(f"{u}_{a}" for u in fields for a in LETTERS), *LETTERS]
    terms = []
    for _ in range(5):
        first, second, third = (draw.choice(names) for _ in range(3))
        shape = draw.choice(["{a}*{b}*{c}", "{a}^2*cos({b})", "sin({a} + {b})*{c}", "{a}^2*{b}/2"])
        terms.append(f"{draw.randint(1, 5)}*" + shape.format(a=first, b=second, c=third))
    squares = [f"{u}_{a}^2" for u in fields for a in LETTERS]
    return " + ".join([*squares, *terms])
