r"""The two-wheeled carriage: an axle with two wheels that turn freely and do not slip.

The centre of mass $(x, y)$ is the middle of the axle, $\varphi$ the heading; the wheels of radius $R$, a distance $2w$ apart, have
turned through $\psi_1 = \theta_1 + \theta_2$ and $\psi_2 = \theta_1 - \theta_2$. Neither wheel slips, along or across:

.. math::
   \dot x\cos\varphi + \dot y\sin\varphi = R\,\dot\theta_1, \qquad \dot y\cos\varphi = \dot x\sin\varphi, \qquad
   w\,\dot\varphi = R\,\dot\theta_2 .

The third has an integral, $\varphi - R\theta_2/w$. With $v$ the speed along the heading and $\omega = \dot\varphi$,

.. math:: \left(m + \frac{2I}{R^2}\right)\dot v = 0, \qquad \left(J + \frac{2Iw^2}{R^2}\right)\dot\omega = 0 :

the carriage runs on a circle of radius $|v/\omega|$, or straight on.
"""

from __future__ import annotations

from typing import Any

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["carriage"]


def carriage(
    m: float | None = 1.0,
    J: float | None = 0.4,
    I: float | None = 0.1,
    R: float | None = 0.5,
    w: float | None = 0.6,
) -> System:
    """A carriage of mass ``m``, with moment of inertia ``J`` about the vertical; ``I`` of each wheel about the axle.

    The wheels have radius ``R`` and are ``2 w`` apart.

    >>> print(carriage().derive("hamel"))
    two-wheeled carriage: equations of motion by hamel
      x' = v*cos(phi)
      y' = v*sin(phi)
      phi' = omega
      theta1' = v/R
      theta2' = omega*w/R
      (m + 2*I/R^2)*v' = 0
      (2*I*w^2/R^2 + J)*omega' = 0
    """
    return System(
        name="two-wheeled carriage",
        coordinates={"x": "length", "y": "length", "phi": "angle", "theta1": "angle", "theta2": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + J/2*phi'^2 + I*(theta1'^2 + theta2'^2)",
        constraints={
            "along": "x'*cos(phi) + y'*sin(phi) = R*theta1'",
            "across": "y'*cos(phi) - x'*sin(phi) = 0",
            "turn": "w*phi' = R*theta2'",
        },
        parameters={"m": m, "J": J, "I": I, "R": R, "w": w},
        span=[["cos(phi)", "sin(phi)", "0", "1/R", "0"], ["0", "0", "1", "0", "w/R"]],
        speeds=["v", "omega"],
        scene=_scene(),
    )


def _scene() -> list[dict[str, Any]]:
    """The right wheel has turned through the sum of the angles, because it runs ahead in a turn to the left."""

    def at(ahead: str, left: str) -> list[str]:
        return [f"x + {ahead}*cos(phi) - {left}*sin(phi)", f"y + {ahead}*sin(phi) + {left}*cos(phi)", "R"]

    wheel = {"shape": "wheel", "radius": "R"}
    return [
        {"shape": "plane"},
        wheel | {"position": at("0", "w"), "rotation": [["z", "phi"], ["y", "theta1 - theta2"]]},
        wheel | {"position": at("0", "(-w)"), "rotation": [["z", "phi"], ["y", "theta1 + theta2"]]},
        {"shape": "rod", "position": at("0", "w"), "to": at("0", "(-w)"), "radius": "R/10"},
        {
            "shape": "box",
            "position": at("0", "0"),
            "rotation": [["z", "phi"]],
            "length": "2*w",
            "width": "1.3*w",
            "height": "R/4",
        },
        {"shape": "arrow", "position": at("w", "0"), "to": at("2*w", "0"), "radius": "R/12"},
        {"shape": "trail", "position": ["x", "y", "0"]},
    ]


ENTRY = Entry(
    make=carriage,
    start={"x": 0.0, "y": 0.0, "phi": 0.0, "theta1": 0.0, "theta2": 0.0, "theta1'": 2.0, "theta2'": 0.6},
    until=20.0,
    facts=(
        "the carriage runs on a circle of radius w |theta1'/theta2'|",
        "of its three constraints exactly one has an integral",
        "on a circle the wheels push sideways with m v omega: it is no motion of the system without constraints",
    ),
    claims=Claims(
        source="Jóźwikowski and Respondek, A comparison of vakonomic and nonholonomic variational problems, Example 4.3",
        integrals=("theta1'", "theta2'", "phi - R*theta2/w"),
    ),
    references=(
        "M. Favretti, Equivalence of dynamics for nonholonomic systems with transverse constraints, "
        "J. Dyn. Diff. Equations 10 (1998)",
        "M. Jóźwikowski and W. Respondek, A comparison of vakonomic and nonholonomic variational problems with "
        "applications to systems on Lie groups, Example 4.3",
    ),
)
