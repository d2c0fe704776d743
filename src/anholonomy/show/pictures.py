"""A figure in a file: its kind is checked before anything is drawn, and an old file is replaced only by a complete one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anholonomy.disk import writing
from anholonomy.refusals import BrokenFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

__all__ = ["picture_kind", "save_picture"]

_SHARPNESS = 150
"""Dots in an inch."""


def picture_kind(path: Path) -> str:
    """The kind of picture that a name says, such as ``png``; refused where nothing draws it."""
    from matplotlib.backend_bases import FigureCanvasBase

    known, kind = sorted(FigureCanvasBase.get_supported_filetypes()), path.suffix.lower().lstrip(".")
    if kind not in known:
        raise BrokenFile(
            f"cannot draw {path}: a picture's name ends in one of .{', .'.join(known)}; to draw a quantity, put it in a list."
        )
    return kind


def save_picture(figure: Figure | SubFigure, path: Path) -> None:
    """Write a figure to a file."""
    whole = figure.get_figure(root=True)
    assert whole is not None  # a figure is its own root
    with writing(path) as partial:
        whole.savefig(partial, format=picture_kind(path), dpi=_SHARPNESS)
