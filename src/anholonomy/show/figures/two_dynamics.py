"""A nonholonomic and a vakonomic motion from one state: their paths, and what is between their coordinates over time."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import NotSupportedError, quoted
from anholonomy.show.figures.over_time import draw_curves
from anholonomy.show.figures.path import drawn_coordinates, values_of
from anholonomy.show.labels import axis_label, unit_in, with_unit
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import BLUE, INK, ORANGE, DrawnMotion, caption, math, new_figure, refuse_unless_motion, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_both"]


@kept_in_file
def plot_both(
    nonholonomic: DrawnMotion,
    vakonomic: DrawnMotion,
    difference: xr.DataArray,
    ax: Axes | Iterable[Axes] | str | Path | None = None,
    *,
    axis: xr.Dataset | None = None,
) -> Any:
    """Draw both paths at the left and the differences at the right; returns the two axes, which may be given, as may a file.

    ``axis`` has, for both motions, two entries of a body's axis: it is drawn instead, seen from above, within the circle that a level axis reaches.
    """
    refuse_unless_motion(nonholonomic)
    left, right = _axes(str(nonholonomic.data.attrs["system"]), ax)
    across, up = drawn_coordinates(nonholonomic) if axis is None else (str(name) for name in axis.data_vars)
    drawn = [
        [values_of(motion.data, across), values_of(motion.data, up)]
        if axis is None
        else [axis[name].values[k] for name in (across, up)]
        for k, motion in enumerate((nonholonomic, vakonomic))
    ]
    if axis is not None:
        left.add_patch(_circle())
    for (x, y), colour, label in zip(drawn, (BLUE, ORANGE), ("nonholonomic", "vakonomic"), strict=True):
        left.plot(x, y, color=colour, linewidth=1.6, label=label)
        left.plot(x[-1:], y[-1:], color=colour, marker="o", markersize=5)
    x, y = drawn[0]
    left.plot(
        x[:1],
        y[:1],
        linestyle="none",
        marker="o",
        markersize=6,
        markerfacecolor="white",
        markeredgecolor=INK,
        label="start",
    )
    name = math if axis is not None else partial(axis_label, nonholonomic.model)
    left.set(xlabel=name(across), ylabel=name(up))
    left.set_aspect("equal", adjustable="datalim")
    left.legend(frameon=False, labelcolor=INK)
    draw_curves(right, difference, "coordinate")
    right.set_xlabel(axis_label(nonholonomic.model, "t"))
    units = {unit_in(nonholonomic.model, str(each)) for each in difference["coordinate"].values}
    right.set_ylabel(with_unit("vakonomic minus nonholonomic", units.pop() if len(units) == 1 else ""))
    return np.array([left, right], dtype=object)


def _circle() -> Any:
    from matplotlib.patches import Circle

    return Circle((0, 0), 1, fill=False, edgecolor=INK, linewidth=0.8, linestyle=":")


def _axes(title: str, ax: Any) -> list[Axes]:
    from matplotlib.axes import Axes

    if ax is None:
        figure = new_figure(11.0, 4.6)
        figure.suptitle(caption(title), color=INK)
        axes = [figure.add_subplot(1, 2, k) for k in (1, 2)]
    else:
        given = getattr(ax, "flat", ax)
        axes = list(given) if isinstance(given, Iterable) else []
        if len(axes) != 2 or not all(isinstance(each, Axes) for each in axes):
            raise NotSupportedError(
                f"two motions cannot be drawn into {quoted(ax)}; give two axes of Matplotlib, or a file such as 'both.png'."
            )
    for each in axes:
        tidy(each)
    return axes
