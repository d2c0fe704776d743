"""What is drawn where nothing was declared: a marker with heading for a point of the plane, a box for a rotation.

A body is at ``x, y, z``, as far as these are coordinates, and its attitude is the quaternion ``q0 … q3``; several bodies share
prefixes, ``ball_x`` and ``ball_q0``. Without such names the first lengths are a place. The heading is the angle that the
constraints on the place depend on, or the only angle.
"""

from __future__ import annotations

from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import Symbol, Vector, symbol, zero
from anholonomy.system.model import Model
from anholonomy.system.scene import Rotation, Shape

__all__ = ["usual_scene"]

_HEADINGS = ("theta", "heading", "psi", "phi", "alpha")


def usual_scene(model: Model) -> tuple[Shape, ...]:
    """Shapes for a system that declares none; refused where nothing says where it is."""
    names = [q.name for q in model.coordinates]
    prefixes = dict.fromkeys(_prefix(name) for name in names if _prefix(name) is not None)
    shapes: list[Shape] = []
    for prefix in prefixes:
        shapes += _body(model, str(prefix), "second" if shapes else "body")
    if not shapes:
        lengths = [q for q, kind in zip(model.coordinates, model.coordinate_kinds, strict=True) if kind == "length"]
        if len(lengths) < 2:
            raise NotCovered(
                f"{model.name}: nothing says what to draw, because there are no coordinates x and y, no two lengths and no "
                "quaternion; declare a `scene`."
            )
        shapes += _marker(model, (*lengths[:2], lengths[2] if len(lengths) > 2 else zero), "", "body")
    grounded = any(shape.trail for shape in shapes)
    return (Shape("plane", colour="ground"), *shapes) if grounded else tuple(shapes)


def _prefix(name: str) -> str | None:
    """What stands before ``x`` or ``q0``."""
    return next((name.removesuffix(end) for end in ("x", "q0") if name.endswith(end)), None)


def _body(model: Model, prefix: str, colour: str) -> list[Shape]:
    """The marker or box of the body with this prefix, if its coordinates are there."""
    known = {q.name: q for q in model.coordinates}
    place: Vector | None = None
    if f"{prefix}x" in known and f"{prefix}y" in known:
        place = (known[f"{prefix}x"], known[f"{prefix}y"], known.get(f"{prefix}z", zero))
    attitude = tuple(known[f"{prefix}q{k}"] for k in range(4) if f"{prefix}q{k}" in known)
    if len(attitude) == 4 and model.group:
        turn = Rotation("quaternion", attitude)
        return [Shape("box", place or (zero,) * 3, turn, colour=colour, trail=place is not None)]
    return [] if place is None else _marker(model, place, prefix, colour)


def _marker(model: Model, place: Vector, prefix: str, colour: str) -> list[Shape]:
    dot, heading = Shape("point", place, colour=colour, trail=True), _heading(model, place, prefix)
    if heading is None:
        return [dot]
    return [dot, Shape("arrow", place, Rotation("steps", (heading,), ("z",)), colour="accent")]


def _heading(model: Model, place: Vector, prefix: str) -> Symbol | None:
    kinds = zip(model.coordinates, model.coordinate_kinds, strict=True)
    usual = [prefix + name for name in _HEADINGS]
    angles = [q for q, kind in kinds if q not in place and (kind == "angle" or (not kind and q.name in usual))]
    if own := [q for q in angles if prefix and q.name.startswith(prefix)]:
        angles = own
    moving = {symbol(f"{q.name}'") for q in place if q != 0}
    for c in model.constraints:
        if moving & c.declared.free_symbols:
            for angle in angles:
                if any(angle in entry.free_symbols for entry in c.coefficients):
                    return angle
    if len(angles) == 1:
        return angles[0]
    return next((angle for angle in angles if angle.name == f"{prefix}theta"), None)
