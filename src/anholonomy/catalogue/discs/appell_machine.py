r"""Appell's machine: a falling weight drives a wheel through a thread.

A wheel of radius $a$ stands upright on a level plane, held by legs that slide without friction; it touches the plane at
$(x, y)$, has the heading $\varphi$ and has turned through $\theta$. The thread unwinds from a drum of radius $b$ on its axle and
runs over pulleys to a weight that hangs at the height $z$, a distance $\rho$ ahead of the point of contact:

.. math:: \dot x = a\cos\varphi\,\dot\theta, \qquad \dot y = a\sin\varphi\,\dot\theta, \qquad \dot z = -b\,\dot\theta .

With $A = (M + m)a^2 + m b^2 + I$ and $K = J + m\rho^2$, where $M$ is the mass of the frame with its wheel,

.. math:: A\,\ddot\theta = m g b + m a \rho\,\dot\varphi^2, \qquad K\,\ddot\varphi = -m a \rho\,\dot\theta\,\dot\varphi :

a Chaplygin sleigh with an engine. The heading obeys $\dot\varphi = \dot\varphi_0\, e^{-\kappa(\theta - \theta_0)}$, $\kappa = m a\rho/K$, so it
settles when the machine runs forwards, the faster the smaller $\rho$ if $J = 0$. In that limit the weight obeys
$\dot x^2 + \dot y^2 = (a/b)^2\,\dot z^2$, a constraint without heading; yet with $\rho = 0$ and $J > 0$ every
$\dot\varphi$ is kept, and the limit depends on the order in which the masses are taken away.
"""

from __future__ import annotations

from typing import Any

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import beside
from anholonomy.public.system import System

__all__ = ["appell_machine"]


def appell_machine(
    m: float | None = 1.0,
    M: float | None = 0.5,
    I: float | None = 0.1,
    J: float | None = 0.05,
    a: float | None = 0.5,
    b: float | None = 0.25,
    rho: float | None = 0.2,
    g: float | None = 9.81,
) -> System:
    """A weight ``m`` on a machine of mass ``M``; ``I`` of the wheel about its axle, ``J`` of the machine without the weight about the vertical.

    ``a`` and ``b`` are the radii of wheel and drum, ``rho`` is how far ahead of the wheel the weight hangs.

    >>> print(appell_machine().derive("hamel"))
    Appell's machine: equations of motion by hamel
      x' = Omega*a*cos(phi)
      y' = Omega*a*sin(phi)
      z' = -Omega*b
      theta' = Omega
      phi' = omega
      ((M + m)*a^2 + b^2*m + I)*Omega' = (a*omega^2*rho + b*g)*m
      (m*rho^2 + J)*omega' = -Omega*a*m*omega*rho
    """
    return System(
        name="Appell's machine",
        coordinates={"x": "length", "y": "length", "z": "length", "theta": "angle", "phi": "angle"},
        lagrangian="m/2*((x' - rho*sin(phi)*phi')^2 + (y' + rho*cos(phi)*phi')^2 + z'^2) + M/2*(x'^2 + y'^2)"
        " + I/2*theta'^2 + J/2*phi'^2 - m*g*z",
        constraints={
            "along": "x' = a*cos(phi)*theta'",
            "across": "y' = a*sin(phi)*theta'",
            "thread": "z' = -b*theta'",
        },
        parameters={"m": m, "M": M, "I": I, "J": J, "a": a, "b": b, "rho": rho, "g": g},
        span=[["a*cos(phi)", "a*sin(phi)", "-b", "1", "0"], ["0", "0", "0", "0", "1"]],
        speeds=["Omega", "omega"],
        scene=_scene(),
    )


def _scene() -> list[dict[str, Any]]:
    """The wheel with its drum, the frame on legs that slide, and the weight on its thread from a pulley ahead."""
    turn, sides = [["z", "phi"], ["y", "theta"]], ("0.6*a", "-0.6*a")
    pulley = beside("x", "y", "phi", "rho", "0", "2.6*a")
    weight = [*pulley[:2], "z"]
    rod = {"shape": "rod", "radius": "a/25"}
    top = ["x", "y", "2.6*a"]
    return [
        {"shape": "plane", "position": ["0", "0", "0"]},
        {"shape": "wheel", "position": ["x", "y", "a"], "rotation": turn, "radius": "a", "thickness": "a/5"},
        {"shape": "wheel", "position": beside("x", "y", "phi", "0", "0.3*a", "a"), "rotation": turn, "radius": "b",
         "thickness": "a/4", "colour": "accent"},
        *(rod | {"position": beside("x", "y", "phi", ahead, left, "0"), "to": top}
          for ahead in ("0.9*a", "-0.9*a") for left in sides),
        rod | {"position": beside("x", "y", "phi", "0", sides[1], "a"), "to": beside("x", "y", "phi", "0", sides[0], "a")},
        rod | {"position": top, "to": pulley},
        rod | {"position": weight, "to": pulley, "radius": "a/60"},
        {"shape": "sphere", "position": weight, "radius": "a/4", "colour": "second", "trail": True},
        {"shape": "trail", "position": ["x", "y", "0"]},
    ]  # fmt: skip


ENTRY = Entry(
    make=appell_machine,
    start={"x": 0.0, "y": 0.0, "z": 1.2, "theta": 0.0, "phi": 0.0, "theta'": 0.0, "phi'": 3.0},
    until=2.0,
    facts=(
        "((M + m) a^2 + m b^2 + I) theta'' = m g b + m a rho phi'^2",
        "without its own mass and running straight, it moves its weight as the Appell-Hamel constraint does",
        "with rho = 0 the heading turns at a constant rate",
    ),
    claims=Claims(
        source="Hamel, Theoretische Mechanik, 1949; Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972",
        integrals=("energy", "z + b*theta", "phi'*exp(m*a*rho*theta/(J + m*rho^2))"),
    ),
    references=(
        "P. Appell, Sur les liaisons exprimées par des relations non linéaires entre les vitesses, "
        "C. R. Acad. Sci. Paris 152 (1911)",
        "G. Hamel, Theoretische Mechanik, 1949",
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
    ),
)
