"""A sweep as a noun: an ensemble that knows what was varied."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.disk import path_of
from anholonomy.ensembles.ensemble import Ensemble
from anholonomy.ensembles.sweep.chart import Chart
from anholonomy.refusals import BrokenFile, UnknownName
from anholonomy.system.model import Model

if TYPE_CHECKING:
    pass

__all__ = ["Sweep"]


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
        return tuple(json.loads(self.data.attrs["varied"]))

    @property
    def axes(self) -> dict[str, Any]:
        """The values of a grid; empty for samples and lists."""
        return {name: np.array(values) for name, values in json.loads(self.data.attrs["axes"]).items()}

    def chart(self, name: str, **at: float) -> Chart:
        """One number of every member over what was varied: a reduction, ``"outcome"``, or the last value of what was kept.

        Of more than two axes, ``at`` holds the others: ``chart("final speed", b=0.5)`` takes the nearest value.
        """
        import xarray as xr

        labels: tuple[str, ...] = ()
        if name == "outcome":
            kinds = [re.sub(r" \(t = [^)]*\)| at t = [-+.e\d]+", "", said) for said in self.outcome]
            labels = tuple(dict.fromkeys(kinds))
            values = np.array([labels.index(kind) for kind in kinds], dtype=float)
        else:
            found = self[name]
            values = np.asarray((found.isel(time=-1) if "time" in found.dims else found).values, dtype=float)
        axes, system = self.axes, str(self.data.attrs["system"])
        if not axes:
            columns = {each: ("member", self._column(each)) for each in self.varied}
            return Chart(
                system,
                xr.DataArray(values, dims=("member",), coords=columns, name=name),
                self.varied,
                labels,
                self.model,
            )
        shape = [axis.size for axis in axes.values()]
        data = xr.DataArray(values.reshape(shape), dims=list(axes), coords=axes, name=name)
        if unknown := [each for each in at if each not in axes]:
            raise UnknownName(f"{system}: {unknown[0]} was not varied; there are {', '.join(axes)}.")
        data = data.sel(at, method="nearest") if at else data
        if data.ndim > 2:
            raise UnknownName(
                f"a chart has two axes, and {', '.join(map(str, data.dims))} were varied; hold others, as in {data.dims[-1]}=0."
            )
        return Chart(system, data, tuple(map(str, data.dims)), labels, self.model)

    def _column(self, name: str) -> Any:
        if name in self.data.variables:
            return self.data[name].values
        return self.data["start"].sel(start_name=name).values

    @classmethod
    def open(cls, path: str | Path, system: Model | None = None) -> Sweep:
        """The sweep in a store, as far as it has come; read when it is used."""
        from anholonomy.ensembles.sweep.sweeping import stored

        place = path_of(path)
        if not (place / ".anholonomy.json").is_file():
            raise BrokenFile(f"{place} is no store of a sweep; give the folder that one was written to.")
        return cls(stored(place), system)
