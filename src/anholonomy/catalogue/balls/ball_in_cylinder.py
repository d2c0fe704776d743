r"""A ball that rolls inside a vertical cylinder: it does not fall, its height oscillates.

.. math:: b\,\dot\varphi = -r\,\omega_z, \qquad \dot z = r\,\omega_\varphi, \qquad b = a - r, \quad \omega = Rw

with $(\varphi, z)$ the place of the centre, $a$ the cylinder's radius, $\omega_\varphi = \omega_2\cos\varphi - \omega_1\sin\varphi$. The
angular velocity along the horizontal normal obeys $r\dot\omega_n = \dot\varphi\,\dot z$, and with $k = I/(I + mr^2)$

.. math:: \dot\varphi = \text{const}, \qquad \ddot z = -k\,\dot\varphi\, r\omega_n - (1 - k)\,g = -k\,\dot\varphi^2\,(z - z_*) :

a harmonic oscillation at $\sqrt k\,\dot\varphi$, which is $\sqrt{2/7}\,\dot\varphi$ for a homogeneous ball. That is why a golf ball may leave
the hole it went into.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["ball_in_cylinder"]


def ball_in_cylinder(
    m: float | None = 1.0,
    I: float | None = 0.016,
    r: float | None = 0.2,
    a: float | None = 1.0,
    g: float | None = 9.81,
) -> System:
    """A ball of mass ``m``, radius ``r`` and moment of inertia ``I`` inside a vertical cylinder of radius ``a``."""
    return System(
        name="ball in a cylinder",
        group="SO3",
        coordinates={"phi": "angle", "z": "length"},
        kinetic=["I", "I", "I", "m*(a - r)^2", "m"],
        potential="m*g*z",
        constraints={
            "around": "(a - r)*phi' = -r*(R31*w1 + R32*w2 + R33*w3)",
            "up": "z' = r*(cos(phi)*(R21*w1 + R22*w2 + R23*w3) - sin(phi)*(R11*w1 + R12*w2 + R13*w3))",
        },
        parameters={"m": m, "I": I, "r": r, "a": a, "g": g},
        span=[
            ["1", "0", "0", "-r*R31/(a - r)", "r*(cos(phi)*R21 - sin(phi)*R11)"],
            ["0", "1", "0", "-r*R32/(a - r)", "r*(cos(phi)*R22 - sin(phi)*R12)"],
            ["0", "0", "1", "-r*R33/(a - r)", "r*(cos(phi)*R23 - sin(phi)*R13)"],
        ],
        scene=[
            {"shape": "surface", "equation": "x^2 + y^2 - a^2"},
            {
                "shape": "sphere",
                "position": ["(a - r)*cos(phi)", "(a - r)*sin(phi)", "z"],
                "rotation": ["q0", "q1", "q2", "q3"],
                "radius": "r",
                "trail": True,
            },
        ],
    )


ENTRY = Entry(
    make=ball_in_cylinder,
    start={"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "phi": 0.0, "z": 0.0, "w1": 0.0, "w2": 0.0, "w3": -16.0},
    until=12.0,
    facts=(
        "the height oscillates harmonically at sqrt(k) phi' with k = I / (I + m r^2), sqrt(2/7) phi' if homogeneous",
    ),
    claims=Claims(
        source="Routh, Advanced Part; Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972",
        integrals=(
            "energy",
            "phi'",
            "r*(cos(phi)*(R11*w1 + R12*w2 + R13*w3) + sin(phi)*(R21*w1 + R22*w2 + R23*w3)) - phi'*z",
        ),
    ),
    references=(
        "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies",
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
        "M. Gualtieri, T. Tokieda et al., Golfer's dilemma, American Journal of Physics 74, 2006",
    ),
)
