"""Curves over time: coordinates, velocities, chosen quantities, energy, residuals, and the two errors in one panel."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import NotSupportedError, quoted
from anholonomy.base.tolerances import NOTHING
from anholonomy.show.labels import axis_label, unit_in, with_unit
from anholonomy.show.panels import FLAT
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import (
    BLUE,
    COLOURS,
    INK,
    ORANGE,
    DrawnMotion,
    canvas,
    caption,
    curve_style,
    dot_style,
    math,
    new_figure,
    refuse_unless_motion,
)

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = [
    "FLOOR",
    "draw_curves",
    "name_beside",
    "plot_checks",
    "plot_chosen",
    "plot_energy",
    "plot_residual",
    "plot_series",
    "plot_velocities",
]


# Several curves over time, named beside the axes where they hide nothing: coordinates, velocities.


_ROWS = 12
"""Names that fit beside a small figure before a second column is needed."""


def draw_curves(ax: Axes, values: xr.DataArray, dimension: str) -> None:
    """One curve for each entry of ``dimension``, which has the names."""
    times = values["time"].values
    for index, name in enumerate(str(n) for n in values[dimension].values):
        ax.plot(times, values.sel({dimension: name}).values, label=math(name), **curve_style(index))
    name_beside(ax)
    ax.set_xlabel(math("t"))
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)


def name_beside(ax: Axes) -> None:
    """The legend at the right of the axes."""
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(
        handles,
        labels,
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        frameon=False,
        handlelength=1.4,
        markerscale=2.5,
        ncols=1 + (len(handles) - 1) // _ROWS,
    )


def plot_series(
    motion: DrawnMotion, ax: Axes | None = None, coordinates: Sequence[str] | None = None, label: str = "coordinates"
) -> Axes:
    """Draw coordinates against time, by default every one."""
    ax = canvas(motion, ax)
    q = motion.data["q"]
    chosen = q if coordinates is None else q.sel(coordinate=list(coordinates))
    draw_curves(ax, chosen, "coordinate")
    ax.set_xlabel(axis_label(motion.model, "t"))
    ax.set_ylabel(label)
    return ax


@kept_in_file
def plot_velocities(motion: DrawnMotion, ax: Axes | None = None) -> Axes:
    """Draw every velocity of the system's frame against time."""
    ax = canvas(motion, ax)
    draw_curves(ax, motion.data["velocity"], "direction")
    ax.set_xlabel(axis_label(motion.model, "t"))
    ax.set_ylabel("velocities")
    return ax


# Quantities of one's choice over time.


@kept_in_file
def plot_chosen(
    motion: DrawnMotion,
    curves: Mapping[str, xr.DataArray],
    ax: Any = None,
    units: Mapping[str, str] | None = None,
    label: str = "",
    kinds: Mapping[str, str] | None = None,
) -> Any:
    """Draw curves over the time of a motion, those of similar size in one panel, and return the array of axes.

    One axes, if given, gets all of them and is returned. A path of a file instead keeps the new figure. Curves of different ``units`` or
    ``kinds`` do not share a panel; ``label`` says what they are.
    """
    units = {name: unit_in(motion.model, name) for name in curves} if units is None else units
    if wrong := [name for name, curve in curves.items() if curve.dims != ("time",)]:
        raise NotSupportedError(
            f"{wrong[0]!r} is several curves or none over time; name one, such as 'lambda1' for a multiplier."
        )
    if ax is not None:
        if not hasattr(ax, "plot"):
            raise NotSupportedError(
                f"chosen quantities cannot be drawn into {quoted(ax)}; give one axes of Matplotlib, or a file."
            )
        return _draw(canvas(motion, ax), curves, axis_label(motion.model, "t"), _side(label, curves, units))
    refuse_unless_motion(motion)
    groups = _panels(curves, {name: (units.get(name, ""), (kinds or {}).get(name, "")) for name in curves})
    figure = new_figure(8.0, max(3.6, 2.2 * len(groups)))
    figure.suptitle(caption(str(motion.data.attrs["system"])), color=INK)
    axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    for place, group in zip(axes, groups, strict=True):
        chosen = {name: curves[name] for name in curves if name in group}
        _draw(canvas(motion, place), chosen, axis_label(motion.model, "t"), _side(label, chosen, units))
        place.label_outer()
    return axes


def _side(label: str, curves: Mapping[str, xr.DataArray], units: Mapping[str, str]) -> str:
    """What a panel shows, with the unit that its curves share."""
    shared = {units.get(name, "") for name in curves}
    return with_unit(label, shared.pop() if len(shared) == 1 else "").strip()


