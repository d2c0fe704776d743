"""Phase portraits: velocities against their coordinates, of one motion or of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import NotSupportedError
from anholonomy.show.figures.path import plot_path
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import BLUE, INK, DrawnMotion, axes_or_new, caption, new_figure, refuse_unless_motion

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_phase", "plot_portrait"]

_ACROSS = 3
"""Panels beside one another."""


@kept_in_file
def plot_phase(motion: DrawnMotion, ax: Any = None) -> Any:
    """Draw every velocity against its coordinate, a panel each; one axes, if given, gets the only pair. Returns the axes.

    On a group, whose velocities are no rates of coordinates, each velocity is drawn against the next.
    """
    refuse_unless_motion(motion)
    pairs = _pairs(motion.data)
    if ax is not None:
        if len(pairs) != 1:
            raise NotSupportedError(
                f"a phase portrait of {len(pairs)} velocities needs {len(pairs)} axes; give none, or a file."
            )
        return plot_path(motion, ax=ax, coordinates=pairs[0])
    wide = min(_ACROSS, len(pairs))
    high = -(-len(pairs) // wide)
    figure = new_figure(3.6 * wide + 0.4, 3.1 * high + 0.4)
    figure.suptitle(caption(str(motion.data.attrs["system"])), color=INK)
    grid = figure.subplots(high, wide, squeeze=False)
    for place, pair in zip(grid.flat, pairs, strict=False):
        plot_path(motion, ax=place, coordinates=pair)
        place.set_aspect("auto")
        if place is not grid.flat[0] and place.get_legend():
            place.get_legend().remove()
    for place in list(grid.flat)[len(pairs) :]:
        place.remove()
    return np.array([place for place, _ in zip(grid.flat, pairs, strict=False)], dtype=object)


def _pairs(data: xr.Dataset) -> list[tuple[str, str]]:
    names, speeds = ([str(name) for name in data[d].values] for d in ("coordinate", "direction"))
    own = [(name, f"{name}'") for name in names if f"{name}'" in speeds]
    others = [speed for speed in speeds if speed not in {up for _, up in own}]
    turning = list(zip(others, [*others[1:], *others[:1]], strict=True)) if len(others) > 1 else []
    return own + turning


def plot_portrait(
    curves: Sequence[tuple[np.ndarray, np.ndarray]], across: str, up: str, title: str, ax: Any = None
) -> Axes:
    """Draw many motions in one plane, each with an arrow at its middle and a dot where it begins."""
    drawn = axes_or_new(ax, 5.6, 4.8, title)
    for x, y in curves:
        drawn.plot(x, y, color=BLUE, linewidth=0.9, alpha=0.85)
        drawn.plot(x[:1], y[:1], ".", color=INK, markersize=3)
        _arrow(drawn, x, y)
    drawn.set_xlabel(across)
    drawn.set_ylabel(up)
    drawn.locator_params(nbins=7)
    return drawn


def _arrow(ax: Axes, x: np.ndarray, y: np.ndarray) -> None:
    """Which way a curve goes, in the middle of what is finite of it; what rests has none."""
    good = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if good.size < 3 or (np.ptp(x[good]) == 0 and np.ptp(y[good]) == 0):
        return
    k = good[good.size // 2]
    ax.annotate(
        "",
        (x[k], y[k]),
        (x[k - 1], y[k - 1]),
        arrowprops={"arrowstyle": "-|>", "color": BLUE, "linewidth": 0, "mutation_scale": 15},
    )
