"""The coordinates over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.show.curves import draw_curves
from anholonomy.show.style import canvas

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_series"]


def plot_series(data: xr.Dataset, ax: Axes | None = None) -> Axes:
    """Draw every coordinate against time."""
    ax = canvas(data, ax)
    draw_curves(ax, data["q"], "coordinate")
    ax.set_ylabel("coordinates")
    return ax
