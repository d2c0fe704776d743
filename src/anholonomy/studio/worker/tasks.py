"""What a worker can be asked."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from anholonomy.studio.worker.asking import ASKED, answered, derived
from anholonomy.studio.worker.declared import compact, described
from anholonomy.studio.worker.exporting import exported, kinds
from anholonomy.studio.worker.motion import moved

__all__ = ["TASKS"]

More = Callable[[Any], None]


def _catalogue(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    """Every entry with its room, and what can be asked and made."""
    from anholonomy.catalogue import ENTRIES

    found = []
    for key, entry in ENTRIES.items():
        room = entry.make.__module__.split(".")[-2]
        found.append({"key": key, "name": entry.make().name, "room": room, "said": entry.said})
    return {"entries": found, "questions": ASKED, "exports": kinds()}


def _entry(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    """The words of a project that begins as an entry."""
    from anholonomy.catalogue import ENTRIES

    entry = ENTRIES[words["key"]]
    system = entry.make().with_start(entry.start)
    return {"name": system.name, "declaration": compact(system.to_toml()), "until": entry.until}


def _warm(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    """A small motion, for what it loads and compiles on the way."""
    begun = _entry({"key": "skate"}, more)
    moved({**begun, "parameters": {}, "start": {}, "vakonomic": False})
    return {}


def _picture(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    from anholonomy.studio.thumbnails import draw

    return {"picture": base64.b64encode(draw(words["key"])).decode("ascii")}


TASKS: dict[str, Callable[[Mapping[str, Any], More], dict[str, Any]]] = {
    "catalogue": _catalogue,
    "entry": _entry,
    "warm": _warm,
    "picture": _picture,
    "check": lambda words, more: described(words),
    "motion": lambda words, more: moved(words),
    "equations": lambda words, more: derived(words),
    "ask": answered,
    "export": exported,
}
