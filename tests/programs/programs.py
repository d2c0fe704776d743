"""Random programs that are well defined everywhere, as a Hypothesis strategy."""

from __future__ import annotations

import random

import symengine as se
from hypothesis import strategies as st

from anholonomy.algebra.expressions import Expr, symbol, time
from anholonomy.algebra.piecewise import choose, heaviside, maximum, minimum, sign
from anholonomy.algebra.steps.definitions import Assign, Solve, Step
from anholonomy.programs.program import Program

__all__ = ["STATES", "PARAMETERS", "every_function", "programs", "random_program"]

STATES = tuple(symbol(f"x{i}") for i in range(3))
PARAMETERS = tuple(symbol(f"p{i}") for i in range(2))


def every_function(x: Expr, y: Expr) -> list[Expr]:
    """Each function and kind of power of the language once, at arguments where it is smooth and bounded."""
    inside = x / (1 + x**2)  # at most 1/2 in size
    positive = 1 + x**2
    return [
        *(f(x) for f in (se.sin, se.cos, se.atan, se.tanh, se.asinh)),
        *(f(inside) for f in (se.tan, se.asin, se.acos, se.sinh, se.cosh, se.atanh, se.exp)),
        *(se.acosh(1 + positive), se.log(positive), se.sqrt(positive), se.atan2(y, positive)),
        *(se.Abs(x), sign(x), positive**inside, positive ** se.Rational(-2, 3)),
        *(se.erf(x), heaviside(x), maximum(x, y, 1), minimum(x, y), choose(y, x, positive)),
        *(positive ** se.Rational(3, 2), inside**5, positive**-3, se.pi * inside, se.E * inside),
        *(se.Rational(1, 3) * x, se.RealDouble(0.1) * y, x - y, -x * y),
    ]


def random_program(seed: int, length: int, solves: int) -> Program:
    """``length`` assignments with ``solves`` linear systems strewn in, each diagonally dominant."""
    draw = random.Random(seed)
    atoms = [*STATES, *PARAMETERS, time]
    steps: list[Step] = []
    at = set(draw.sample(range(length), min(solves, length)))
    for k in range(length):
        value = draw.choice(every_function(draw.choice(atoms), draw.choice(atoms)))
        steps.append(Assign(symbol(f"w{k}"), value))
        atoms.append(symbol(f"w{k}"))
        if k in at:
            size = draw.randint(1, 5)
            entries = [[se.sin(draw.choice(atoms)) for _ in range(size)] for _ in range(size)]
            for i in range(size):
                entries[i][i] += 2 * size
            names = tuple(symbol(f"z{k}_{i}") for i in range(size))
            bounded = tuple(se.cos(draw.choice(atoms)) for _ in range(size))
            # Rows shuffled, so that a solver without pivoting would fail.
            order = draw.sample(range(size), size)
            steps.append(Solve(names, tuple(tuple(entries[i]) for i in order), tuple(bounded)))
            atoms += names
    outputs = tuple(se.atan(draw.choice(atoms[-6:])) + draw.choice(atoms) for _ in STATES)
    return Program(STATES, PARAMETERS, tuple(steps), outputs)


def programs(solves: int = 2) -> st.SearchStrategy[Program]:
    return st.builds(random_program, st.integers(0, 10**6), st.integers(1, 12), st.integers(0, solves))
