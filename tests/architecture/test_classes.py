"""Every class is abstract or final: what is extended is not made by itself, and what is made is not extended."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from pathlib import Path

import anholonomy

ROOT = Path(anholonomy.__file__).parent
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.rglob("*.py"))}
OPEN = {"Protocol", "TypedDict", "Enum", "StrEnum", "IntEnum", "Flag", "IntFlag"}
"""Bases whose classes need no mark: they have no instances, or cannot be extended."""
BOTH = {"Trajectory"}
"""A motion is a trajectory with methods; the rooms below `public` make trajectories."""


def test_a_class_is_abstract_or_final() -> None:
    assert sorted(neither(TREES)) == []


def test_a_class_that_is_both_would_be_noticed() -> None:
    text = (
        "class A: ...\nclass B(A): ...\nmade = A()\n@final\nclass C: ...\nclass D(Enum): ...\nclass E(ValueError): ..."
    )
    assert sorted(neither({Path("x.py"): ast.parse(text)})) == ["x.py: A is extended and made", "x.py: B is not final"]


def neither(trees: Mapping[Path, ast.Module]) -> Iterator[str]:
    """The concrete classes that are not final, and those that are extended."""
    classes = [
        (path, node) for path, tree in trees.items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    ]
    bases = {(path, node.name): set(map(_name, node.bases)) for path, node in classes}
    extended = set().union(*bases.values())
    errors = _errors(bases)
    for path, node in classes:
        if bases[path, node.name] & OPEN or node.name in errors | BOTH:
            continue
        if any(_name(each) == "final" for each in node.decorator_list):
            continue
        if node.name not in extended:
            yield f"{path.name}: {node.name} is not final"
        elif any(_name(call.func) == node.name for call in ast.walk(trees[path]) if isinstance(call, ast.Call)):
            yield f"{path.name}: {node.name} is extended and made"


def _errors(bases: Mapping[tuple[Path, str], set[str]]) -> set[str]:
    """Errors and warnings, which are raised and extended alike."""
    found = {
        name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
    }
    while new := {name for (_, name), names in bases.items() if names & found} - found:
        found |= new
    return found


def _name(node: ast.expr) -> str:
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
