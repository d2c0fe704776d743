"""A motion as users see it: an xarray dataset with their own names on it, normal forces and contact losses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from anholonomy.base.caching import cached_property, fields_only
from anholonomy.base.errors import Error, FileError, UnknownNameError
from anholonomy.base.files import path_of, write_whole
from anholonomy.equations.lagrangian import keeps_energy
from anholonomy.motion.dataset.one_motion import PLANNED, VARIABLES, flaw, model_of
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.motion.simulate import Record

__all__ = ["KINDS", "Trajectory", "check_dataset", "motion_kind", "read_bytes"]


KINDS = {".nc": "netCDF", ".csv": "a table"}
"""What a motion may be written as, by the ending of the name."""


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """A computed motion: a dataset that follows `anholonomy.motion.dataset.one_motion`, or the record that one is made of when asked for.

    ``_declared`` is the system whose motion it is, unless it is to be read from the data, which are looked at from all sides then.
    """

    _source: xr.Dataset | Record
    _declared: Model | None = None

    def __post_init__(self) -> None:
        if self._declared is None and (problem := flaw(self.data)):
            raise FileError(f"the dataset {problem}; give one that `simulate` made.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trajectory) and self.data.identical(other.data)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        said, times = self.data.attrs, self.data["time"].values
        span = f"t = {times[0]:g} … {times[-1]:g}" if times.size else "no times"
        names = ", ".join(map(str, self.data["coordinate"].values))
        return f"Motion({str(said['system'])!r}: {names} at {times.size} times, {span}; {self.outcome})"

    def _repr_html_(self) -> str:
        return str(self.data._repr_html_())

    def __getstate__(self) -> dict[str, Any]:
        return {**fields_only(self), "_source": self.data}

    @cached_property
    def data(self) -> xr.Dataset:
        """The labelled arrays."""
        from anholonomy.motion.simulate import Record

        return self._source.dataset if isinstance(self._source, Record) else self._source

    @cached_property
    def model(self) -> Model:
        """The system whose motion it is, as plain data."""
        return model_of(self.data) if self._declared is None else self._declared

    @property
    def _keeps_energy(self) -> bool:
        """True if the system conserves the energy and no plan drives the motion, so that a change of the energy is an error."""
        return self.data.attrs["principle"] != PLANNED and keeps_energy(self.model)

    def __getitem__(self, name: Any) -> xr.DataArray:
        """Anything one may ask of the motion, over ``time``: a name, or an expression of names, as an event takes it.

        Names are those of coordinates, velocities, accelerations (``x''``), multipliers (``lambda1``), reactions
        (``reaction_x``), speeds that were integrated (``u1``), parameters, ``t`` and ``energy``. The variables of the schema
        come as they are.
        """
        from anholonomy.motion.simulate import Record

        if isinstance(self._source, Record) and (values := self._source.coordinate(name)) is not None:
            return values
        data, text = self.data, str(name)
        for variable in ("q", "velocity"):
            if text in data[dimension := VARIABLES[variable]].values:
                return data[variable].sel({dimension: text}, drop=True).rename(text)
        if text in data.variables:
            return data[text]
        from anholonomy.motion.observables.one_motion import observed

        return observed(data, self.model, name)

    def __contains__(self, name: object) -> bool:
        """Whether the motion can be asked for a name or an expression, with ``run[name]``."""
        try:
            self[name]
        except Error:
            return False
        return True

    def __iter__(self) -> NoReturn:
        raise UnknownNameError(
            "a motion has nothing to go through one by one; ask it by name, as in run['x'], or take `run.data`, which has names."
        )

    @property
    def time(self) -> xr.DataArray:
        """The times."""
        return self.data["time"]

    @property
    def energy(self) -> xr.DataArray:
        r"""$w\,\partial L/\partial w - L$; constant when nothing depends on time and the forces do no work."""
        if "energy" not in self.data:
            raise UnknownNameError("the trajectory has no energy, because its system has no Lagrangian.")
        return self.data["energy"]

    @property
    def constraint_residual(self) -> xr.DataArray:
        r"""$\varphi^\nu$ along the motion; zero for an exact one."""
        return self._or_empty("residual", "time", "constraint")

    @property
    def multipliers(self) -> xr.DataArray:
        r"""$\lambda_\nu$ along the motion."""
        return self._or_empty("multiplier", "time", "constraint")

    @property
    def reactions(self) -> xr.DataArray:
        r"""The reaction forces $R_a = \lambda_\nu\,\partial\varphi^\nu/\partial w^a$."""
        return self.data["reaction"]

    @property
    def outcome(self) -> str:
        """How the integration ended, in a sentence."""
        return str(self.data.attrs["outcome"])

    @property
    def is_complete(self) -> bool:
        """Whether the motion covers all the times that were asked for."""
        return bool(self.data.attrs["complete"])

    @property
    def events(self) -> xr.DataArray:
        """The times of the events, labelled by name; ``event_q`` and ``event_velocity`` of `data` say where."""
        return self._or_empty("event_time", "event")

    @property
    def normal_forces(self) -> xr.DataArray:
        r"""The multiplier $\lambda_g$ of every one-sided constraint by its label; positive when it pushes. For a contact it is the normal force."""
        return self.multipliers.sel(constraint=self._one_sided)

    @property
    def contact_losses(self) -> dict[str, list[float]]:
        r"""The times at which the force of each one-sided constraint passes from pushing to pulling, $\lambda_g(t^*) = 0$, in order.

        Contact is kept from both sides, so that a motion goes on beyond as that of a body on rails; each loss is an event of the motion,
        ``"height lost"``. A force that pulls from the earliest time of the motion on is lost there.
        """
        from anholonomy.motion.events.contact_losses import losses

        events = self.events
        names = map(str, events["event"].values) if events.size else ()
        return losses(self._one_sided, zip(names, events.values.tolist(), strict=True))

    @property
    def _one_sided(self) -> list[str]:
        """The one-sided constraints whose forces the motion determines."""
        labels: list[str] = json.loads(str(self.data.attrs.get("one_sided", "[]")))
        if not labels:
            raise UnknownNameError(
                f"{self.data.attrs['system']}: no constraint is one-sided with a force that the motion determines; declare contacts "
                "with Rolling(…), or name constraints in `one_sided`."
            )
        return labels

    def _or_empty(self, name: str, *dimensions: str) -> xr.DataArray:
        """A variable, or an empty one where the motion has no such thing."""
        if name in self.data:
            return self.data[name]
        import numpy as np
        import xarray as xr

        return xr.DataArray(np.zeros([self.data.sizes.get(d, 0) for d in dimensions]), dims=dimensions, name=name)

    def save(self, path: str | Path) -> None:
        """Write the motion: ``.nc`` (netCDF) keeps all of it, ``.csv`` is a table of everything that has a name, over time.

        Links are followed, and an existing file is replaced only when the new one is complete.
        """
        from anholonomy.motion.dataset.files import to_csv, to_netcdf
        from anholonomy.motion.observables.one_motion import columns

        is_table = motion_kind(path) == ".csv"
        write_whole(path, to_csv(columns(self.data, self.model)) if is_table else to_netcdf(self.data))


def check_dataset(data: xr.Dataset, path: str | Path) -> None:
    """Refuse a dataset that is no motion, or one without any time."""
    if wrong := flaw(data) or ("" if data.sizes["time"] else "is a trajectory without any time"):
        raise FileError(f"{path} {wrong}; give a file that a motion was saved to.")


def motion_kind(path: str | Path) -> str:
    """How a motion is written, as the name says; refused where it says nothing known."""
    kind = path_of(path).suffix.lower()
    if kind not in KINDS:
        known = " or ".join(f"{ending} ({what})" for ending, what in KINDS.items())
        raise FileError(f"cannot write {path!s:.200}: the name of a motion's file ends in {known}.")
    return kind


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file of motions; a table is refused, since it does not know its system."""
    source = path_of(path)
    if source.suffix.lower() == ".csv":
        raise FileError(
            f"{source} is a table, which does not know its system; save the motion as .nc to load it again."
        )
    try:
        if not source.is_file():
            raise FileError(f"there is no file {source}; check the path.")
        return source.read_bytes()
    except OSError as problem:
        raise FileError(f"{source!s:.200} cannot be read ({problem.strerror}); check the path.") from None
