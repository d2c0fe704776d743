r"""Poincaré sections of a motion, located to rounding, and the derivative of the map from one crossing to the next.

.. math:: s(q, w, t) = 0, \quad \mathrm{sign}\,\dot s = \pm 1, \qquad
   DP = \Bigl(1 - \frac{\dot z\,ds}{\dot s}\Bigr)\,D\varphi_\tau \quad\text{on}\quad \{v : ds(v) = 0\}

A neighbour reaches the section a little earlier or later; what the motion does meanwhile is taken off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.algebra.expressions import Symbol, free_symbols, time
from anholonomy.base.errors import IntegrationError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import NOTHING, ROUNDING
from anholonomy.language.arguments import expression
from anholonomy.motion.dataset.one_motion import DISCRETE, PLANNED
from anholonomy.motion.further_times import driving, rederived
from anholonomy.motion.vector_field import CarriedVectors, carried_along, field_at, refuse_driven
from anholonomy.programs.backends import BACKENDS
from anholonomy.programs.backends.base import Array
from anholonomy.programs.derivatives import jacobian
from anholonomy.programs.program import lower
from anholonomy.show.picture_files import kept_in_file
from anholonomy.stability.linear_part import independent_rows
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["Section", "section_of"]

_PARTS = 8
"""Parts of the way to the section, between which frames may change."""


def section_of(run: Any, condition: str, direction: int) -> Section:
    """The motion integrated once more with an event, and those of its crossings that go the right way."""
    import xarray as xr

    if direction not in (-1, 0, 1):
        raise UnknownNameError(f"direction={quoted(direction)} is none; say 1 for upward, -1 for downward, 0 for both.")
    if not isinstance(condition, str):
        raise UnknownNameError(f"the section {quoted(condition)} is no condition; write one, such as 'theta = 0'.")
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
        return Section(condition, xr.Dataset({"time": (("crossing",), np.empty(0)), **empty}), run.model)
    times = data["event_time"].values
    states = np.hstack([data["event_q"].values, data["event_velocity"].values])
    kept = _goes(again, function, times, direction)
    columns = {name: (("crossing",), states[kept, k]) for k, name in enumerate(names)}
    return Section(condition, xr.Dataset({"time": (("crossing",), times[kept]), **columns}), run.model)


def _goes(run: Any, function: str, times: np.ndarray, direction: int) -> np.ndarray:
    """Which crossings go the right way: by the signs a little before and after, as the motion itself has them."""
    if direction == 0 or not times.size:
        return np.ones(times.size, dtype=bool)
    span = run.time.values
    gaps = np.diff(np.concatenate([[span[0]], times, [span[-1]]]))
    gaps[gaps <= ROUNDING * np.abs(span).max()] = np.inf  # at the end there is a side to look at, too
    step = 1e-3 * np.minimum(gaps[:-1], gaps[1:])
    before, after = np.maximum(times - step, span[0]), np.minimum(times + step, span[-1])
    around = np.unique(np.concatenate([before, after]))
    values = dict(zip(around.tolist(), run.at(around)[function].values.tolist(), strict=True))
    rises = np.array([values[b] - values[a] for a, b in zip(before.tolist(), after.tolist(), strict=True)])
    return np.asarray(direction * rises > 0)


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
            raise UnknownNameError(
                f"the section has no {quoted(name)}; it has {', '.join(map(str, self.data.variables))}."
            )
        return self.data[name]

    @kept_in_file
    def plot(self, x: str | None = None, y: str | None = None, ax: Any = None) -> Axes:
        """Two of its variables against each other: by default the first coordinate that varies and its velocity, or the first two that vary."""
        from anholonomy.show.figures.poincare_section import plot_section
        from anholonomy.show.labels import add_units

        varying = [str(name) for name in self.data.data_vars if float(np.ptp(self.data[name].values)) > 1e-9]
        paired = [each for name in varying if f"{name}'" in varying for each in (name, f"{name}'")][:2]
        after = [f"{x}'"] if x is not None and y is None and f"{x}'" in varying else []
        given = [name for name in (x, y) if name is not None]
        names = list(dict.fromkeys([*given, *after, *paired, *varying]))
        if len(names) < 2:
            raise UnknownNameError(
                f"the section {self.condition} has no two variables that vary; choose another, or a longer motion."
            )
        drawn = plot_section(self.data, names[0], names[1], self.condition, ax)
        if self.model is not None:
            add_units(drawn, self.model, *("t" if name == "time" else name for name in names[:2]))
        return drawn

    def derivative(self, k: int = 0, tolerance: float = 1e-12) -> xr.DataArray:
        """The linear part of the return map from one crossing to the next, in independent coordinates of constraints and section."""
        if not (isinstance(k, int) and 0 <= k < len(self) - 1) or self.model is None:
            raise UnknownNameError(
                f"the section {self.condition} has {len(self)} crossings, and so no return from number {quoted(k, 20)}; count from 0."
            )
        before = {str(name): float(self.data[name][k]) for name in self.data.data_vars}
        return _return_derivative(self.model, self.condition, before, float(self.data["time"][k + 1]), tolerance)

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


def _return_derivative(
    model: Model, condition: str, before: Mapping[str, float], after: float, tolerance: float
) -> xr.DataArray:
    """From a crossing, whose state and time are given, to one at a later time, in independent coordinates of constraints and section."""
    import xarray as xr

    refuse_driven(model)
    model = model.independent
    point: dict[Symbol, float] = {s: before[s.name] for s in (*model.coordinates, *model.velocities)}
    point |= {
        s: float(v) for s, (_, v) in zip(model.parameter_symbols, model.parameter_items, strict=True) if v is not None
    }
    point[time] = before["time"]
    field, x, p = field_at(model, point, timed=True)
    now = CarriedVectors.at(field, x, p, t=point[time])
    slopes = _slopes(model, condition)
    stay = _tangent_to(now, slopes)
    now = CarriedVectors(now.field, now.x, now.vectors @ stay, now.p, now.t)
    rows, first = _coordinates(now.in_z(), field.names)
    chart = np.linalg.inv(now.in_z()[rows])
    for k in range(1, _PARTS + 1):
        now = carried_along(now.in_good_frame(), point[time] + (after - point[time]) * k / _PARTS, tolerance)
    rate = now.field.at(now.x[None], now.p, now.t).rate[0]
    ds, by_time = _split(slopes(now.t, now.z, now.p))
    speed = float(ds @ rate + by_time)
    if abs(speed) <= NOTHING * float(np.linalg.norm(ds) * np.linalg.norm(rate)):
        raise IntegrationError(
            f"{model.name}: the motion only touches the section {condition}, so that its map has no derivative; take another section."
        )
    vectors = now.in_z() - np.outer(rate, ds @ now.in_z()) / speed
    there, second = _coordinates(_basis_on(now, ds), field.names)
    return xr.DataArray(
        vectors[there] @ chart, dims=("after", "of"), coords={"after": second, "of": first}, name="return map"
    )


def _slopes(model: Model, condition: str) -> Any:
    """The derivatives of the condition by coordinates, velocities and time."""
    left, equals, right = condition.partition("=")
    said = expression(left, "the section") - (expression(right, "the section") if equals else 0)
    known = (*model.coordinates, *model.velocities)
    if unknown := free_symbols([said]) - {*known, *model.parameter_symbols, time}:
        raise UnknownNameError(
            f"{model.name}: the section {condition} has {', '.join(sorted(map(str, unknown)))}, by which its map cannot be differentiated; use "
            f"coordinates, velocities, parameters and t."
        )
    program = lower(known, model.parameter_symbols, (), (said,))
    return BACKENDS["numpy"].compile(jacobian(program, (*program.states, time)))


def _split(slopes: Array) -> tuple[Array, float]:
    return np.asarray(slopes[:-1]), float(slopes[-1])


def _tangent_to(now: CarriedVectors, slopes: Any) -> Array:
    """Combinations of all directions that stay on the section."""
    ds, _ = _split(slopes(now.t, now.z, now.p))
    row = (ds @ now.in_z())[None]
    return np.asarray(np.linalg.svd(row)[2][1:].T)


def _basis_on(now: CarriedVectors, ds: Array) -> Array:
    basis = CarriedVectors.at(now.field, now.x, now.p, t=now.t).in_z()
    return np.asarray(basis @ np.linalg.svd((ds @ basis)[None])[2][1:].T)


def _coordinates(basis: Array, names: tuple[str, ...]) -> tuple[list[int], list[str]]:
    rows = independent_rows(basis, basis.shape[1])
    return rows, [names[k] for k in rows]
