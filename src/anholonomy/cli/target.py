"""The system that a command is about: a key of the catalogue, with arguments where it takes any, or a file.

``n-trailer:5`` gives the first integer argument of the entry, ``n-trailer:n=5,d=0.5`` any of them by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from anholonomy.base.errors import ExpressionError, StateError, UnknownNameError
from anholonomy.cli.values import assignments, number, starts
from anholonomy.language.suggestions import did_you_mean, same_name

if TYPE_CHECKING:
    from anholonomy.catalogue.entry import Claims, Entry
    from anholonomy.public.system import System

__all__ = ["Study", "find"]


@final
@dataclass(frozen=True)
class Study:
    """A system with what is known about it; a file may know a start, but no facts, claims or references."""

    system: System
    start: Mapping[str, float | str] = field(default_factory=dict)
    until: float | None = None
    facts: tuple[str, ...] = ()
    claims: Claims | None = None
    references: tuple[str, ...] = ()
    said: str = ""

    def with_values(self, parameters: Sequence[str] | None, start: Sequence[str] | None) -> Study:
        """The same with the values of ``--set`` and ``--start``."""
        given = assignments(parameters or (), "--set")
        system = self.system.with_parameters(**given) if given else self.system
        return replace(self, system=system, start={**self.start, **starts(start or ())})

    @property
    def told(self) -> tuple[str, ...]:
        """Facts, and what literature claims."""
        return (*self.facts, *(() if self.claims is None else self.claims.lines()))

    @property
    def declaration(self) -> str:
        """The system with its start as a TOML text."""
        return self.system.with_start(self.start).to_toml()

    def refuse_without_start(self) -> None:
        if not self.start:
            first = self.system.coordinates[0].name
            raise StateError(
                f"{self.system.name}: the file declares no start; give one, such as "
                f'--start "{first}=0" --start "{first}\'=1", for every coordinate and every free velocity, or in a table [start].'
            )


def find(text: str) -> Study:
    """The system that a text names.

    A key of the catalogue goes first: a file of that very name can still be written ``./name``.

    >>> find("chaplygin-sleigh").system.name
    'Chaplygin sleigh'
    >>> find("n-trailer:5").system.name
    '5-trailer'
    >>> find("chaplygin-sleigh:m=2,a=1/4").system.parameters["a"]
    0.25
    >>> find("chaplygin-slay")
    Traceback (most recent call last):
    anholonomy.base.errors.UnknownNameError: there is no system 'chaplygin-slay'; did you mean 'chaplygin-sleigh'? ...
    """
    from anholonomy.catalogue import ENTRIES
    from anholonomy.public.files import load

    name, colon, arguments = text.partition(":")
    if key := same_name(name, ENTRIES):
        entry = ENTRIES[key]
        system = entry.make(**(_arguments(entry, arguments) if colon else {}))
        return Study(
            system, _start(entry, system), entry.until, entry.facts, entry.claims, entry.references, entry.said
        )
    if text.lower().endswith(".toml") or _is_file(text):
        system = load(text)
        return Study(system, system.start)
    raise UnknownNameError(
        f"there is no system {text!r}; {did_you_mean(name, ENTRIES)}`anholonomy list` shows the catalogue, and a name in "
        ".toml means a file."
    )


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # longer than any path
        return False


def _start(entry: Entry, system: System) -> dict[str, float | str]:
    """The entry's start for a system with other coordinates than usual: those it has, and 0 for the others."""
    names = {s.name for s in (*system.coordinates, *system.velocities)}
    known = {name: value for name, value in entry.start.items() if name in names}
    return {**dict.fromkeys((q.name for q in system.coordinates if q.name not in known), 0.0), **known}


def _arguments(entry: Entry, text: str) -> dict[str, Any]:
    """What stands after the colon, as arguments of the function that makes the system."""
    taken = inspect.signature(entry.make).parameters
    counts = [name for name, parameter in taken.items() if type(parameter.default) is int]
    found: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if not counts or not name:
                cure = f"{entry.key}:{counts[0]}=3 or {entry.key}:3" if counts else f"{entry.key}:{next(iter(taken))}=1"
                raise ExpressionError(f"{entry.key}: {part!r} after the colon names no argument; write {cure}.")
            name, value = counts[0], name
        if name not in taken:
            raise UnknownNameError(f"{entry.key} has no argument {name!r}; its arguments are {', '.join(taken)}.")
        if name in found:
            raise ExpressionError(f"{entry.key} is given {name} twice; keep one of them.")
        found[name] = _argument(taken[name].default, value, f"{entry.key}:{name}")
    return found


def _argument(default: object, text: str, what: str) -> Any:
    """A text where the argument is one, otherwise a number, and a whole one where the default is whole."""
    if isinstance(default, str):
        return text
    value = number(text, what)
    if type(default) is not int:
        return value
    if value != int(value):
        raise ExpressionError(f"{what}: {text} is not a whole number; write one, such as {default}.")
    return int(value)
