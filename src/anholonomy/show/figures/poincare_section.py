"""A Poincaré section: points in the plane of two of its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anholonomy.show.style import BLUE, axes_or_new, math

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_section"]


def plot_section(data: xr.Dataset, x: str, y: str, condition: str = "", ax: Any = None) -> Axes:
    """Draw the crossings as points, smaller where there are many, under the condition that they meet."""
    title = f"where {condition}" + ("" if "=" in condition else " = 0") if condition else ""
    drawn = axes_or_new(ax, 4.8, 4.6, title)
    count = int(data.sizes["crossing"])
    drawn.plot(data[x], data[y], ".", color=BLUE, markersize=6 if count < 200 else 3 if count < 2000 else 1)
    drawn.set_xlabel(math("t" if x == "time" else x))
    drawn.set_ylabel(math("t" if y == "time" else y))
    return drawn
