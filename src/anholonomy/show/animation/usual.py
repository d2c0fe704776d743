"""What is drawn where nothing was declared: a marker with heading for a point of the plane, a box for a rotation.

A body is at ``x, y, z``, as far as two of these are coordinates, and its attitude is the quaternion ``q0 … q3``. Several bodies
share prefixes, ``ball_x`` and ``ball_q0``, or numbers, ``x1, y1`` and ``x2, y2``. Coordinates that do not join to places in this way
are not guessed at. The heading is the angle that the constraints on the place depend on, or the only angle.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import symengine

from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import Symbol, Vector, symbol, zero
from anholonomy.system.model import Model
from anholonomy.system.scene import Rotation, Shape

__all__ = ["usual_scene"]

_HEADINGS = ("theta", "heading", "psi", "phi", "alpha")
_ANGULAR = {*_HEADINGS, "beta", "gamma", "angle", "rot", "rotation"}
_COLOURS = ("body", "second", "wheel", "accent")

Body: TypeAlias = tuple[str, str]
"""What stands before and after the letters of its coordinates, such as ``("ball_", "")`` or ``("", "2")``."""


def usual_scene(model: Model) -> tuple[Shape, ...]:
    """Shapes for a system that declares none; refused where nothing says where it is."""
    places, attitudes = _places(model), _attitudes(model)
    shapes: list[Shape] = []
    bodies = list(dict.fromkeys([*places, *attitudes]))
    for k, body in enumerate(bodies):
        place, colour = places.get(body), _COLOURS[k % len(_COLOURS)]
        if body in attitudes:
            turn = Rotation("quaternion", attitudes[body])
            shapes.append(Shape("box", place or (zero,) * 3, turn, colour=colour, trail=place is not None))
        elif place is not None:
            shapes += _marker(model, place, body, colour, len(bodies) == 1)
    if not shapes:
        raise NotCovered(
            f"{model.name}: nothing says what to draw, because there are no coordinates x and y and no quaternion; "
            "declare a `scene`."
        )
    grounded = any(shape.trail for shape in shapes)
    return (Shape("plane", colour="ground"), *shapes) if grounded else tuple(shapes)


def _places(model: Model) -> dict[Body, Vector]:
    """By body, its place, in small letters or else in capitals; refused where a letter of a place stands alone."""
    places: dict[Body, Vector] = {}
    letters = next((each for each in ("xyz", "XYZ") if _lettered(model, each)), "xyz")
    for body, named in _lettered(model, letters).items():
        if len(named) > 1:
            places[body] = tuple(named.get(letter, zero) for letter in letters)
        elif not body[0] or body[0].endswith("_"):
            (letter,) = named
            partner = letters[1] if letter == letters[0] else letters[0]
            raise NotCovered(
                f"{model.name}: the coordinate {named[letter].name} is no place without {body[0]}{partner}{body[1]}, so nothing "
                "says what to draw; declare a `scene`."
            )
    return places


def _lettered(model: Model, letters: str) -> dict[Body, dict[str, Symbol]]:
    """By body, its coordinates by their letter."""
    found: dict[Body, dict[str, Symbol]] = {}
    for q, kind in zip(model.coordinates, model.coordinate_kinds, strict=True):
        parts = re.fullmatch(rf"(.*?)([{letters}])(_?\d*)", q.name)
        if parts and kind != "angle" and parts[1].rstrip("_") not in _ANGULAR:
            found.setdefault((parts[1], parts[3]), {})[parts[2]] = q
    return found


def _attitudes(model: Model) -> dict[Body, Vector]:
    """By body, its quaternion; only a group says that four coordinates are one."""
    known = {q.name: q for q in model.coordinates}
    heads = [name.removesuffix("q0") for name in known if name.endswith("q0")] if model.group else []
    whole = {(head, ""): tuple(known[f"{head}q{k}"] for k in range(4) if f"{head}q{k}" in known) for head in heads}
    return {body: entries for body, entries in whole.items() if len(entries) == 4}


def _marker(model: Model, place: Vector, body: Body, colour: str, alone: bool) -> list[Shape]:
    dot, heading = Shape("point", place, colour=colour, trail=True), _heading(model, place, body, alone)
    if heading is None:
        return [dot]
    return [dot, Shape("arrow", place, _towards(place, heading), colour="accent")]


def _towards(place: Vector, heading: Symbol) -> Rotation:
    """The turn of the x axis by a heading, from the first coordinate of the place to the second."""
    if place[0] == 0:
        return Rotation("steps", (symengine.pi / 2, -heading), ("z", "y"))
    return Rotation("steps", (-heading,), ("y",)) if place[1] == 0 else Rotation("steps", (heading,), ("z",))


def _heading(model: Model, place: Vector, body: Body, alone: bool) -> Symbol | None:
    kinds = zip(model.coordinates, model.coordinate_kinds, strict=True)
    usual = [body[0] + name + body[1] for name in _HEADINGS]
    angles = [q for q, kind in kinds if q not in place and (kind == "angle" or (not kind and q.name in usual))]
    if any(body) and (own := [q for q in angles if q.name.startswith(body[0]) and q.name.endswith(body[1])]):
        angles = own
    moving = {symbol(f"{q.name}'") for q in place if q != 0}
    for c in model.constraints:
        if moving & c.declared.free_symbols:
            for angle in angles:
                if any(angle in entry.free_symbols for entry in c.coefficients):
                    return angle
    if len(angles) == 1 and (alone or angles[0].name in usual):
        return angles[0]
    return next((angle for angle in angles if angle.name == usual[0]), None)
