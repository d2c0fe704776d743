r"""A homogeneous ball that rolls on a level plane; it may spin about the vertical.

.. math:: \dot x = r\,\omega_2, \qquad \dot y = -r\,\omega_1, \qquad \omega = Rw

with $w$ the angular velocity in the body and $\omega$ the same in space. Nothing pushes: the friction that rolling would need
vanishes, velocity and angular velocity are constant, and the centre moves on a straight line.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import ball_scene
from anholonomy.catalogue.turning_bodies import VOLUME, ball_span
from anholonomy.public.system import System

__all__ = ["rolling_ball"]


def rolling_ball(m: float | None = 1.0, I: float | None = 0.1, r: float | None = 0.5) -> System:
    """A ball of mass ``m`` and radius ``r`` with the moment of inertia ``I`` about every axis (2/5 m r² if homogeneous)."""
    return System(
        name="rolling ball",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        kinetic=["I", "I", "I", "m", "m"],
        constraints={"x": "x' = r*(R21*w1 + R22*w2 + R23*w3)", "y": "y' = -r*(R11*w1 + R12*w2 + R13*w3)"},
        parameters={"m": m, "I": I, "r": r},
        span=ball_span(),
        scene=ball_scene(),
    )


ENTRY = Entry(
    make=rolling_ball,
    start={"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "x": 0.0, "y": 0.0, "w1": 1.0, "w2": 2.0, "w3": -1.5},
    until=10.0,
    facts=(
        "the centre moves on a straight line at constant speed",
        "no friction is needed",
    ),
    claims=Claims(
        source="Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972",
        integrals=("x'", "y'", "R31*w1 + R32*w2 + R33*w3"),
        measure=("1", VOLUME),
    ),
    references=(
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
        "A. M. Bloch, Nonholonomic Mechanics and Control, ch. 1",
    ),
)
