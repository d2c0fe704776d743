r"""Chaplygin's ball: its centre of mass is at its centre, but its moments of inertia differ; it rolls on a level plane.

.. math:: \dot x = r\,\omega_2, \qquad \dot y = -r\,\omega_1, \qquad \omega = Rw

The angular momentum about the contact point, in the body with $\gamma = R^{\mathsf T}e_3$ and $D = mr^2$,

.. math:: M = Iw + D\,\gamma\times(w\times\gamma), \qquad \dot M = M\times w, \qquad \dot\gamma = \gamma\times w ,

is a constant vector in space, since the contact point moves with the velocity of the centre. The flow of $(w, \gamma)$ keeps
the measure $\sqrt{1 - D\,\gamma\cdot(I + D)^{-1}\gamma}\;dw\,d\gamma$, and with energy, $M^2$, $M\cdot\gamma$ and $\gamma^2$ Chaplygin integrated it.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import ball_scene
from anholonomy.catalogue.turning_bodies import VOLUME, about_contact, ball_span, of_the_vertical
from anholonomy.public.system import System

__all__ = ["chaplygin_ball"]


def chaplygin_ball(
    m: float | None = 1.0,
    I1: float | None = 0.3,
    I2: float | None = 0.5,
    I3: float | None = 0.6,
    r: float | None = 1.0,
) -> System:
    """A ball of mass ``m`` and radius ``r`` with the principal moments ``I1``, ``I2``, ``I3``."""
    return System(
        name="Chaplygin ball",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        kinetic=["I1", "I2", "I3", "m", "m"],
        constraints={"x": "x' = r*(R21*w1 + R22*w2 + R23*w3)", "y": "y' = -r*(R11*w1 + R12*w2 + R13*w3)"},
        parameters={"m": m, "I1": I1, "I2": I2, "I3": I3, "r": r},
        span=ball_span(),
        scene=ball_scene(),
    )


_DENSITY = f"sqrt(1 - m*r^2*({of_the_vertical(('I1 + m*r^2', 'I2 + m*r^2', 'I3 + m*r^2'))}))"

ENTRY = Entry(
    make=chaplygin_ball,
    start={"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0, "x": 0.0, "y": 0.0, "w1": 0.3, "w2": 2.0, "w3": 0.4},
    until=30.0,
    facts=("with equal moments it is the rolling ball",),
    claims=Claims(
        source="Chaplygin, On a ball's rolling on a horizontal plane, 1903; Borisov and Mamaev, Regular and Chaotic Dynamics 13 (2008)",
        integrals=("energy", about_contact(1), about_contact(2), about_contact(3)),
        measure=(_DENSITY, VOLUME),
        multiplier=f"1/{_DENSITY}",
    ),
    references=(
        "S. A. Chaplygin, On a ball's rolling on a horizontal plane, 1903; Regular and Chaotic Dynamics 7, 2002",
        "A. V. Borisov and I. S. Mamaev, Conservation laws, hierarchy of dynamics and explicit integration of nonholonomic"
        " systems, Regular and Chaotic Dynamics 13, 2008",
    ),
)
