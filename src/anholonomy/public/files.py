"""`load`: a system, a motion, an ensemble or a sweep from the file that `save` wrote."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from anholonomy.base.errors import ArgumentError, Error, FileError, quoted
from anholonomy.base.files import path_of
from anholonomy.motion.dataset.files import from_netcdf
from anholonomy.motion.dataset.many_motions import SCHEMA as ENSEMBLE
from anholonomy.motion.dataset.many_motions import from_file_names
from anholonomy.motion.dataset.one_motion import model_of
from anholonomy.motion.trajectory import check_dataset, read_bytes
from anholonomy.public.declaration import read_file
from anholonomy.public.ensemble import Ensemble
from anholonomy.public.motion import Motion
from anholonomy.public.system import System
from anholonomy.system.declaration.declare import declare
from anholonomy.system.declaration.toml import from_toml

__all__ = ["load"]


def load(path: Any, system: System | None = None) -> Any:
    """Read what `save` wrote: a `System` from TOML, a `Motion` or an `Ensemble` from netCDF, a sweep from its Zarr folder.

    A dataset, such as ``run.data``, is read like the file that it would be saved to.

    Motions and ensembles have their declaration in the file. Give the ``system`` to use that object instead.

    >>> import tempfile
    >>> from anholonomy.catalogue import skate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     skate().save(f"{folder}/skate.toml")
    ...     load(f"{folder}/skate.toml") == skate()
    True
    """
    if system is not None and not isinstance(system, System):
        raise ArgumentError(f"{quoted(system)} is no system; give the one whose file {path!s:.200} is.")
    if hasattr(path, "data_vars"):
        return _motions(path, "the dataset", system)
    place = path_of(path)
    try:
        is_folder = place.is_dir()
    except OSError as problem:
        raise FileError(f"{place!s:.200} cannot be read ({problem.strerror}); check the path.") from None
    if is_folder:
        return _sweep(place, system)
    if place.suffix.lower() in (".nc", ".csv"):
        return _motions(from_netcdf(read_bytes(place), str(place)), str(place), system)
    arguments = read_file(path)
    try:
        return System(**arguments)
    except Error as problem:
        raise type(problem)(f"{path}: {problem}") from None


def _motions(data: Any, source: str, system: System | None) -> Motion | Ensemble:
    """The motion, or the ensemble, in a dataset."""
    if isinstance(schema := data.attrs.get("schema"), str) and schema == ENSEMBLE:
        data = from_file_names(data)
        return Ensemble(data, _system_of(data, source, system))
    check_dataset(data, source)
    model_of(data)  # refused if the data are those of another declaration
    return Motion._of(_system_of(data, source, system), data)


def _sweep(place: Path, system: System | None) -> Ensemble:
    """The sweep in a store, as far as it has come; read when it is used."""
    from anholonomy.motion.sweeps.run import stored
    from anholonomy.motion.sweeps.store import MANIFEST

    if not (place / MANIFEST).is_file():
        raise FileError(f"{place} is no store of a sweep; give the folder that one was written to.")
    data = stored(place)
    return Ensemble(data, _system_of(data, str(place), system))


def _system_of(data: Any, source: str, system: System | None) -> System:
    """The system of the data: the one given, or the one of the declaration that was saved with them."""
    if system is None:
        try:
            return _declared(str(data.attrs["declaration"]))
        except Error as problem:
            raise type(problem)(f"{source}: {problem}") from None
    if system.name != data.attrs["system"]:
        raise FileError(f"{source} has motions of {data.attrs['system']}, not of {system.name}; give that system.")
    return system


@lru_cache(maxsize=16)
def _declared(text: str) -> System:
    """The system of a declaration; the files of a study have the same one."""
    return System._of(declare(**from_toml(text, "the declaration"), is_closed_loop=True))
