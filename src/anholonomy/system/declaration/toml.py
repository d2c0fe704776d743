"""Systems as TOML files with the vocabulary of the declaration, read and written without loss.

Every expression is text in the language, so a file is a declaration in another notation::

    schema = "anholonomy-system-1"
    name = "Chaplygin sleigh"
    lagrangian = "m*(x'^2 + y'^2)/2 + I*theta'^2/2"
    constraints = { blade = "cos(theta)*y' - sin(theta)*x' = 0" }
    coordinates = { x = "length", y = "length", theta = "angle" }
    parameters = { m = 1.0, I = 0.3 }
    free = ["g"]

A hand-written file may say ``kinetic`` and ``potential`` instead of ``lagrangian``, as in Python::

    group = "SO3"
    kinetic = [["I1", "0", "0"], ["0", "I2", "0"], ["0", "0", "I3"]]
    potential = "m*g*h*R33"

A saved file has the Lagrangian.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from functools import lru_cache
from pathlib import Path
from typing import Any

import tomli_w

from anholonomy.algebra.expressions import Expr, Vector
from anholonomy.base.errors import FileError
from anholonomy.base.files import path_of
from anholonomy.language import to_text
from anholonomy.system.declaration.declare import declare
from anholonomy.system.model import Model
from anholonomy.system.scene import scene_tables
from anholonomy.system.units.quantities import is_quantity

__all__ = ["PARTS", "SCHEMA", "checked_toml", "from_toml", "parameter_words", "read_system", "to_toml"]

SCHEMA = "anholonomy-system-1"
PARTS = ("bodies", "joints", "contacts", "loads")
"""Keys whose tables are parts of a machine; what they mean is told elsewhere."""
_MAX_BYTES = 4_000_000
"""A system file that is longer is another file."""
_FREE = "free"
"""What stands for the value of a parameter that has none."""


def read_system(path: str | Path) -> dict[str, Any]:
    """The words of a declaration from a file."""
    source = path_of(path)
    try:
        with source.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise FileError(f"there is no file {source}; check the path.") from None
    except OSError as problem:
        raise FileError(f"{source!s:.200} cannot be read ({problem.strerror}); check the path.") from None
    if len(raw) > _MAX_BYTES:
        raise FileError(f"{source} is too long; a system file has at most {_MAX_BYTES} bytes.")
    try:
        return from_toml(raw.decode("utf-8-sig"), str(source), parts=True)
    except UnicodeDecodeError:
        raise FileError(f"{source} is not UTF-8 text; a system file is TOML.") from None


def checked_toml(model: Model) -> str:
    """The declaration as a TOML text that was read back."""
    if model.group is None and not model.frame.is_chart:
        raise FileError(
            f"{model.name} lives on the invariants of a group, which no file declares; save the full system."
        )
    text = to_toml(model)
    declare(**from_toml(text, model.name))
    return text


# From a model to a text.


@lru_cache(maxsize=64)
def to_toml(model: Model) -> str:
    """The declaration as a TOML text."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "name": model.name,
        "lagrangian": _text(model.lagrangian) if model.momenta_a is None else None,
        "group": model.group.name if model.group else "",
        "coordinates": model.own_coordinates,
        "constraints": {
            c.label: f"{_text(c.declared)} = 0" for c in (*model.constraints, *model.implied, *model.spare_constraints)
        },
        **parameter_words(model),
        "forces": _table(model, model.forces_a),
        "momenta": _table(model, model.momenta_a or ()),
        "redundant": "keep" if model.keeps_redundant else "drop" if model.implied or model.spare_constraints else None,
        "one_sided": [c.label for c in model.constraints if c.label in model.one_sided],
        "functions": [_text(call) for call in model.functions],
        "inputs": list(model.inputs),
        "units": dict(model.units),
    }
    if model.span_ba is not None:
        document["span"] = [[_text(entry) for entry in row] for row in model.span_ba]
    if model.speed_values is not None:
        document["speeds"] = dict(zip(model.speed_names or (), map(_text, model.speed_values), strict=True))
    elif model.speed_names is not None:
        document["speeds"] = list(model.speed_names)
    document["start"] = model.start
    document["scene"] = scene_tables(model.scene)
    return tomli_w.dumps({key: value for key, value in document.items() if value or key == "schema"})


def parameter_words(model: Model) -> dict[str, Any]:
    """The parameters in their order: those without values in a list of their own, where they come last."""
    items = tuple(item for item in model.parameter_items if item[0] not in model.inputs)
    valued = [(name, value) for name, value in items if value is not None]
    free = [name for name, value in items if value is None]
    if items[: len(valued)] == tuple(valued):
        return {"parameters": dict(valued), "free": free}
    return {"parameters": {name: _FREE if value is None else value for name, value in items}}


