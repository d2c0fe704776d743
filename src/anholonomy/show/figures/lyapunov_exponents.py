"""Lyapunov exponents: averages of growth over a logarithmic axis of time, which are the exponents once they no longer move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anholonomy.show.labels import with_unit
from anholonomy.show.style import INK, axes_or_new, caption, curve_style, math

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_exponents"]


def plot_exponents(data: xr.Dataset, ax: Any = None, units: tuple[str, str] = ("", "")) -> Axes:
    """Draw each exponent's average up to a time against it; ``units`` are those of time and growth."""
    drawn = axes_or_new(ax, 6.4, 3.6)
    for k, number in enumerate(data["number"].values):
        drawn.plot(data["time"], data["exponent"].sel(number=number), label=str(number), **curve_style(k))
    drawn.axhline(0.0, color=INK, linewidth=0.8)
    drawn.set_xscale("log")
    drawn.margins(x=0)
    drawn.set_xlabel(with_unit(math("t"), units[0]))
    drawn.set_ylabel(with_unit("average growth", units[1]))
    drawn.set_title(caption(str(data.attrs["system"])), color=INK)
    return drawn
