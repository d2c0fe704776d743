"""Figures: each file draws one kind of thing and returns the axes. Those listed here draw a motion; a new one is one new file."""

from __future__ import annotations

from anholonomy.show.figures.motion import plot_motion
from anholonomy.show.figures.over_time import (
    plot_checks,
    plot_chosen,
    plot_energy,
    plot_residual,
    plot_series,
    plot_velocities,
)
from anholonomy.show.figures.path import plot_path
from anholonomy.show.figures.phase_portrait import plot_phase

__all__ = [
    "plot_motion",
    "plot_path",
    "plot_series",
    "plot_velocities",
    "plot_phase",
    "plot_chosen",
    "plot_energy",
    "plot_residual",
    "plot_checks",
]
