"""A sweep as users see it: an ensemble that knows what was varied, and its charts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.base.errors import BrokenFile, SyntaxProblem, UnknownName
from anholonomy.base.files import path_of
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import HALF
from anholonomy.language.arguments import finite
from anholonomy.language.suggestions import did_you_mean
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.motion.ensemble import Ensemble
from anholonomy.show.picture_files import kept_in_file
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["Chart", "Sweep"]


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


@final
@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Ensemble):
    """Motions over values of parameters and starts, with one number of each where it was reduced.

    >>> import numpy as np
    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> runs = chaplygin_sleigh().sweep(over={"a": np.linspace(0.1, 0.3, 5), "theta'": np.linspace(-2, 2, 7)},
    ...                                 start={"x": 0, "y": 0, "theta": 0, "x'": 1}, until=20, reduce={"final speed": "u"})
    >>> runs.chart("final speed")
    Chart('final speed' of 'Chaplygin sleigh' over a, theta': 5 x 7)
    """

    @property
    def varied(self) -> tuple[str, ...]:
        """What was varied."""
        return tuple(json.loads(self.data.attrs.get("varied", "[]")))

    @property
    def axes(self) -> dict[str, Any]:
        """The values of a grid; empty for samples and lists."""
        return {name: np.array(values) for name, values in json.loads(self.data.attrs.get("axes", "{}")).items()}

    def chart(self, name: str, **at: float) -> Chart:
        """One number of every member over what was varied: a reduction, ``"outcome"``, or the last value of what was kept.

        Of more than two axes, ``at`` holds the others: ``chart("final speed", b=0.5)`` takes the nearest value, which the title says.
        """
        import xarray as xr

        if not self.varied:
            raise UnknownName(
                f"{self.data.attrs['system']}: nothing was varied, so a chart has no axes; draw the ensemble with plot or histogram."
            )
        labels: tuple[str, ...] = ()
        if name == "outcome":
            kinds = [re.sub(r" \(t = [^)]*\)| at t = [-+.e\d]+", "", said) for said in self.outcome]
            labels = tuple(dict.fromkeys(kinds))
            values = np.array([labels.index(kind) for kind in kinds], dtype=float)
        else:
            found = self._found(name)
            values = np.asarray((found.isel(time=-1) if "time" in found.dims else found).values, dtype=float)
        axes, system, unit = self.axes, str(self.data.attrs["system"]), "" if labels else self.unit(name)
        if at and not axes:
            raise UnknownName(
                f"{system}: {next(iter(at))} is no axis, since members are a list or samples; leave it out."
            )
        if not axes:
            columns = {each: ("member", self._column(each)) for each in self.varied}
            return Chart(
                system,
                xr.DataArray(values, dims=("member",), coords=columns, name=name),
                self.varied,
                labels,
                self.model,
                unit,
            )
        shape = [axis.size for axis in axes.values()]
        data = xr.DataArray(values.reshape(shape), dims=list(axes), coords=axes, name=name)
        if unknown := [each for each in at if each not in axes]:
            raise UnknownName(f"{system}: {unknown[0]} was not varied; there are {', '.join(axes)}.")
        held = {each: _nearest(system, each, axes[each], value) for each, value in at.items()}
        data = data.isel(held) if held else data
        if data.ndim > 2:
            raise UnknownName(
                f"a chart has two axes, and {', '.join(map(str, data.dims))} were varied; hold others, as in {data.dims[-1]}=0."
            )
        said = "".join(f", {each} = {axes[each][k]:.6g}" for each, k in held.items())
        return Chart(system + said, data, tuple(map(str, data.dims)), labels, self.model, unit)

    def _found(self, name: str) -> xr.DataArray:
        """What is called so; where nothing is, the nearest name of what was made of the members."""
        try:
            return self[name]
        except (UnknownName, SyntaxProblem) as problem:
            made = [str(each) for each, values in self.data.data_vars.items() if values.dims == ("member",)]
            said = did_you_mean(name, {*made, "outcome"} - {"complete", "stop_time"})
            if not said:
                raise
            raise UnknownName(
                f"{self.data.attrs['system']}: nothing is called {str(name)!r:.60}; {said.rstrip()}"
            ) from problem

    def _column(self, name: str) -> Any:
        """What was varied, a value for each member; its path may have been kept under the same name."""
        if "start" in self.data and name in self.data["start_name"].values:
            return self.data["start"].sel(start_name=name).values
        if name in self.data.coords:
            return self.data[name].values
        common = parameters_of(self.data) | json.loads(self.data.attrs["start"])
        return np.full(len(self), float(common[name]))

    @classmethod
    def open(cls, path: str | Path, system: Model | None = None) -> Sweep:
        """The sweep in a store, as far as it has come; read when it is used."""
        from anholonomy.motion.sweeps.run import stored
        from anholonomy.motion.sweeps.store import MANIFEST

        place = path_of(path)
        if not (place / MANIFEST).is_file():
            raise BrokenFile(f"{place} is no store of a sweep; give the folder that one was written to.")
        return cls.of(stored(place), str(place), system)


def _nearest(system: str, name: str, axis: Any, value: Any) -> int:
    """The place in an axis that is nearest to a value, which must not lie farther outside than its neighbours lie apart."""
    number = finite(value)
    place = 0 if number is None else int(np.argmin(np.abs(axis - number)))
    gap = np.abs(np.diff(np.sort(axis))).max(initial=0.0) / 2
    if number is None or abs(axis[place] - number) > max(gap, HALF * abs(number)):
        some = f"{axis.min():g} … {axis.max():g}" if axis.size > 1 else f"{axis[0]:g}"
        raise UnknownName(
            f"{system}: {name} = {value!r:.40} is none of its values, which are {some}; hold one of these."
        )
    return place
