"""Figures saved to files: the kind is checked before anything is drawn, and an old file is replaced only by a complete one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from anholonomy.base.errors import FileError
from anholonomy.base.files import path_of, writing
from anholonomy.base.notebook import figure_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

__all__ = ["kept_in_file", "picture_kind", "save_picture"]

P = ParamSpec("P")
R = TypeVar("R")

_SHARPNESS = 150
"""Dots in an inch."""


def picture_kind(path: Path) -> str:
    """The kind of picture that a name says, such as ``png``; refused where nothing draws it."""
    from matplotlib.backend_bases import FigureCanvasBase

    known, kind = sorted(FigureCanvasBase.get_supported_filetypes()), path.suffix.lower().lstrip(".")
    if kind not in known:
        raise FileError(
            f"cannot draw {path}: a picture's name ends in one of .{', .'.join(known)}; to draw a quantity, put it in a list."
        )
    return kind


def save_picture(figure: Figure | SubFigure, path: Path) -> None:
    """Write a figure to a file."""
    whole = figure.get_figure(root=True)
    assert whole is not None  # a figure is its own root
    with writing(path) as partial:
        whole.savefig(partial, format=picture_kind(path), dpi=_SHARPNESS)


def kept_in_file(plot: Callable[P, R]) -> Callable[P, R]:
    """Let what draws into given axes, its ``ax`` or ``figure``, or into a new figure, take the path of a file instead, which keeps the new one."""
    signature = inspect.signature(plot)
    name = next(word for word in ("ax", "figure") if word in signature.parameters)

    @wraps(plot)
    def drawing(*values: P.args, **words: P.kwargs) -> R:
        given = signature.bind(*values, **words)
        place = given.arguments.get(name)
        if not isinstance(place, str | Path):
            return plot(*values, **words)
        picture_kind(path := path_of(place))  # refused before anything is drawn
        given.arguments[name] = None
        drawn = plot(*given.args, **given.kwargs)
        save_picture(figure_of(drawn), path)
        return drawn

    return drawing
