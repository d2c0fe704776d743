r"""The leaning disc by quaternions: the coin of ``leaning_disc`` without angles.

.. math:: v + R(w\times\rho) = 0, \qquad \rho = -\frac{R_d}{\sigma}\,(\gamma_1, \gamma_2, 0), \qquad \sigma = \sqrt{\gamma_1^2 + \gamma_2^2}, \qquad V = mgR_d\,\sigma

with $v$ the velocity of the centre, $\gamma = R^{\mathsf T}e_3$ the vertical in the body, whose third axis is the axle. Lying flat,
$\sigma = 0$, touches the ground in a whole circle: that singularity is the contact's, not of the coordinates. Along a motion $w_3$ and the rate $w_c$ about the
diameter through the contact are functions of the lean alone, which solve a linear (Legendre's) equation: two more integrals.
"""

from __future__ import annotations

from math import cos, pi, sin

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.turning_bodies import VOLUME, rolling_span, turning_velocity
from anholonomy.public.system import System

__all__ = ["leaning_disc_quaternion"]


def leaning_disc_quaternion(
    m: float | None = 1.0,
    I: float | None = 0.5,
    J: float | None = 0.25,
    R: float | None = 1.0,
    g: float | None = 9.81,
) -> System:
    """A disc or hoop of mass ``m`` and radius ``R``; ``I`` about its axle, ``J`` about a diameter; (x, y) is below its centre."""
    sigma = "sqrt(R31^2 + R32^2)"
    rho = (f"-R*R31/{sigma}", f"-R*R32/{sigma}", "0")
    vx, vy, vz = turning_velocity(rho)
    return System(
        name="leaning disc by quaternions",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        lagrangian=f"J/2*(w1^2 + w2^2) + I/2*w3^2 + m/2*(x'^2 + y'^2 + ({vz})^2) - m*g*R*{sigma}",
        constraints={"x": f"x' = -({vx})", "y": f"y' = -({vy})"},
        parameters={"m": m, "I": I, "J": J, "R": R, "g": g},
        span=rolling_span(rho),
        scene=[
            {"shape": "plane"},
            {
                "shape": "disc",
                "position": ["x", "y", "R*sqrt(R31^2 + R32^2)"],
                "rotation": ["q0", "q1", "q2", "q3"],
                "radius": "R",
                "thickness": "R/10",
            },
            {"shape": "trail", "position": ["x", "y", "0"]},
        ],
    )


_LEAN = 0.3
"""The angle by which it leans at first."""
_TURN = -(pi / 2 + _LEAN)

ENTRY = Entry(
    make=leaning_disc_quaternion,
    # The start of the leaning disc: heading along x, leaning to the left.
    start={
        "q0": cos(_TURN / 2),
        "q1": sin(_TURN / 2),
        "q2": 0.0,
        "q3": 0.0,
        "x": 0.0,
        "y": sin(_LEAN),
        "w1": -0.1,
        "w2": -0.6 * cos(_LEAN),
        "w3": 4.0 - 0.6 * sin(_LEAN),
    },
    until=10.0,
    facts=(
        "it moves as the leaning disc by angles does",
        "(I + m R^2) w3' = m R^2 wc theta' and J wc' = (I w3 + J wc tan(theta)) theta' with wc the rate about the"
        " diameter through the contact: w3 and wc depend on the lean theta alone",
    ),
    claims=Claims(
        source="Appell 1900, Korteweg 1899; Borisov and Mamaev, Regular and Chaotic Dynamics 7 (2002)",
        measure=("1", VOLUME),
        beyond=("two integrals by Legendre functions",),
    ),
    references=(
        "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies",
        "P. Appell, Sur l'intégration des équations du mouvement d'un corps pesant de révolution, 1900",
        "D. J. Korteweg, Über eine ziemlich verbreitete unrichtige Behandlungsweise eines Problemes der rollenden Bewegung,"
        " 1899",
    ),
)
