"""Which system is meant: a key of the catalogue, or a file."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, final

from anholonomy.cli.values import assignments
from anholonomy.refusals import InadmissibleState, UnknownName

if TYPE_CHECKING:
    from anholonomy.public import System

__all__ = ["Study", "find"]


@final
@dataclass(frozen=True)
class Study:
    """A system with what is known about it; a file knows no start, facts or references."""

    system: System
    start: dict[str, float] = field(default_factory=dict)
    until: float | None = None
    facts: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    def with_values(self, parameters: Sequence[str] | None, start: Sequence[str] | None) -> Study:
        """The same with the values of ``--set`` and ``--start``."""
        given = assignments(parameters or (), "--set")
        system = self.system.with_parameters(**given) if given else self.system
        return replace(self, system=system, start={**self.start, **assignments(start or (), "--start", time=True)})

    def refuse_without_start(self) -> None:
        if not self.start:
            first = self.system.coordinates[0].name
            raise InadmissibleState(
                f"{self.system.name}: a file declares no start; give one, such as "
                f'--start "{first}=0" --start "{first}\'=1", for every coordinate and every free velocity.'
            )


def find(text: str) -> Study:
    """The system that a text names.

    A key of the catalogue goes first: a file of that very name can still be written ``./name``.

    >>> find("chaplygin-sleigh").system.name
    'Chaplygin sleigh'
    >>> find("chaplygin-slay")
    Traceback (most recent call last):
    anholonomy.refusals.UnknownName: there is no system 'chaplygin-slay'; did you mean 'chaplygin-sleigh'? ...
    """
    from anholonomy.catalogue import ENTRIES
    from anholonomy.public import load

    if (key := text.lower().replace("_", "-")) in ENTRIES:
        entry = ENTRIES[key]
        return Study(entry.make(), dict(entry.start), entry.until, entry.facts, entry.references)
    path = Path(text)
    if path.suffix.lower() == ".toml" or path.is_file():
        return Study(load(path))
    near = difflib.get_close_matches(key, ENTRIES, 1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    raise UnknownName(
        f"there is no system {text!r}; {guess}`anholonomy list` shows the catalogue, and a name in .toml means a file."
    )
