r"""The skate: a blade on level ice, and the kinematics of the unicycle.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2) + \tfrac12 I\dot\theta^2, \qquad \sin\theta\,\dot x = \cos\theta\,\dot y .

Speed and turning rate are constant, so the skate runs on a straight line or on a circle of radius $|u/\omega|$.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["skate"]


def skate(m: float | None = 1.0, I: float | None = 0.5) -> System:
    """A blade of mass ``m`` and moment of inertia ``I`` whose centre of mass is above the contact point."""
    return System(
        name="skate",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + I/2*theta'^2",
        constraints={"blade": "sin(theta)*x' = cos(theta)*y'"},
        parameters={"m": m, "I": I},
        span=[["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]],
        speeds=["u", "omega"],
        scene=[
            {"shape": "plane"},
            {"shape": "blade", "position": ["x", "y", "0"], "rotation": [["z", "theta"]], "length": "sqrt(I/m)",
             "height": "0.25*sqrt(I/m)", "trail": True},
            {"shape": "box", "position": ["x", "y", "0.33*sqrt(I/m)"], "rotation": [["z", "theta"]],
             "length": "0.8*sqrt(I/m)", "width": "0.28*sqrt(I/m)", "height": "0.16*sqrt(I/m)"},
        ],
    )  # fmt: skip


ENTRY = Entry(
    make=skate,
    start={"x": 0.0, "y": 0.0, "theta": 0.0, "x'": 1.0, "theta'": 0.5},
    until=12.0,
    facts=("the path is a circle of radius |u/omega|",),
    claims=Claims(
        source="Arnold, Kozlov and Neishtadt, Mathematical Aspects of Classical and Celestial Mechanics, ch. 1",
        integrals=("theta'", "x'*cos(theta) + y'*sin(theta)"),
        measure=("1", "dx dy dtheta du domega"),
    ),
    references=(
        "V. I. Arnold, V. V. Kozlov and A. I. Neishtadt, Mathematical Aspects of Classical and Celestial Mechanics, ch. 1",
    ),
)
