"""Systems without a law but their energy, or without any."""

from __future__ import annotations

import random

from anholonomy import System


def generic(rng: random.Random) -> System:
    """A row, a metric and a potential that have nothing to do with one another; every fourth has a row that moves."""

    def number() -> str:
        return f"{rng.randint(1, 9)}/{rng.randint(2, 9)}"

    potential = f"{number()}*x^2*y + {number()}*y^3 + {number()}*x*z + {number()}*z^2*x + {number()}*y"
    drift = f" + {number()}*x^2 + {number()}*t*y" if rng.random() < 0.25 else ""
    return System(
        name="generic", coordinates=["x", "y", "z"],
        lagrangian=f"(x'^2 + {number()}*y'^2 + {number()}*z'^2)/2 + {number()}*x*x'*y'/9 - ({potential})",
        constraints=[f"z' = ({number()}*x + y^2)*y' + (5 + {number()})*y*x'{drift}"],
    )  # fmt: skip


def generic_free(rng: random.Random) -> System:
    """A Chaplygin system over two or three dimensions whose row is no differential."""
    q = [f"x{k}" for k in range(rng.choice([2, 3]))]

    def polynomial() -> str:
        return " + ".join(f"{rng.randint(-3, 3)}/4*{rng.choice(q)}*{rng.choice([*q, '1'])}" for _ in range(3))

    row = " + ".join(f"({polynomial()})*{s}'" for s in q[1:])
    L = " + ".join(f"(2 + {rng.choice(q)}^2)*{s}'^2/2" for s in q)
    return System(
        name="generic", coordinates=[*q, "z"], lagrangian=f"{L} + z'^2/2", constraints=[f"z' = {row} + x1*{rng.randint(1, 3)}*x0'"]
    )  # fmt: skip
