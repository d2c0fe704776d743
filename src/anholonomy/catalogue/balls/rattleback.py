r"""The rattleback: half an ellipsoid whose mass lies skew to its shape, rolling on a level plane.

.. math::
   v + R(w\times\rho) = 0, \qquad \rho = h e_3 - \frac{(a^2\gamma_1, b^2\gamma_2, c^2\gamma_3)}{s}, \qquad
   s = \sqrt{a^2\gamma_1^2 + b^2\gamma_2^2 + c^2\gamma_3^2}, \qquad V = mg\,(s - h\gamma_3)

with $v$ the velocity of the centre of mass, which is at $h$ below the centre of the ellipsoid, $\rho$ the contact point seen from
it in the body, $\gamma = R^{\mathsf T}e_3$. The product of inertia $I_{12}$ couples spinning to rocking and rocking to spinning, and the
coupling knows left from right: spun one way it starts to rattle, stops, and spins back; spun the other way it goes on.
The default shape and inertia are those of Kane and Levinson.
"""

from __future__ import annotations

from math import cos, sin

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.turning_bodies import rolling_span, turning_velocity
from anholonomy.public.system import System

__all__ = ["rattleback"]


def rattleback(
    m: float | None = 1.0,
    I11: float | None = 0.0002,
    I22: float | None = 0.0016,
    I33: float | None = 0.0017,
    I12: float | None = -0.00002,
    a: float | None = 0.2,
    b: float | None = 0.03,
    c: float | None = 0.02,
    h: float | None = 0.01,
    g: float | None = 9.81,
) -> System:
    """An ellipsoid of semi-axes ``a``, ``b``, ``c``, its centre of mass at ``h`` below its centre; (x, y) is below that."""
    s = "sqrt(a^2*R31^2 + b^2*R32^2 + c^2*R33^2)"
    rho = (f"-a^2*R31/{s}", f"-b^2*R32/{s}", f"h - c^2*R33/{s}")
    vx, vy, vz = turning_velocity(rho)
    return System(
        name="rattleback",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        lagrangian="I11/2*w1^2 + I22/2*w2^2 + I33/2*w3^2 + I12*w1*w2"
        f" + m/2*(x'^2 + y'^2 + ({vz})^2) - m*g*({s} - h*R33)",
        constraints={"x": f"x' = -({vx})", "y": f"y' = -({vy})"},
        parameters={"m": m, "I11": I11, "I22": I22, "I33": I33, "I12": I12, "a": a, "b": b, "c": c, "h": h, "g": g},
        span=rolling_span(rho),
        scene=[
            {"shape": "plane"},
            {
                "shape": "ellipsoid",
                "position": ["x + h*R13", "y + h*R23", "sqrt(a^2*R31^2 + b^2*R32^2 + c^2*R33^2)"],
                "rotation": ["q0", "q1", "q2", "q3"],
                "length": "2*a",
                "width": "2*b",
                "height": "2*c",
            },
        ],
    )


_TILT = 0.01
"""The angle by which it is tilted at first."""

ENTRY = Entry(
    make=rattleback,
    start={
        "q0": cos(_TILT / 2),
        "q1": sin(_TILT / 2),
        "q2": 0.0,
        "q3": 0.0,
        "x": 0.0,
        "y": 0.0,
        "w1": 0.0,
        "w2": 0.0,
        "w3": -5.0,
    },
    until=10.0,
    facts=(
        "spun the wrong way it reverses",
        "spun the right way it does not reverse in the same time",
        "mirrored, I12 -> -I12, it reverses when spun the other way",
        "without skewness, I12 = 0, it spins on",
    ),
    claims=Claims(
        source="Garcia and Hubbard, Proc. R. Soc. A 418 (1988); Borisov and Mamaev, Physics-Uspekhi 46 (2003)",
        measure="none",
    ),
    references=(
        "H. Bondi, The rigid body dynamics of unidirectional spin, Proceedings of the Royal Society A 405, 1986",
        "T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback, International Journal of"
        " Non-Linear Mechanics 17, 1982",
        "A. Garcia and M. Hubbard, Spin reversal of the rattleback: theory and experiment, Proceedings of the Royal Society"
        " A 418, 1988",
    ),
)
