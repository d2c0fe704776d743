"""The path in the plane of two coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anholonomy.base.errors import UnknownNameError
from anholonomy.show.labels import axis_label, coordinate_kinds
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import BLUE, INK, DrawnMotion, canvas

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["drawn_coordinates", "plot_path", "values_of"]


@kept_in_file
def plot_path(motion: DrawnMotion, ax: Axes | None = None, coordinates: tuple[str, str] | None = None) -> Axes:
    """Draw one coordinate against another, the start as a ring and the end as a dot.

    ``coordinates`` defaults to the first two lengths, or else to the first two. Two lengths, and nothing else, are
    drawn to the same scale. A system with a single coordinate is drawn against its velocity.
    """
    ax = canvas(motion, ax, width=5.2, height=4.6)
    kinds = coordinate_kinds(motion.model)
    across, up = coordinates or drawn_coordinates(motion)
    x, y = values_of(motion.data, across), values_of(motion.data, up)
    ax.plot(x, y, color=BLUE, linewidth=1.6, zorder=2)
    marks: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 6, "markeredgecolor": BLUE, "zorder": 3}
    ax.plot(x[:1], y[:1], markerfacecolor="white", label="start", **marks)
    ax.plot(x[-1:], y[-1:], markerfacecolor=BLUE, label="end", **marks)
    if kinds.get(across) == kinds.get(up) == "length":
        ax.set_aspect("equal", adjustable="datalim")
    ax.locator_params(nbins=7)
    ax.ticklabel_format(style="sci", scilimits=(-2, 4), useMathText=True, useOffset=False)
    ax.set_xlabel(axis_label(motion.model, across))
    ax.set_ylabel(axis_label(motion.model, up))
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles, labels, frameon=False, loc="best", labelcolor=INK, handletextpad=0.2)
    return ax


def drawn_coordinates(motion: DrawnMotion) -> tuple[str, str]:
    """The coordinates whose plane a path is drawn in unless others are named."""
    data, kinds = motion.data, coordinate_kinds(motion.model)
    names = [str(name) for name in data["coordinate"].values]
    lengths = [name for name in names if kinds.get(name) == "length"]
    chosen = lengths if len(lengths) > 1 else names
    return (chosen[0], chosen[1]) if len(chosen) > 1 else (names[0], str(data["direction"].values[0]))


def values_of(data: xr.Dataset, name: str) -> np.ndarray:
    """A coordinate or velocity over time."""
    for variable, dimension in (("q", "coordinate"), ("velocity", "direction")):
        if name in data[dimension].values:
            return data[variable].sel({dimension: name}).values
    known = ", ".join(str(n) for n in (*data["coordinate"].values, *data["direction"].values))
    raise UnknownNameError(f"the trajectory has no {name!r} to draw; it has {known}.")
