r"""Velocities of points, momenta and scenes of turning bodies, as texts.

Points of a turning body: the velocity $R(w\times\rho)$ that the rotation gives to the point $\rho$ of the body.

.. math:: v + R(w\times\rho) = 0

says that the point $\rho$, seen from the centre of mass, which moves with $v$, touches the ground without slipping. With
$\rho(\gamma)$ the lowest point and $\gamma = R^{\mathsf T}e_3$ the vertical in the body, the centre of mass has the height
$-\gamma\cdot\rho$; that this height changes at the rate $-\gamma\cdot(w\times\rho)$ is an identity, so it needs no coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine

from anholonomy.language.arguments import expression

__all__ = [
    "ball_scene",
    "ball_span",
    "beside",
    "cart",
    "contact_scene",
    "pivot_scene",
    "rolling_span",
    "turning_velocity",
    "VOLUME",
    "about_contact",
    "in_space",
    "of_the_vertical",
]


def turning_velocity(rho: tuple[str, str, str]) -> tuple[str, str, str]:
    r"""$R(w\times\rho)$ as texts, one for each direction of space.

    >>> turning_velocity(("0", "0", "a"))[2]
    'R31*(w2*(a) - w3*(0)) + R32*(w3*(0) - w1*(a)) + R33*(w1*(0) - w2*(0))'
    """
    p1, p2, p3 = rho
    cross = f"(w2*({p3}) - w3*({p2}))", f"(w3*({p1}) - w1*({p3}))", f"(w1*({p2}) - w2*({p1}))"
    first, second, third = (" + ".join(f"R{i}{j}*{part}" for j, part in enumerate(cross, 1)) for i in (1, 2, 3))
    return first, second, third


def rolling_span(rho: tuple[str, str, str]) -> list[list[str]]:
    r"""The three rolling motions with one $w_j = 1$: a basis $(w, \dot x, \dot y)$ that is regular at every attitude.

    >>> rolling_span(("0", "0", "-r"))[0]
    ['1', '0', '0', '-(R12*-(-r) + R13*(0))', '-(R22*-(-r) + R23*(0))']
    """
    p1, p2, p3 = (f"({p})" for p in rho)
    about = ((2, f"-{p3}", 3, p2), (1, p3, 3, f"-{p1}"), (1, f"-{p2}", 2, p1))
    unit = ("1", "0", "0"), ("0", "1", "0"), ("0", "0", "1")
    return [[*unit[j], *(f"-(R{i}{a}*{u} + R{i}{b}*{v})" for i in (1, 2))] for j, (a, u, b, v) in enumerate(about)]


def ball_span() -> list[list[str]]:
    r"""The same for a ball of radius ``r`` about its centre of mass, where $R(e_j\times\gamma)$ needs no product."""
    unit = ("1", "0", "0"), ("0", "1", "0"), ("0", "0", "1")
    return [[*row, f"r*R2{j}", f"-r*R1{j}"] for j, row in enumerate(unit, 1)]


def beside(x: Any, y: Any, heading: str, ahead: str, left: str, height: str) -> list[Any]:
    """A place ahead and to the left of another, for a scene; a long train of places is no text to be read again.

    >>> beside("x", "y", "theta", "a", "0", "h")
    [x + a*cos(theta), y + a*sin(theta), h]
    """
    x, y, angle, a, b, z = (expression(value, "a place") for value in (x, y, heading, ahead, left, height))
    c, s = symengine.cos(angle), symengine.sin(angle)
    return [x + a * c - b * s, y + a * s + b * c, z]


def cart(x: Any, y: Any, heading: str, size: str, colour: str = "body", trail: bool = False) -> list[dict[str, Any]]:
    """A box above an axle with its two wheels; ``size`` is the length that all others are shares of."""
    turn = [["z", heading]]
    box = {"shape": "box", "position": [x, y, f"0.3*{size}"], "rotation": turn, "length": f"0.6*{size}",
           "width": f"0.4*{size}", "height": f"0.22*{size}", "colour": colour, "trail": trail}  # fmt: skip
    wheel = {"shape": "wheel", "rotation": turn, "radius": f"0.14*{size}", "thickness": f"0.08*{size}"}
    hubs = [beside(x, y, heading, "0", f"{side}0.27*{size}", f"0.14*{size}") for side in ("", "-")]
    return [box, *(wheel | {"position": hub} for hub in hubs)]


def contact_scene(p: str, q: str, *more: dict[str, Any]) -> list[dict[str, Any]]:
    r"""A particle at ``x, y, z`` with its path, and a disc that shows where it may go: $\dot z = p\,\dot x + q\,\dot y$."""
    a, b = f"sqrt(1 + ({p})^2)", f"sqrt(1 + ({p})^2 + ({q})^2)"
    along, across = [f"1/{a}", "0", f"({p})/{a}"], [f"-({p})*({q})/({a}*{b})", f"{a}/{b}", f"({q})/({a}*{b})"]
    normal = [f"-({p})/{b}", f"-({q})/{b}", f"1/{b}"]
    turn = [entry for row in zip(along, across, normal, strict=True) for entry in row]
    place = ["x", "y", "z"]
    disc = {"shape": "disc", "position": place, "rotation": turn, "colour": "second", "clear": True}
    return [{"shape": "plane"}, {"shape": "point", "position": place, "trail": True}, disc, *more]


def pivot_scene(body: dict[str, Any], *more: dict[str, Any]) -> list[dict[str, Any]]:
    """A body that turns about the origin, and an arrow along its angular velocity ``w1, w2, w3``."""
    tip = [" + ".join(f"R{i}{j}*w{j}" for j in (1, 2, 3)) for i in (1, 2, 3)]
    spin = {"shape": "arrow", "position": ["0", "0", "0"], "to": [f"0.6*({each})" for each in tip], "radius": "0.03"}
    return [body | {"rotation": ["q0", "q1", "q2", "q3"], "clear": True}, spin, *more]


def ball_scene(spin: str | None = None) -> list[dict[str, object]]:
    """A ball of radius ``r`` on the ground, or on a table that turns with ``spin`` about the origin, and its track."""
    ball = {"position": ["x", "y", "r"], "rotation": ["q0", "q1", "q2", "q3"], "radius": "r"}
    ground: dict[str, object] = {"shape": "plane"}
    if spin is not None:
        ground |= {"position": ["0", "0", "0"], "spin": ["0", "0", spin]}
    return [ground, {"shape": "sphere", **ball}, {"shape": "trail", "position": ["x", "y", "0"]}]


# Momenta of a turning body in space, as texts in its rates $w$ and the entries of its rotation matrix $R$.
#
# .. math:: \omega_z = \gamma\cdot w, \qquad (RM)_i, \qquad M = Iw + D\,\gamma\times(w\times\gamma), \qquad \gamma = R^{\mathsf T}e_3, \quad D = mr^2


VOLUME = "dg(q0, q1, q2, q3) dx dy dw1 dw2 dw3"
"""The volume of a body that rolls with all of its rates."""


def in_space(row: int, entries: Sequence[str]) -> str:
    """A component in space of a vector given in the body.

    >>> in_space(3, ("w1", "w2", "w3"))
    'R31*(w1) + R32*(w2) + R33*(w3)'
    """
    return " + ".join(f"R{row}{k}*({entry})" for k, entry in enumerate(entries, start=1))


def about_contact(row: int) -> str:
    """A component in space of the angular momentum about the contact point of a ball with the moments I1, I2, I3."""
    spin = in_space(3, ("w1", "w2", "w3"))
    return in_space(row, [f"I{k}*w{k} + m*r^2*(w{k} - R3{k}*({spin}))" for k in (1, 2, 3)])


def of_the_vertical(moments: Sequence[str]) -> str:
    r"""$\gamma\cdot A^{-1}\gamma$ for the diagonal A.

    >>> of_the_vertical(("I1", "I2", "I3"))
    'R31^2/(I1) + R32^2/(I2) + R33^2/(I3)'
    """
    return " + ".join(f"R3{k}^2/({moment})" for k, moment in enumerate(moments, start=1))
