r"""The vertical rolling disk: a coin that stays upright, rolls and turns.

The centre is above the contact point $(x, y)$; $\theta$ is the angle rolled and $\varphi$ the heading. On the admissible
velocities the energy is that of two free rotations,

.. math:: l_c = \tfrac12 (I + m R^2)\,\dot\theta^2 + \tfrac12 J\,\dot\varphi^2 ,

and both rates are constant: $\dot\theta = \Omega$, $\dot\varphi = \omega$. The contact point runs on a straight line when
$\omega = 0$ and otherwise on a circle of radius $R\,|\Omega/\omega|$.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["rolling_disk"]


def rolling_disk(m: float | None = 1.0, I: float | None = 0.5, J: float | None = 0.25, R: float | None = 1.0) -> System:
    """A disk of mass ``m`` and radius ``R``; ``I`` about its axle, ``J`` about the vertical through its centre.

    >>> print(rolling_disk().derive("hamel"))
    vertical rolling disk: equations of motion by hamel
      x' = Omega*R*cos(phi)
      y' = Omega*R*sin(phi)
      theta' = Omega
      phi' = omega
      (R^2*m + I)*Omega' = 0
      J*omega' = 0
    """
    return System(
        name="vertical rolling disk",
        coordinates={"x": "length", "y": "length", "theta": "angle", "phi": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2",
        constraints={"along": "x' = R*cos(phi)*theta'", "across": "y' = R*sin(phi)*theta'"},
        parameters={"m": m, "I": I, "J": J, "R": R},
        span=[["R*cos(phi)", "R*sin(phi)", "1", "0"], ["0", "0", "0", "1"]],
        speeds=["Omega", "omega"],
        scene=[
            {"shape": "plane"},
            {"shape": "wheel", "position": ["x", "y", "R"], "rotation": [["z", "phi"], ["y", "theta"]], "radius": "R",
             "colour": "body"},
            {"shape": "trail", "position": ["x", "y", "0"]},
        ],
    )  # fmt: skip


ENTRY = Entry(
    make=rolling_disk,
    start={"x": 0.0, "y": 0.0, "theta": 0.0, "phi": 0.0, "theta'": 2.0, "phi'": 0.5},
    until=20.0,
    facts=(
        "the contact point runs on a circle of radius R |theta'/phi'|",
        "the contact point runs on a straight line when phi' = 0",
    ),
    claims=Claims(
        source="Bloch, Nonholonomic Mechanics and Control, ch. 1; Fernandez and Bloch, J. Math. Phys. 52 (2011), sec. 5.1",
        integrals=("theta'", "phi'"),
        measure=("1", "dx dy dtheta dphi dOmega domega"),
        multiplier="1",
    ),
    references=(
        "A. M. Bloch, Nonholonomic Mechanics and Control, ch. 1",
        "O. E. Fernandez and A. M. Bloch, The Weitzenböck connection and time reparameterization in "
        "nonholonomic mechanics, J. Math. Phys. 52 (2011), sec. 5.1",
    ),
)
