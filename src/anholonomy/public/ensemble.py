"""`Ensemble`: many motions, at starts of their own or over values of parameters and starts, as a dataset over members and times."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.base.errors import ExpressionError, FileError, UnknownNameError, quoted
from anholonomy.base.files import path_of, write_whole
from anholonomy.base.former_names import refuse_attribute
from anholonomy.base.notebook import folded, framed, picture, preformatted
from anholonomy.base.tolerances import HALF
from anholonomy.equations.derivation import Derivation
from anholonomy.language.arguments import finite
from anholonomy.language.suggestions import did_you_mean
from anholonomy.motion.dataset.files import to_netcdf
from anholonomy.motion.dataset.many_motions import derivation_of, to_file_names
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.motion.integrators.base import Outcome
from anholonomy.motion.observables.many_motions import observables
from anholonomy.motion.signals.many_motions import at_times, driven_by
from anholonomy.motion.simulate_many import ensemble, sweep
from anholonomy.motion.starts.many_motions import Points
from anholonomy.motion.sweeps.chart import Chart
from anholonomy.public.motion import Motion
from anholonomy.public.options import EnsembleOptions, SweepOptions, read_options
from anholonomy.show.picture_files import kept_in_file
from anholonomy.system.units.to_si import in_si, time_in_si

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.public.system import System

__all__ = ["Ensemble", "ensemble_of", "sweep_of"]

_MISSING = "not computed: the run was interrupted before this member"


@final
@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """Motions of one system from many starts; those of a sweep lie on axes.

    Attributes
    ----------
    data
        What was kept, with the dimensions ``member`` and ``time``; NaN after the end of a motion that ended early.
    system
        The system whose motions these are.

    Examples
    --------
    >>> import numpy as np
    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.linspace(-2, 2, 100)}
    >>> runs = chaplygin_sleigh().ensemble(starts, until=20)
    >>> runs["theta"].dims, runs.outcomes[17]
    (('member', 'time'), 'the motion was integrated to the end')
    >>> round(float(runs["energy"].isel(time=-1)[0] - runs["energy"].isel(time=0)[0]), 9)
    0.0
    >>> grid = {"a": np.linspace(0.1, 0.3, 5), "theta'": np.linspace(-2, 2, 7)}
    >>> swept = chaplygin_sleigh().sweep(over=grid, start={"x": 0, "y": 0, "theta": 0, "x'": 1}, until=20, summaries={"final speed": "u"})
    >>> swept.chart("final speed")
    Chart('final speed' of 'Chaplygin sleigh' over a, theta': 5 x 7)
    """

    data: xr.Dataset
    system: System

    if not TYPE_CHECKING:  # which would let every name pass

        def __getattr__(self, name: str) -> NoReturn:
            refuse_attribute(self, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ensemble):
            return NotImplemented
        return self.system == other.system and self.data.identical(other.data)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return int(self.data.sizes["member"])

    def __repr__(self) -> str:
        times = self.data["time"].values
        stopped = self.stopped_count
        done = int(self.data["complete"].sum()) - stopped
        return (
            f"Ensemble({str(self.data.attrs['system'])!r}: {len(self)} member{'s' * (len(self) != 1)} at {times.size} "
            f"time{'s' * (times.size != 1)}, "
            f"t = {times[0]:g} … {times[-1]:g}; {done} reached the end{f', {stopped} stopped' if stopped else ''})"
        )

    def _repr_html_(self) -> str:
        return framed(preformatted(repr(self)), picture(self), folded("the data", str(self.data._repr_html_())))

    def __getitem__(self, name: Any) -> xr.DataArray:
        """Anything that was kept, or follows from what was: a name or an expression of names, as a motion takes it."""
        text = str(name)
        return self.data[text] if text in self.data.variables else self._computed(name)

    def _computed(self, name: Any) -> xr.DataArray:
        """From coordinates and velocities, if these were kept."""
        import xarray as xr

        times = self.data["time"].values
        forward = 1.0 if times[-1] >= times[0] else -1.0
        driven = driven_by(self.system.model, self._asked.get("inputs", {}), float(times[0]), float(times[-1]))
        model = driven.model(self.system.model)
        states = (*model.coordinates, *model.velocities)
        wanted = observables(model, derivation_of(self.data, model), [name])
        if lacking := [s.name for s in states if s.name not in self.data or self.data[s.name].ndim < 2]:
            kept = ", ".join(str(each) for each in self.data.data_vars)
            raise UnknownNameError(
                f"{model.name}: {quoted(str(name))} was not kept, nor {lacking[0]}, from which it would be computed; there are {kept}. "
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

    def _parameters(self) -> NDArray[np.float64]:
        """Those of each member, a row each."""
        common = parameters_of(self.data)
        names = list(self.system.model.parameters)
        columns = [
            self.data[name].values if name in self.data.coords else np.full(len(self), common[name]) for name in names
        ]
        return np.column_stack(columns) if names else np.empty((len(self), 0))

    @property
    def outcomes(self) -> NDArray[np.object_]:
        """How each member ended, a sentence each."""
        said = np.full(len(self), str(Outcome.REACHED_END), dtype=object)
        said[np.isnan(self.data["stop_time"].values)] = _MISSING
        for i, sentence in json.loads(self.data.attrs["endings"]).items():
            said[int(i)] = sentence
        return said

    @property
    def stopped_count(self) -> int:
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
        return dict(zip(self.system.model.parameters, row.tolist(), strict=True))

    def member(self, member: int) -> Motion:
        """The motion of a member with everything one may ask of a motion, integrated again by itself.

        >>> from anholonomy.catalogue import skate
        >>> starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": [0.1, 0.2]}
        >>> skate().ensemble(starts, until=10).member(1)
        Motion('skate': x, y, theta at 2 times, t = 0 … 10; the motion was integrated to the end)
        """
        i = self._place(member)
        said = self.data.attrs
        asked = {word: value for word, value in self._asked.items() if word not in ("principle", "speeds", "project")}
        return self.system.simulate(
            self.start(i),
            times=self.data["time"].values.tolist(),
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
            raise UnknownNameError(f"there is no member {quoted(member)}; give an index from 0 to {len(self) - 1}.")
        return int(member) % len(self)

    def save(self, path: str | Path) -> None:
        """Write all of it as netCDF; an existing file is replaced only when the new one is complete."""
        if path_of(path).suffix.lower() != ".nc":
            raise FileError(f"cannot write {path!s:.200}: the name of an ensemble's file ends in .nc (netCDF).")
        write_whole(path, to_netcdf(to_file_names(self.data)))

    @property
    def _made(self) -> dict[str, tuple[str, str]]:
        """The ways and expressions of what was made of the members, by its names."""
        return dict(json.loads(self.data.attrs.get("made", "{}")))

    def unit(self, name: str) -> str:
        """The unit of a quantity or of what was made of the members, such as ``m/s``; nothing where none is known or the system has none."""
        from anholonomy.show.labels import rate_units, unit_in

        kind, text = self._made.get(name, ("final", name))
        if kind == "lyapunov":
            return rate_units(self.system.model)[0]
        return unit_in(self.system.model, "t" if kind in ("time", "period") or text in ("time", "stop_time") else text)

    @kept_in_file
    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draw quantities of all members: over time where there are times between start and end, otherwise how the last values are spread."""
        from anholonomy.show.figures.ensemble import plot_members
        from anholonomy.show.labels import add_units, with_unit

        chosen = names or tuple(q.name for q in self.system.model.coordinates if q.name in self.data)
        values = {name: self[name] for name in chosen}
        axes = plot_members(str(self.data.attrs["system"]), values, ax)
        for place, (name, each) in zip(axes, values.items(), strict=True):
            if each.sizes.get("time", 0) > 2:
                add_units(place, self.system.model, "t", name)
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
            raise UnknownNameError(
                f"{self.data.attrs['system']}: nothing was varied, so a chart has no axes; draw the ensemble with plot or histogram."
            )
        labels: tuple[str, ...] = ()
        if name == "outcome":
            kinds = [re.sub(r" \(t = [^)]*\)| at t = [-+.e\d]+", "", said) for said in self.outcomes]
            labels = tuple(dict.fromkeys(kinds))
            values = np.array([labels.index(kind) for kind in kinds], dtype=float)
        else:
            found = self._found(name)
            values = np.asarray((found.isel(time=-1) if "time" in found.dims else found).values, dtype=float)
        axes, system, unit = self.axes, str(self.data.attrs["system"]), "" if labels else self.unit(name)
        if at and not axes:
            raise UnknownNameError(
                f"{system}: {next(iter(at))} is no axis, since members are a list or samples; leave it out."
            )
        if not axes:
            columns = {each: ("member", self._column(each)) for each in self.varied}
            return Chart(
                system,
                xr.DataArray(values, dims=("member",), coords=columns, name=name),
                self.varied,
                labels,
                self.system.model,
                unit,
            )
        shape = [axis.size for axis in axes.values()]
        data = xr.DataArray(values.reshape(shape), dims=list(axes), coords=axes, name=name)
        if unknown := [each for each in at if each not in axes]:
            raise UnknownNameError(f"{system}: {unknown[0]} was not varied; there are {', '.join(axes)}.")
        held = {each: _nearest(system, each, axes[each], value) for each, value in at.items()}
        data = data.isel(held) if held else data
        if data.ndim > 2:
            raise UnknownNameError(
                f"a chart has two axes, and {', '.join(map(str, data.dims))} were varied; hold others, as in {data.dims[-1]}=0."
            )
        said = "".join(f", {each} = {axes[each][k]:.6g}" for each, k in held.items())
        return Chart(system + said, data, tuple(map(str, data.dims)), labels, self.system.model, unit)

    def _found(self, name: str) -> xr.DataArray:
        """What is called so; where nothing is, the nearest name of what was made of the members."""
        try:
            return self[name]
        except (UnknownNameError, ExpressionError) as problem:
            made = [str(each) for each, values in self.data.data_vars.items() if values.dims == ("member",)]
            said = did_you_mean(name, {*made, "outcome"} - {"complete", "stop_time"})
            if not said:
                raise
            raise UnknownNameError(
                f"{self.data.attrs['system']}: nothing is called {quoted(str(name))}; {said.rstrip()}"
            ) from problem

    def _column(self, name: str) -> Any:
        """What was varied, a value for each member; its path may have been kept under the same name."""
        if "start" in self.data and name in self.data["start_name"].values:
            return self.data["start"].sel(start_name=name).values
        if name in self.data.coords:
            return self.data[name].values
        common = parameters_of(self.data) | json.loads(self.data.attrs["start"])
        return np.full(len(self), float(common[name]))


def _nearest(system: str, name: str, axis: Any, value: Any) -> int:
    """The place in an axis that is nearest to a value, which must not lie farther outside than its neighbours lie apart."""
    number = finite(value)
    place = 0 if number is None else int(np.argmin(np.abs(axis - number)))
    gap = np.abs(np.diff(np.sort(axis))).max(initial=0.0) / 2
    if number is None or abs(axis[place] - number) > max(gap, HALF * abs(number)):
        some = f"{axis.min():g} … {axis.max():g}" if axis.size > 1 else f"{axis[0]:g}"
        raise UnknownNameError(
            f"{system}: {name} = {quoted(value)} is none of its values, which are {some}; hold one of these."
        )
    return place


def ensemble_of(
    system: System,
    derivation: Derivation | None,
    by: Any,
    starts: Any,
    until: float | None,
    times: Any,
    options: Mapping[str, Any],
) -> Ensemble:
    """The motions from all starts, as `System.ensemble` explains."""
    model = system.model
    given = read_options(model, "ensemble", options, EnsembleOptions, "starts", "until", "times", "by")
    starts, until, times = in_si(model, starts), time_in_si(until, "until"), time_in_si(times, "times")
    data, used = ensemble(
        model, starts, until, times, **{"tolerance": 1e-12, **given, "derivation": derivation, "by": by}
    )
    return Ensemble(data, system._like(used))


def sweep_of(
    system: System,
    by: Any,
    over: Any,
    start: Mapping[str, Any] | None,
    until: float | None,
    times: Any,
    options: Mapping[str, Any],
) -> Ensemble:
    """The motions over everything that is varied, as `System.sweep` explains."""
    model = system.model
    given = read_options(model, "sweep", options, SweepOptions, "over", "start", "until", "times", "by")
    over, start = in_si(model, over), in_si(model, start)
    until, times = time_in_si(until, "until"), time_in_si(times, "times")
    data, used = sweep(model, over, start, until, times, **{"tolerance": 1e-9, **given, "by": by})
    return Ensemble(data, system._like(used))
