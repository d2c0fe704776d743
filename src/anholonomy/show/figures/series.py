"""The coordinates over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anholonomy.show.curves import draw_curves
from anholonomy.show.style import canvas
from anholonomy.show.units import axis_label

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_series"]


def plot_series(
    data: xr.Dataset, ax: Axes | None = None, coordinates: Sequence[str] | None = None, label: str = "coordinates"
) -> Axes:
    """Draw coordinates against time, by default every one."""
    ax = canvas(data, ax)
    chosen = data["q"] if coordinates is None else data["q"].sel(coordinate=list(coordinates))
    draw_curves(ax, chosen, "coordinate")
    ax.set_xlabel(axis_label(data, "t"))
    ax.set_ylabel(label)
    return ax
