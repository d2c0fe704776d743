"""The usual picture of a motion: four figures in a grid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from anholonomy.show.figures.energy import plot_energy
from anholonomy.show.figures.path import plot_path
from anholonomy.show.figures.residual import plot_residual
from anholonomy.show.figures.series import plot_series
from anholonomy.show.style import INK, caption, new_figure

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_motion"]

_PARTS = (plot_path, plot_series, plot_energy, plot_residual)


def plot_motion(data: xr.Dataset, ax: Axes | Iterable[Axes] | None = None) -> Any:
    """Draw path, coordinates, energy drift and constraint residual.

    Without ``ax`` a new figure is made and its 2 by 2 array of axes returned. An array of four axes is drawn
    into and returned. A single axes has room for one picture only: it gets the path, and is returned.
    """
    from matplotlib.axes import Axes

    if isinstance(ax, Axes):
        return plot_path(data, ax=ax)
    axes = ax
    if axes is None:
        figure = new_figure(10.0, 6.8)
        figure.suptitle(caption(str(data.attrs.get("system", ""))), color=INK)
        axes = figure.subplots(2, 2)
    # An array of axes is iterated over by its rows.
    for draw, each in zip(_PARTS, getattr(axes, "flat", axes), strict=True):
        draw(data, ax=each)
    return axes
