"""Many motions as users see them: an xarray dataset over members and times, asked by the user's own names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from anholonomy.base.errors import BrokenFile, UnknownName
from anholonomy.base.files import path_of, write_whole
from anholonomy.base.notebook import folded, framed, picture, preformatted
from anholonomy.motion.dataset.files import from_netcdf, to_netcdf
from anholonomy.motion.dataset.many_motions import SCHEMA, derivation_of, from_file_names, model_of, to_file_names
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.motion.integrators.base import Outcome
from anholonomy.motion.observables.many_motions import observables
from anholonomy.motion.signals.many_motions import at_times, driven_by
from anholonomy.motion.starts.many_motions import Points
from anholonomy.programs.backends.base import Array
from anholonomy.show.picture_files import kept_in_file
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Ensemble"]

_MISSING = "not computed: the run was interrupted before this member"


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """Motions of one system from many starts.

    Attributes
    ----------
    data
        What was kept, with the dimensions ``member`` and ``time``; NaN after the end of a motion that ended early.
    declared
        The system, unless it is to be read from the data.

    Examples
    --------
    >>> import numpy as np
    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.linspace(-2, 2, 100)}
    >>> runs = chaplygin_sleigh().ensemble(starts, until=20)
    >>> runs["theta"].dims, runs.outcome[17]
    (('member', 'time'), 'the motion was integrated to the end')
    >>> round(float(runs["energy"].isel(time=-1)[0] - runs["energy"].isel(time=0)[0]), 9)
    0.0
    """

    data: xr.Dataset
    declared: Model | None = None

    def __len__(self) -> int:
        return int(self.data.sizes["member"])

    def __repr__(self) -> str:
        times = self.data["time"].values
        stopped = self.stopped
        done = int(self.data["complete"].sum()) - stopped
        return (
            f"{type(self).__name__}({str(self.data.attrs['system'])!r}: {len(self)} member{'s' * (len(self) != 1)} at {times.size} "
            f"time{'s' * (times.size != 1)}, "
            f"t = {times[0]:g} … {times[-1]:g}; {done} reached the end{f', {stopped} stopped' if stopped else ''})"
        )

    def _repr_html_(self) -> str:
        return framed(preformatted(repr(self)), picture(self), folded("the data", str(self.data._repr_html_())))

    @property
    def model(self) -> Model:
        """The system whose motions these are, as plain data."""
        return model_of(self.data) if self.declared is None else self.declared

    def __getitem__(self, name: Any) -> xr.DataArray:
        """Anything that was kept, or follows from what was: a name or an expression of names, as a motion takes it."""
        text = str(name)
        return self.data[text] if text in self.data.variables else self._computed(name)

    def _computed(self, name: Any) -> xr.DataArray:
        """From coordinates and velocities, if these were kept."""
        import xarray as xr

        times = self.data["time"].values
        forward = 1.0 if times[-1] >= times[0] else -1.0
        driven = driven_by(self.model, self._asked.get("inputs", {}), float(times[0]), float(times[-1]))
        model = driven.model(self.model)
        states = (*model.coordinates, *model.velocities)
        wanted = observables(model, derivation_of(self.data, model), [name])
        if lacking := [s.name for s in states if s.name not in self.data or self.data[s.name].ndim < 2]:
            kept = ", ".join(str(each) for each in self.data.data_vars)
            raise UnknownName(
                f"{model.name}: {str(name)!r:.60} was not kept, nor {lacking[0]}, from which it would be computed; there are {kept}. "
                "Name it in `keep`."
            )
        shape = len(self), self.data.sizes["time"]
        columns = [np.asarray(self.data[s.name].values, dtype=float).reshape(-1) for s in states]
        n = len(model.coordinates)
        t, given = np.tile(times, shape[0]), np.repeat(self._parameters(), shape[1], axis=0)
        p = np.hstack([given, np.zeros((len(given), len(model.parameters) - given.shape[1]))])
        points = Points(t, np.column_stack(columns[:n]), np.column_stack(columns[n:]), at_times(driven, p, t, forward))
        values = wanted.values(points)[0].reshape(shape)
        return xr.DataArray(values, dims=("member", "time"), coords={"time": self.data["time"]}, name=str(name))

    @property
    def _asked(self) -> dict[str, Any]:
        """The options in words."""
        return dict(json.loads(self.data.attrs["asked"]))

    def _parameters(self) -> Array:
        """Those of each member, a row each."""
        common = parameters_of(self.data)
        names = list(self.model.parameters)
        columns = [
            self.data[name].values if name in self.data.coords else np.full(len(self), common[name]) for name in names
        ]
        return np.column_stack(columns) if names else np.empty((len(self), 0))

    @property
    def outcome(self) -> NDArray[np.object_]:
        """How each member ended, a sentence each."""
        said = np.full(len(self), str(Outcome.REACHED_END), dtype=object)
        said[np.isnan(self.data["stop_time"].values)] = _MISSING
        for i, sentence in json.loads(self.data.attrs["endings"]).items():
            said[int(i)] = sentence
        return said

    @property
    def stopped(self) -> int:
        """How many members an event stopped before the end."""
        times = self.data["stop_time"].values
        return int((self.data["complete"].values & (times != self.data["time"].values[-1])).sum())

    @property
    def is_complete(self) -> bool:
        """Whether every member reached its end, or the event that was to stop it."""
        return bool(self.data["complete"].all())

    @property
    def events(self) -> xr.DataArray:
        """The times of all events, labelled by name and member."""
        import xarray as xr

        if "event_time" in self.data:
            return self.data["event_time"]
        nothing = {"event": ("event", np.empty(0, dtype=str)), "event_member": ("event", np.empty(0, dtype=int))}
        return xr.DataArray(np.empty(0), dims=("event",), coords=nothing, name="event_time")

    def start(self, member: int) -> dict[str, float]:
        """Where a member began, as it was given."""
        i = self._place(member)
        said = json.loads(self.data.attrs["start"])
        if "start" in self.data:
            row = self.data["start"].isel(member=i)
            said |= {str(name): float(value) for name, value in zip(row["start_name"].values, row.values, strict=True)}
        return {str(name): float(value) for name, value in said.items()}

    def parameters(self, member: int) -> dict[str, float]:
        """The parameters of a member."""
        row = self._parameters()[self._place(member)]
        return dict(zip(self.model.parameters, row.tolist(), strict=True))

    def member(self, member: int) -> Any:
        """The motion of a member with everything one may ask of a motion, integrated again by itself.

        >>> from anholonomy.catalogue import skate
        >>> starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": [0.1, 0.2]}
        >>> skate().ensemble(starts, until=10).member(1)
        Motion('skate': x, y, theta at 2 times, t = 0 … 10; the motion was integrated to the end)
        """
        i = self._place(member)
        simulate = getattr(self.declared, "simulate", None)
        if simulate is None:
            raise UnknownName(
                "the ensemble was loaded without its system; say Ensemble.load(path, system) to simulate members."
            )
        said = self.data.attrs
        asked = {word: value for word, value in self._asked.items() if word not in ("principle", "speeds", "project")}
        return simulate(
            self.start(i),
            times=self.data["time"].values,
            by=str(said["principle"]) if int(said["by_name"]) else None,
            parameters=self.parameters(i),
            project=True,
            **asked,
        )

    def sensitivity(self, unknown: Sequence[str], of: Sequence[str] | None = None) -> xr.DataArray:
        """The derivatives of all members by parameters and starts, (member, time, quantity, unknown), one member after the other.

        >>> from anholonomy.catalogue import skate
        >>> runs = skate().ensemble({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": [0.1, 0.2]}, times=[0, 1, 2])
        >>> runs.sensitivity(["theta'"], of=["theta"]).values[:, -1, 0, 0].round(9).tolist()
        [2.0, 2.0]
        """
        import xarray as xr

        found: xr.DataArray = xr.concat(
            [self.member(i).sensitivity(unknown, of) for i in range(len(self))], dim="member"
        )
        return found

    def _place(self, member: int) -> int:
        if not isinstance(member, int | np.integer) or not -len(self) <= member < len(self):
            raise UnknownName(f"there is no member {member!r:.60}; give an index from 0 to {len(self) - 1}.")
        return int(member) % len(self)

    def save(self, path: str | Path) -> None:
        """Write all of it as netCDF; an existing file is replaced only when the new one is complete."""
        if path_of(path).suffix.lower() != ".nc":
            raise BrokenFile(f"cannot write {path!s:.200}: the name of an ensemble's file ends in .nc (netCDF).")
        write_whole(path, to_netcdf(to_file_names(self.data)))

    @classmethod
    def load(cls, path: str | Path, system: Model | None = None) -> Self:
        """Read what `save` wrote; with its ``system`` members can be simulated again."""
        source = path_of(path)
        if not source.is_file():
            raise BrokenFile(f"there is no file {source}; check the path.")
        data = from_file_names(from_netcdf(source.read_bytes(), str(path)))
        return cls.of(data, str(path), system)

    @classmethod
    def of(cls, data: xr.Dataset, source: str, system: Model | None) -> Self:
        """The ensemble in a dataset that was read from ``source``."""
        if data.attrs.get("schema") != SCHEMA:
            raise BrokenFile(
                f"{source} is no ensemble of this package (schema {SCHEMA}); give a file that one was saved to."
            )
        if system is not None and system.name != data.attrs["system"]:
            raise BrokenFile(
                f"{source} is an ensemble of {data.attrs['system']}, not of {system.name}; give that system."
            )
        return cls(data, system)

    @property
    def _made(self) -> dict[str, tuple[str, str]]:
        """The ways and expressions of what was made of the members, by its names."""
        return dict(json.loads(self.data.attrs.get("made", "{}")))

    def unit(self, name: str) -> str:
        """The unit of a quantity or of what was made of the members, such as ``m/s``; nothing where none is known or the system has none."""
        from anholonomy.show.labels import rate_units, unit_in

        kind, text = self._made.get(name, ("final", name))
        if kind == "lyapunov":
            return rate_units(self.model)[0]
        return unit_in(self.model, "t" if kind in ("time", "period") or text in ("time", "stop_time") else text)

    @kept_in_file
    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draw quantities of all members: over time where there are times between start and end, otherwise how the last values are spread."""
        from anholonomy.show.figures.ensemble import plot_members
        from anholonomy.show.labels import add_units, with_unit

        chosen = names or tuple(q.name for q in self.model.coordinates if q.name in self.data)
        values = {name: self[name] for name in chosen}
        axes = plot_members(str(self.data.attrs["system"]), values, ax)
        for place, (name, each) in zip(axes, values.items(), strict=True):
            if each.sizes.get("time", 0) > 2:
                add_units(place, self.model, "t", name)
            else:
                place.set_xlabel(with_unit(place.get_xlabel(), self.unit(name)))
        return axes

    @kept_in_file
    def histogram(self, name: str, bins: int = 50, ax: Any = None) -> Any:
        """Draw how the last values of a quantity are spread over the members."""
        from anholonomy.show.figures.ensemble import plot_histogram
        from anholonomy.show.labels import with_unit

        values = self[name]
        last = values.isel(time=-1) if "time" in values.dims else values
        drawn = plot_histogram(last, str(self.data.attrs["system"]), bins, ax, is_titled=name in self._made)
        drawn.set_xlabel(with_unit(drawn.get_xlabel(), self.unit(name)))
        return drawn
