"""Quantities of one's choice over time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.refusals import NotCovered
from anholonomy.show.curves import name_beside
from anholonomy.show.panels import FLAT
from anholonomy.show.pictures import kept_in_file
from anholonomy.show.style import INK, canvas, caption, curve_style, math, new_figure, refuse_unless_motion
from anholonomy.show.units import axis_label, unit_of, with_unit
from anholonomy.tolerances import NOTHING

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["plot_chosen"]


@kept_in_file
def plot_chosen(
    data: xr.Dataset,
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
    units = {name: unit_of(data, name) for name in curves} if units is None else units
    if wrong := [name for name, curve in curves.items() if curve.dims != ("time",)]:
        raise NotCovered(
            f"{wrong[0]!r} is several curves or none over time; name one, such as 'lambda1' for a multiplier."
        )
    if ax is not None:
        if not hasattr(ax, "plot"):
            raise NotCovered(
                f"chosen quantities cannot be drawn into {ax!r:.60}; give one axes of Matplotlib, or a file."
            )
        return _draw(canvas(data, ax), curves, axis_label(data, "t"), _side(label, curves, units))
    refuse_unless_motion(data)
    groups = _panels(curves, {name: (units.get(name, ""), (kinds or {}).get(name, "")) for name in curves})
    figure = new_figure(8.0, max(3.6, 2.2 * len(groups)))
    figure.suptitle(caption(str(data.attrs["system"])), color=INK)
    axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    for place, group in zip(axes, groups, strict=True):
        chosen = {name: curves[name] for name in curves if name in group}
        _draw(canvas(data, place), chosen, axis_label(data, "t"), _side(label, chosen, units))
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
