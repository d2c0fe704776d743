r"""Routh's sphere: a ball whose centre of mass lies off its centre, on an axis of symmetry, rolling on a level plane.

.. math:: v + R(w\times\rho) = 0, \qquad \rho = -r\gamma - a e_3, \qquad V = mg\,(r + a\gamma_3)

with $v$ the velocity of the centre of mass, $\rho$ the contact point seen from it in the body and $\gamma = R^{\mathsf T}e_3$. Besides the
energy there are two linear integrals, named after Jellett and Routh:

.. math:: Iw\cdot\rho = \text{const}, \qquad w_3\sqrt{I_1I_3 + m\,\rho\cdot I\rho} = \text{const} .

Such a body is the tippe top on ground so rough that it cannot slip; it then does not turn over.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.turning_bodies import VOLUME, rolling_span, turning_velocity
from anholonomy.public.system import System

__all__ = ["routh_sphere"]


def routh_sphere(
    m: float | None = 1.0,
    I1: float | None = 0.35,
    I3: float | None = 0.4,
    r: float | None = 1.0,
    a: float | None = 0.2,
    g: float | None = 9.81,
) -> System:
    """A sphere of radius ``r``, its centre of mass at ``a`` along the axis of ``I3``; (x, y) is below the centre of mass."""
    rho = ("-r*R31", "-r*R32", "-r*R33 - a")
    vx, vy, vz = turning_velocity(rho)
    return System(
        name="Routh sphere",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        lagrangian=f"I1/2*(w1^2 + w2^2) + I3/2*w3^2 + m/2*(x'^2 + y'^2 + ({vz})^2) - m*g*(r + a*R33)",
        constraints={"x": f"x' = -({vx})", "y": f"y' = -({vy})"},
        parameters={"m": m, "I1": I1, "I3": I3, "r": r, "a": a, "g": g},
        span=rolling_span(rho),
        scene=[
            {"shape": "plane"},
            {
                "shape": "sphere",
                "position": ["x - a*R13", "y - a*R23", "r"],
                "rotation": ["q0", "q1", "q2", "q3"],
                "radius": "r",
            },
            {"shape": "trail", "position": ["x", "y", "0"]},
        ],
    )


_ROUTH = "sqrt(I1*I3 + m*(I1*r^2*(R31^2 + R32^2) + I3*(r*R33 + a)^2))"

ENTRY = Entry(
    make=routh_sphere,
    start={"q0": 0.8, "q1": 0.6, "q2": 0.0, "q3": 0.0, "x": 0.0, "y": 0.0, "w1": 0.3, "w2": 1.0, "w3": 3.0},
    until=20.0,
    facts=(
        "at rest with the centre of mass lowest it rocks at sqrt(m g a / (I1 + m (r - a)^2))",
        "with a = 0 it is Chaplygin's ball with two equal moments",
    ),
    claims=Claims(
        source="Routh, Advanced Part; Chaplygin, 1897; Borisov and Mamaev, Regular and Chaotic Dynamics 7 (2002)",
        integrals=("energy", "I1*(R31*w1 + R32*w2)*r + I3*w3*(r*R33 + a)", f"w3*{_ROUTH}"),
        measure=(f"(I1 + m*(r^2*(R31^2 + R32^2) + (r*R33 + a)^2))*{_ROUTH}", VOLUME),
    ),
    references=(
        "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies",
        "S. A. Chaplygin, On the motion of a heavy body of revolution on a horizontal plane, 1897",
        "A. V. Borisov and I. S. Mamaev, Rolling of a rigid body on plane and sphere. Hierarchy of dynamics,"
        " Regular and Chaotic Dynamics 7, 2002",
    ),
)
