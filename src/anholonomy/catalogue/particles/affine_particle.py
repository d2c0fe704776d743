r"""A particle in the plane with a constraint that moves: affine in the velocity, dependent on time.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2), \qquad \dot x = a(x, y, t)\,\dot y + b(x, y, t) .

The constraint has no integral exactly where the one-form $dx - a\,dy - b\,dt$ is a contact form, that is where

.. math:: \partial_t a - \partial_y b + b\,\partial_x a - a\,\partial_x b \neq 0 ,

which a slope $a(t)$ achieves alone, although the particle is then on a fixed straight line at every frozen time. With
$a = a(t)$ and a constant drift $b$ the motion conserves $\sqrt{1 + a^2}\,\dot y$; for $a = kt$,
$y = y_0 + \dot y_0 \operatorname{asinh}(kt)/k$.
"""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["affine_particle"]

_SHAPE = {"k": 0.8, "b0": 0.3}


def affine_particle(
    a: str = "k*t", b: str = "b0", shape: Mapping[str, float | None] = _SHAPE, m: float | None = 1.0
) -> System:
    """A particle of mass ``m`` with x' = a y' + b; ``a`` and ``b`` are texts in x, y, t and the parameters of ``shape``.

    >>> affine_particle("x*t", "sin(y)", {}).verify().agree
    True
    """
    return System(
        name="particle with an affine constraint",
        coordinates={"x": "length", "y": "length"},
        lagrangian="m/2*(x'^2 + y'^2)",
        constraints={"rail": f"x' = ({a})*y' + ({b})"},
        parameters={"m": m, **shape},
        span=[[a, "1"]],
        speeds=["u"],
        scene=[
            {"shape": "plane"},
            {"shape": "point", "position": ["x", "y", "0"], "trail": True},
            {
                "shape": "polyline",
                "position": ["x", "y", "0"],
                "points": [[f"{side}sin(atan({a}))", f"{side}cos(atan({a}))", "0"] for side in ("-", "")],
                "colour": "blade",
            },
        ],
    )


ENTRY = Entry(
    make=affine_particle,
    start={"x": 0.0, "y": 0.0, "y'": 1.0},
    until=10.0,
    facts=("y = y0 + (y'(0)/k) asinh(k t) for the slope k t",),
    claims=Claims(
        source="Jovanović, Classical relativistic nonholonomic mechanics, Example 2.1",
        integrals=("sqrt(1 + k^2*t^2)*y'",),
        broken=("energy",),
    ),
    references=(
        "B. Jovanović, Classical relativistic nonholonomic mechanics and time-dependent G-Chaplygin systems "
        "with affine constraints, Example 2.1",
    ),
)
