"""Files that a command leaves: their places are checked before the work, and told when they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anholonomy.disk import place_for, write_whole
from anholonomy.refusals import BrokenFile

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["check_outputs", "leave_motion", "leave_numbers", "leave_picture", "make_folder", "tell_motion"]


def check_outputs(*, motion: Path | None = None, numbers: Path | None = None, picture: Path | None = None) -> None:
    """Refuse, before anything is computed, places where no file could be put, and names of no kind of file that is written."""
    from anholonomy.show.pictures import picture_kind
    from anholonomy.simulate.trajectories.trajectory import motion_kind

    for path in (motion, numbers, picture):
        if path is not None:
            place_for(path)
    if motion is not None:
        motion_kind(motion)
    if picture is not None:
        picture_kind(picture)


def leave_motion(run: Any, path: Path | None) -> None:
    """Write a motion; to be done before anything that might still fail, such as printing."""
    if path is not None:
        run.save(path)
        print(f"motion written to {path}")


def tell_motion(run: Any, path: Path | None) -> None:
    """Write a motion, and print where it ends and how accurate it is."""
    from anholonomy.cli.printing import print_table
    from anholonomy.show.text.summary import summary

    leave_motion(run, path)
    print_table(("", ""), summary(run.data), title=str(run.data.attrs["system"]))


def leave_numbers(data: xr.Dataset, path: Path | None, what: str) -> None:
    """Write a dataset as netCDF; ``what`` it has."""
    from anholonomy.simulate.trajectories.netcdf import to_netcdf

    if path is not None:
        write_whole(path, to_netcdf(data))
        print(f"{what} written to {path}")


def leave_picture(draw: Callable[[Path], Any], path: Path | None) -> None:
    """Draw into a file."""
    if path is not None:
        draw(path)
        print(f"picture written to {path}")


def make_folder(path: Path) -> None:
    """Make a folder and those above it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BrokenFile(f"cannot make the folder {path}: a file of that name exists; choose another.") from None
    except OSError as problem:
        raise BrokenFile(f"cannot make the folder {path} ({problem.strerror}); choose another.") from None
