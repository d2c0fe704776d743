"""A motion: an xarray dataset with the user's own names on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from anholonomy.refusals import BrokenFile, UnknownName
from anholonomy.simulate.observing import observed
from anholonomy.simulate.schema import VARIABLES, flaw

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Trajectory"]


@dataclass(frozen=True)
class Trajectory:
    """A computed motion; ``data`` follows `anholonomy.simulate.schema`."""

    data: xr.Dataset

    def __getitem__(self, name: Any) -> xr.DataArray:
        """Anything one may ask of the motion, over ``time``: a name, or an expression of names, as an event takes it.

        Names are those of coordinates, velocities, accelerations (``x''``), multipliers (``lambda1``), reactions
        (``reaction_x``), speeds that were integrated (``u1``), parameters, ``t`` and ``energy``. The variables of the schema
        come as they are.
        """
        data, text = self.data, str(name)
        for variable in ("q", "velocity"):
            if text in data[dimension := VARIABLES[variable]].values:
                return data[variable].sel({dimension: text}, drop=True).rename(text)
        if text in data.variables:
            return data[text]
        return observed(data, name)

    @property
    def time(self) -> xr.DataArray:
        """The times."""
        return self.data["time"]

    @property
    def energy(self) -> xr.DataArray:
        r"""$w\,\partial L/\partial w - L$; constant when nothing depends on time and the forces do no work."""
        if "energy" not in self.data:
            raise UnknownName("the trajectory has no energy, because its system has no Lagrangian.")
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

    def _or_empty(self, name: str, *dimensions: str) -> xr.DataArray:
        """A variable, or an empty one where the motion has no such thing."""
        if name in self.data:
            return self.data[name]
        import numpy as np
        import xarray as xr

        return xr.DataArray(np.zeros([self.data.sizes.get(d, 0) for d in dimensions]), dims=dimensions, name=name)

    def save(self, path: str | Path) -> None:
        """Write the motion as netCDF; an existing file is replaced only when the new one is complete."""
        target = _path(path)
        if not target.parent.is_dir():
            raise BrokenFile(f"cannot write {target}: the folder {target.parent} does not exist; make it first.")
        if target.is_dir():
            raise BrokenFile(f"cannot write {target}: it is a folder; add a file name.")
        partial = target.with_name(target.name + ".part")
        try:
            self.data.to_netcdf(partial, engine="h5netcdf")
            partial.replace(target)
        except OSError as problem:
            raise BrokenFile(
                f"cannot write {target} ({problem.strerror or 'the file system refuses'}); check the folder."
            ) from None

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a motion that `save` wrote."""
        import xarray as xr

        source = _path(path)
        if not source.is_file():
            raise BrokenFile(f"there is no file {source}; check the path.")
        try:
            with xr.open_dataset(source, engine="h5netcdf") as opened:
                data = opened.load()
        except (OSError, ValueError, KeyError) as problem:
            raise BrokenFile(f"{source} cannot be read as netCDF ({problem}); was it written completely?") from None
        if wrong := flaw(data):
            raise BrokenFile(f"{source} {wrong}; give a file that a motion was saved to.")
        return cls(data)


def _path(path: str | Path) -> Path:
    try:
        return Path(path)
    except TypeError:
        raise BrokenFile(f"{path!r} is not a path; give the name of a file.") from None
