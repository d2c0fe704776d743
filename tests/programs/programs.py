"""Random programs that are well defined everywhere, as a Hypothesis strategy."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from anholonomy import testing
from anholonomy.algebra.expressions import Expr, symbol
from anholonomy.algebra.piecewise import choose, heaviside, maximum, minimum, sign
from anholonomy.programs.program import Program

__all__ = ["STATES", "PARAMETERS", "every_function", "programs", "random_program"]

STATES = tuple(symbol(f"x{i}") for i in range(3))
PARAMETERS = tuple(symbol(f"p{i}") for i in range(2))


def every_function(x: Expr, y: Expr) -> list[Expr]:
    """Each function and kind of power of the language once, those with corners among them, where all are defined."""
    corners = [sign(x), heaviside(x), maximum(x, y, 1), minimum(x, y), choose(y, x, 1 + x**2)]
    return [*testing.every_function(x, y), *corners]


def random_program(seed: int, length: int, solves: int) -> Program:
    """``length`` assignments with ``solves`` linear systems strewn in, each diagonally dominant."""
    return testing.random_program(random.Random(seed), length, min(solves, length))


def programs(solves: int = 2) -> st.SearchStrategy[Program]:
    return st.builds(random_program, st.integers(0, 10**6), st.integers(1, 12), st.integers(0, solves))
