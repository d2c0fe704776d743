"""A sweep on disk: Zarr blocks written whole, with a manifest.

A sweep on disk: a Zarr group that xarray opens, blocks written whole or not at all, and a manifest of what was asked.

Each block of members is one chunk of every array. A chunk is written beside its place and renamed into it; when all of a block
are there, a note with their digests follows in the same way. A block without its note, or with other bytes than that says, is made again. So
whatever is killed, and whenever, what was noted stays, and the same question makes the same bytes of the rest.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tomllib
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final
from uuid import uuid4

import numpy as np

from anholonomy.base.errors import FileError, NotSupportedError
from anholonomy.base.files import path_of, write_whole
from anholonomy.motion.dataset.many_motions import on_disk
from anholonomy.motion.sweeps.block import Part
from anholonomy.programs.backends.base import Array

__all__ = ["MANIFEST", "Store", "open_store", "told"]

MANIFEST, _NOTES = ".anholonomy.json", ".blocks"
_VALUES = "values of {}"
"""The word for what members were given for a name."""
_MEMBERS = 2**17
"""Members whose starts are written at a time."""


@final
@dataclass(frozen=True)
class Store:
    """Where a sweep is kept; plain data, so that it travels to other processes."""

    path: Path
    count: int
    block: int
    shapes: dict[str, tuple[tuple[int, ...], str, tuple[str, ...]]]
    """Of every array by name: shape, kind and dimensions."""

    @property
    def blocks(self) -> range:
        return range(-(-self.count // self.block))

    def span(self, k: int) -> tuple[int, int]:
        """The members of a block."""
        return k * self.block, min((k + 1) * self.block, self.count)

    def write(self, k: int, part: Part) -> None:
        """All of a block, and then its note."""
        if not (self.path / MANIFEST).is_file():
            raise FileError(f"the store {self.path} has gone while it was written to; begin again.")
        digests: dict[str, str] = {}
        for name, (shape, kind, _) in self.shapes.items():
            raw = _encoded(np.asarray(part.arrays[name]), (self.block, *shape[1:]), kind)
            place = self._chunk(name, k, len(shape))
            digests[name] = hashlib.sha256(raw).hexdigest()
            if raw:
                self._make_room(place, name)
                write_whole(place, raw)
        note: dict[str, Any] = {"digests": digests, "said": {str(i): text for i, text in sorted(part.said.items())}}
        note |= {"events": {str(i): met for i, met in sorted(part.events.items())}} if part.events else {}
        self._make_room(self._note(k), _NOTES)
        write_whole(self._note(k), json.dumps(note, sort_keys=True))

    def _make_room(self, place: Path, name: str) -> None:
        """The folders of a file; those of a store that has gone are not made again."""
        try:
            for folder in (*reversed(place.relative_to(self.path).parents), place.parent.relative_to(self.path)):
                if folder.parts and (len(folder.parts) > 1 or name == _NOTES):
                    (self.path / folder).mkdir(exist_ok=True)
        except FileNotFoundError:
            raise FileError(f"the store {self.path} has gone while it was written to; begin again.") from None

    def note(self, k: int) -> dict[str, Any] | None:
        """What was noted of a block; None where it is not there as it was written."""
        try:
            note: dict[str, Any] = json.loads(self._note(k).read_text(encoding="utf-8"))
            for name, (shape, _, _) in self.shapes.items():
                place = self._chunk(name, k, len(shape))
                raw = place.read_bytes() if place.is_file() else b""
                if hashlib.sha256(raw).hexdigest() != note["digests"][name]:
                    return None
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return note

    def _note(self, k: int) -> Path:
        return self.path / _NOTES / f"{k:07d}.json"

    def _chunk(self, name: str, k: int, dimensions: int) -> Path:
        return self.path / on_disk(name) / "c" / "/".join(map(str, [k] + [0] * (dimensions - 1)))


def told(path: Path, word: str) -> dict[int, Any]:
    """What the notes of a store have by a word for its members: the sentences ``said`` of those that did not reach the end, or ``events``."""
    found: dict[int, Any] = {}
    for note in sorted((path / _NOTES).glob("*.json")):
        with suppress(
            ValueError, AttributeError
        ):  # a broken one says nothing, and its block is made again when it is resumed
            said = json.loads(note.read_text(encoding="utf-8")).get(word, {})
            found |= {int(i): each for i, each in said.items()}
    return found


def _encoded(values: np.ndarray, chunk: tuple[int, ...], kind: str) -> bytes:
    """The bytes that Zarr would write for a chunk; none where all of it is missing."""
    zarr = _zarr()
    memory = zarr.storage.MemoryStore()
    array = zarr.create_array(memory, shape=chunk, chunks=chunk, dtype=kind, fill_value=_nothing(kind))
    array[: len(values)] = values
    place = "/".join(["c", *("0" for _ in chunk)])
    found = memory._store_dict.get(place)
    return b"" if found is None else bytes(found.to_bytes())


def _nothing(kind: str) -> Any:
    return float("nan") if kind.startswith("f") else False


def _zarr() -> Any:
    try:
        import zarr
    except ImportError:
        raise NotSupportedError(
            "a store needs zarr, which is not installed; pip install 'anholonomy[sweep]'."
        ) from None
    return zarr


def open_store(
    path: str | Path,
    words: Mapping[str, Any],
    store: Store,
    fixed: Mapping[str, tuple[tuple[str, ...], list[Array]]],
    attributes: Mapping[str, Any],
    resume: bool,
) -> Store:
    """The store for a question: a new one, or the one that is there if it was made for the same; refused with what changed otherwise.

    ``fixed`` are arrays that are known beforehand, with their dimensions, in columns.
    """
    place = path_of(path)
    said = json.loads(json.dumps({**words, "arrays": sorted(store.shapes), "members": store.count}))
    if place.exists():
        return _resumed(place, said, store, resume)
    if not place.parent.is_dir():
        raise FileError(f"cannot write {place}: there is no folder {place.parent}; make it first.")
    zarr, part = _zarr(), place.with_name(f".{uuid4().hex[:12]}.part")
    try:
        group = zarr.create_group(store=str(part), attributes=dict(attributes))
        for name, (shape, kind, dimensions) in store.shapes.items():
            chunks = (store.block, *shape[1:])
            words = {"shape": shape, "chunks": chunks, "dtype": kind, "fill_value": _nothing(kind)}
            group.create_array(on_disk(name), **words, dimension_names=list(dimensions))
        for name, (dimensions, columns) in fixed.items():
            _write_columns(group, name, dimensions, columns)
        with warnings.catch_warnings():  # that other programs may not know of metadata in one place
            warnings.simplefilter("ignore")
            zarr.consolidate_metadata(str(part))
        write_whole(part / MANIFEST, json.dumps({"question": said, "block": store.block}, sort_keys=True))
        part.rename(place)
    except OSError as problem:
        raise FileError(f"cannot write {place} ({problem.strerror}); make room or choose another place.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return store


def _write_columns(group: Any, name: str, dimensions: tuple[str, ...], columns: list[Array]) -> None:
    """An array of which no more than some members are in memory twice."""
    size, plain = columns[0].size, len(dimensions) == 1
    shape, chunk = (size,) if plain else (size, len(columns)), min(size, _MEMBERS)
    words = {"shape": shape, "chunks": (chunk, *shape[1:]), "dtype": "float64"}
    array = group.create_array(on_disk(name), **words, dimension_names=list(dimensions))
    for begin in range(0, size, chunk):
        some = [column[begin : begin + chunk] for column in columns]
        array[begin : begin + chunk] = some[0] if plain else np.column_stack(some)


def _resumed(place: Path, said: Mapping[str, Any], store: Store, resume: bool) -> Store:
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        there, block = manifest["question"], int(manifest["block"])
    except (OSError, ValueError, KeyError, TypeError):
        raise FileError(f"{place} is there and is no store of a sweep; give another name, or remove it.") from None
    if not resume:
        raise FileError(f"{place} is there already; say resume=True (--resume) to go on with it, or give another name.")
    if (changed := _changed(there, said)) is None:
        raise FileError(f"{place} is a store of another system, {there.get('name')!s:.60}; give another name.")
    for word, (was, now) in changed.items():
        raise FileError(
            f"{place} was made for another question: {word} was {was!s:.200} and is {now!s:.200}; ask the same, or give another name."
        )
    if missing := [name for name in store.shapes if not (place / on_disk(name)).is_dir()]:
        raise FileError(f"{place} lacks the folder of {missing[0]}; put it back, or remove the store and begin again.")
    return Store(place, store.count, block, store.shapes)


def _changed(there: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, tuple[Any, Any]] | None:
    """What two questions say differently, by its word; None where they are of different systems."""
    (own, before), (other, now) = _declared(there), _declared(said)
    if own != other:
        return None
    old, new = {**there, **before}, {**said, **now}
    words = [*before, *(word for word in {**there, **said} if word not in ("system", *map(_VALUES.format, before)))]
    in_columns = {name: column for name in before if (column := _VALUES.format(name)) in there and column in said}
    return {
        in_columns.get(word, word): (old.get(word), new.get(word)) for word in words if old.get(word) != new.get(word)
    }


def _declared(words: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The declaration of a system without its parameters and its looks, and the parameters in words: as declared, or as given to its members."""
    try:
        found = tomllib.loads(words["system"])
    except (KeyError, TypeError, tomllib.TOMLDecodeError):
        return {"": words.get("system")}, {}
    found.pop("scene", None)
    declared = found.pop("parameters", {})
    return found, {name: words.get(_VALUES.format(name), _number(value)) for name, value in declared.items()}


def _number(value: Any) -> str:
    return f"{value:.17g}" if isinstance(value, int | float) else str(value)
