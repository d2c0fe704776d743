r"""What a system looks like: shapes, each with a pose that is a function of the state.

.. math:: X_{\text{space}} = p(q, w, t) + R(q, w, t)\,X_{\text{body}}, \qquad
   R = R_{\text{axis}_1}(\alpha_1)\,R_{\text{axis}_2}(\alpha_2)\cdots

A scene is a list of tables, the same in Python and in a file. Every expression is text of the language. Rotations are a unit
quaternion (four entries), a matrix (nine, by rows) or steps such as ``[["z", "theta"], ["x", "phi"]]``, each about an axis that
the steps before it have already turned. A size that is not given is chosen when the motion is drawn.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, final

from anholonomy.language import to_text
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Expr, Matrix, Vector

__all__ = ["ROLES", "SIZES", "Rotation", "Shape", "read_scene", "scene_tables"]

SIZES: dict[str, tuple[str, ...]] = {
    "sphere": ("radius",),
    "ellipsoid": ("length", "width", "height"),
    "disc": ("radius", "thickness"),
    "cylinder": ("radius", "length"),
    "wheel": ("radius", "thickness"),
    "box": ("length", "width", "height"),
    "blade": ("length", "height"),
    "rod": ("length", "radius"),
    "arrow": ("length", "radius"),
    "point": ("radius",),
    "polyline": (),
    "trail": (),
    "plane": ("length", "width"),
}
"""Every shape with the words for its sizes; the first says how large it is, the others may follow from it."""

ROLES = ("body", "second", "wheel", "blade", "accent", "muted", "ground")
"""Colours by what a shape is for; a colour such as ``#0072b2`` may be given instead."""

_USUAL = {"wheel": "wheel", "blade": "blade", "plane": "ground", "arrow": "accent", "polyline": "muted", "rod": "muted"}
_COMMON = ("shape", "position", "rotation", "colour", "trail")
_OWN = {"polyline": ("points",), "rod": ("to",), "arrow": ("to",)}
_HEX = re.compile(r"#[0-9a-fA-F]{6}")

Reader: TypeAlias = Callable[[Any, str], Expr]
"""An expression from what a user wrote; the second argument says where it stands."""


@final
@dataclass(frozen=True)
class Rotation:
    """Body to space, by its entries; ``kind`` is ``"steps"``, ``"quaternion"`` or ``"matrix"``, ``axes`` those of the steps."""

    kind: str = "steps"
    entries: Vector = ()
    axes: tuple[str, ...] = ()


@final
@dataclass(frozen=True)
class Shape:
    """One thing to draw. ``to`` is where a rod or an arrow ends, ``points`` are a polyline's, in its own axes.

    Attributes
    ----------
    position
        Where its origin is: the middle, or the foot of a blade and the beginning of a rod or arrow. None where not said.
    sizes
        Words of `SIZES` with their values, those that were given.
    trail
        Whether the path of its position is drawn.
    """

    kind: str
    position: Vector | None = None
    rotation: Rotation = field(default_factory=Rotation)
    sizes: tuple[tuple[str, Expr], ...] = ()
    colour: str = "body"
    trail: bool = False
    to: Vector | None = None
    points: Matrix = ()


def read_scene(name: str, given: Any, read: Reader) -> tuple[Shape, ...]:
    """The shapes of a declaration; ``read`` turns text into expressions and refuses unknown names."""
    if given is None:
        return ()
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise IllPosedSystem(f"{name}: `scene` is {given!r:.60}; give a list of dicts such as {{'shape': 'sphere'}}.")
    return tuple(_Table(f"{name}: shape {k} of the scene", table, read).shape() for k, table in enumerate(given, 1))


