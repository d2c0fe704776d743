"""A closed orbit in the plane of two of its variables, and its multipliers beside the unit circle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.show.figures.path import values_of
from anholonomy.show.labels import axis_label
from anholonomy.show.style import BLUE, INK, ORANGE, DrawnMotion, caption, new_figure, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["orbit_figure"]


def orbit_figure(
    motion: DrawnMotion, names: tuple[str, str], multipliers: np.ndarray, verdict: str, figure: Any = None
) -> Figure:
    """Draw the orbit on the left, the multipliers on the right."""
    drawn: Figure = new_figure(8.6, 4.2) if figure is None else figure
    path, circle = drawn.subplots(1, 2)
    drawn.suptitle(caption(f"{motion.data.attrs['system']}: {verdict}"), color=INK)
    x, y = (values_of(motion.data, name) for name in names)
    tidy(path)
    path.plot(x, y, color=BLUE, linewidth=1.6)
    path.plot(x[:1], y[:1], "o", color=BLUE, markersize=5)
    path.set_xlabel(axis_label(motion.model, names[0]))
    path.set_ylabel(axis_label(motion.model, names[1]))
    tidy(circle)
    angle = np.linspace(0, 2 * np.pi, 181)
    circle.plot(np.cos(angle), np.sin(angle), color=INK, linewidth=0.8)
    circle.plot(multipliers.real, multipliers.imag, "o", color=ORANGE, markersize=6)
    circle.set_aspect("equal", adjustable="datalim")
    circle.set_xlabel(r"Re $\mu$")
    circle.set_ylabel(r"Im $\mu$")
    return drawn
