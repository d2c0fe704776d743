"""Every noun that a user can hold shows itself in a notebook."""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import anholonomy as ah


@cache
def named_in(module: str) -> dict[str, str]:
    """What the names imported by a module stand for, those for type checkers only included."""
    tree = ast.parse(Path(sys.modules[module].__file__).read_text("utf-8"))
    return {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("anholonomy")
        for alias in node.names
    }


def returned(function) -> list[type]:
    """The classes of this package in the annotation of what a function returns."""
    words = re.findall(r"\w+", str(getattr(function, "__annotations__", {}).get("return", "")))
    found = []
    for word in words:
        home = sys.modules[function.__module__]
        thing = getattr(home, word, None)
        if thing is None and word in named_in(function.__module__):
            place, _, name = named_in(function.__module__)[word].partition(":")
            thing = getattr(importlib.import_module(place), name)
        if inspect.isclass(thing) and thing.__module__.startswith("anholonomy."):
            found.append(thing)
    return found


def answers(kind: type) -> list[type]:
    """What the public verbs and properties of a class return."""
    found = []
    for name in dir(kind):
        if not name.startswith("_"):
            member = inspect.getattr_static(kind, name)
            for word in ("fget", "__func__", "func"):
                member = getattr(member, word, member)
            if inspect.isfunction(member) and member.__module__.startswith("anholonomy"):
                found += returned(member)
    return found


def nouns() -> list[type]:
    """The public classes, and whatever their verbs return, and so on; errors, warnings and words to choose from are no nouns."""
    doors = (ah, ah.bodies, ah.groups, ah.geometry, ah.connections, ah.principles, ah.answers)
    public = [getattr(door, name) for door in doors for name in dir(door) if not name.startswith("_")]
    todo = [each for each in public if inspect.isclass(each)]
    todo += [kind for each in public if inspect.isfunction(each) for kind in returned(each)]
    seen: dict[type, None] = {}
    while todo:
        kind = todo.pop()
        if kind not in seen and not issubclass(kind, BaseException | enum.Enum):
            seen[kind] = None
            todo += answers(kind)
    return sorted(seen, key=lambda kind: f"{kind.__module__}.{kind.__name__}")


INSIDE = (
    "anholonomy.algebra",
    "anholonomy.language.answers",
    "anholonomy.programs",
    "anholonomy.show",
    "anholonomy.system.model",
    "anholonomy.motion.gpu.launcher",
)
"""Rooms whose classes are parts of machines: programs, steps, films, rows of answers, what travels alone. Those of them that people hold have a display all the same."""


def test_there_are_many_nouns() -> None:
    names = {kind.__name__ for kind in nouns()}
    assert {"System", "Equations", "Motion", "Page", "Verification", "Finding", "Laws", "Ensemble", "Frame"} <= names
    assert {
        "Distribution",
        "Form",
        "LeviCivitaConnection",
        "Linearization",
        "SteadyFamily",
        "Section",
        "Fit",
        "Plan",
    } <= names
    assert {"WaveFront", "Kernel", "Field", "RigidBody", "SO3", "Chart", "Animation"} <= names


@pytest.mark.parametrize("kind", nouns(), ids=lambda kind: kind.__name__)
def test_every_noun_shows_itself(kind: type) -> None:
    if not kind.__module__.startswith(INSIDE):
        assert callable(getattr(kind, "_repr_html_", None))


TWICE = {
    "Page": "a document, with a paragraph for each question",
    "EquationsOfMotion": "a text and LaTeX end at different lengths",
    "Equations": "those of their data",
    "Readable": "the mechanism",
    "Row": "the mechanism",
}
"""Classes that write LaTeX by themselves and are printed, too, with the reason."""
PRINTED = {"as_rows", "lines", "text", "__str__"}
"""Methods that say what is printed."""


def methods_of_classes() -> Iterator[tuple[str, set[str]]]:
    """Every class with the names of its own methods."""
    for path in sorted(Path(ah.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield node.name, {each.name for each in node.body if isinstance(each, ast.FunctionDef)}


def test_answers_are_written_once() -> None:
    of_rows = [(name, own) for name, own in methods_of_classes() if "as_rows" in own and name not in TWICE]
    assert len(of_rows) > 40
    for name, own in of_rows:
        assert not own & {"lines", "text", "latex", "to_dict", "__str__"}, name
    both = {name for name, own in methods_of_classes() if "latex" in own and own & PRINTED}
    assert both == set(TWICE), f"{both ^ set(TWICE)}: give rows (language/answers.py), or say here why not"
