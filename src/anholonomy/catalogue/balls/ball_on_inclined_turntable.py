r"""A ball that rolls on a turning table which is inclined: it does not roll down, it drifts sideways.

.. math:: \dot x = r\,\omega_2 - \Omega y, \qquad \dot y = -r\,\omega_1 + \Omega x, \qquad V = -mgx\sin\alpha

in axes of the table's plane at rest, $x$ pointing downhill. With $k = I/(I + mr^2)$

.. math:: \ddot{\mathbf x} = k\Omega\,e_3\times\dot{\mathbf x} + (1 - k)\,g\sin\alpha\,e_1 ,

the equation of a charge in crossed fields: the centre runs on a trochoid, which on average moves along the contour line,

.. math:: \overline{\dot x} = 0, \qquad \overline{\dot y} = \frac{(1 - k)\,g\sin\alpha}{k\,\Omega} = \frac{mr^2}{I}\,\frac{g\sin\alpha}{\Omega} .
"""

from __future__ import annotations

from typing import Any

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["ball_on_inclined_turntable"]


def ball_on_inclined_turntable(
    m: float | None = 1.0,
    I: float | None = 0.1,
    r: float | None = 0.5,
    Omega: float | None = 4.0,
    alpha: float | None = 0.1,
    g: float | None = 9.81,
) -> System:
    """A ball of mass ``m``, radius ``r``, moment of inertia ``I`` on a table inclined by ``alpha``, turning at ``Omega``."""
    return System(
        name="ball on an inclined turntable",
        group="SO3",
        coordinates={"x": "length", "y": "length"},
        kinetic=["I", "I", "I", "m", "m"],
        potential="-m*g*x*sin(alpha)",
        constraints={
            "x": "x' = r*(R21*w1 + R22*w2 + R23*w3) - Omega*y",
            "y": "y' = -r*(R11*w1 + R12*w2 + R13*w3) + Omega*x",
        },
        parameters={"m": m, "I": I, "r": r, "Omega": Omega, "alpha": alpha, "g": g},
        scene=_scene(),
    )


def _scene() -> list[dict[str, Any]]:
    """In space, where the table's x axis falls by ``alpha``."""
    tilted = [
        *(f"cos(alpha)*R1{j} + sin(alpha)*R3{j}" for j in (1, 2, 3)),
        *(f"R2{j}" for j in (1, 2, 3)),
        *(f"cos(alpha)*R3{j} - sin(alpha)*R1{j}" for j in (1, 2, 3)),
    ]
    return [
        {
            "shape": "plane",
            "position": ["0", "0", "0"],
            "rotation": [["y", "alpha"]],
            "spin": ["Omega*sin(alpha)", "0", "Omega*cos(alpha)"],
        },
        {
            "shape": "sphere",
            "position": ["x*cos(alpha) + r*sin(alpha)", "y", "r*cos(alpha) - x*sin(alpha)"],
            "rotation": tilted,
            "radius": "r",
        },
        {"shape": "trail", "position": ["x*cos(alpha)", "y", "-x*sin(alpha)"]},
    ]


ENTRY = Entry(
    make=ball_on_inclined_turntable,
    start={"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "x": 0.0, "y": 0.0, "w1": 0.0, "w2": 0.0, "w3": 0.0},
    until=22.0,
    facts=(
        "x'' = k Omega e3 x x' + (1 - k) g sin(alpha) e1 with k = I / (I + m r^2)",
        "the mean drift is along the contour line, at m r^2 g sin(alpha) / (I Omega)",
        "without rotation it rolls down with (1 - k) g sin(alpha), 5/7 of sliding if the ball is homogeneous",
    ),
    claims=Claims(
        source="Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972; Bloch, Nonholonomic Mechanics and Control",
        integrals=(
            "R31*w1 + R32*w2 + R33*w3",
            "y' - (I/(I + m*r^2))*Omega*x",
            "(x'^2 + y'^2)/2 - (1 - (I/(I + m*r^2)))*g*sin(alpha)*x",
        ),
        broken=("energy",),
    ),
    references=(
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
        "A. M. Bloch, Nonholonomic Mechanics and Control",
    ),
)
