"""A chart of a sweep: one number of every member over what was varied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from anholonomy.base.notebook import Shown
from anholonomy.show.picture_files import kept_in_file
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["Chart"]


@final
@dataclass(frozen=True, eq=False)
class Chart(Shown):
    """Values over the axes of a grid, or over samples.

    Attributes
    ----------
    data
        The values; their dimensions are what was varied, or ``member`` for samples, with what was varied as coordinates.
    """

    system: str
    data: xr.DataArray
    varied: tuple[str, ...]
    labels: tuple[str, ...] = ()
    """The sentences that whole numbers stand for, where it is a chart of outcomes."""
    model: Model | None = None
    """The system, whose units the axes have."""
    unit: str = ""
    """That of the values."""

    @kept_in_file
    def plot(self, ax: Any = None) -> Axes:
        """Draw it: a curve over one axis, colours over two, points of samples."""
        from anholonomy.show.figures.chart import plot_chart
        from anholonomy.show.labels import add_units, with_unit

        drawn = plot_chart(self.data, self.system, self.varied, self.labels, ax)
        if self.model is not None:
            add_units(drawn, self.model, self.varied[0], self.varied[1] if len(self.varied) > 1 else "")
        if len(self.varied) == 1:
            drawn.set_ylabel(with_unit(drawn.get_ylabel(), self.unit))
        bar = next((each.colorbar for each in drawn.collections if each.colorbar is not None), None)
        if bar is not None:
            bar.set_label(with_unit(bar.ax.get_ylabel(), self.unit))
        return drawn

    @kept_in_file
    def histogram(self, bins: int = 50, ax: Any = None) -> Axes:
        """Draw how its values are spread."""
        from anholonomy.show.figures.ensemble import plot_histogram
        from anholonomy.show.labels import with_unit

        drawn = plot_histogram(self.data, self.system, bins, ax, is_titled=True)
        drawn.set_xlabel(with_unit(drawn.get_xlabel(), self.unit))
        return drawn

    def __repr__(self) -> str:
        return f"Chart({self.data.name!r} of {self.system!r} over {', '.join(self.varied)}: {' x '.join(map(str, self.data.shape))})"
