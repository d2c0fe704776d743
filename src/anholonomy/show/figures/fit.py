"""Measured data as points and the motion that fits them as lines, a panel for each quantity."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from anholonomy.base.errors import NotSupportedError
from anholonomy.show.labels import axis_label, unit_in, with_unit
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import BLUE, INK, DrawnMotion, caption, math, new_figure, tidy

__all__ = ["plot_fit"]

Curves: TypeAlias = Mapping[str, tuple[Any, Any]]
"""Times and values by name."""


@kept_in_file
def plot_fit(motion: DrawnMotion, points: Curves, lines: Curves, title: str, ax: Any = None) -> Any:
    """Draw points and lines of the same names and return the array of axes, which may be given; a path keeps the new figure.

    The axes have the units of ``motion``, the one that was found.
    """
    if ax is None:
        figure = new_figure(7.0, max(3.2, 1.9 * len(points)))
        figure.suptitle(caption(title), color=INK)
        axes = figure.subplots(len(points), 1, sharex=True, squeeze=False)[:, 0]
    else:
        axes = np.atleast_1d(ax).ravel()
    if len(axes) < len(points):
        raise NotSupportedError(f"{len(points)} quantities need as many axes, and {len(axes)} were given.")
    for place, (name, (times, values)) in zip(axes, points.items(), strict=False):
        tidy(place)
        place.plot(*lines[name], color=BLUE, linewidth=1.4)
        place.plot(times, values, ".", color=INK, markersize=4)
        said = math(name) if re.fullmatch(r"\w+'*", name) else caption(name)
        place.set_ylabel(with_unit(said, unit_in(motion.model, name)))
        place.margins(x=0.01)
    axes[len(points) - 1].set_xlabel(axis_label(motion.model, "t"))
    return axes
