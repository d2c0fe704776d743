"""A plan: the way between obstacles, the controls between their bounds, and the coordinates over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.show.figures.over_time import name_beside, plot_series
from anholonomy.show.figures.path import plot_path
from anholonomy.show.labels import axis_label, unit_in, with_unit
from anholonomy.show.panels import panels
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import (
    BLUE,
    INK,
    PALE,
    DrawnMotion,
    canvas,
    caption,
    curve_style,
    math,
    new_figure,
    refuse_unless_motion,
)

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_plan"]


@kept_in_file
def plot_plan(
    motion: DrawnMotion,
    controls: Mapping[str, tuple[xr.DataArray, float, float]],
    obstacles: Sequence[np.ndarray] = (),
    postures: Sequence[np.ndarray] = (),
    ax: Any = None,
) -> Any:
    """Draw the way, every control with its bounds, and the coordinates; returns the axes.

    One axes, if given, gets the way. A path of a file instead keeps the new figure.
    """
    if ax is not None:
        return _way(motion, obstacles, postures, ax)
    refuse_unless_motion(motion)
    groups = panels(motion)
    figure = new_figure(11.0, max(5.2, 1.9 * (1 + len(groups))))
    figure.suptitle(caption(str(motion.data.attrs["system"])), color=INK)
    halves = figure.add_gridspec(1, 2)
    rows = halves[1].subgridspec(1 + len(groups), 1)
    axes = [figure.add_subplot(place) for place in (halves[0], *(rows[k] for k in range(1 + len(groups))))]
    _way(motion, obstacles, postures, axes[0])
    _controls(motion, controls, canvas(motion, axes[1]))
    for place, (label, names) in zip(axes[2:], groups, strict=True):
        plot_series(motion, ax=place, coordinates=names, label=label)
    for place in axes[1:]:
        place.label_outer()
    return np.array(axes, dtype=object)


def _way(motion: DrawnMotion, obstacles: Sequence[np.ndarray], postures: Sequence[np.ndarray], ax: Axes) -> Axes:
    for outline in obstacles:
        ax.fill(*outline.T, facecolor=PALE, edgecolor="#888888", linewidth=1.0, zorder=1)
    for k, posture in enumerate(postures):
        wide, strong = (1.2, 0.9) if k in (0, len(postures) - 1) else (0.7, 0.35)
        ax.fill(*posture.T, facecolor="none", edgecolor=BLUE, linewidth=wide, alpha=strong)
    plot_path(motion, ax=ax)
    drawn = np.vstack([*(line.get_xydata() for line in ax.lines), *postures])
    room = 0.2 * float(np.ptp(drawn, axis=0).max()) or 1.0
    (left, bottom), (right, top) = drawn.min(axis=0) - room, drawn.max(axis=0) + room
    ax.set_adjustable("box")
    ax.set(xlim=(left, right), ylim=(bottom, top))  # obstacles may reach beyond
    return ax


def _controls(motion: DrawnMotion, controls: Mapping[str, tuple[xr.DataArray, float, float]], ax: Axes) -> None:
    """Curves, and their bounds as thin lines of the same colour."""
    for index, (name, (curve, low, high)) in enumerate(controls.items()):
        style = curve_style(index)
        ax.plot(curve["time"].values, curve.values, label=math(name), **style)
        for bound in {low, high}:
            if np.isfinite(bound):
                ax.axhline(bound, color=style["color"], linewidth=0.7, linestyle=(0, (4, 4 + 2 * index)))
    name_beside(ax)
    units = {unit_in(motion.model, name) for name in controls}
    ax.set_xlabel(axis_label(motion.model, "t"))
    ax.set_ylabel(with_unit("controls", units.pop() if len(units) == 1 else ""))
    ax.margins(x=0)
