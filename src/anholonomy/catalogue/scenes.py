"""Scenes that several systems draw: carts and their hitches, a particle on a contact structure, a body on a pivot, a ball."""

from __future__ import annotations

from typing import Any

import symengine

from anholonomy.language.arguments import expression

__all__ = ["ball_scene", "beside", "cart", "contact_scene", "pivot_scene"]


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
