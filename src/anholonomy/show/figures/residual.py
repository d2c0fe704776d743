"""How far the motion leaves its constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from anholonomy.show.curves import name_beside
from anholonomy.show.style import COLOURS, INK, canvas, caption, dot_style
from anholonomy.show.units import axis_label

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["FLOOR", "mark_zero", "plot_residual"]

FLOOR = 1e-17
"""Where a residual of exactly zero is drawn, or a decade below the least of the others: zero has no logarithm."""


def plot_residual(data: xr.Dataset, ax: Axes | None = None) -> Axes:
    """Draw the absolute residual of every constraint against time, on a logarithmic scale."""
    ax = canvas(data, ax)
    ax.set_xlabel(axis_label(data, "t"))
    ax.set_ylabel("constraint residual")
    if "residual" not in data:
        ax.text(0.5, 0.5, "no constraints", transform=ax.transAxes, ha="center", va="center", color=INK)
        ax.set(xticks=[], yticks=[])
        return ax
    times, sizes = data["time"].values, np.abs(data["residual"].values)
    floor = max(float(np.min(sizes, where=sizes > 0, initial=10 * FLOOR)) / 10, 1e-300)
    for index, label in enumerate(str(c) for c in data["constraint"].values):
        style = dot_style(times.size, COLOURS[index % len(COLOURS)])
        ax.plot(times, np.maximum(sizes[:, index], floor), label=caption(label), **style)
    ax.set_yscale("log")
    # A decade around the points: a single value would leave the axis without a tick.
    ax.set_ylim(floor / 3, 10 * max(floor, float(np.nanmax(sizes, initial=0.0, where=np.isfinite(sizes)))))
    if (sizes == 0).any():
        mark_zero(ax, floor)
    name_beside(ax)
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)
    return ax


def mark_zero(ax: Axes, floor: float) -> None:
    """Say where zero is drawn: at the axis, since a word among the points would be hidden by them or hide some."""
    ax.axhline(floor, color="#888888", linewidth=0.6, linestyle=":", zorder=1)
    powers = [tick for tick in ax.get_yticks() if 5 * floor < tick <= ax.get_ylim()[1]]
    ax.set_yticks([floor, *powers], ["0", *(f"$10^{{{round(np.log10(tick))}}}$" for tick in powers)])
