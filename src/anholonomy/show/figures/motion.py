"""The usual picture of a motion: four figures in a grid."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anholonomy.refusals import NotCovered
from anholonomy.show.figures.energy import plot_energy
from anholonomy.show.figures.path import plot_path
from anholonomy.show.figures.residual import plot_residual
from anholonomy.show.figures.series import plot_series
from anholonomy.show.pictures import picture_kind, save_picture
from anholonomy.show.style import INK, caption, new_figure

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_motion"]

_PARTS = (plot_path, plot_series, plot_energy, plot_residual)


def plot_motion(data: xr.Dataset, ax: Axes | Iterable[Axes] | str | Path | None = None) -> Any:
    """Draw path, coordinates, energy drift and constraint residual.

    Without ``ax`` a new figure is made and its 2 by 2 array of axes returned. An array of four axes is drawn
    into and returned. A single axes has room for one picture only: it gets the path, and is returned. A path instead
    of axes keeps the new figure: its ending says as what, such as ``.png`` or ``.pdf``.
    """
    from matplotlib.axes import Axes

    if isinstance(ax, Axes):
        return plot_path(data, ax=ax)
    if isinstance(ax, str | Path):
        picture_kind(Path(ax))
    axes = _four(ax)
    if axes is None:
        figure = new_figure(10.0, 6.8)
        figure.suptitle(caption(str(data.attrs.get("system", ""))), color=INK)
        axes = figure.subplots(2, 2)
    # An array of axes is iterated over by its rows.
    parts = list(getattr(axes, "flat", axes))
    for draw, each in zip(_PARTS, parts, strict=True):
        draw(data, ax=each)
    if isinstance(ax, str | Path):
        save_picture(parts[0].figure, Path(ax))
    return axes


def _four(ax: Any) -> Any:
    """The axes to draw into, as they were given; None where there are none yet."""
    from matplotlib.axes import Axes

    if ax is None or isinstance(ax, str | Path):
        return None
    given = getattr(ax, "flat", ax)
    axes = list(given) if isinstance(given, Iterable) else []
    if len(axes) != len(_PARTS) or not all(isinstance(each, Axes) for each in axes):
        raise NotCovered(
            f"a motion cannot be drawn into {ax!r:.60}; give axes of Matplotlib, {len(_PARTS)} of them, or the name of a file "
            "such as 'motion.png'."
        )
    # An iterator is used up by now.
    return ax if hasattr(ax, "__len__") else axes
