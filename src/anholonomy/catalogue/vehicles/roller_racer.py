r"""The roller racer: two hinged bodies on wheels, propelled by swinging the handlebar.

The first body has mass $m$ and its centre $(x, y)$ on its axle, with the heading $\theta$; the hinge is a distance $d_1$ ahead. The second,
whose mass is neglected and whose moment of inertia is not, has the heading $\theta + \varphi$ and its axle a distance $d_2$ beyond the hinge, behind
it if $d_2 < 0$. With $v$ the speed of the first axle,

.. math:: \dot x\sin\theta = \dot y\cos\theta, \qquad v\sin\varphi = (d_1\cos\varphi + d_2)\,\dot\theta + d_2\,\dot\varphi .

Rolling without swinging is the direction $\xi = (d_1\cos\varphi + d_2,\ \sin\varphi)$ of $(v, \dot\theta)$, and the momentum along it,

.. math:: p = m(d_1\cos\varphi + d_2)\,v + \sin\varphi\left[I_1\dot\theta + I_2(\dot\theta + \dot\varphi)\right], \qquad
   \dot p = \dot\varphi\left(\cos\varphi\left[I_1\dot\theta + I_2(\dot\theta + \dot\varphi)\right] - m d_1 v\sin\varphi\right) ,

does not feel the torque at the hinge. Left alone, every posture can be kept, on a circle. About straight rolling a
deflection grows as $e^{\lambda t}$, $\lambda = v\,(I_1 d_2 - I_2 d_1)/(I_1 d_2^2 + I_2 d_1^2)$.
"""

from __future__ import annotations

from typing import Any

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import beside, cart
from anholonomy.public.system import System

__all__ = ["roller_racer"]


def roller_racer(
    torque: str = "0",
    m: float | None = 1.0,
    I1: float | None = 0.4,
    I2: float | None = 0.1,
    d1: float | None = 1.0,
    d2: float | None = -0.3,
) -> System:
    """A racer of mass ``m``; moments of inertia ``I1`` and ``I2``, and distances ``d1`` and ``d2`` of the axles from the hinge.

    ``torque`` acts at the hinge: a text in t, the coordinates and their velocities.

    >>> print(roller_racer().derive("lagrange-dalembert"))
    roller racer: equations of motion by lagrange-dalembert
      m*x'' = -lambda1*sin(theta) - lambda2*sin(phi + theta)
      m*y'' = lambda1*cos(theta) + lambda2*cos(phi + theta)
      (I1 + I2)*theta'' + I2*phi'' = (d1*cos(phi) + d2)*lambda2
      I2*(phi'' + theta'') = d2*lambda2
      cos(theta)*y'' - sin(theta)*x'' = (cos(theta)*x' + sin(theta)*y')*theta'
      ...
    """
    return System(
        name="roller racer",
        coordinates={"x": "length", "y": "length", "theta": "angle", "phi": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + I1/2*theta'^2 + I2/2*(theta' + phi')^2",
        constraints={
            "rear": "-sin(theta)*x' + cos(theta)*y' = 0",
            "front": "-sin(theta + phi)*x' + cos(theta + phi)*y' + (d1*cos(phi) + d2)*theta' + d2*phi' = 0",
        },
        parameters={"m": m, "I1": I1, "I2": I2, "d1": d1, "d2": d2},
        forces={"phi": torque},
        span=[["cos(theta)", "sin(theta)", "0", "sin(phi)/d2"], ["0", "0", "1", "-(1 + d1*cos(phi)/d2)"]],
        speeds=["v", "omega"],
        scene=_scene(),
    )


def _scene() -> list[dict[str, Any]]:
    """The seat on its axle, the hinge ahead of it, and the handlebar with an axle of its own."""
    size, height = "(0.7*sqrt(d1^2 + d2^2))", "0.21*sqrt(d1^2 + d2^2)"
    hinge = beside("x", "y", "theta", "d1", "0", height)
    front = beside(hinge[0], hinge[1], "(theta + phi)", "d2", "0", height)
    rod = {"shape": "rod", "radius": f"0.04*{size}"}
    steer, *wheels = cart(front[0], front[1], "(theta + phi)", size, "second")
    return [
        {"shape": "plane"},
        *cart("x", "y", "theta", size, trail=True),
        rod | {"position": ["x", "y", height], "to": hinge},
        rod | {"position": hinge, "to": front, "colour": "second"},
        steer | {"length": f"0.1*{size}", "width": f"0.6*{size}"},
        *wheels,
        {"shape": "point", "position": hinge, "radius": f"0.08*{size}", "colour": "accent"},
    ]


ENTRY = Entry(
    make=roller_racer,
    start={"x": 0.0, "y": 0.0, "theta": 0.0, "phi": 0.8, "x'": 1.0, "theta'": 0.5},
    until=10.0,
    facts=(
        "p' = phi' (cos(phi) (I1 theta' + I2 (theta' + phi')) - m d1 v sin(phi)) "
        "for p = m (d1 cos(phi) + d2) v + sin(phi) (I1 theta' + I2 (theta' + phi')), under any torque at the hinge",
        "every posture can be kept, on a circle of radius |d1 cos(phi) + d2| / |sin(phi)|",
        "a deflection from straight rolling grows at the rate v (I1 d2 - I2 d1) / (I1 d2^2 + I2 d1^2)",
        "swinging the handlebar propels it from rest",
    ),
    claims=Claims(source="Bizyaev, Regul. Chaotic Dyn. 22 (2017)", measure="none", multiplier="none"),
    references=(
        "P. S. Krishnaprasad and D. P. Tsakiris, Oscillations, SE(2)-snakes and motion control: a study of the Roller Racer, "
        "Dyn. Syst. 16 (2001)",
        "I. A. Bizyaev, The inertial motion of a roller racer, Regul. Chaotic Dyn. 22 (2017)",
    ),
)