def _panels(curves: Mapping[str, xr.DataArray], sorts: Mapping[str, object]) -> list[list[str]]:
    """In the order of choice, each curve in the first panel where neither it nor another would look flat."""
    groups: list[list[str]] = []
    for name in curves:
        alike = (group for group in groups if sorts[group[0]] == sorts[name])
        fitting = (group for group in alike if _shares([curves[each] for each in (*group, name)]))
        group = next(fitting, None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


def _shares(curves: Sequence[xr.DataArray]) -> bool:
    ranges = [_range(curve) for curve in curves]
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    return all(high - low <= FLAT * (above - below) for below, above in ranges)


def _range(curve: xr.DataArray) -> tuple[float, float]:
    """The least and the greatest value; one and the same where they differ by rounding."""
    finite = curve.values[np.isfinite(curve.values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    return (low, high) if high - low > NOTHING * max(abs(low), abs(high)) else (low, low)


def _draw(ax: Axes, curves: Mapping[str, xr.DataArray], across: str, up: str) -> Axes:
    for index, (name, curve) in enumerate(curves.items()):
        label = math(name) if re.fullmatch(r"\w+'*", name) else caption(name)
        ax.plot(curve["time"].values, curve.values, label=label, **curve_style(index))
    ranges = {_range(curve) for curve in curves.values()}
    if len(ranges) == 1 and (value := next(iter(ranges)))[0] == value[1]:
        room = abs(value[0]) / 10 or 1.0
        ax.set_ylim(value[0] - room, value[0] + room)  # rounding should not fill the panel
    name_beside(ax)
    ax.set_xlabel(across)
    ax.set_ylabel(up)
    ax.margins(x=0)
    return ax


# How well a motion was computed: the energy and the constraints, each by itself, and the largest errors in one small panel.


@kept_in_file
def plot_energy(motion: DrawnMotion, ax: Axes | None = None) -> Axes:
    r"""Draw $(E - E_0)/|E_0|$ against time, or $E - E_0$ where the motion starts without energy.

    It is called a drift where the energy must be conserved.
    """
    ax, data = canvas(motion, ax), motion.data
    if "energy" not in data:
        ax.set_title("no Lagrangian, no energy")
        return ax
    energy = data["energy"].values
    start = abs(energy[0])
    kept = motion._keeps_energy
    style = dot_style(energy.size) if kept else curve_style(0)
    ax.plot(data["time"].values, (energy - energy[0]) / (start or 1.0), **style)
    ax.set_xlabel(axis_label(motion.model, "t"))
    change = "energy drift" if kept else "energy change"
    ax.set_ylabel(f"relative {change}" if start else change)
    ax.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3), useMathText=True, useOffset=False)
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)
    return ax


FLOOR = 1e-17
"""Where a residual of exactly zero is drawn, or a decade below the least of the others: zero has no logarithm."""


def plot_residual(motion: DrawnMotion, ax: Axes | None = None) -> Axes:
    """Draw the absolute residual of every constraint against time, on a logarithmic scale."""
    ax, data = canvas(motion, ax), motion.data
    ax.set_xlabel(axis_label(motion.model, "t"))
    ax.set_ylabel("constraint residual")
    if "residual" not in data:
        ax.text(0.5, 0.5, "no constraints", transform=ax.transAxes, ha="center", va="center", color=INK)
        ax.set(xticks=[], yticks=[])
        return ax
    times, sizes = data["time"].values, np.abs(data["residual"].values)
    floor = max(float(np.min(sizes, where=sizes > 0, initial=10 * FLOOR)) / 10, 1e-300)
    for index, label in enumerate(str(c) for c in data["constraint"].values):
        style = dot_style(times.size, COLOURS[index % len(COLOURS)])
        ax.plot(times, np.maximum(sizes[:, index], floor), label=caption(label), **style)
    ax.set_yscale("log")
    # A decade around the points: a single value would leave the axis without a tick.
    ax.set_ylim(floor / 3, 10 * max(floor, float(np.nanmax(sizes, initial=0.0, where=np.isfinite(sizes)))))
    if (sizes == 0).any():
        _mark_zero(ax, floor)
    name_beside(ax)
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)
    return ax


def _mark_zero(ax: Axes, floor: float) -> None:
    """Say where zero is drawn: at the axis, since a word among the points would be hidden by them or hide some."""
    ax.axhline(floor, color="#888888", linewidth=0.6, linestyle=":", zorder=1)
    powers = [tick for tick in ax.get_yticks() if 5 * floor < tick <= ax.get_ylim()[1]]
    ax.set_yticks([floor, *powers], ["0", *(f"$10^{{{round(np.log10(tick))}}}$" for tick in powers)])


def plot_checks(motion: DrawnMotion, ax: Axes | None = None) -> Axes:
    r"""Draw $|E - E_0|/|E_0|$, where the energy must be conserved, and the largest $|\varphi^\nu|$ against time."""
    ax = canvas(motion, ax, height=2.0)
    ax.set_xlabel(axis_label(motion.model, "t"))
    ax.set_ylabel("errors")
    errors = _errors(motion)
    if not errors:
        ax.text(0.5, 0.5, "nothing to check", transform=ax.transAxes, ha="center", va="center", color=INK)
        ax.set(xticks=[], yticks=[])
        return ax
    times = motion.data["time"].values
    for colour, (label, sizes) in zip((BLUE, ORANGE), errors.items(), strict=False):
        ax.plot(times, np.maximum(sizes, FLOOR), label=label, **dot_style(times.size, colour))
    ax.set_yscale("log")
    largest = max(float(np.nanmax(sizes, initial=0.0, where=np.isfinite(sizes))) for sizes in errors.values())
    # Room for the names above the points: beside them they would make everything narrower.
    ax.set_ylim(FLOOR / 3, 1e3 * max(1e-15, largest))
    ax.legend(loc="upper right", frameon=False, ncols=2, handletextpad=0.2, borderaxespad=0.0, markerscale=2.5)
    if any((sizes == 0).any() for sizes in errors.values()):
        _mark_zero(ax, FLOOR)
    ax.margins(x=0)
    ax.locator_params(axis="x", nbins=8)
    return ax


def _errors(motion: DrawnMotion) -> dict[str, np.ndarray]:
    data, found = motion.data, {}
    if "energy" in data and motion._keeps_energy:
        energy = data["energy"].values
        found["energy drift"] = abs(energy - energy[0]) / (abs(energy[0]) or 1.0)
    if "residual" in data:
        found["residual"] = abs(data["residual"].values).max(axis=1)
    return found
