"""Tables on the terminal, and files that a command leaves: their places are checked before the work, and told when they are written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anholonomy.base.errors import FileError
from anholonomy.base.files import place_for, write_whole

if TYPE_CHECKING:
    import xarray as xr
    from rich.console import Console

__all__ = [
    "check_outputs",
    "leave_json",
    "leave_motion",
    "leave_numbers",
    "leave_picture",
    "make_folder",
    "tell_motion",
    "print_sections",
    "print_table",
]


def check_outputs(*, motion: Path | None = None, numbers: Path | None = None, picture: Path | None = None) -> None:
    """Refuse, before anything is computed, places where no file could be put, and names of no kind of file that is written."""
    from anholonomy.motion.trajectory import motion_kind
    from anholonomy.show.picture_files import picture_kind

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
    from anholonomy.show.text.summary import summary

    leave_motion(run, path)
    print_table(("", ""), summary(run), title=str(run.data.attrs["system"]))


def leave_json(answer: Any, path: Path | None, what: str) -> None:
    """Write an answer as JSON; ``what`` it has."""
    if path is not None:
        write_whole(path, dumps(answer.to_dict(), indent=2, ensure_ascii=False).encode())
        print(f"{what} in {path}")


def leave_numbers(data: xr.Dataset, path: Path | None, what: str) -> None:
    """Write a dataset as netCDF; ``what`` it has."""
    from anholonomy.motion.dataset.files import to_netcdf

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
        raise FileError(f"cannot make the folder {path}: a file of that name exists; choose another.") from None
    except OSError as problem:
        raise FileError(f"cannot make the folder {path} ({problem.strerror}); choose another.") from None


# Tables on the terminal: Rich decides about colour, a pipe gets plain unwrapped lines.


_ENDLESS = 10_000
"""Columns of a pipe: whoever reads it wraps as they like."""


def _console() -> Console:
    """A console that takes every text literally: no markup, no emoji, no guessed highlights."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _ENDLESS
    return Console(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None) -> None:
    """Aligned columns, wrapped only where a terminal is too narrow."""
    from rich.table import Table

    table = Table(*head, box=None, header_style="bold", title_style="bold", title_justify="left", pad_edge=False)
    table.show_header = any(head)
    for column in table.columns:
        column.overflow = "fold"
    for row in rows:
        table.add_row(*row)
    out = _console()
    if title:
        out.print(title, style="bold", soft_wrap=True)
    with out.capture() as drawn:
        out.print(table)
    # Rich fills the last column with blanks; they would end up in files.
    print("\n".join(line.rstrip() for line in drawn.get().splitlines()))


def print_sections(title: str, sections: dict[str, list[str]]) -> None:
    """Headings with indented lines under them; lines are never wrapped, so that they can be copied."""
    out = _console()
    out.print(title, style="bold", soft_wrap=True)
    for heading, lines in sections.items():
        out.print(f"  {heading}", style="cyan", soft_wrap=True)
        for line in lines:
            out.print(f"    {line}", soft_wrap=True)
