"""Eigenvalues of a family of steady motions over what is followed: growth above, frequency below, stable stretches shaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.show.style import BLUE, INK, ORANGE, caption, math, new_figure, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["eigenvalue_figure"]

_CALM = "#E3F1E6"


def eigenvalue_figure(data: xr.Dataset, critical: Sequence[float] = (), figure: Any = None) -> Figure:
    """Draw real and imaginary parts of the eigenvalues, with lines where the stability changes."""
    drawn: Figure = new_figure(6.8, 5.4) if figure is None else figure
    growth, frequency = drawn.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 2]})
    values, followed = data["value"].values, str(data.attrs["followed"])
    drawn.suptitle(caption(str(data.attrs["system"])), color=INK)
    for ax, name, colour in ((growth, "growth", BLUE), (frequency, "frequency", ORANGE)):
        tidy(ax)
        shown = data[name].values
        oscillating = np.abs(data["frequency"].values) > 1e-9
        ax.plot(values, np.where(oscillating, shown, np.nan), color=colour, linewidth=1.6)
        if name == "growth":
            ax.plot(values, np.where(oscillating, np.nan, shown), color=colour, linewidth=1.2, linestyle="--")
            ax.axhline(0.0, color=INK, linewidth=0.8)
        _shade(ax, values, data["verdict"].values)
        for value in critical:
            ax.axvline(value, color="#888888", linewidth=0.8, linestyle=":")
    growth.set_ylabel("growth (real part)")
    frequency.set_ylabel("frequency (imaginary part)")
    frequency.set_xlabel(math(followed))
    frequency.set_ylim(bottom=0.0)
    growth.set_ylim(*_window(data["growth"].values))
    growth.margins(x=0)
    return drawn


def _window(growth: np.ndarray) -> tuple[float, float]:
    """Heights that show what happens near zero: a mode that decays at once would flatten the others."""
    top = max(float(growth.max()), 1e-9)
    near = growth[growth > -3 * max(top, float(np.median(np.abs(growth))))]
    bottom = float(near.min()) if near.size else float(growth.min())
    pad = 0.08 * (top - bottom)
    return bottom - pad, top + pad


def _shade(ax: Any, values: np.ndarray, verdicts: np.ndarray) -> None:
    """A pale ground where nothing grows."""
    calm = np.asarray([verdict != "unstable" for verdict in verdicts])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], calm, [False]]).astype(int)))
    for low, high in edges.reshape(-1, 2):
        ax.axvspan(values[low], values[high - 1], color=_CALM, linewidth=0)
