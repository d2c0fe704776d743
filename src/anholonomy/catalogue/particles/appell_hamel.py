r"""The Appell–Hamel particle: a heavy particle with a constraint that is quadratic in its velocity.

It is what remains of Appell's machine when everything but the hanging weight loses its mass and the weight
hangs above the point of contact: a wheel of radius $a$ and a drum of radius $b$ turn together, so that the weight sinks
or rises by $b$ while it travels $a$, in whatever direction.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2 + \dot z^2) - m g z, \qquad \dot x^2 + \dot y^2 = k^2 \dot z^2, \quad k = \frac ab .

With Chetaev's rule the reaction is along $(\dot x, \dot y, -k^2\dot z)$, and

.. math:: \ddot z = -\frac{g}{1 + k^2}, \qquad (\dot x, \dot y) = (\dot x_0, \dot y_0)\,\frac{\dot z}{\dot z_0} :

a straight line, run through with constant acceleration. The constraint is singular at rest, $\dot z = 0$, where a particle that
was thrown upwards arrives after the time $(1 + k^2)\,\dot z_0/g$: nothing says in which direction it falls.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["appell_hamel"]


def appell_hamel(
    m: float | None = 1.0, g: float | None = 9.81, a: float | None = 0.5, b: float | None = 0.25
) -> System:
    """A particle of mass ``m`` that travels the distance ``a`` in the plane for every ``b`` it rises or sinks.

    >>> print(appell_hamel().derive("lagrange-dalembert"))
    Appell-Hamel particle: equations of motion by lagrange-dalembert
      m*x'' = 2*lambda1*x'
      m*y'' = 2*lambda1*y'
      m*z'' = -2*a^2*lambda1*z'/b^2 - g*m
      2*(x'*x'' + y'*y'' - a^2*z'*z''/b^2) = 0
    """
    return System(
        name="Appell-Hamel particle",
        coordinates={"x": "length", "y": "length", "z": "length"},
        lagrangian="m/2*(x'^2 + y'^2 + z'^2) - m*g*z",
        constraints={"thread": "x'^2 + y'^2 = (a/b)^2*z'^2"},
        parameters={"m": m, "g": g, "a": a, "b": b},
        scene=[
            {"shape": "plane"},
            {"shape": "sphere", "position": ["x", "y", "z"], "trail": True},
            {"shape": "rod", "position": ["x", "y", "0"], "to": ["x", "y", "z"]},
            {"shape": "trail", "position": ["x", "y", "0"], "colour": "muted"},
        ],
    )


ENTRY = Entry(
    make=appell_hamel,
    start={"x": 0.0, "y": 0.0, "z": 0.0, "x'": 0.6, "y'": 0.8, "z'": -0.5},
    until=5.0,
    facts=(
        "z'' = -g b^2 / (a^2 + b^2)",
        "the path is a straight line",
        "the constraint is singular where the particle is at rest",
    ),
    claims=Claims(source="Appell, Rend. Circ. Mat. Palermo 32 (1911); Hamel, 1949", beyond=("x'/y'",)),
    references=(
        "P. Appell, Exemple de mouvement d'un point assujetti à une liaison exprimée par une relation non linéaire entre "
        "les composantes de la vitesse, Rend. Circ. Mat. Palermo 32 (1911)",
        "G. Hamel, Theoretische Mechanik, 1949",
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
    ),
)
