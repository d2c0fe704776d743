r"""A heavy particle whose speed is held constant: a constraint that is quadratic in the velocity, and not homogeneous.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2 + \dot z^2) - m g z, \qquad \dot x^2 + \dot y^2 + \dot z^2 = c^2 .

With Chetaev's rule the reaction is a thrust or a brake along the velocity, which does work: gravity may only turn the
particle. It stays in a vertical plane, where, with $T = g(t - t_0)/c$ and $h$ the horizontal distance from the top of the path,

.. math::
   \dot z = -c\tanh T, \qquad \dot h = c\operatorname{sech} T, \qquad
   z - z_{\max} = \frac{c^2}{g}\ln\cos\frac{g h}{c^2} .

The path is the catenary of equal strength: it lies between two vertical lines a distance $\pi c^2/g$ apart, whatever the
direction of the throw, unless that is vertical.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["constant_speed"]


def constant_speed(m: float | None = 1.0, g: float | None = 9.81, c: float | None = 7.0) -> System:
    """A particle of mass ``m`` that keeps the speed ``c`` whatever gravity does.

    >>> print(constant_speed().derive("lagrange-dalembert"))
    particle of constant speed: equations of motion by lagrange-dalembert
      m*x'' = 2*lambda1*x'
      m*y'' = 2*lambda1*y'
      m*z'' = 2*lambda1*z' - g*m
      2*(x'*x'' + y'*y'' + z'*z'') = 0
    """
    return System(
        name="particle of constant speed",
        coordinates={"x": "length", "y": "length", "z": "length"},
        lagrangian="m/2*(x'^2 + y'^2 + z'^2) - m*g*z",
        constraints={"speed": "x'^2 + y'^2 + z'^2 = c^2"},
        parameters={"m": m, "g": g, "c": c},
        scene=[
            {"shape": "plane"},
            {"shape": "sphere", "position": ["x", "y", "z"], "radius": "0.06*c^2/g", "trail": True},
            {"shape": "arrow", "position": ["x", "y", "z"], "to": ["x + c/g*x'", "y + c/g*y'", "z + c/g*z'"],
             "radius": "0.02*c^2/g"},
        ],
    )  # fmt: skip


ENTRY = Entry(
    make=constant_speed,
    start={"x": 0.0, "y": 0.0, "z": 0.0, "x'": 6.0, "y'": 2.0, "z'": 3.0},
    until=4.0,
    facts=(
        "z' = -c tanh(g (t - t0) / c)",
        "the horizontal speed is c / cosh(g (t - t0) / c)",
        "the path is z = (c^2 / g) ln cos(g h / c^2), between vertical lines pi c^2 / g apart",
    ),
    claims=Claims(
        source="Swaczyna and Volný, Rep. Math. Phys. 73 (2014)", integrals=(), beyond=("x'/y'",), broken=("energy",)
    ),
    references=(
        "M. Swaczyna and P. Volný, Uniform projectile motion: dynamics, symmetries and conservation laws, "
        "Rep. Math. Phys. 73 (2014)",
    ),
)
