"""Bodies, joints, contacts and loads as tables of a TOML file::

    gravity = "g"

    [[bodies]]
    name = "ball"
    mass = "m"
    inertia = ["I", "I", "I"]

    [[contacts]]
    type = "rolling"
    body = "ball"
    surface = { type = "sphere", radius = "r" }
    on = { type = "plane", slope = "alpha" }

The words of a table are those of the part's constructor, and ``type`` is its name.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping
from typing import Any

import tomli_w

from anholonomy.base.errors import Error, FileError
from anholonomy.system.bodies.body import RigidBody
from anholonomy.system.bodies.contacts import KnifeEdge, Rolling, Sliding
from anholonomy.system.bodies.joints import Cylindrical, Fixed, Prismatic, Revolute, Spherical, Universal
from anholonomy.system.bodies.loads import Damper, Force, JointDamper, JointSpring, Motor, Spring, Torque
from anholonomy.system.bodies.part import Part, plain
from anholonomy.system.bodies.shapes import (
    Ball,
    Bowl,
    Convex,
    Cylinder,
    Disc,
    Ellipsoid,
    LevelSurface,
    ParallelSurface,
    Plane,
    Sphere,
    Torus,
)
from anholonomy.system.declaration.toml import PARTS, SCHEMA, parameter_words
from anholonomy.system.model import Model

__all__ = ["parts_toml", "read_parts"]

_KINDS: dict[str, tuple[type[Part], ...]] = {
    "bodies": (RigidBody,),
    "joints": (Revolute, Fixed, Prismatic, Cylindrical, Universal, Spherical),
    "contacts": (Rolling, Sliding, KnifeEdge),
    "loads": (Force, Torque, Spring, Damper, Motor, JointSpring, JointDamper),
    "surface": (Sphere, Disc, Torus, Ellipsoid, Convex),
    "on": (Plane, Ball, Bowl, Cylinder, LevelSurface, ParallelSurface),
}
"""What the tables under a word may be."""
_TEXTS = ("lagrangian", "forces", "constraints")
"""Words whose numbers a file holds as texts."""


def read_parts(words: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The words of a declaration with parts instead of tables."""
    found = {
        word: [_read(word, table, f"{source}: entry {k} of `{word}`") for k, table in enumerate(words[word], 1)]
        for word in PARTS
        if word in words
    }
    return {**words, **found}


def _read(word: str, table: Mapping[str, Any], where: str) -> Part:
    kinds = {kind.kind(): kind for kind in _KINDS[word]}
    words = dict(table)
    name = words.pop("type", next(iter(kinds)) if len(kinds) == 1 else None)
    if name not in kinds:
        said = f"has the type {name!r}" if name is not None else "has no `type`"
        raise FileError(f"{where} {said}{_near(str(name), kinds)}; the types are {', '.join(kinds)}.")
    known = list(inspect.signature(kinds[name].__init__).parameters.values())[1:]
    if strange := [each for each in words if each not in {p.name for p in known}]:
        names = ", ".join(p.name for p in known)
        raise FileError(
            f"{where}, a {name}, has the word {strange[0]!r}{_near(strange[0], names.split(', '))}; its words are {names}."
        )
    if missing := [p.name for p in known if p.default is p.empty and p.name not in words]:
        raise FileError(f"{where}, a {name}, lacks {missing[0]!r}; add it.")
    for each, value in words.items():
        if isinstance(value, Mapping):
            if each not in _KINDS:
                raise FileError(f"{where}: `{each}` is a table; write a text, a number or a list.")
            words[each] = _read(each, value, f"{where}, `{each}`")
    try:
        return kinds[name](**words)
    except Error as problem:
        raise type(problem)(f"{where}: {problem}") from None


def _near(word: str, known: Any) -> str:
    near = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def parts_toml(words: Mapping[str, Any], model: Model) -> str:
    """A declaration by parts as a TOML text, with the values and the start that the model has.

    Refused where a word is neither text nor number nor an expression.
    """
    own = {word: value for word, value in words.items() if word not in (*PARTS, "parameters", "start")}
    document: dict[str, Any] = {"schema": SCHEMA, **{word: plain(value, word) for word, value in own.items()}}
    for word in _TEXTS:
        if word in document:
            document[word] = _as_text(document[word])
    document |= parameter_words(model) | {"start": model.start}
    document |= {word: [_without_sole_type(word, part) for part in words.get(word, ())] for word in PARTS}
    return tomli_w.dumps({word: value for word, value in document.items() if value not in ([], {})})


def _as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {word: _as_text(each) for word, each in value.items()}
    return [_as_text(each) for each in value] if isinstance(value, list) else str(value)


def _without_sole_type(word: str, part: Part) -> dict[str, Any]:
    return {key: value for key, value in part.table.items() if key != "type" or len(_KINDS[word]) > 1}
