"""A chart of one number over one or two varied quantities, on a grid or over samples, with a key of its colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.show.style import COLOURS, INK, axes_or_new, caption, curve_style, math

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_chart"]


def plot_chart(
    data: xr.DataArray, system: str, varied: Sequence[str], labels: Sequence[str] = (), ax: Any = None
) -> Axes:
    """Draw values over what was varied: a curve, colours, or points; whole numbers with ``labels`` get a colour each."""
    drawn = axes_or_new(ax, 6.8, 4.8)
    drawn.grid(visible=False)
    title = system if labels else f"{system}: {data.name}"
    drawn.set_title(caption(title), color=INK)
    if len(varied) == 1:
        drawn.plot(
            data[varied[0]].values,
            data.values,
            **({"linestyle": "none", "marker": "."} if data.dims == ("member",) else curve_style(0)),
        )
        drawn.set_xlabel(math(varied[0]))
        drawn.set_ylabel(caption(str(data.name)))
        return drawn
    first, second = varied[:2]
    colours = _colours(data, labels)
    if data.dims == ("member",):
        image: Any = drawn.scatter(data[first].values, data[second].values, c=data.values, s=8, **colours)
    else:
        image = drawn.pcolormesh(
            data[first].values, data[second].values, data.values.T, shading="nearest", rasterized=True, **colours
        )
    drawn.set_xlabel(math(first))
    drawn.set_ylabel(math(second))
    if labels:
        from matplotlib.patches import Patch

        keys = [Patch(color=COLOURS[k % len(COLOURS)], label=caption(said)) for k, said in enumerate(labels)]
        drawn.legend(handles=keys, loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize="small", frameon=False)
    else:
        drawn.figure.colorbar(image, ax=drawn, label=caption(str(data.name)))
    return drawn


def _colours(data: xr.DataArray, labels: Sequence[str]) -> dict[str, Any]:
    """A colour a label; otherwise a scale, two-sided about zero where values have both signs."""
    if labels:
        from matplotlib.colors import ListedColormap

        shown = [COLOURS[k % len(COLOURS)] for k in range(len(labels))]
        return {"cmap": ListedColormap(shown), "vmin": -0.5, "vmax": len(labels) - 0.5}
    values = data.values[np.isfinite(data.values)]
    if not values.size:
        return {}
    low, high = float(values.min()), float(values.max())
    # What is zero but for a part in fifty has one sign.
    if min(-low, high) > 0.02 * max(-low, high):
        top = float(np.quantile(np.abs(values), 0.998)) or 1.0
        return {"cmap": "RdBu_r", "vmin": -top, "vmax": top}
    return {"cmap": "viridis", "vmin": float(np.quantile(values, 0.002)), "vmax": float(np.quantile(values, 0.998))}
