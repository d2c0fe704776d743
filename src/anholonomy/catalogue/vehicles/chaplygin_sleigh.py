r"""The Chaplygin sleigh: a body that slides on a blade and two free points.

The blade at $(x, y)$ lets the body move only along its heading; the centre of mass lies a distance $a$ ahead of it.
With $u$ the speed along the blade and $\omega = \dot\theta$,

.. math:: \dot u = a\,\omega^2, \qquad (I + m a^2)\,\dot\omega = -m a\, u\,\omega ,

so every motion tends to a straight line, at the speed that the conserved energy
$E = \tfrac12 m u^2 + \tfrac12 (I + m a^2)\,\omega^2$ leaves: with $U = \sqrt{2E/m}$ and $K = I + ma^2$,

.. math:: u = U\tanh\tau, \qquad \omega = \pm\sqrt{m/K}\;U\operatorname{sech}\tau, \qquad \tau = \frac{m a U}{K}(t - t_0) .
"""

from __future__ import annotations

from typing import Any

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["chaplygin_sleigh"]


def chaplygin_sleigh(m: float | None = 1.0, I: float | None = 0.3, a: float | None = 0.2) -> System:
    """A sleigh of mass ``m`` and moment of inertia ``I`` about its centre of mass, ``a`` ahead of the blade.

    >>> print(chaplygin_sleigh().derive("hamel"))
    Chaplygin sleigh: equations of motion by hamel
      x' = u*cos(theta)
      y' = u*sin(theta)
      theta' = omega
      m*u' = a*m*omega^2
      (a^2*m + I)*omega' = -a*m*omega*u
    """
    return System(
        name="Chaplygin sleigh",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="m/2*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + I/2*theta'^2",
        constraints={"blade": "-sin(theta)*x' + cos(theta)*y' = 0"},
        parameters={"m": m, "I": I, "a": a},
        span=[["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]],
        speeds=["u", "omega"],
        scene=_scene(),
    )


def _scene() -> list[dict[str, Any]]:
    """A board with the moment of inertia of the sleigh, its blade, two gliders in front, and the centre of mass."""
    size, turn = "sqrt(I/m)", [["z", "theta"]]

    def at(ahead: str, left: str, height: str) -> list[str]:
        return [f"x + {ahead}*cos(theta) - {left}*sin(theta)", f"y + {ahead}*sin(theta) + {left}*cos(theta)", height]

    return [
        {"shape": "plane"},
        {"shape": "box", "position": at("a", "0", f"0.72*{size}"), "rotation": turn,
         "length": f"3.2*{size}", "width": f"1.2*{size}", "height": f"0.15*{size}"},
        {"shape": "blade", "position": ["x", "y", "0"], "rotation": turn, "length": f"1.2*{size}", "height": f"0.6*{size}",
         "trail": True},
        *({"shape": "cylinder", "position": at(f"(a + 1.1*{size})", f"({side}*0.45*{size})", f"0.32*{size}"),
           "radius": f"0.1*{size}", "length": f"0.65*{size}", "colour": "muted"} for side in ("1", "(-1)")),
        {"shape": "sphere", "position": at("a", "0", f"0.82*{size}"), "radius": f"0.17*{size}", "colour": "accent"},
    ]  # fmt: skip


ENTRY = Entry(
    make=chaplygin_sleigh,
    start={"x": 0.0, "y": 0.0, "theta": 0.0, "x'": 1.0, "theta'": 0.5},
    until=20.0,
    facts=(
        "every motion tends to a straight line",
        "the asymptotic speed is sqrt(2 E / m)",
        "u' = a omega^2, (I + m a^2) omega' = -m a u omega",
    ),
    claims=Claims(
        source="Bloch, Nonholonomic Mechanics and Control, sec. 1.7 and 8.6; Kozlov, On the existence of an integral invariant of a smooth dynamic system, PMM 51 (1987)",
        measure="none",
        multiplier="none",
    ),
    references=(
        "S. A. Chaplygin, On the theory of the motion of nonholonomic systems, 1911",
        "A. M. Bloch, Nonholonomic Mechanics and Control, sec. 1.7",
    ),
)
