"""A closed orbit, and its multipliers beside the unit circle.

A closed orbit in the plane of two of its variables, and its multipliers beside the unit circle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.show.labels import axis_label
from anholonomy.show.style import BLUE, INK, ORANGE, caption, new_figure, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["orbit_figure"]


def orbit_figure(
    data: xr.Dataset, names: tuple[str, str], multipliers: np.ndarray, verdict: str, figure: Any = None
) -> Figure:
    """Draw the orbit on the left, the multipliers on the right."""
    drawn: Figure = new_figure(8.6, 4.2) if figure is None else figure
    path, circle = drawn.subplots(1, 2)
    drawn.suptitle(caption(f"{data.attrs['system']}: {verdict}"), color=INK)
    x, y = (_values(data, name) for name in names)
    tidy(path)
    path.plot(x, y, color=BLUE, linewidth=1.6)
    path.plot(x[:1], y[:1], "o", color=BLUE, markersize=5)
    path.set_xlabel(axis_label(data, names[0]))
    path.set_ylabel(axis_label(data, names[1]))
    tidy(circle)
    angle = np.linspace(0, 2 * np.pi, 181)
    circle.plot(np.cos(angle), np.sin(angle), color=INK, linewidth=0.8)
    circle.plot(multipliers.real, multipliers.imag, "o", color=ORANGE, markersize=6)
    circle.set_aspect("equal", adjustable="datalim")
    circle.set_xlabel(r"Re $\mu$")
    circle.set_ylabel(r"Im $\mu$")
    return drawn


def _values(data: xr.Dataset, name: str) -> np.ndarray:
    for variable, dimension in (("q", "coordinate"), ("velocity", "direction")):
        if name in data[dimension].values:
            return np.asarray(data[variable].sel({dimension: name}).values)
    raise KeyError(name)
