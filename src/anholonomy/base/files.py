"""Files written as a whole or not at all: written beside, settled on the disk, and put in place when complete.

Whatever fails on the way, a full disk among it, leaves what stood there before and nothing else. Links are followed; what is no
file, such as a folder, a pipe or a device, is refused.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from anholonomy.base.errors import FileError, quoted

__all__ = ["path_of", "place_for", "write_whole", "writing"]

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def path_of(path: Any) -> Path:
    """What was given as a path.

    >>> path_of("")
    Traceback (most recent call last):
    anholonomy.base.errors.FileError: '' is not a path; give the name of a file.
    """
    try:
        if not os.fsencode(path) or "\0" in str(path):
            raise ValueError
        return Path(path)
    except (TypeError, ValueError):
        raise FileError(f"{quoted(path)} is not a path; give the name of a file.") from None


def place_for(path: str | Path) -> Path:
    """The file that a path means, links followed; refused, before anything is computed, where none could be put."""
    asked = path_of(path)
    try:
        mode = asked.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        mode = None
    except OSError as problem:
        raise FileError(f"cannot write {asked!s:.200} ({problem.strerror}); give another name.") from None
    if mode is not None and not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "no file")
        raise FileError(f"cannot write {asked}: it is {kind}; give the name of a file.")
    target = Path(os.path.realpath(asked))
    if not target.parent.is_dir():
        folder = (target if asked.is_symlink() else asked).parent
        raise FileError(f"cannot write {asked}: there is no folder {folder}; make it first.")
    if not all(os.access(place, os.W_OK) for place in (target.parent, *([target] if mode is not None else []))):
        raise FileError(f"cannot write {asked}: permission is denied; choose another place.")
    return target


@contextmanager
def writing(path: str | Path) -> Iterator[Path]:
    """A path to write to; what stood at ``path`` is replaced only when the new file is complete."""
    target = place_for(path)
    # What writes a picture goes by the ending; a name of its own lets two write at once, and is never too long.
    partial = target.with_name(f".{uuid4().hex[:12]}.part{target.suffix.lower()[:8]}")
    try:
        yield partial
        _settle(partial)
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    except OSError as problem:
        said = problem.strerror or problem
        raise FileError(f"cannot write {path!s:.200} ({said}); make room or choose another place.") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Put a text or bytes in a file."""
    with writing(path) as partial:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)


def _settle(partial: Path) -> None:
    """Some file systems notice that they are full only when the data must go to the disk."""
    with partial.open("rb+") as file:
        os.fsync(file.fileno())
