"""A field over space and time, and its film."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import FileError, quoted
from anholonomy.base.files import writing
from anholonomy.show.picture_files import save_picture
from anholonomy.show.style import BLUE, math, new_figure, tidy

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["animate_field", "plot_field"]

_FRAMES = 120
"""Pictures of a film of a field."""


def plot_field(data: xr.Dataset, path: str | Path | None = None) -> list[Axes]:
    """Draw each field: space against time, a curve where there is one parameter, snapshots of sheets; kept in a file if one is named."""
    names = _fields(data)
    widths = max(len(_sheets(data[name])) for name in names)
    figure = new_figure(3.6 * widths + 0.6, 3.2 * len(names))
    panels: list[Axes] = []
    for row, name in enumerate(names):
        sheets = _sheets(data[name])
        for column, (title, sheet) in enumerate(sheets):
            ax = figure.add_subplot(len(names), widths, row * widths + column + 1)
            _drawn(ax, sheet, name)
            ax.set_title(title or math(name), fontsize=9)
            panels.append(ax)
    if path is not None:
        save_picture(figure, Path(path))
    return panels


def _fields(data: xr.Dataset) -> list[str]:
    """The variables over all dimensions, rates left out."""
    if not hasattr(data, "data_vars") or not len(data):
        raise FileError(f"{quoted(data)} is no motion of a field; give what `solve` or `stationary` returned.")
    most = max(value.ndim for value in data.values())
    whole = [str(name) for name, value in data.items() if value.ndim == most]
    return [name for name in whole if not any(name.startswith(f"{other}_") for other in whole if other != name)]


def _sheets(values: xr.DataArray) -> list[tuple[str, xr.DataArray]]:
    if values.ndim < 3:
        return [("", values)]
    time = values.dims[0]
    places = np.linspace(0, values.sizes[time] - 1, 3).astype(int)
    return [(f"{time} = {float(values[time][k]):.3g}", values.isel({time: int(k)})) for k in places]


def _drawn(ax: Axes, values: xr.DataArray, name: str) -> None:
    tidy(ax)
    if values.ndim == 1:
        ax.plot(values[values.dims[0]], values, color=BLUE)
        ax.set_xlabel(math(str(values.dims[0])))
        return
    down, across = map(str, values.dims)
    size = float(np.nanmax(np.abs(values))) or 1.0
    drawn = ax.pcolormesh(values[across], values[down], values, cmap="RdBu_r", vmin=-size, vmax=size, shading="auto")
    ax.set_xlabel(math(across))
    ax.set_ylabel(math(down))
    ax.get_figure().colorbar(drawn, ax=ax, label=math(name))  # type: ignore[union-attr]


def animate_field(data: xr.Dataset, path: str | Path) -> Path:
    """A film of the first field as a .gif: a string that moves, or a sheet seen from above its corner."""
    from matplotlib.animation import FuncAnimation, PillowWriter

    if Path(path).suffix.lower() != ".gif":
        raise FileError(f"{path} is no film of a field; give a name that ends in .gif.")
    name = _fields(data)[0]
    values = data[name]
    figure = new_figure(5.2, 3.6)
    places = np.unique(np.linspace(0, values.sizes[values.dims[0]] - 1, _FRAMES).astype(int))
    draw = _string(figure, values, name) if values.ndim == 2 else _sheet(figure, values, name)
    film = FuncAnimation(figure, lambda k: draw(int(places[k])), frames=len(places))
    with writing(path) as partial:
        film.save(str(partial), writer=PillowWriter(fps=30))
    return Path(path)


def _string(figure: Any, values: xr.DataArray, name: str) -> Any:
    ax = figure.add_subplot()
    tidy(ax)
    (line,) = ax.plot(values[values.dims[1]], values[0], color=BLUE)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    margin = 0.05 * (high - low) or 1.0
    ax.set_ylim(low - margin, high + margin)
    ax.set_xlabel(math(str(values.dims[1])))
    ax.set_ylabel(math(name))

    def draw(k: int) -> Any:
        line.set_ydata(values[k])
        return (line,)

    return draw


def _sheet(figure: Any, values: xr.DataArray, name: str) -> Any:
    ax = figure.add_subplot(projection="3d")
    x, y = np.meshgrid(values[values.dims[1]], values[values.dims[2]], indexing="ij")
    low, high = float(np.nanmin(values)), float(np.nanmax(values))

    def draw(k: int) -> Any:
        ax.clear()
        ax.plot_surface(x, y, values[k].values, cmap="viridis", vmin=low, vmax=high)
        ax.set_zlim(low, high)
        ax.set_xlabel(math(str(values.dims[1])))
        ax.set_ylabel(math(str(values.dims[2])))
        ax.set_zlabel(math(name))

    return draw
