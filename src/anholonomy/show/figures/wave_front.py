"""The sphere of shortest paths in space, or the whole wave front with its folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import NotSupportedError, quoted
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import BLUE, INK, ORANGE, PALE, caption, math, new_figure

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["plot_front"]


@kept_in_file
def plot_front(data: xr.Dataset, ax: Any = None, whole: bool = False) -> Any:
    """Draw the ends as a surface, those before neighbours meet or all of them, and return the axes; a file keeps the figure."""
    place = _axes(data, ax)
    q, first = data["q"].values, data["first"].values > 0
    if whole:
        _surface(place, q, ORANGE, 0.25)
    _surface(place, np.where(first[..., None], q, np.nan), BLUE, 0.85)
    names = [str(name) for name in data["coordinate"].values]
    place.set(xlabel=math(names[0]), ylabel=math(names[1]), zlabel=math(names[2]))
    return place


def _surface(place: Any, q: np.ndarray, colour: str, alpha: float) -> None:
    rows, columns = q.shape[:2]
    place.plot_surface(
        *np.moveaxis(q, -1, 0), color=colour, alpha=alpha, linewidth=0.15, edgecolor=PALE, rcount=rows, ccount=columns
    )


def _axes(data: xr.Dataset, ax: Any) -> Any:
    if ax is None:
        figure = new_figure(6.4, 5.8)
        ax = figure.add_subplot(projection="3d")
        ax.set_title(caption(str(data.attrs["system"])), color=INK)
    if not hasattr(ax, "plot_surface"):
        raise NotSupportedError(
            f"a front cannot be drawn into {quoted(ax)}; give axes with projection='3d', or the name of a file such as 'front.png'."
        )
    return ax
