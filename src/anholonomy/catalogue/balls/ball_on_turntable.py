r"""A ball that rolls on a level table turning at the constant rate $\Omega$.

.. math:: \dot x = r\,\omega_2 - \Omega y, \qquad \dot y = -r\,\omega_1 + \Omega x, \qquad \omega = Rw

The contact point moves with the table, so the constraints are affine. The friction at the contact makes

.. math:: \ddot{\mathbf x} = k\Omega\,e_3\times\dot{\mathbf x}, \qquad k = \frac{I}{I + mr^2} :

the centre runs on a circle at the rate $k\Omega$, two sevenths of the table's if the ball is homogeneous, about the point
$\mathbf x + e_3\times\dot{\mathbf x}/(k\Omega)$, wherever that is: the ball is not thrown off, and neither its radius nor its spin matters.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import ball_scene
from anholonomy.catalogue.turning_bodies import VOLUME
from anholonomy.public.system import System

__all__ = ["ball_on_turntable"]


def ball_on_turntable(
    m: float | None = 1.0, I: float | None = 0.1, r: float | None = 0.5, Omega: float | None = 2.0
) -> System:
    """A ball of mass ``m``, radius ``r`` and moment of inertia ``I`` on a table that turns at ``Omega`` about the origin."""
    return System(
        name="ball on a turntable",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        kinetic=["I", "I", "I", "m", "m"],
        constraints={
            "x": "x' = r*(R21*w1 + R22*w2 + R23*w3) - Omega*y",
            "y": "y' = -r*(R11*w1 + R12*w2 + R13*w3) + Omega*x",
        },
        parameters={"m": m, "I": I, "r": r, "Omega": Omega},
        scene=ball_scene(spin="Omega"),
    )


ENTRY = Entry(
    make=ball_on_turntable,
    start={"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "x": 1.0, "y": 0.0, "w1": 2.0, "w2": 1.0, "w3": 0.5},
    until=11.0,
    facts=(
        "x'' = k Omega e3 x x' with k = I / (I + m r^2)",
        "the centre runs on a circle at the rate 2/7 Omega if the ball is homogeneous",
        "the centre of the circle is x + e3 x x' / (k Omega), its radius |x'| / (k Omega)",
    ),
    claims=Claims(
        source="Routh, Advanced Part; Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972; Jovanović, Classical relativistic nonholonomic mechanics, sec. 3",
        integrals=(
            "R31*w1 + R32*w2 + R33*w3",
            "x - y'/((I/(I + m*r^2))*Omega)",
            "y + x'/((I/(I + m*r^2))*Omega)",
            "(m*(x'^2 + y'^2) + I*(w1^2 + w2^2 + w3^2))/2 - Omega*m*(x*y' - y*x')",
        ),
        measure=("1", VOLUME),
        broken=("energy",),
    ),
    references=(
        "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies",
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
        "A. M. Bloch, Nonholonomic Mechanics and Control",
    ),
)
