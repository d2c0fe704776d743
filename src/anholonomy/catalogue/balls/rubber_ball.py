r"""Chaplygin's ball of rubber: it rolls on a level plane and cannot spin about the vertical.

.. math:: \dot x = r\,\omega_2, \qquad \dot y = -r\,\omega_1, \qquad \omega_3 = w\cdot\gamma = 0, \qquad \omega = Rw

The angular momentum about the contact point is $M = (I + mr^2)w$ in the body, and the reaction against spinning is vertical:

.. math:: \dot M = M\times w + \lambda\gamma ,

so in space the horizontal components of $M$ are constant. These are the equations of Veselova's system with the moments
$I + mr^2$, whose integrals and invariant measure $\sqrt{\gamma\cdot(I + mr^2)^{-1}\gamma}$ carry over.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import ball_scene
from anholonomy.catalogue.turning_bodies import about_contact, of_the_vertical
from anholonomy.public.system import System

__all__ = ["rubber_ball"]


def rubber_ball(
    m: float | None = 1.0,
    I1: float | None = 0.3,
    I2: float | None = 0.5,
    I3: float | None = 0.6,
    r: float | None = 1.0,
) -> System:
    """A ball of mass ``m`` and radius ``r`` with the principal moments ``I1``, ``I2``, ``I3`` that does not twist."""
    return System(
        name="rubber ball",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        kinetic=["I1", "I2", "I3", "m", "m"],
        constraints={
            "x": "x' = r*(R21*w1 + R22*w2 + R23*w3)",
            "y": "y' = -r*(R11*w1 + R12*w2 + R13*w3)",
            "twist": "R31*w1 + R32*w2 + R33*w3 = 0",
        },
        parameters={"m": m, "I1": I1, "I2": I2, "I3": I3, "r": r},
        scene=ball_scene(),
    )


_DENSITY = f"sqrt({of_the_vertical(('I1 + m*r^2', 'I2 + m*r^2', 'I3 + m*r^2'))})"

ENTRY = Entry(
    make=rubber_ball,
    start={"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0, "x": 0.0, "y": 0.0, "w1": 0.7, "w2": 2.0, "w3": 2.4},
    until=30.0,
    facts=(
        "it turns as Veselova's body does with the moments I + m r^2",
        "with equal moments the angular velocity is constant",
    ),
    claims=Claims(
        source="Ehlers, Koiller, Montgomery and Rios, 2005; Borisov and Mamaev, Regular and Chaotic Dynamics 13 (2008)",
        integrals=("energy", about_contact(1), about_contact(2)),
        measure=(f"{_DENSITY}/R32", "dg(q0, q1, q2, q3) dx dy dw1 dw3"),
        multiplier=f"1/{_DENSITY}",
    ),
    references=(
        "K. Ehlers, J. Koiller, R. Montgomery and P. M. Rios, Nonholonomic systems via moving frames: Cartan equivalence and"
        " Chaplygin Hamiltonization, 2005",
        "A. V. Borisov and I. S. Mamaev, Conservation laws, hierarchy of dynamics and explicit integration of nonholonomic"
        " systems, Regular and Chaotic Dynamics 13, 2008",
    ),
)
