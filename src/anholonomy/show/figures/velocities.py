"""The velocities over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.show.curves import draw_curves
from anholonomy.show.pictures import kept_in_file
from anholonomy.show.style import canvas
from anholonomy.show.units import axis_label

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_velocities"]


@kept_in_file
def plot_velocities(data: xr.Dataset, ax: Axes | None = None) -> Axes:
    """Draw every velocity of the system's frame against time."""
    ax = canvas(data, ax)
    draw_curves(ax, data["velocity"], "direction")
    ax.set_xlabel(axis_label(data, "t"))
    ax.set_ylabel("velocities")
    return ax
