"""Several curves over time, named beside the axes where they hide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.show.style import curve_style, math

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["draw_curves", "name_beside"]

_ROWS = 12
"""Names that fit beside a small figure before a second column is needed."""


def draw_curves(ax: Axes, values: xr.DataArray, dimension: str) -> None:
    """One curve for each entry of ``dimension``, which has the names."""
    times = values["time"].values
    for index, name in enumerate(str(n) for n in values[dimension].values):
        ax.plot(times, values.sel({dimension: name}).values, label=math(name), **curve_style(index))
    name_beside(ax)
    ax.set_xlabel(math("t"))
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)


def name_beside(ax: Axes) -> None:
    """The legend at the right of the axes."""
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(
        handles,
        labels,
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        frameon=False,
        handlelength=1.4,
        markerscale=2.5,
        ncols=1 + (len(handles) - 1) // _ROWS,
    )
