"""Datasets as sealed netCDF files and as CSV tables.

Motions as netCDF (HDF5), sealed: a digest of all the bytes stands behind them, where readers of HDF5 do not look.

The HDF5 library trusts what it reads, and bytes that were changed can make it search forever or crash. So a sealed file is read
only if its digest is right, and one without a seal, written by other software or cut short, is first read by another process,
which is given some time. Nor does the library write to the disk, since it crashes where that is full.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from anholonomy.algebra.expressions import Symbol
from anholonomy.base.errors import FileError

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["from_netcdf", "to_netcdf", "to_csv"]


_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_SEAL = b"\nanholonomy sha256 "
_LENGTH = len(_SEAL) + hashlib.sha256().digest_size
PATIENCE = 30.0
"""Seconds for another process to read a file, beside a second for every ten million bytes."""
_TRIAL = "import io, sys, xarray; xarray.load_dataset(io.BytesIO(sys.stdin.buffer.read()), engine='h5netcdf')"


def to_netcdf(data: xr.Dataset) -> bytes:
    """The dataset as the bytes of a sealed netCDF file."""
    # A dataset that was read remembers how long its names were, and would cut longer ones that it has gained.
    raw = bytes(data.drop_encoding().to_netcdf(engine="h5netcdf"))
    return raw + _SEAL + hashlib.sha256(raw).digest()


def from_netcdf(raw: bytes, source: str) -> xr.Dataset:
    """The dataset in the bytes of a netCDF file; a refusal calls them ``source``."""
    import xarray as xr

    if not raw.startswith(_SIGNATURE):
        raise FileError(f"{source} cannot be read as netCDF: it does not begin as HDF5 does; give a file of a motion.")
    body, seal = raw[:-_LENGTH], raw[-_LENGTH:]
    if not seal.startswith(_SEAL):
        _try_elsewhere(raw, source)
    elif hashlib.sha256(body).digest() != seal[len(_SEAL) :]:
        raise FileError(f"{source} was damaged: its bytes are not those that were saved; take a copy or save it again.")
    try:
        return xr.load_dataset(io.BytesIO(raw), engine="h5netcdf")
    # What HDF5 makes of a file that is none comes in many kinds, and all of them mean this.
    except Exception as problem:
        raise _unreadable(source, str(problem)) from None


def _try_elsewhere(raw: bytes, source: str) -> None:
    """Let another process read it first."""
    import subprocess  # which most never need, and takes milliseconds

    patience = PATIENCE + len(raw) / 1e7
    try:
        trial = subprocess.run([sys.executable, "-c", _TRIAL], input=raw, capture_output=True, timeout=patience)
    except subprocess.TimeoutExpired:
        raise _unreadable(source, f"reading does not end within {patience:.0f} s") from None
    if trial.returncode:
        raise _unreadable(source, trial.stderr.decode(errors="replace").strip().rpartition("\n")[-1] or "HDF5 crashes")


def _unreadable(source: str, why: str) -> FileError:
    said = why.rpartition("Error: ")[-1].split("\n")[0].rstrip(".")
    return FileError(f"{source} cannot be read as netCDF ({said:.200}); was it written completely?")


# A motion as a table: comma-separated values, a row for every time, a column for everything that has a name.
#
# The names are those by which a motion is asked. What a table cannot hold is the system, how it was integrated, and the events.


def to_csv(found: Mapping[Symbol, np.ndarray]) -> bytes:
    """The bytes of the table of named columns; numbers have as many digits as it takes to read them back as they are."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(name.name for name in found)
    rows.writerows(zip(*(values.tolist() for values in found.values()), strict=True))
    return text.getvalue().encode()
