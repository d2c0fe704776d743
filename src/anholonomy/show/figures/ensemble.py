"""Quantities of many motions: over time, or their last values as a histogram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import NotSupportedError
from anholonomy.show.style import INK, axes_or_new, caption, curve_style, math, new_figure, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_members", "plot_histogram"]


_SHOWN = 200
"""Members that are drawn as curves; more are a wash of colour."""


def plot_members(system: str, chosen: Mapping[str, xr.DataArray], ax: Any = None) -> Any:
    """Draw each quantity in a panel of its own, curves of at most some hundred members evenly chosen, and return the axes."""
    if ax is not None and len(chosen) > 1:
        raise NotSupportedError("several quantities do not fit into one axes; name one, or leave `ax` out.")
    columns = 1 if len(chosen) < 3 else 2
    rows = -(-len(chosen) // columns)
    if ax is None:
        figure = new_figure(6.4 * columns, max(3.6, 2.6 * rows))
        figure.suptitle(caption(system), color=INK)
        axes = figure.subplots(rows, columns, squeeze=False)
        for empty in axes.ravel()[len(chosen) :]:
            empty.set_visible(False)
    else:
        axes = np.array([[ax]])
    for place, (name, values) in zip(axes.ravel(), chosen.items(), strict=False):
        if values.sizes.get("time", 0) > 2:
            _draw_curves(place, name, values)
        else:
            plot_histogram(values.isel(time=-1) if "time" in values.dims else values, "", ax=place)
    return axes.ravel()[: len(chosen)]


def _draw_curves(place: Any, name: str, values: xr.DataArray) -> None:
    tidy(place)
    count = values.sizes["member"]
    some = np.unique(np.linspace(0, count - 1, min(count, _SHOWN)).astype(int))
    style = {**curve_style(0), "linewidth": 0.7, "alpha": max(0.15, min(1.0, 12 / len(some)))}
    place.plot(values["time"].values, values.transpose("time", "member").values[:, some], **style)
    place.margins(x=0)
    place.set_xlabel(math("t"))
    place.set_ylabel(math(name))


def plot_histogram(
    values: xr.DataArray, system: str, bins: int = 50, ax: Any = None, *, is_titled: bool = False
) -> Axes:
    """Draw how many members have which value, whose name is a title or mathematics; those without one are counted in the title."""
    drawn = axes_or_new(ax, 6.4, 3.6)
    numbers = np.asarray(values.values, dtype=float).ravel()
    finite = numbers[np.isfinite(numbers)]
    drawn.hist(finite, bins=bins, color=curve_style(0)["color"])
    drawn.set_xlabel((caption if is_titled else math)(str(values.name)))
    drawn.set_ylabel("members")
    lost = numbers.size - finite.size
    drawn.set_title(caption(system) + (f"\n{lost} members have no value" if lost else ""), color=INK)
    return drawn
