r"""How a system is drawn: shapes, each with a position and a rotation that depend on the state.

.. math:: X_{\text{space}} = p(q, w, t) + R(q, w, t)\,X_{\text{body}}, \qquad
   R = R_{\text{axis}_1}(\alpha_1)\,R_{\text{axis}_2}(\alpha_2)\cdots

A scene is a list of tables, the same in Python and in a file. Every expression is text of the language. Rotations are a unit
quaternion (four entries), a matrix (nine, by rows) or steps such as ``[["z", "theta"], ["x", "phi"]]``, each about an axis that
the steps before it have already turned; ``spin`` is an angular velocity in space that turns the shape further along the
motion, $\dot R = [\omega]_\times R$. A size that is not given is chosen when the motion is drawn. A matrix that is no
rotation and a negative size are refused: here where they are numbers, and otherwise when they are drawn.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, final

from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, symbol
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.zero_test import homogeneity
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.language import to_text
from anholonomy.language.arguments import expression, is_list

__all__ = ["NORMAL", "PLACE", "ROLES", "SIZES", "Rotation", "Shape", "read_scene", "scene_tables"]

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
    "surface": ("length", "width", "height", "offset"),
    "convex": (),
}
"""Every shape with the words for its sizes; the first says how large it is, the others may follow from it."""

PLACE = (symbol("x"), symbol("y"), symbol("z"))
"""The names of a point in the equation of a surface, in the surface's own axes, whatever else is called so."""

NORMAL = (symbol("g1"), symbol("g2"), symbol("g3"))
"""The names of a normal's components in the support function of a convex body, in the body's axes."""

ROLES = ("body", "second", "wheel", "blade", "accent", "muted", "ground")
"""Colours by what a shape is for; a colour such as ``#0072b2`` may be given instead."""

