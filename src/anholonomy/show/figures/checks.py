"""How well a motion was computed, in one small panel: energy drift and constraint residual, on a logarithmic scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from anholonomy.show.figures.residual import FLOOR, mark_zero
from anholonomy.show.style import BLUE, INK, ORANGE, canvas, dot_style
from anholonomy.show.text.conservation import must_keep_energy
from anholonomy.show.units import axis_label

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_checks"]


def plot_checks(data: xr.Dataset, ax: Axes | None = None) -> Axes:
    r"""Draw $|E - E_0|/|E_0|$, where the energy must be conserved, and the largest $|\varphi^\nu|$ against time."""
    ax = canvas(data, ax, height=2.0)
    ax.set_xlabel(axis_label(data, "t"))
    ax.set_ylabel("errors")
    errors = _errors(data)
    if not errors:
        ax.text(0.5, 0.5, "nothing to check", transform=ax.transAxes, ha="center", va="center", color=INK)
        ax.set(xticks=[], yticks=[])
        return ax
    times = data["time"].values
    for colour, (label, sizes) in zip((BLUE, ORANGE), errors.items(), strict=False):
        ax.plot(times, np.maximum(sizes, FLOOR), label=label, **dot_style(times.size, colour))
    ax.set_yscale("log")
    largest = max(float(np.nanmax(sizes, initial=0.0, where=np.isfinite(sizes))) for sizes in errors.values())
    # Room for the names above the points: beside them they would make everything narrower.
    ax.set_ylim(FLOOR / 3, 1e3 * max(1e-15, largest))
    ax.legend(loc="upper right", frameon=False, ncols=2, handletextpad=0.2, borderaxespad=0.0, markerscale=2.5)
    if any((sizes == 0).any() for sizes in errors.values()):
        mark_zero(ax, FLOOR)
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)
    return ax


def _errors(data: xr.Dataset) -> dict[str, np.ndarray]:
    found = {}
    if "energy" in data and must_keep_energy(data):
        energy = data["energy"].values
        found["energy drift"] = abs(energy - energy[0]) / (abs(energy[0]) or 1.0)
    if "residual" in data:
        found["residual"] = abs(data["residual"].values).max(axis=1)
    return found
