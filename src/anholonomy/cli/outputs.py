"""Files that a command leaves: checked before the work, written beside, put in place when complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from anholonomy.refusals import BrokenFile

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["check_file", "check_picture", "draw_to", "make_folder", "writing"]


def check_file(path: Path) -> None:
    """Refuse, before anything is computed, a path at which no file could be put afterwards."""
    if path.is_dir():
        raise BrokenFile(f"cannot write {path}: it is a folder; give the name of a file in it.")
    if not path.parent.is_dir():
        raise BrokenFile(f"cannot write {path}: there is no folder {path.parent}; make it first.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BrokenFile(f"cannot write {path}: permission is denied; choose another place.")


def check_picture(path: Path) -> None:
    """The same, and the kind of picture must be one that can be drawn."""
    check_file(path)
    from anholonomy.show.pictures import picture_kind

    picture_kind(path)


def make_folder(path: Path) -> None:
    """Make a folder and those above it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BrokenFile(f"cannot make the folder {path}: a file of that name exists; choose another.") from None
    except OSError as problem:
        raise BrokenFile(f"cannot make the folder {path} ({problem.strerror}); choose another.") from None


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """A path to write to; what stood at ``path`` is replaced only when the new file is complete."""
    partial = path.with_name(path.name + ".part")
    try:
        yield partial
        partial.replace(path)
    except OSError as problem:
        raise BrokenFile(f"cannot write {path} ({problem.strerror or problem}); choose another place.") from None


def draw_to(path: Path, data: xr.Dataset) -> None:
    """The usual picture of a motion in a file; the suffix decides its format."""
    from anholonomy.show.figures import plot_motion

    plot_motion(data, path)
