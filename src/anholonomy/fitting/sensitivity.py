"""The derivatives of a computed motion by parameters and by entries of its start, as a labelled table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from anholonomy.fitting.beginning import Beginning, names_of
from anholonomy.fitting.measured import functions_of
from anholonomy.fitting.unknowns import unknown_names
from anholonomy.fitting.variations import varied
from anholonomy.language.given import is_list
from anholonomy.refusals import NotCovered, UnknownName
from anholonomy.simulate.problem import pose
from anholonomy.simulate.simulation import Record, simulate
from anholonomy.simulate.trajectories.resampling import driving, rederived, state_at
from anholonomy.simulate.trajectories.trajectory import Trajectory

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["sensitivity_of"]


def sensitivity_of(motion: Trajectory, unknown: Sequence[str], of: Sequence[str] | None) -> xr.DataArray:
    """By names of parameters, coordinates and velocities; of the latter two, or of what ``of`` names."""
    import xarray as xr

    record = motion.source if isinstance(motion.source, Record) else _again(motion)
    problem = record.problem
    if record.pieces[0].runnable.equations.costates:
        raise NotCovered(
            f"{problem.model.name}: the derivatives of a vakonomic motion are not covered; take a mechanical one."
        )
    model = problem.model
    names = unknown_names(problem.declared, unknown)
    if of is not None and not is_list(of):
        raise UnknownName(
            f"{model.name}: `of` is {of!r:.60}; give a list of names, such as [{model.coordinates[0].name!r}]."
        )
    asked = list(map(str, of)) if of is not None else names_of(model)
    functions = functions_of(model, asked)
    starts = [name for name in names if name not in model.parameters]
    beginning = Beginning.of(model, problem.point, names_of(model), starts)
    _, slopes = varied(record, beginning.directions(names, problem.parameters)).values(functions)
    coords: dict[str, Any] = {"time": record.times, "quantity": asked, "unknown": list(names)}
    return xr.DataArray(slopes, coords=coords, dims=("time", "quantity", "unknown"), name="sensitivity")


def _again(motion: Trajectory) -> Record:
    """A motion that was loaded, integrated once more as it was."""
    declared, derivation = rederived(motion)
    tolerance = float(motion.data.attrs["tolerance"])
    return simulate(
        pose(
            declared,
            derivation,
            state_at(motion, 0),
            times=motion.time.values,
            tolerance=tolerance,
            project=True,
            inputs=driving(motion) or None,
        )
    )
