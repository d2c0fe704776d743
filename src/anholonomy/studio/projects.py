"""Projects of a user, each a folder with one file that is written whole: closing the page or killing the server loses nothing.

A project has a version that every change counts up. Whoever changes an older one is told what it became meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, final

from anholonomy.base.errors import Error, FileError, UnknownNameError, quoted
from anholonomy.base.files import write_whole

__all__ = ["Projects", "default_folder", "read_words"]

_FILE, _FINDINGS = "project.json", "findings.json"
_NAME = re.compile(r"[0-9a-f]{16}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST = 2_000
"""Projects in a folder."""
_LONGEST = {"name": 200, "declaration": 400_000}
_VALUES = 2_000
"""Numbers in a project."""
_VIEW = 20_000
"""Letters in what a page remembers."""


def default_folder() -> Path:
    """Where projects are kept unless told otherwise: a folder of the user's own data."""
    data = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(data or Path.home() / ".local" / "share") / "anholonomy" / "studio"


def read_words(given: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a project as a page sends them, each of the kind and size it must have."""
    found: dict[str, Any] = {}
    for word, longest in _LONGEST.items():
        text = given.get(word, "")
        if not isinstance(text, str):
            raise FileError(f"`{word}` is no text; send one.")
        if len(text) > longest:
            raise FileError(f"`{word}` has {len(text)} letters; it may have at most {longest}.")
        if _SURROGATE.search(text):
            raise FileError(f"`{word}` has half a letter in it (a lone surrogate); remove it.")
        found[word] = text
    for word in ("parameters", "start"):
        found[word] = _numbers(word, {} if given.get(word) is None else given[word])
    until = given.get("until")
    if until is not None and not (_is_number(until) and 0 < until <= 1e6):
        raise FileError("`until` is no time; send a number above 0, at most a million.")
    view = {} if given.get("view") is None else given["view"]
    if not isinstance(view, dict) or not _is_small(view):
        raise FileError(f"`view` is no small table of texts and finite numbers; it may have at most {_VIEW} letters.")
    return {**found, "until": until, "view": view}


def _is_small(view: Mapping[str, Any]) -> bool:
    """Whether a table can be kept and sent as JSON, and is short; JSON has no infinite numbers."""
    try:
        text = json.dumps(view, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return len(text) <= _VIEW and not _SURROGATE.search(text)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _numbers(word: str, given: Any) -> dict[str, float]:
    if not isinstance(given, dict) or len(given) > _VALUES or not all(map(_is_number, given.values())):
        raise FileError(f"`{word}` must be a table of at most {_VALUES} finite numbers by name.")
    if any(len(name) > 200 for name in given):
        raise FileError(f"a name in `{word}` is longer than 200 letters; shorten it.")
    if any(map(_SURROGATE.search, given)):
        raise FileError(f"a name in `{word}` has half a letter in it (a lone surrogate); remove it.")
    return {name: float(value) for name, value in given.items()}


def _about(words: Mapping[str, Any]) -> str:
    """What an answer is about: the declaration with the values that were dragged; where a motion starts does not matter."""
    return sha256(json.dumps([words["declaration"], words["parameters"]], sort_keys=True).encode()).hexdigest()


@final
@dataclass(frozen=True)
class Projects:
    """The projects of a folder; no other path is ever made of what a client sends."""

    folder: Path

    def listed(self) -> list[dict[str, Any]]:
        """Names and dates, the latest first."""
        found = []
        for place in self._places():
            with contextlib.suppress(Error):
                project = self.read(place.name)
                found.append({word: project[word] for word in ("id", "name", "changed", "version", "key")})
        return sorted(found, key=lambda each: str(each["changed"]), reverse=True)

    def untouched(self, key: str) -> dict[str, Any] | None:
        """A project that began as an entry of the catalogue and is so still, so that looking around leaves no heap."""
        return next(
            (self.read(each["id"]) for each in self.listed() if (each["key"], each["version"]) == (key, 1)), None
        )

    def _places(self) -> list[Path]:
        return [each for each in self.folder.iterdir() if _NAME.fullmatch(each.name) and (each / _FILE).is_file()]

    def place(self, name: str) -> Path:
        """The folder of a project."""
        if _NAME.fullmatch(name):
            found = self.folder / name
            if found.is_dir() and not found.is_symlink():
                return found
        raise UnknownNameError(f"there is no project {quoted(name)} here; the first page lists those there are.")

    def read(self, name: str) -> dict[str, Any]:
        """A project with its version."""
        path = self.place(name) / _FILE
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            words = read_words(found)
            return {
                **words,
                "id": name,
                "version": int(found["version"]),
                "changed": str(found["changed"]),
                "key": str(found.get("key", "")),
            }
        except (OSError, ValueError, KeyError, TypeError, RecursionError, AttributeError):
            raise FileError(f"the project {name} cannot be read; its file is {path}.") from None

    def create(self, words: Mapping[str, Any], key: str = "") -> dict[str, Any]:
        """A new project; ``key`` is the name in the catalogue of what it began as."""
        if len(self._places()) >= _MOST:
            raise FileError(f"there are {_MOST} projects already; remove some.")
        name = secrets.token_hex(8)
        (self.folder / name).mkdir()
        return self._write(name, {**words, "key": key}, 1)

    def change(self, name: str, words: Mapping[str, Any], version: int) -> tuple[bool, dict[str, Any]]:
        """Write what a page has, unless it had an older version; then, untouched, what is there."""
        now = self.read(name)
        if now["version"] != version:
            return False, now
        return True, self._write(name, {**words, "key": now["key"]}, version + 1)

    def _write(self, name: str, words: Mapping[str, Any], version: int) -> dict[str, Any]:
        changed = datetime.now(UTC).isoformat(timespec="milliseconds")
        project = {**words, "version": version, "changed": changed}
        write_whole(self.folder / name / _FILE, json.dumps(project, indent=1))
        return {**project, "id": name}

    def remove(self, name: str) -> None:
        """Put a project aside, in the folder ``removed``."""
        place = self.place(name)
        aside = self.folder / "removed"
        aside.mkdir(exist_ok=True)
        place.rename(aside / name)

    def keep(self, name: str, words: Mapping[str, Any], question: str, answer: Mapping[str, Any]) -> None:
        """Keep the latest answer to a question, with what it is about."""
        kept = {**self._answers(name), question: {"about": _about(words), "answer": answer}}
        write_whole(self.place(name) / _FINDINGS, json.dumps(kept))

    def findings(self, name: str) -> dict[str, Any]:
        """The answers about a project as it stands; those to other declarations or values are left out."""
        about = _about(self.read(name))
        return {question: kept["answer"] for question, kept in self._answers(name).items() if kept["about"] == about}

    def _answers(self, name: str) -> dict[str, Any]:
        """All answers that are kept; none where their file is broken, because they can be asked for again."""
        try:
            found = json.loads((self.place(name) / _FINDINGS).read_text(encoding="utf-8"))
            return {question: {"about": kept["about"], "answer": kept["answer"]} for question, kept in found.items()}
        except (OSError, ValueError, KeyError, TypeError, RecursionError, AttributeError):
            return {}

    def exports(self, name: str) -> Path:
        """The folder for what is made of a project."""
        place = self.place(name) / "exports"
        place.mkdir(exist_ok=True)
        return place

    def export(self, name: str, file: str) -> Path:
        """One of the files that were made."""
        for each in self.exports(name).iterdir():
            if each.name == file and each.is_file() and not each.is_symlink():
                return each
        raise UnknownNameError("there is no such file; make it again.")