def _table(model: Model, components: Vector) -> dict[str, str]:
    """A covector by coordinate or speed, zeros left out."""
    return {q: _text(value) for q, value in zip(model.directions, components, strict=False) if value != 0}


@lru_cache(maxsize=512)
def _text(expression: Expr) -> str:
    """An expression as a text: of systems that differ in numbers alone, each is written once."""
    return to_text(expression)


# From a text to the words of a declaration.


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _lists(*entries: Callable[[object], bool]) -> Callable[[object], bool]:
    """Whether something is a list whose members each pass one of the tests."""
    return lambda value: isinstance(value, list) and all(any(fits(entry) for fits in entries) for entry in value)


def _tables(entry: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, Mapping) and all(map(entry, value.values()))


_SHAPES: dict[str, tuple[str, tuple[Callable[[object], bool], ...]]] = {
    "name": ("a text", (_is_text,)),
    "lagrangian": ('a text such as "m*x\'^2/2"', (_is_text,)),
    "kinetic": (
        "a list of rows, or of diagonal entries, of texts or numbers",
        (_lists(_lists(_is_text, _is_number)), _lists(_is_text, _is_number)),
    ),
    "potential": ('a text such as "m*g*z"', (_is_text, _is_number)),
    "coordinates": (
        'a list of names, or a table from name to "length" or "angle"',
        (_lists(_is_text), _tables(_is_text)),
    ),
    "constraints": ("a list of equations, or a table from label to equation", (_lists(_is_text), _tables(_is_text))),
    "parameters": (
        f'a table from name to number, a text such as "12 kg", or "{_FREE}"',
        (_tables(lambda value: _is_number(value) or value == _FREE or is_quantity(value)),),
    ),
    "free": ("a list of names", (_lists(_is_text),)),
    "forces": ("a table from coordinate to expression", (_tables(_is_text),)),
    "momenta": ("a table from coordinate to expression", (_tables(_is_text),)),
    "group": ('a text such as "SO3"', (_is_text,)),
    "redundant": ('"refuse", "drop" or "keep"', (_is_text,)),
    "span": ("a list of vectors, each a list of texts or numbers", (_lists(_lists(_is_text, _is_number)),)),
    "speeds": (
        "a list of names or velocities, or a table from name to expression",
        (_lists(_is_text), _tables(_is_text)),
    ),
    "one_sided": ("a list of labels of constraints", (_lists(_is_text),)),
    "start": (
        'a table from coordinates and velocities to numbers, or texts such as "pi/2"',
        (_tables(lambda value: _is_text(value) or _is_number(value)),),
    ),
    "units": ('a table from names to units such as "kg*m^2"', (_tables(_is_text),)),
    "inputs": ('a list of names such as "tau"', (_lists(_is_text),)),
    "functions": ('a list of texts such as "V(x, y)"', (_lists(_is_text),)),
    "scene": ("a list of tables, one for each shape", (_lists(lambda value: isinstance(value, Mapping)),)),
    "gravity": ("its strength, or a list of three components", (_is_text, _is_number, _lists(_is_text, _is_number))),
    **{word: ("a list of tables, [[…]] each", (_lists(lambda value: isinstance(value, Mapping)),)) for word in PARTS},
}
"""What each key holds: in words, and the shapes it may have."""


def from_toml(text: str, source: str = "the text", parts: bool = False, typed: bool = False) -> dict[str, Any]:
    """The words of a declaration from a TOML text; with ``parts`` it may be one by bodies, whose tables stay as they are.

    What is ``typed`` now, and is no file that another version may have written, needs no schema.
    """
    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise FileError(f"{source} nests lists or tables too deeply; a declaration needs three levels.") from None
    except ValueError as problem:  # not TOML, or a number of thousands of digits
        raise FileError(_malformed(text, source, problem)) from None
    schema = document.pop("schema", SCHEMA if typed else None)
    if schema != SCHEMA:
        said = "has no `schema`" if schema is None else f"has the schema {schema!r}"
        raise FileError(f'{source} {said}; this version reads {SCHEMA!r}, so put schema = "{SCHEMA}" at the top.')
    assembled = parts and "bodies" in document
    if unknown := sorted(set(document) - (set(_SHAPES) if assembled else set(_SHAPES) - {*PARTS, "gravity"})):
        if parts and unknown[0] in _SHAPES:
            raise FileError(f"{source} has the key {unknown[0]!r} but no bodies; add a table [[bodies]] for each.")
        near = difflib.get_close_matches(unknown[0], _SHAPES, 1, cutoff=0.7)
        hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(('schema', *_SHAPES))}."
        raise FileError(f"{source} has the key {unknown[0]!r}, which means nothing here; {hint}")
    given = {"lagrangian": None} if "momenta" in document or "kinetic" in document else {}
    given |= {"coordinates": None} if "group" in document else {}
    given |= {"coordinates": None, "lagrangian": None} if assembled else {}
    if missing := [key for key in ("name", "coordinates", "lagrangian") if key not in {**document, **given}]:
        raise FileError(f"{source} lacks {missing[0]!r}; {_moved(missing[0], document) or 'add it.'}")
    for key, value in document.items():
        wanted, shapes = _SHAPES[key]
        if not any(fits(value) for fits in shapes):
            raise FileError(
                f"{source}: {_strayed(key, value, shapes) or f'{_culprit(key, value, shapes)}; write {wanted}.'}"
            )
    parameters, free = document.get("parameters", {}), document.pop("free", [])
    if both := sorted(set(parameters) & set(free)):
        raise FileError(f"{source}: {both[0]} is in `parameters` and in `free`; keep it in one of them.")
    values = {name: None if value == _FREE else value for name, value in parameters.items()}
    document["parameters"] = {**values, **dict.fromkeys(free)}
    return document


