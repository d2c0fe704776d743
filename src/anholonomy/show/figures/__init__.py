"""The figures. Each takes a dataset of `anholonomy.simulate.trajectories.schema` and returns its axes; a new one is one new file."""

from __future__ import annotations

from anholonomy.show.figures.checks import plot_checks
from anholonomy.show.figures.chosen import plot_chosen
from anholonomy.show.figures.energy import plot_energy
from anholonomy.show.figures.fit import plot_fit
from anholonomy.show.figures.motion import plot_motion
from anholonomy.show.figures.path import plot_path
from anholonomy.show.figures.phase import plot_phase, plot_portrait
from anholonomy.show.figures.plan import plot_plan
from anholonomy.show.figures.residual import plot_residual
from anholonomy.show.figures.series import plot_series
from anholonomy.show.figures.two_times import plot_two_times
from anholonomy.show.figures.velocities import plot_velocities

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
