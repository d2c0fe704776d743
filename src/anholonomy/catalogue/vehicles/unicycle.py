r"""The unicycle in a potential field: a wheel that stays upright, rolls, turns and is pulled.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2) + \tfrac12 I\dot\theta^2 + \tfrac12 J\dot\varphi^2 - U, \qquad
   \dot x = R\cos\varphi\,\dot\theta, \quad \dot y = R\sin\varphi\,\dot\theta .

The potentials whose force is no load for the contact along the track are those that depend on the heading and on one more
function,

.. math:: U = U(\varphi, s), \qquad s = I\theta + mR\,(x\cos\varphi + y\sin\varphi) .

For them $\ddot\theta = -\partial_s U$, whatever the masses, and the ground pushes sideways only, with
$m R\,\dot\theta\,\dot\varphi$. It does push: a curved path is no motion of the wheel without the constraints.
"""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["unicycle"]

_SHAPE = {"k": 0.8, "c": 0.6}


def unicycle(
    U: str = "k/2*(I*theta + m*R*(x*cos(phi) + y*sin(phi)))^2 - c*cos(phi)",
    shape: Mapping[str, float | None] = _SHAPE,
    m: float | None = 1.0,
    I: float | None = 0.5,
    J: float | None = 0.25,
    R: float | None = 1.0,
) -> System:
    """A wheel of mass ``m`` and radius ``R``; ``I`` about its axle, ``J`` about the vertical; the potential is ``U``.

    ``U`` is a text in x, y, theta, phi and the parameters, among them those of ``shape``.

    >>> print(unicycle("-c*cos(phi)", {"c": 0.6}).derive("hamel"))
    unicycle: equations of motion by hamel
      x' = Omega*R*cos(phi)
      y' = Omega*R*sin(phi)
      theta' = Omega
      phi' = omega
      (R^2*m + I)*Omega' = 0
      J*omega' = -c*sin(phi)
    """
    return System(
        name="unicycle",
        coordinates={"x": "length", "y": "length", "theta": "angle", "phi": "angle"},
        lagrangian=f"m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2 - ({U})",
        constraints={"along": "x' = R*cos(phi)*theta'", "across": "y' = R*sin(phi)*theta'"},
        parameters={"m": m, "I": I, "J": J, "R": R, **shape},
        span=[["R*cos(phi)", "R*sin(phi)", "1", "0"], ["0", "0", "0", "1"]],
        speeds=["Omega", "omega"],
        scene=[
            {"shape": "plane"},
            {
                "shape": "wheel",
                "position": ["x", "y", "R"],
                "rotation": [["z", "phi"], ["y", "theta"]],
                "radius": "R",
                "colour": "body",
            },
            {"shape": "trail", "position": ["x", "y", "0"]},
        ],
    )


ENTRY = Entry(
    make=unicycle,
    start={"x": 0.0, "y": 0.0, "theta": 0.0, "phi": 0.3, "theta'": 1.5, "phi'": 0.8},
    until=15.0,
    facts=(
        "without a potential it runs on a circle of radius R |theta'/phi'|",
        "theta'' = -dU/ds where U depends on phi and s = I theta + m R (x cos(phi) + y sin(phi)) alone",
        "there the only reaction is m R theta' phi', sideways: it is no motion without the constraints",
        "other potentials load the contact along the track",
    ),
    claims=Claims(
        source="Jóźwikowski and Respondek, A comparison of vakonomic and nonholonomic variational problems, Example 4.2"
    ),
    references=(
        "M. Jóźwikowski and W. Respondek, A comparison of vakonomic and nonholonomic variational problems with "
        "applications to systems on Lie groups, Example 4.2",
    ),
)
