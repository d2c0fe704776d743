"""How the energy departs from its initial value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.show.pictures import kept_in_file
from anholonomy.show.style import canvas, curve_style, dot_style
from anholonomy.show.text.conservation import must_keep_energy
from anholonomy.show.units import axis_label

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_energy"]


@kept_in_file
def plot_energy(data: xr.Dataset, ax: Axes | None = None) -> Axes:
    r"""Draw $(E - E_0)/|E_0|$ against time, or $E - E_0$ where the motion starts without energy.

    It is called a drift where the energy must be conserved.
    """
    ax = canvas(data, ax)
    if "energy" not in data:
        ax.set_title("no Lagrangian, no energy")
        return ax
    energy = data["energy"].values
    start = abs(energy[0])
    kept = must_keep_energy(data)
    style = dot_style(energy.size) if kept else curve_style(0)
    ax.plot(data["time"].values, (energy - energy[0]) / (start or 1.0), **style)
    ax.set_xlabel(axis_label(data, "t"))
    change = "energy drift" if kept else "energy change"
    ax.set_ylabel(f"relative {change}" if start else change)
    ax.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3), useMathText=True, useOffset=False)
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)
    return ax