# What is wrong with a text, and the cure.


_CURES = (
    (r"^Expected newline.*\n.*\d,\d", "write a decimal point, as in 0.5"),
    (r"^Invalid (value|statement).*\n.*[^\x00-\x7f]", 'a name with letters beyond a to z is quoted, as in "θ" = 0'),
    (r"^Invalid value", "texts and formulas stand in double quotes"),
    (r"^Unclosed array", "add `]`"),
    (r"^(Cannot (declare|overwrite|mutate)|Duplicate)", "keep one of them"),
    (r"^Expected '=' after a key", "a line is `name = value`, or a [table]"),
    (r"^Expected newline", "keep one value in a line, texts in double quotes"),
    (r"^(Unterminated string|Illegal character)", "end the text with a double quote in its line"),
)
"""What a sentence of the reader and its line, after one another, tell of the mistake."""


def _malformed(text: str, source: str, problem: ValueError) -> str:
    """Why a text is not TOML; nearly always because single quotes end at the first prime."""
    place = re.search(r"at line (\d+)", str(problem))
    line = text.split("\n")[int(place.group(1)) - 1] if place else ""
    if place and re.search(r"(^|[=\[,{])\s*'(?!'')", line):
        return (
            f"{source}: a text in single quotes ends at its first prime, in line {place.group(1)}; use double quotes."
        )
    if place and (bare := re.match(r"\s*(\w+'+)\s*=", line)):
        return f'{source}: a name with a prime is quoted, in line {place.group(1)}; write "{bare.group(1)}".'
    if not isinstance(problem, tomllib.TOMLDecodeError):
        return f"{source} has a number of thousands of digits; round it."
    cure = next((cure for pattern, cure in _CURES if re.search(pattern, f"{problem}\n{line}")), "")
    return f"{source} is not valid TOML: {problem}{cure and '; '}{cure}."


def _moved(word: str, document: Mapping[str, Any]) -> str:
    """What to do about a word that is missing because it comes after the heading of a table; empty where it does not."""
    inside = [key for key, value in document.items() if isinstance(value, Mapping) and word in value]
    return f"it stands in the table [{inside[0]}], so move it above the first table." if inside else ""


def _strayed(key: str, value: Any, shapes: Sequence[Callable[[object], bool]]) -> str:
    """The word that a table holds, and cannot hold, because it comes after its heading; empty where there is none."""
    entries = value if isinstance(value, Mapping) and any(fits({}) for fits in shapes) else {}
    words = [word for word in entries if word in _SHAPES and not any(fits({word: entries[word]}) for fits in shapes)]
    return f"`{words[0]}` {_moved(words[0], {key: value}).removeprefix('it ')}" if words else ""


def _culprit(key: str, value: Any, shapes: Sequence[Callable[[object], bool]]) -> str:
    """What is wrong with a value: one of its entries, where the whole is the table or list it should be."""
    entries: Iterable[tuple[str, object, object]] = ()
    if isinstance(value, Mapping) and any(fits({}) for fits in shapes):
        entries = ((f"{name} in `{key}`", entry, {name: entry}) for name, entry in value.items())
    elif isinstance(value, list) and any(fits([]) for fits in shapes):
        entries = ((f"entry {k} of `{key}`", entry, [entry]) for k, entry in enumerate(value, 1))
    for place, entry, alone in entries:
        if not any(fits(alone) for fits in shapes):
            return f"{place} is {_shown(entry)}"
    return f"`{key}` is {_shown(value)}"


def _shown(value: object) -> str:
    """A value as a file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    shown = (
        f"the date {value}"
        if isinstance(value, date)
        else f"the time {value}"
        if isinstance(value, time)
        else repr(value)
    )
    return f"{shown:.60}"
