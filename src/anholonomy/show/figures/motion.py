"""The usual picture of a motion: its path, its coordinates in panels of one kind and size, and how well it was computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import NotSupportedError, quoted
from anholonomy.show.figures.over_time import plot_checks, plot_energy, plot_series
from anholonomy.show.figures.path import plot_path
from anholonomy.show.panels import panels
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import INK, DrawnMotion, caption, new_figure, refuse_unless_motion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_motion"]


@kept_in_file
def plot_motion(motion: DrawnMotion, ax: Axes | Iterable[Axes] | str | Path | None = None) -> Any:
    """Draw the path, the coordinates over time, and in one small panel the errors.

    Without ``ax`` a new figure is made and the array of its axes returned: path, panels, errors. So many axes, given in that
    order, are drawn into and returned. A single axes has room for one picture only: it gets the path, and is returned. A
    path of a file instead of axes keeps the new figure: its ending says as what, such as ``.png`` or ``.pdf``.
    """
    from matplotlib.axes import Axes

    if isinstance(ax, Axes):
        return plot_path(motion, ax=ax)
    parts = _parts(motion)
    axes = _new_axes(str(motion.data.attrs["system"]), len(parts) - 2) if ax is None else _given(ax, len(parts))
    # An array of axes is iterated over by its rows.
    each = list(getattr(axes, "flat", axes))
    for draw, place in zip(parts, each, strict=True):
        draw(motion, ax=place)
    if axes is not ax:
        for place in each[1:-1]:
            place.label_outer()  # panels one above the other share their time
    return axes


def _parts(motion: DrawnMotion) -> list[Callable[..., Axes]]:
    refuse_unless_motion(motion)
    series = [partial(plot_series, coordinates=names, label=label) for label, names in panels(motion)]
    changing = "energy" in motion.data and not motion._keeps_energy
    return [plot_path, *series, *([plot_energy] if changing else []), plot_checks]


def _new_axes(title: str, count: int) -> np.ndarray:
    """The path at the left with the errors below it, ``count`` panels at the right."""
    figure = new_figure(11.0, max(5.6, 1.9 * count))
    figure.suptitle(caption(title), color=INK)
    halves = figure.add_gridspec(1, 2)
    left, right = halves[0].subgridspec(2, 1, height_ratios=[3.2, 1]), halves[1].subgridspec(count, 1)
    places = (left[0], *(right[k] for k in range(count)), left[1])
    axes = [figure.add_subplot(place) for place in places]
    return np.array(axes, dtype=object)


def _given(ax: Any, count: int) -> Any:
    """The axes to draw into, as they were given."""
    from matplotlib.axes import Axes

    given = getattr(ax, "flat", ax)
    axes = list(given) if isinstance(given, Iterable) else []
    if len(axes) != count or not all(isinstance(each, Axes) for each in axes):
        raise NotSupportedError(
            f"a motion cannot be drawn into {quoted(ax)}; give axes of Matplotlib, {count} of them for this one, or the name of a "
            "file such as 'motion.png'."
        )
    # An iterator is used up by now.
    return ax if hasattr(ax, "__len__") else axes
