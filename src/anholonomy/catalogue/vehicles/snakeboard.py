r"""The snakeboard: a board on two steered axles, with a rotor that the rider swings.

The centre $(x, y)$ has the heading $\theta$; the axles sit at the distance $r$ before and behind it and are steered by $\varphi$ and
$-\varphi$, the rotor has turned by $\psi$ against the board. Neither axle slips sideways:

.. math:: -\sin(\theta \pm \varphi)\,\dot x + \cos(\theta \pm \varphi)\,\dot y \pm r\cos\varphi\,\dot\theta = 0 .

The board rolls with one speed $s$: $(\dot x, \dot y, \dot\theta) = (r\cos\varphi\cos\theta,\ r\cos\varphi\sin\theta,\ \sin\varphi)\,s$. Its momentum
along that direction, with $J_0 = J + J_r + 2J_w$,

.. math:: p = (m r^2\cos^2\varphi + J_0\sin^2\varphi)\,s + J_r\sin\varphi\,\dot\psi, \qquad
   \dot p = \dot\varphi\cos\varphi\left[(J_0 - m r^2)\sin\varphi\,s + J_r\,\dot\psi\right] ,

is changed by nothing but steering, whatever torques the rider applies: swinging and steering in step, he propels the
board from rest. Left alone it keeps $\dot\varphi$, $\dot\theta + \dot\psi$ and $(m r^2\cos^2\varphi + (J + 2J_w)\sin^2\varphi)\,s^2$. The axles'
constraints coincide where they are steered across the board, $\cos\varphi = 0$.
"""

from __future__ import annotations

from typing import Any

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["snakeboard"]


def snakeboard(
    swing: str = "0",
    steer: str = "0",
    m: float | None = 6.0,
    J: float | None = 0.16,
    Jr: float | None = 0.72,
    Jw: float | None = 0.05,
    r: float | None = 0.4,
) -> System:
    """A board of mass ``m`` and length 2 ``r``; ``J`` of the board, ``Jr`` of the rotor, ``Jw`` of each pair of wheels.

    ``swing`` and ``steer`` are the rider's torques on rotor and axles, texts in t, the coordinates and their velocities.

    >>> print(snakeboard().derive("hamel"))
    snakeboard: equations of motion by hamel
      x' = r*s*cos(phi)*cos(theta)
      y' = r*s*cos(phi)*sin(theta)
      theta' = s*sin(phi)
      psi' = Psi
      phi' = Phi
      (m*r^2*cos(phi)^2 + (2*Jw + J + Jr)*sin(phi)^2)*s' + Jr*sin(phi)*Psi' = Phi*(m*r^2 - (2*Jw + J +
      Jr))*s*cos(phi)*sin(phi)
      Jr*(Psi' + sin(phi)*s') = -Jr*Phi*s*cos(phi)
      2*Jw*Phi' = 0
    """
    return System(
        name="snakeboard",
        coordinates={"x": "length", "y": "length", "theta": "angle", "psi": "angle", "phi": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + J/2*theta'^2 + Jr/2*(theta' + psi')^2"
        " + Jw/2*((theta' + phi')^2 + (theta' - phi')^2)",
        constraints={
            "front": "-sin(theta + phi)*x' + cos(theta + phi)*y' + r*cos(phi)*theta' = 0",
            "back": "-sin(theta - phi)*x' + cos(theta - phi)*y' - r*cos(phi)*theta' = 0",
        },
        parameters={"m": m, "J": J, "Jr": Jr, "Jw": Jw, "r": r},
        forces={"psi": swing, "phi": steer},
        span=[
            ["r*cos(phi)*cos(theta)", "r*cos(phi)*sin(theta)", "sin(phi)", "0", "0"],
            ["0", "0", "0", "1", "0"],
            ["0", "0", "0", "0", "1"],
        ],
        speeds=["s", "Psi", "Phi"],
        scene=_scene(),
    )


def _scene() -> list[dict[str, Any]]:
    """The board, the rotor on it, and a pair of wheels on each axle."""
    scene: list[dict[str, Any]] = [
        {"shape": "plane"},
        {
            "shape": "box",
            "position": ["x", "y", "r/3"],
            "rotation": [["z", "theta"]],
            "length": "2*r",
            "width": "r/3",
            "height": "r/12",
            "trail": True,
        },
        {
            "shape": "box",
            "position": ["x", "y", "r/2"],
            "rotation": [["z", "theta + psi"]],
            "length": "r",
            "width": "r/8",
            "height": "r/8",
            "colour": "accent",
        },
    ]
    for end, angle in (("+", "(theta + phi)"), ("-", "(theta - phi)")):
        for side, other in (("+", "-"), ("-", "+")):
            wheel = [
                f"x {end} r*cos(theta) {other} r/3*sin{angle}",
                f"y {end} r*sin(theta) {side} r/3*cos{angle}",
                "r/6",
            ]
            scene.append({"shape": "wheel", "position": wheel, "rotation": [["z", angle]], "radius": "r/6"})
    return scene


ENTRY = Entry(
    make=snakeboard,
    start={
        "x": 0.0,
        "y": 0.0,
        "theta": 0.0,
        "psi": 0.0,
        "phi": 0.6,
        "x'": 0.5,
        "psi'": 1.0,
        "phi'": -0.05,
    },
    until=20.0,
    facts=(
        "p' = phi' cos(phi) ((J0 - m r^2) sin(phi) s + Jr psi') for p = (m r^2 cos(phi)^2 + J0 sin(phi)^2) s + Jr sin(phi) psi', "
        "under any torques on rotor and axles",
        "with locked steering it runs on a circle of radius r |cot(phi)|",
        "swinging and steering in step propel it from rest, either alone does not",
        "the constraints of its axles coincide where cos(phi) = 0",
    ),
    claims=Claims(
        source="Bloch, Krishnaprasad, Marsden and Murray, Arch. Rational Mech. Anal. 136 (1996)",
        integrals=("phi'", "theta' + psi'", "(m*r^2*cos(phi)^2 + (J + 2*Jw)*sin(phi)^2)*theta'^2/sin(phi)^2"),
    ),
    references=(
        "J. Ostrowski, A. Lewis, R. Murray and J. Burdick, Nonholonomic mechanics and locomotion: the snakeboard example, "
        "ICRA 1994",
        "A. M. Bloch, P. S. Krishnaprasad, J. E. Marsden and R. M. Murray, Nonholonomic mechanical systems with symmetry, "
        "Arch. Rational Mech. Anal. 136 (1996)",
        "A. M. Bloch, Nonholonomic Mechanics and Control",
    ),
)
