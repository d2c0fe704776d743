"""A motion in two times: its coordinates against the old and the new time, and the times against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import NotSupportedError, quoted
from anholonomy.show.figures.over_time import name_beside
from anholonomy.show.panels import panels
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import INK, DrawnMotion, caption, curve_style, math, new_figure, refuse_unless_motion, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_two_times"]

_GREY = "#999999"


@kept_in_file
def plot_two_times(
    motion: DrawnMotion, tau: xr.DataArray, coordinates: Sequence[str], ax: str | Path | None = None
) -> Any:
    r"""Draw coordinates against $t$ at the left and against $\tau$ at the right, and below $\tau(t)$ and $t(\tau)$; the array of axes.

    A path of a file keeps the figure.
    """
    if ax is not None:
        raise NotSupportedError(
            f"a motion in two times cannot be drawn into {quoted(ax)}; give the name of a file, or nothing."
        )
    refuse_unless_motion(motion)
    data = motion.data
    kept = [(label, [name for name in names if name in coordinates]) for label, names in panels(motion)]
    groups = [(label, names) for label, names in kept if names]
    figure = new_figure(9.6, 2.1 * len(groups) + 2.0)
    figure.suptitle(caption(str(data.attrs["system"])), color=INK)
    axes = figure.subplots(len(groups) + 1, 2, sharex="col", squeeze=False, gridspec_kw={"wspace": 0.08})
    clocks = {"t": data["time"].values, "tau": tau.values}
    for row, (label, names) in zip(axes, groups, strict=False):
        for place, clock in zip(row, clocks.values(), strict=True):
            _curves(place, clock, {math(name): data["q"].sel(coordinate=name).values for name in names})
        row[0].set_ylabel(label)
        name_beside(row[1])
        row[1].sharey(row[0])
    _times(axes[-1], clocks)
    return axes


def _curves(ax: Axes, clock: np.ndarray, curves: dict[str, np.ndarray]) -> None:
    tidy(ax)
    for index, (label, values) in enumerate(curves.items()):
        ax.plot(clock, values, label=label, **curve_style(index))
    ax.margins(x=0)


def _times(row: Sequence[Axes], clocks: dict[str, np.ndarray]) -> None:
    """Each time against the other, dotted where they would agree."""
    for ax, (here, other) in zip(row, (("t", "tau"), ("tau", "t")), strict=True):
        x, y = clocks[here], clocks[other]
        tidy(ax)
        ax.plot(x, x - x[0] + y[0], color=_GREY, linestyle=":", linewidth=1.2)
        ax.plot(x, y, color=INK, linewidth=1.6)
        ax.set_xlabel(math(here))
        ax.set_ylabel(math(other))
        ax.margins(x=0)
        ax.locator_params(axis="x", nbins=8)
