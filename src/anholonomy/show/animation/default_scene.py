r"""The scene of a system that declares none: blades and axles of the constraints, boxes for rotations.

A point of the plane has a blade at every axle that a constraint speaks of, with rods to those that it tows; where none does, an arrow
shows its heading. They are as large as the body: by the rods, or by its radius of gyration
$\sqrt{\partial^2 L/\partial\dot\theta^2 : \partial^2 L/\partial\dot x^2}$.

A body is at ``x, y, z``, as far as two of these are coordinates, and its attitude is the quaternion ``q0 … q3``. Several bodies
share prefixes, ``ball_x`` and ``ball_q0``, or numbers, ``x1, y1`` and ``x2, y2``. Coordinates that do not join to places in this way
are not guessed at. The heading is the angle that the constraints on the place depend on, or the only angle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, symbol, time, zero
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.system.constraints import Constraint, Kind
from anholonomy.system.model import Model
from anholonomy.system.scene import Rotation, Shape

__all__ = ["Axle", "axles", "usual_scene"]


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
        raise NotSupportedError(
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
            raise NotSupportedError(
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
    heading, found = _heading(model, place, body, alone), axles(model, place)
    size = _body_size(model, place, heading, found)

    def sized(word: str, share: float) -> tuple[tuple[str, Expr], ...]:
        return ((word, size * symengine.Rational(round(100 * share), 100)),) if size is not None else ()

    shapes = [Shape("point", place, colour=colour, trail=True, sizes=sized("radius", 0.12))]
    if heading is not None and not found:
        return [*shapes, Shape("arrow", place, _towards(place, heading), colour="accent", sizes=sized("length", 1))]
    for k, axle in enumerate(found):
        at = axle.place(place)
        if axle.rods:
            shapes.append(Shape("rod", _towed_by(axle, found[:k], place), to=at, colour="muted"))
        shapes.append(Shape("blade", at, _towards(place, axle.heading), colour="blade", sizes=sized("length", 1)))
    return shapes


def _towed_by(axle: Axle, before: Sequence[Axle], place: Vector) -> Vector:
    """The place of the nearest axle on the way from the point."""
    way = [each for each in before if set(each.rods) < set(axle.rods)]
    return max(way, key=lambda each: len(each.rods)).place(place) if way else place


def _body_size(model: Model, place: Vector, heading: Symbol | None, found: Sequence[Axle]) -> Expr | None:
    """A length that belongs to the body; None where the declaration says none that is the same all along."""
    lengths = {length for axle in found for length, _ in axle.rods}
    if lengths:
        return 1 / symengine.sqrt(
            2 * symengine.Add(*(length**-2 for length in lengths))
        )  # a little less than the least
    if heading is None or model.momenta_a is not None or model.group:
        return None
    ahead, turn = (symbol(f"{q.name}'") for q in (next(q for q in place if q != 0), heading))
    size = symengine.sqrt(_inertia(model, turn) / _inertia(model, ahead))
    return size if size.free_symbols <= set(model.parameter_symbols) and not size.has(symengine.zoo) else None


def _inertia(model: Model, velocity: Symbol) -> Expr:
    return partial(partial(model.lagrangian, velocity), velocity)


def _towards(place: Vector, heading: Expr) -> Rotation:
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


# Blades and axles that constraints speak of: a row $n(\alpha)\cdot\dot P = 0$ lets $P$ move along the heading $\alpha$ only.
#
# With $n = (\sin\alpha, -\cos\alpha)$ and a place that hangs on the point $(x, y)$ by rods of fixed lengths,
#
# .. math:: P = (x, y) + \sum_j \ell_j(\cos\theta_j, \sin\theta_j), \qquad
#    n\cdot\dot P = \sin\alpha\,\dot x - \cos\alpha\,\dot y - \sum_j \ell_j\cos(\alpha - \theta_j)\,\dot\theta_j ,
#
# so heading and lengths are read from the coefficients, and proven: what does not fit is not drawn.


@final
@dataclass(frozen=True)
class Axle:
    """A place that moves along ``heading`` only: the point, and ``rods`` from it, each a length and an angle."""

    heading: Expr
    rods: tuple[tuple[Expr, Symbol], ...]

    def place(self, point: Vector) -> Vector:
        """Where it is, when the point is there."""
        x, y, z = point
        x += symengine.Add(*(length * symengine.cos(angle) for length, angle in self.rods))
        y += symengine.Add(*(length * symengine.sin(angle) for length, angle in self.rods))
        return x, y, z


def axles(model: Model, point: Vector) -> list[Axle]:
    """The axles that the constraints say of a point of the plane, each once, nearest first.

    >>> from anholonomy import System
    >>> car = System(coordinates=["x", "y", "theta", "steer"], lagrangian="x'^2 + y'^2 + theta'^2 + steer'^2", constraints=[
    ...     "x'*sin(theta) = y'*cos(theta)", "x'*sin(theta + steer) - y'*cos(theta + steer) = L*cos(steer)*theta'"], parameters=["L"])
    >>> [(axle.heading, axle.rods) for axle in axles(car.model, (*car.coordinates[:2], 0))]
    [(theta, ()), (steer + theta, ((L, theta),))]
    """
    if model.group or point[0] == 0 or point[1] == 0:
        return []
    found = [axle for c in model.constraints if (axle := _axle(model, c, point[0], point[1])) is not None]
    return sorted(dict.fromkeys(found), key=lambda axle: len(axle.rods))


def _axle(model: Model, constraint: Constraint, x: Symbol, y: Symbol) -> Axle | None:
    if not constraint.kind & (Kind.LINEAR | Kind.AFFINE):
        return None
    row = dict(zip(model.coordinates, constraint.coefficients, strict=True))
    a, b = row.pop(x), row.pop(y)
    for heading in _angles_in((a, b)):
        sine, cosine = symengine.sin(heading), symengine.cos(heading)
        factor = _constant(model, a * sine - b * cosine)
        if factor is None or not _vanishes(a * cosine + b * sine):
            continue
        rods = []
        for angle, entry in row.items():
            if entry == 0:
                continue
            away = symengine.cos(heading - angle)
            length = _at_zero(model, -entry / (factor * away))
            if length is None or not _vanishes(entry / factor + length * away):
                break
            rods.append((length, angle))
        else:
            return Axle(heading, tuple(rods))
    return None


def _angles_in(entries: Sequence[Expr]) -> Iterator[Expr]:
    """The arguments of sines and cosines, simple ones first."""
    found: set[Expr] = set()
    todo = list(entries)
    while todo:
        each = todo.pop()
        if isinstance(each, symengine.sin | symengine.cos):
            found.add(each.args[0])
        todo.extend(each.args)
    yield from sorted(found, key=lambda each: (len(each.free_symbols), str(each)))


def _constant(model: Model, entry: Expr) -> Expr | None:
    """The value of an entry that depends on no coordinate and is not zero; None for any other."""
    value = _at_zero(model, entry)
    return value if value is not None and value != 0 and _vanishes(entry - value) else None


def _at_zero(model: Model, entry: Expr) -> Expr | None:
    value = entry.xreplace(dict.fromkeys((*model.coordinates, time), zero))
    return None if value.has(symengine.zoo, symengine.nan, symengine.oo) else value


def _vanishes(entry: Expr) -> bool:
    return zero_test(entry) is Verdict.PROVEN
