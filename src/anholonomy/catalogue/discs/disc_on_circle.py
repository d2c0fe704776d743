r"""A disc that rolls on a circle whose radius $R(t)$ changes with time.

In a vertical plane, the disc of radius $r$ rolls outside on the circle; $\varphi$ is the direction of its centre $S$ seen from the
centre of the circle and $\psi$ its rotation. The centre of mass is a distance $c$ from $S$, and $I$ is the moment of
inertia about $S$. Rolling means

.. math:: \dot\psi = a(t)\,\dot\varphi, \qquad a(t) = \frac{R(t) + r}{r} ,

a constraint without integral unless $R$ is constant, although it is integrable at every frozen time. When the disc is
balanced ($c = 0$),

.. math:: (m r^2 + I)\,a^2\,\ddot\varphi + (2 m r^2 + I)\,a\dot a\,\dot\varphi = -m r g\, a\cos\varphi .
"""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import time
from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.language import parse_expression, to_text
from anholonomy.public.system import System

__all__ = ["disc_on_circle"]

_SHAPE = {"R0": 2.0, "A": 0.5, "w": 1.5}


def disc_on_circle(
    radius: str = "R0 + A*sin(w*t)",
    shape: Mapping[str, float | None] = _SHAPE,
    m: float | None = 1.0,
    I: float | None = 0.2,
    r: float | None = 0.5,
    c: float | None = 0.0,
    g: float | None = 9.81,
) -> System:
    """A disc on a circle of ``radius``, a text in ``t`` and the parameters of ``shape``; ``c`` unbalances the disc.

    >>> disc_on_circle("R0*exp(k*t)", {"R0": 1.0, "k": 0.1}, c=0.1)
    System('disc on a circle of varying radius', 2 coordinates, 1 constraint)
    """
    rate = to_text(partial(parse_expression(radius, what="the radius"), time))
    # m R'^2/2 is left out: it depends on time alone.
    lagrangian = (
        f"m/2*(({radius}) + r)^2*phi'^2 + I/2*psi'^2"
        f" + c*m*psi'*(({rate})*sin(phi - psi) + (({radius}) + r)*cos(phi - psi)*phi')"
        f" - m*g*((({radius}) + r)*sin(phi) + c*sin(psi))"
    )
    return System(
        name="disc on a circle of varying radius",
        coordinates={"phi": "angle", "psi": "angle"},
        lagrangian=lagrangian,
        constraints={"rolling": f"r*psi' = (({radius}) + r)*phi'"},
        parameters={"m": m, "I": I, "r": r, "c": c, "g": g, **shape},
        span=[["1", f"(({radius}) + r)/r"]],
        speeds=["u"],
        scene=[
            {"shape": "disc", "rotation": [["x", "pi/2"]], "radius": radius, "thickness": "r/2", "colour": "muted"},
            {"shape": "wheel", "position": [f"(({radius}) + r)*cos(phi)", "0", f"(({radius}) + r)*sin(phi)"],
             "rotation": [["y", "-psi"]], "radius": "r", "thickness": "r/2", "colour": "body", "trail": True},
        ],
    )  # fmt: skip


ENTRY = Entry(
    make=disc_on_circle,
    start={"phi": -1.0, "psi": 0.0, "phi'": 0.0},
    until=20.0,
    facts=(
        "(m r^2 + I) a^2 phi'' + (2 m r^2 + I) a a' phi' = -m r g a cos(phi) when balanced",
        "without rotational inertia it is a pendulum of length R(t) + r",
        "the energy is conserved when the radius is constant",
    ),
    claims=Claims(
        source="Jovanović, Classical relativistic nonholonomic mechanics, Theorem 6.2",
        integrals=(),
        multiplier="(R0 + r + A*sin(w*t))^(-I/(m*r^2 + I))",
        broken=("energy",),
    ),
    references=(
        "B. Jovanović, Classical relativistic nonholonomic mechanics and time-dependent G-Chaplygin systems "
        "with affine constraints, sec. 6.3",
    ),
)
