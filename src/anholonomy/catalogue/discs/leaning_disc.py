r"""The leaning disc: a coin that rolls without slipping on a level plane and may fall over.

Heading $\psi$, lean $\theta$ from the vertical (to the left when positive) and roll angle $\varphi$ place the disc; $(x, y)$ is
the contact point. In the frame of the heading $e_t$, the radius $c$ from contact to centre and the axle $n$,

.. math::
   c = (-\sin\theta\sin\psi,\ \sin\theta\cos\psi,\ \cos\theta), \qquad
   \omega = -\dot\theta\, e_t + \dot\psi\cos\theta\, c + (\dot\varphi - \dot\psi\sin\theta)\, n .

The centre is at $(x, y, 0) + R c$, and no slipping means that the contact point advances by the arc that rolls
past, $\dot x = R\cos\psi\,\dot\varphi$ and $\dot y = R\sin\psi\,\dot\varphi$. A disc of lean $\theta$ circles steadily when
$\Omega = \dot\psi$ and $w = \dot\varphi - \Omega\sin\theta$ satisfy

.. math:: m g R \sin\theta = \Omega\cos\theta\left[(I + mR^2)\,w + J\,\Omega\sin\theta\right].

The coordinates are singular where the disc lies flat, $\cos\theta = 0$: heading and roll then turn about the same
axis, the kinetic energy is degenerate, and equations in these coordinates divide by $\cos\theta$.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["leaning_disc"]


def leaning_disc(
    m: float | None = 1.0,
    I: float | None = 0.5,
    J: float | None = 0.25,
    R: float | None = 1.0,
    g: float | None = 9.81,
) -> System:
    """A disc or hoop of mass ``m`` and radius ``R``; ``I`` about its axle, ``J`` about a diameter.

    Singular where the disc lies flat, cos(theta) = 0: stay clear of it. The plane is not a floor either: contact is
    kept from both sides.
    """
    centre = (
        "(x' - R*(cos(theta)*sin(psi)*theta' + sin(theta)*cos(psi)*psi'))^2"
        " + (y' + R*(cos(theta)*cos(psi)*theta' - sin(theta)*sin(psi)*psi'))^2"
        " + (R*sin(theta)*theta')^2"
    )
    return System(
        name="leaning disc",
        coordinates={"x": "length", "y": "length", "psi": "angle", "theta": "angle", "phi": "angle"},
        lagrangian=f"m/2*({centre}) + J/2*(theta'^2 + (psi'*cos(theta))^2)"
        " + I/2*(phi' - psi'*sin(theta))^2 - m*g*R*cos(theta)",
        constraints={"along": "x' = R*cos(psi)*phi'", "across": "y' = R*sin(psi)*phi'"},
        parameters={"m": m, "I": I, "J": J, "R": R, "g": g},
        span=[
            ["0", "0", "1", "0", "0"],
            ["0", "0", "0", "1", "0"],
            ["R*cos(psi)", "R*sin(psi)", "0", "0", "1"],
        ],
        scene=[
            {"shape": "plane"},
            {"shape": "wheel", "position": ["x - R*sin(theta)*sin(psi)", "y + R*sin(theta)*cos(psi)", "R*cos(theta)"],
             "rotation": [["z", "psi"], ["x", "-theta"], ["y", "phi"]], "radius": "R", "thickness": "R/10", "colour": "body"},
            {"shape": "trail", "position": ["x", "y", "0"]},
        ],
    )  # fmt: skip


ENTRY = Entry(
    make=leaning_disc,
    start={"x": 0.0, "y": 0.0, "psi": 0.0, "theta": 0.3, "phi": 0.0, "psi'": 0.6, "theta'": 0.1, "phi'": 4.0},
    until=10.0,
    facts=(
        "m g R sin(theta) = Omega cos(theta) ((I + m R^2) w + J Omega sin(theta)) for steady circular rolling",
        "rolling straight and upright is stable when phi'^2 > J m g R / (I (I + m R^2))",
        "the coordinates are singular where the disc lies flat, cos(theta) = 0",
    ),
    claims=Claims(
        source="Routh, Advanced Part, 1884; Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972",
        beyond=("two integrals by Legendre functions of sin(theta)",),
    ),
    references=(
        "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies, 1884",
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
        "A. M. Bloch, Nonholonomic Mechanics and Control, ch. 1",
    ),
)