class _Table:
    """One table of a scene, read word by word."""

    def __init__(self, what: str, table: Any, read: Reader) -> None:
        if not isinstance(table, Mapping) or not isinstance(table.get("shape"), str):
            raise IllPosedSystem(f"{what} is {table!r:.60}; give a dict with the word `shape`, such as 'sphere'.")
        self.kind, self.table, self.read = table["shape"], table, read
        self.what = f"{what} ({self.kind})"
        if self.kind not in SIZES:
            near = difflib.get_close_matches(self.kind, SIZES, 1)
            guess = f"did you mean {near[0]!r}? " if near else ""
            raise IllPosedSystem(f"{what} is a {self.kind!r}; {guess}there are {', '.join(SIZES)}.")
        words = (*_COMMON, *SIZES[self.kind], *_OWN.get(self.kind, ()))
        if unknown := sorted(str(word) for word in table if word not in words):
            raise IllPosedSystem(
                f"{self.what} has {unknown[0]!r}, which means nothing; its words are {', '.join(words)}."
            )

    def shape(self) -> Shape:
        points = self.table.get("points", ())
        if self.kind == "polyline" and not (_is_list(points) and len(points) > 1):
            raise IllPosedSystem(
                f"{self.what} needs `points`, a list of at least two; give [['0', '0', '0'], ['1', '0', '0']]."
            )
        trail = self.table.get("trail", self.kind == "trail")
        if not isinstance(trail, bool):
            raise IllPosedSystem(f"{self.what} has trail = {trail!r:.40}; say true or false.")
        return Shape(
            self.kind,
            self._place("position"),
            self._rotation(self.table.get("rotation", ())),
            tuple((word, self._entry(self.table[word], word)) for word in SIZES[self.kind] if word in self.table),
            self._colour(),
            trail,
            self._place("to"),
            tuple(self._vector(point, "points") for point in points),
        )

    def _entry(self, value: Any, word: str) -> Expr:
        return self.read(value, f"the {word} in {self.what}")

    def _vector(self, value: Any, word: str) -> Vector:
        if not _is_list(value) or len(value) != 3:
            raise IllPosedSystem(
                f"{self.what} has {word} = {value!r:.60}; give three expressions such as ['x', 'y', '0']."
            )
        return tuple(self._entry(entry, word) for entry in value)

    def _place(self, word: str) -> Vector | None:
        return self._vector(self.table[word], word) if word in self.table else None

    def _rotation(self, value: Any) -> Rotation:
        """Steps, a quaternion or a matrix, told apart by their lengths."""
        if _is_list(value):
            inner = [len(entry) if _is_list(entry) else 0 for entry in value]
            if all(size == 2 and entry[0] in ("x", "y", "z") for size, entry in zip(inner, value, strict=True)):
                entries = tuple(self._entry(angle, "rotation") for _, angle in value)
                return Rotation("steps", entries, tuple(axis for axis, _ in value))
            flat = [entry for row in value for entry in row] if inner == [3, 3, 3] else value
            kind = {4: "quaternion", 9: "matrix"}.get(len(flat))
            if kind and (flat is not value or not any(inner)):
                return Rotation(kind, tuple(self._entry(entry, "rotation") for entry in flat))
        raise IllPosedSystem(
            f"{self.what} has rotation = {value!r:.60}; give steps such as [['z', 'theta'], ['x', 'phi']], the four entries of a "
            "quaternion, or the nine of a matrix."
        )

    def _colour(self) -> str:
        colour = self.table.get("colour", _USUAL.get(self.kind, "body"))
        if isinstance(colour, str) and (colour in ROLES or _HEX.fullmatch(colour)):
            return colour.lower()
        raise IllPosedSystem(
            f"{self.what} has colour = {colour!r:.40}; say {', '.join(ROLES)}, or a colour such as '#0072b2'."
        )


def scene_tables(shapes: Sequence[Shape]) -> list[dict[str, Any]]:
    """The tables that `read_scene` reads back as these shapes."""
    return [_table(shape) for shape in shapes]


def _table(shape: Shape) -> dict[str, Any]:
    table: dict[str, Any] = {"shape": shape.kind}
    for word, place in (("position", shape.position), ("to", shape.to)):
        if place is not None:
            table[word] = [to_text(entry) for entry in place]
    entries = [to_text(entry) for entry in shape.rotation.entries]
    if entries:
        steps = [list(step) for step in zip(shape.rotation.axes, entries, strict=False)]
        table["rotation"] = steps if shape.rotation.kind == "steps" else entries
    table |= {word: to_text(value) for word, value in shape.sizes}
    if shape.points:
        table["points"] = [[to_text(entry) for entry in point] for point in shape.points]
    return table | {"colour": shape.colour, "trail": shape.trail}


def _is_list(thing: object) -> bool:
    return isinstance(thing, Sequence) and not isinstance(thing, str)
