"""Whether a motion must keep its energy, so that a change of it is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.simulate.pieces.energy_kept import keeps_energy
from anholonomy.simulate.trajectories.from_dataset import model_of
from anholonomy.simulate.trajectories.schema import PLANNED

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["keeps_energy", "must_keep_energy"]


def must_keep_energy(data: xr.Dataset) -> bool:
    """Whether the system of a motion keeps its energy, and nothing drives it."""
    return data.attrs["principle"] != PLANNED and keeps_energy(model_of(data))
