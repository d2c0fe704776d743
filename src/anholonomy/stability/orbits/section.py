r"""Poincaré sections: the states of a motion where a function of it passes through zero, located to rounding.

.. math:: s(q, w, t) = 0, \qquad \mathrm{sign}\,\dot s = \pm 1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.displays.shown import Shown
from anholonomy.refusals import UnknownName
from anholonomy.show.pictures import kept_in_file
from anholonomy.simulate.trajectories.resampling import driving, rederived
from anholonomy.simulate.trajectories.schema import DISCRETE, PLANNED
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["Section", "section_of"]


@final
@dataclass(frozen=True, eq=False)
class Section(Shown):
    """The crossings as a table: ``data`` has a variable for each coordinate and velocity, and the times.

    Attributes
    ----------
    condition
        What passes through zero.
    model
        The system whose motion it is.
    """

    condition: str
    data: xr.Dataset
    model: Model | None = None

    def __len__(self) -> int:
        return int(self.data.sizes["crossing"])

    def __getitem__(self, name: str) -> xr.DataArray:
        if name not in self.data.variables:
            raise UnknownName(f"the section has no {name!r:.60}; it has {', '.join(map(str, self.data.variables))}.")
        return self.data[name]

    @kept_in_file
    def plot(self, x: str | None = None, y: str | None = None, ax: Any = None) -> Axes:
        """Two of its variables against each other: by default the first coordinate that varies and its velocity, or the first two that vary."""
        from anholonomy.show.figures.stability.section import plot_section
        from anholonomy.show.units import add_units

        varying = [str(name) for name in self.data.data_vars if float(np.ptp(self.data[name].values)) > 1e-9]
        paired = [each for name in varying if f"{name}'" in varying for each in (name, f"{name}'")][:2]
        after = [f"{x}'"] if x is not None and y is None and f"{x}'" in varying else []
        given = [name for name in (x, y) if name is not None]
        names = list(dict.fromkeys([*given, *after, *paired, *varying]))
        if len(names) < 2:
            raise UnknownName(
                f"the section {self.condition} has no two variables that vary; choose another, or a longer motion."
            )
        drawn = plot_section(self.data, names[0], names[1], self.condition, ax)
        if self.model is not None:
            add_units(drawn, self.model, *("t" if name == "time" else name for name in names[:2]))
        return drawn

    def derivative(self, k: int = 0, tolerance: float = 1e-12) -> xr.DataArray:
        """The linear part of the return map from one crossing to the next, in independent coordinates of constraints and section."""
        if not (isinstance(k, int) and 0 <= k < len(self) - 1) or self.model is None:
            raise UnknownName(
                f"the section {self.condition} has {len(self)} crossings, and so no return from number {k!r:.20}; count from 0."
            )
        from anholonomy.stability.orbits.return_map import return_derivative

        before = {str(name): float(self.data[name][k]) for name in self.data.data_vars}
        return return_derivative(self.model, self.condition, before, float(self.data["time"][k + 1]), tolerance)

    def __str__(self) -> str:
        """The number of crossings, and the range of each variable."""
        if not len(self):
            return f"the section {self.condition} is never met"
        rows = [
            f"  {name} from {float(self.data[name].min()):.9g} to {float(self.data[name].max()):.9g}"
            for name in map(str, self.data.data_vars)
        ]
        return "\n".join([f"the section {self.condition}: {len(self)} crossings", *rows])

    def __repr__(self) -> str:
        return f"Section({self.condition!r}, {len(self)} crossings)"


def section_of(run: Any, condition: str, direction: int) -> Section:
    """The motion integrated once more with an event, and those of its crossings that go the right way."""
    import xarray as xr

    if direction not in (-1, 0, 1):
        raise UnknownName(f"direction={direction!r:.60} is none; say 1 for upward, -1 for downward, 0 for both.")
    if not isinstance(condition, str):
        raise UnknownName(f"the section {condition!r:.60} is no condition; write one, such as 'theta = 0'.")
    left, equals, right = condition.partition("=")
    function = f"({left}) - ({right})" if equals else condition
    grid, said = run.time.values, run.data.attrs
    if said["principle"] in (DISCRETE, PLANNED):
        rederived(run)  # which refuses
    start = {str(k): float(v) for k, v in zip(run.data["coordinate"].values, run.data["q"].values[0], strict=True)}
    start |= {
        str(k): float(v) for k, v in zip(run.data["direction"].values, run.data["velocity"].values[0], strict=True)
    }
    again = run.system.simulate(
        {**start, "t": float(grid[0])},
        times=grid,
        by=said["principle"],
        tolerance=float(said["tolerance"]),
        events={"section": function},
        project=True,
        **({"inputs": driving(run)} if run.system.inputs else {}),
    )
    data = again.data
    names = [*map(str, data["coordinate"].values), *map(str, data["direction"].values)]
    if "event" not in data.dims:
        empty = {name: (("crossing",), np.empty(0)) for name in names}
        return Section(condition, xr.Dataset({"time": (("crossing",), np.empty(0)), **empty}), run.system)
    times = data["event_time"].values
    states = np.hstack([data["event_q"].values, data["event_velocity"].values])
    kept = _goes(again, function, times, direction)
    columns = {name: (("crossing",), states[kept, k]) for k, name in enumerate(names)}
    return Section(condition, xr.Dataset({"time": (("crossing",), times[kept]), **columns}), run.system)


def _goes(run: Any, function: str, times: np.ndarray, direction: int) -> np.ndarray:
    """Which crossings go the right way: by the signs a little before and after, as the motion itself has them."""
    if direction == 0 or not times.size:
        return np.ones(times.size, dtype=bool)
    span = run.time.values
    gaps = np.diff(np.concatenate([[span[0]], times, [span[-1]]]))
    step = 1e-3 * np.minimum(gaps[:-1], gaps[1:])
    before, after = np.maximum(times - step, span[0]), np.minimum(times + step, span[-1])
    around = np.unique(np.concatenate([before, after]))
    values = dict(zip(around.tolist(), run.at(around)[function].values.tolist(), strict=True))
    rises = np.array([values[b] - values[a] for a, b in zip(before.tolist(), after.tolist(), strict=True)])
    return np.asarray(direction * rises > 0)
