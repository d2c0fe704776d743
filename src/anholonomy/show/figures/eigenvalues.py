"""Eigenvalues along a family of steady motions over what is followed: growth above, frequency below, stable stretches shaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.show.labels import with_unit
from anholonomy.show.style import BLUE, INK, ORANGE, caption, math, new_figure, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["eigenvalue_figure"]

_CALM = "#E3F1E6"


def eigenvalue_figure(
    data: xr.Dataset,
    critical: Sequence[float] = (),
    figure: Any = None,
    folds: Sequence[float] = (),
    unit: Callable[[str], str] = lambda _: "",
) -> Figure:
    """Draw real and imaginary parts of the eigenvalues, with lines where the stability changes; ``unit`` is that of a name.

    A family that turns back is drawn by one of its states above them, dashed where it is unstable.
    """
    turns = bool((np.diff(data["value"].values) > 0).any() and (np.diff(data["value"].values) < 0).any())
    drawn: Figure = new_figure(6.8, 7.2 if turns else 5.4) if figure is None else figure
    axes = drawn.subplots(
        3 if turns else 2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 3, 2][-3 if turns else 1 :]}
    )
    growth, frequency = axes[-2:]
    if turns:
        _family(axes[0], data, folds, unit)
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
        if not turns:
            _shade(ax, values, data["verdict"].values)
        for value in critical:
            ax.axvline(value, color="#888888", linewidth=0.8, linestyle=":")
    short = turns or bool(unit("growth"))
    growth.set_ylabel(with_unit("growth" if short else "growth (real part)", unit("growth")))
    frequency.set_ylabel(with_unit("frequency" if short else "frequency (imaginary part)", unit("frequency")))
    frequency.set_xlabel(with_unit(math(followed), unit(followed)))
    frequency.set_ylim(bottom=0.0)
    growth.set_ylim(*_window(data["growth"].values))
    if not turns:
        growth.margins(x=0)
    return drawn


def _family(ax: Any, data: xr.Dataset, folds: Sequence[float], unit: Callable[[str], str]) -> None:
    """The coordinate that changes most, with dots where the family folds."""
    tidy(ax)
    states, values = data["state"].values, data["value"].values
    others = [k for k, name in enumerate(data["name"].values) if str(name) != str(data.attrs["followed"])]
    names, spread = data["name"].values, np.ptp(states, axis=0)
    shown = max(others, key=lambda k: (spread[k] > 1e-6 and not str(names[k]).endswith("'"), spread[k]))
    grows = np.asarray([verdict == "unstable" for verdict in data["verdict"].values])
    ax.plot(values, np.where(grows, np.nan, states[:, shown]), color=BLUE, linewidth=1.8)
    ax.plot(values, np.where(grows, states[:, shown], np.nan), color=BLUE, linewidth=1.0, linestyle="--")
    for fold in folds:
        ax.plot([fold], [states[int(np.argmin(np.abs(values - fold))), shown]], "o", color=ORANGE, markersize=5)
    ax.set_ylabel(with_unit(math(str(names[shown])), unit(str(names[shown]))))


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
