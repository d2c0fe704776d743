r"""The contact particle: a free particle in $2n + 1$ dimensions on the standard contact structure.

.. math:: L = \tfrac12 m\Big(\sum_i(\dot x_i^2 + \dot y_i^2) + \dot z^2\Big), \qquad \dot z = \sum_{i=1}^n y_i\,\dot x_i .

The constraint is as far from having an integral as one constraint can be: $\theta\wedge(d\theta)^n \neq 0$ for
$\theta = dz - \sum y_i\,dx_i$. All $\dot y_i$ are constant, and so are

.. math:: P = \sqrt{1 + |y|^2}\,\sum_i \dot y_i\,\dot x_i, \qquad
   K_{ij} = \dot y_i\,(\dot x_j + y_j\,\dot z) - \dot y_j\,(\dot x_i + y_i\,\dot z) ,

since $m(\dot x_i + y_i\dot z)$, the momentum along the admissible field $\partial_{x_i} + y_i\,\partial_z$, changes at the rate $m\dot y_i\dot z$. Along
a straight line $y(t)$ the sum of the $\dot y_i\dot x_i$ therefore falls off as $1/\sqrt{1 + |y|^2}$ does.
"""

from __future__ import annotations

from typing import Any

from anholonomy.base.errors import ArgumentError
from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.language.arguments import expect_whole
from anholonomy.public.system import System

__all__ = ["contact_particle"]


def contact_particle(n: int = 2, m: float | None = 1.0) -> System:
    """A particle of mass ``m`` in 2 ``n`` + 1 dimensions that must obey z' = y1 x1' + … + yn xn'.

    >>> contact_particle(n=3)
    System('contact particle', 7 coordinates, 1 constraint)
    """
    n = expect_whole(n, "contact particle: `n`", 1, 500, refusal=ArgumentError)
    places = range(1, n + 1)
    names = [f"{q}{i}" for q in "xy" for i in places] + ["z"]
    squares, work = " + ".join(f"{q}'^2" for q in names), " + ".join(f"y{i}*x{i}'" for i in places)
    unit = [["1" if k == i else "0" for k in range(2 * n)] for i in range(2 * n)]
    return System(
        name="contact particle",
        coordinates=dict.fromkeys(names, "length"),
        lagrangian=f"m/2*({squares})",
        constraints={"contact": f"z' = {work}"},
        parameters={"m": m},
        span=[[*row, f"y{i + 1}" if i < n else "0"] for i, row in enumerate(unit)],
        scene=_shadows(n),
    )


def _shadows(n: int) -> list[dict[str, Any]]:
    """Of more than three dimensions the shadows are seen: one in each space (xi, yi, z)."""
    colours = ("body", "second", "wheel", "accent")
    shadows = [
        {"shape": "point", "position": [f"x{i}", f"y{i}", "z"], "colour": colours[(i - 1) % 4], "trail": True}
        for i in range(1, n + 1)
    ]
    return [{"shape": "plane"}, *shadows]


ENTRY = Entry(
    make=contact_particle,
    start={
        "x1": 0.0,
        "x2": 0.0,
        "y1": -1.0,
        "y2": 0.5,
        "z": 0.0,
        "x1'": 1.0,
        "x2'": 0.4,
        "y1'": 0.5,
        "y2'": -0.2,
    },
    until=10.0,
    facts=(
        "the growth vector is (2 n, 2 n + 1) everywhere, and theta([X_a, X_b]) is a regular matrix",
        "for n = 1 it is the nonholonomic free particle",
    ),
    claims=Claims(
        source="Bloch, Nonholonomic Mechanics and Control, ch. 5",
        integrals=(
            "energy",
            "y1'",
            "y2'",
            "sqrt(1 + y1^2 + y2^2)*(y1'*x1' + y2'*x2')",
            "y1'*(x2' + y2*z') - y2'*(x1' + y1*z')",
        ),
    ),
    references=(
        "V. I. Arnold, Mathematical Methods of Classical Mechanics, appendix 4",
        "A. M. Bloch, Nonholonomic Mechanics and Control, ch. 5",
    ),
)