_USUAL = {
    "wheel": "wheel",
    "blade": "blade",
    "plane": "ground",
    "arrow": "accent",
    "polyline": "muted",
    "rod": "muted",
    "surface": "muted",
}
_COMMON = ("shape", "position", "rotation", "spin", "colour", "trail", "clear")
_OWN = {"polyline": ("points",), "rod": ("to",), "arrow": ("to",), "surface": ("equation",), "convex": ("support",)}
_FORMS = {
    "surface": ("equation", PLACE, "F(x, y, z), zero on the surface, such as 'z - x^2/2'"),
    "convex": ("support", NORMAL, "the support function h(g1, g2, g3), such as 'sqrt(4*g1^2 + g2^2 + g3^2)'"),
}
"""The shapes that an expression in names of its own gives: the word for it, the names, and what to say where it lacks."""
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
@dataclass(frozen=True, repr=False)
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
    clear
        Whether one sees through it.
    spin
        The angular velocity in space that turns it, beyond ``rotation``, from the first time on.
    equation
        Of a surface, zero on it, in `PLACE` and parameters; of a convex body its support function, in `NORMAL`.
    """

    kind: str
    position: Vector | None = None
    rotation: Rotation = field(default_factory=Rotation)
    sizes: tuple[tuple[str, Expr], ...] = ()
    colour: str = "body"
    trail: bool = False
    to: Vector | None = None
    points: Matrix = ()
    clear: bool = False
    spin: Vector | None = None
    equation: Expr | None = None

    def __repr__(self) -> str:
        return f"Shape({self.kind!r}, colour={self.colour!r})"


def read_scene(name: str, given: Any, read: Reader) -> tuple[Shape, ...]:
    """The shapes of a declaration; ``read`` turns text into expressions and refuses unknown names."""
    if given is None:
        return ()
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise DeclarationError(
            f"{name}: `scene` is {quoted(given)}; give a list of dicts such as {{'shape': 'sphere'}}."
        )
    return tuple(_Table(f"{name}: shape {k} of the scene", table, read).shape() for k, table in enumerate(given, 1))


@final
class _Table:
    """One table of a scene, read word by word."""

    def __init__(self, what: str, table: Any, read: Reader) -> None:
        if not isinstance(table, Mapping) or not isinstance(table.get("shape"), str):
            raise DeclarationError(f"{what} is {quoted(table)}; give a dict with the word `shape`, such as 'sphere'.")
        self.kind, self.table, self.read = table["shape"], table, read
        self.what = f"{what} ({self.kind})"
        if self.kind not in SIZES:
            near = difflib.get_close_matches(self.kind, SIZES, 1)
            guess = f"did you mean {near[0]!r}? " if near else ""
            raise DeclarationError(f"{what} is a {self.kind!r}; {guess}there are {', '.join(SIZES)}.")
        words = (*_COMMON, *SIZES[self.kind], *_OWN.get(self.kind, ()))
        if unknown := sorted(str(word) for word in table if word not in words):
            raise DeclarationError(
                f"{self.what} has {unknown[0]!r}, which means nothing; its words are {', '.join(words)}."
            )

    def shape(self) -> Shape:
        points = self.table.get("points", ())
        if self.kind == "polyline" and not (is_list(points) and len(points) > 1):
            raise DeclarationError(
                f"{self.what} needs `points`, a list of at least two; give [['0', '0', '0'], ['1', '0', '0']]."
            )
        return Shape(
            self.kind,
            self._place("position"),
            self._rotation(self.table.get("rotation", ())),
            tuple((word, self._size(word)) for word in SIZES[self.kind] if word in self.table),
            self._colour(),
            self._flag("trail", self.kind == "trail"),
            self._place("to"),
            tuple(self._vector(point, "points") for point in points),
            self._flag("clear", self.kind == "surface"),
            self._place("spin"),
            self._form(),
        )

    def _flag(self, word: str, usual: bool) -> bool:
        flag = self.table.get(word, usual)
        if not isinstance(flag, bool):
            raise DeclarationError(f"{self.what} has {word} = {quoted(flag)}; say true or false.")
        return flag

    def _size(self, word: str) -> Expr:
        size = self._entry(self.table[word], word)
        # An offset may go to either side of a surface.
        if word != "offset" and (_number(size) or 0) < 0:
            raise DeclarationError(f"{self.what} has the {word} {to_text(size)}; give a positive one.")
        return size

    def _form(self) -> Expr | None:
        """The expression that a surface or a convex body is given by; names other than its own are the system's."""
        if self.kind not in _FORMS:
            return None
        word, own, wanted = _FORMS[self.kind]
        if word not in self.table:
            raise DeclarationError(f"{self.what} needs `{word}`; give {wanted}.")
        what = f"the {word} in {self.what}"
        form = expression(self.table[word], what)
        if not form.free_symbols & set(own):
            raise DeclarationError(f"{what} has none of {', '.join(s.name for s in own)} in it; give {wanted}.")
        form = form.xreplace({s: self.read(s, what) for s in form.free_symbols - set(own)})
        if self.kind == "convex" and homogeneity(form, own) is Verdict.REFUTED:
            raise DeclarationError(f"{what} is not homogeneous of degree one; write it so that h(k*g) = k*h(g).")
        return form

    def _entry(self, value: Any, word: str) -> Expr:
        return self.read(value, f"the {word} in {self.what}")

    def _vector(self, value: Any, word: str) -> Vector:
        if not is_list(value) or len(value) != 3:
            raise DeclarationError(
                f"{self.what} has {word} = {quoted(value)}; give three expressions such as ['x', 'y', '0']."
            )
        return tuple(self._entry(entry, word) for entry in value)

    def _place(self, word: str) -> Vector | None:
        return self._vector(self.table[word], word) if word in self.table else None

    def _rotation(self, value: Any) -> Rotation:
        """Steps, a quaternion or a matrix, told apart by their lengths."""
        if is_list(value):
            inner = [len(entry) if is_list(entry) else 0 for entry in value]
            if all(size == 2 and entry[0] in ("x", "y", "z") for size, entry in zip(inner, value, strict=True)):
                entries = tuple(self._entry(angle, "rotation") for _, angle in value)
                return Rotation("steps", entries, tuple(axis for axis, _ in value))
            flat = [entry for row in value for entry in row] if inner == [3, 3, 3] else value
            kind = {4: "quaternion", 9: "matrix"}.get(len(flat))
            if kind and (flat is not value or not any(inner)):
                entries = tuple(self._entry(entry, "rotation") for entry in flat)
                return self._proper(Rotation(kind, entries))
        raise DeclarationError(
            f"{self.what} has rotation = {quoted(value)}; give steps such as [['z', 'theta'], ['x', 'phi']], the four entries of a "
            "quaternion, or the nine of a matrix."
        )

    def _proper(self, rotation: Rotation) -> Rotation:
        """A matrix must not reflect or stretch; what depends on the motion is looked at when it is drawn."""
        if rotation.kind == "matrix" and not any(entry.free_symbols for entry in rotation.entries):
            rows = tuple(rotation.entries[k : k + 3] for k in (0, 3, 6))
            residuals = [dot(rows[i], rows[j]) - int(i == j) for i in range(3) for j in range(i, 3)]
            if any(abs(_number(residual) or 0) > 1e-6 for residual in residuals):
                raise DeclarationError(
                    f"{self.what} has a rotation whose rows are not orthonormal; give a rotation matrix."
                )
            if (_number(determinant(rows)) or 0) < 0:
                raise DeclarationError(
                    f"{self.what} has a rotation that reflects; exchange two rows, or flip the sign of one."
                )
        return rotation

    def _colour(self) -> str:
        colour = self.table.get("colour", _USUAL.get(self.kind, "body"))
        if isinstance(colour, str) and (colour in ROLES or _HEX.fullmatch(colour)):
            return colour.lower()
        raise DeclarationError(
            f"{self.what} has colour = {quoted(colour)}; say {', '.join(ROLES)}, or a colour such as '#0072b2'."
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
    if shape.spin is not None:
        table["spin"] = [to_text(entry) for entry in shape.spin]
    if shape.equation is not None:
        table[_FORMS[shape.kind][0]] = to_text(shape.equation)
    return table | {"colour": shape.colour, "trail": shape.trail, "clear": shape.clear}


def _number(value: Expr) -> float | None:
    """The real number that an expression is, None where it depends on something."""
    if value.free_symbols:
        return None
    try:
        return float(value.n(53, real=True))
    except (RuntimeError, TypeError, ValueError):  # not real; what is drawn with it is refused then
        return None
