"""The list of figures of one motion.

The figures. Each takes a dataset of `anholonomy.motion.dataset.one_motion` and returns its axes; a new one is one new file.
"""

from __future__ import annotations

from anholonomy.show.figures.fit import plot_fit
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
from anholonomy.show.figures.phase_portrait import plot_phase, plot_portrait
from anholonomy.show.figures.plan import plot_plan
from anholonomy.show.figures.two_times import plot_two_times

__all__ = [
    "plot_chosen",
    "plot_checks",
    "plot_energy",
    "plot_fit",
    "plot_motion",
    "plot_path",
    "plot_phase",
    "plot_plan",
    "plot_portrait",
    "plot_residual",
    "plot_series",
    "plot_two_times",
    "plot_velocities",
]
