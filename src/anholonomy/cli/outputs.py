"""Files that a command leaves, checked before the work."""

from __future__ import annotations

from pathlib import Path

from anholonomy.disk import place_for
from anholonomy.refusals import BrokenFile

__all__ = ["check_motion", "check_picture", "make_folder"]


def check_motion(path: Path) -> None:
    """Refuse, before anything is computed, a path for no kind of file that a motion is written to."""
    place_for(path)
    from anholonomy.simulate.trajectories.trajectory import motion_kind

    motion_kind(path)


def check_picture(path: Path) -> None:
    """Refuse, before anything is computed, a path for no kind of picture that can be drawn, or where no file could be put."""
    place_for(path)
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
