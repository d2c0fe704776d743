"""How values are spread over the members of an ensemble."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.show.style import INK, caption, curve_style, math, new_figure, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_histogram"]


def plot_histogram(
    values: xr.DataArray, system: str, bins: int = 50, ax: Any = None, *, is_titled: bool = False
) -> Axes:
    """Draw how many members have which value, whose name is a title or mathematics; those without one are counted in the title."""
    drawn: Axes = new_figure(6.4, 3.6).add_subplot() if ax is None else ax
    tidy(drawn)
    numbers = np.asarray(values.values, dtype=float).ravel()
    finite = numbers[np.isfinite(numbers)]
    drawn.hist(finite, bins=bins, color=curve_style(0)["color"])
    drawn.set_xlabel((caption if is_titled else math)(str(values.name)))
    drawn.set_ylabel("members")
    lost = numbers.size - finite.size
    drawn.set_title(caption(system) + (f"\n{lost} members have no value" if lost else ""), color=INK)
    return drawn
