"""A motion continued: integrated on from its last sample, both parts in one dataset.

The second part asks what the first did: the same principle, tolerance, events and limits, which are attributes of the motion.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.language.given import finite
from anholonomy.refusals import IntegrationProblem
from anholonomy.simulate.events.contact_losses import told_losses
from anholonomy.simulate.integrators.base import Progress
from anholonomy.simulate.problem import SAMPLES, Problem, pose
from anholonomy.simulate.simulation import simulate
from anholonomy.simulate.trajectories.from_dataset import asked_of
from anholonomy.simulate.trajectories.resampling import driving, rederived, state_at
from anholonomy.simulate.trajectories.trajectory import Trajectory

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["continued", "continuing"]


def continuing(
    motion: Trajectory,
    until: object,
    events: Mapping[str, Any] | None = None,
    stop: str | Sequence[str] | None = None,
    inputs: Any = None,
) -> Problem:
    """The problem of a motion's second part, sampled as densely as the first; what is not given is as it was."""
    own, said = motion.time.values, motion.data.attrs
    declared, derivation = rederived(motion)
    asked = asked_of(motion.data)
    asked.pop("speeds", None)
    asked |= {} if events is None else {"events": events, "stop": ()}
    asked |= {} if stop is None else {"stop": stop}
    asked |= {"inputs": driving(motion) if inputs is None else inputs} if declared.inputs or inputs else {}
    return pose(
        declared,
        derivation,
        state_at(motion, own.size - 1),
        times=_further(own, until),
        tolerance=float(said["tolerance"]),
        project=True,
        **asked,
    )


def _further(own: np.ndarray, until: Any) -> np.ndarray:
    end = np.nan if (number := finite(until)) is None else number
    direction = np.sign(own[-1] - own[0]) or np.sign(end - own[-1])
    if not (end - own[-1]) * direction > 0:
        raise IntegrationProblem(
            f"until={until!r:.60} is no time beyond the end of the motion, t = {own[-1]:g}; give a later one in its direction."
        )
    spacing = abs(own[-1] - own[0]) / max(own.size - 1, 1)
    return np.linspace(own[-1], end, int(np.ceil(abs(end - own[-1]) / spacing - 1e-9)) + 1 if spacing else SAMPLES)


def continued(motion: Trajectory, problem: Problem, progress: Progress | None = None) -> xr.Dataset:
    """Both parts: samples and events of the one, then of the other; it ends as the second does."""
    import xarray as xr

    first, second = motion.data, simulate(problem, progress).dataset
    first, second = _numbered(first, second)
    parts = [first, second.isel(time=slice(1, None))]
    kinds = [dimension for dimension in ("time", "event") if any(dimension in part.dims for part in parts)]
    joined = [
        xr.concat(
            [
                part[[v for v in part.variables if dimension in part[v].dims]]
                for part in parts
                if dimension in part.dims
            ],
            dim=dimension,
            join="outer",
        )
        for dimension in kinds
    ]
    return xr.merge(joined, join="outer").assign_attrs(_provenance(first, second))


def _numbered(first: xr.Dataset, second: xr.Dataset) -> tuple[xr.Dataset, xr.Dataset]:
    """Frames numbered through: the speeds at the joint tell whether both parts use one frame there."""
    parts = first, second
    if not any("speed" in part for part in parts):
        return parts
    frames = [part["chart"].values if "chart" in part.coords else np.zeros(part.sizes["time"], int) for part in parts]
    one = all("speed" in part for part in parts) and _is_one_frame(first["speed"][-1], second["speed"][0])
    next_ = int(frames[0].max()) + 1
    fresh = {k: next_ + i for i, k in enumerate(k for k in dict.fromkeys(frames[1].tolist()) if k != frames[1][0])}
    fresh[int(frames[1][0])] = int(frames[0][-1]) if one else next_ + len(fresh)
    frames[1] = np.array([fresh[k] for k in frames[1].tolist()])
    if not np.ptp(np.concatenate(frames)):
        return parts
    return first.assign_coords(chart=("time", frames[0])), second.assign_coords(chart=("time", frames[1]))


def _is_one_frame(left: xr.DataArray, right: xr.DataArray) -> bool:
    """Whether speeds of one state are the same numbers; at rest they tell nothing."""
    if list(left["speed_name"].values) != list(right["speed_name"].values) or not right.values.any():
        return False
    size = float(np.nanmax(np.abs(right.values)))
    return bool(np.allclose(left.values, right.values, rtol=1e-9, atol=1e-12 * size, equal_nan=True))


def _provenance(first: xr.Dataset, second: xr.Dataset) -> dict[str, Any]:
    """Where the numbers came from: what the second part says, its counts with those of the first."""
    said = dict(second.attrs)
    sided = tuple(json.loads(str(said.get("one_sided", "[]"))))
    met = [
        [*zip(map(str, part["event"].values), part["event_time"].values, strict=True)] if "event" in part.dims else []
        for part in (first, second)
    ]
    outcome = str(said["outcome"])
    for events in (met[1], met[1][:-1]):
        if (told := told_losses(sided, events)) and outcome.endswith(told):
            outcome = outcome.removesuffix(told)
            break
    said["outcome"] = outcome + told_losses(sided, met[0] + met[1])
    asked = [asked_of(part) for part in (first, second)]
    if asked[1].get("inputs"):
        both = {u: _longer(asked[0].get("inputs", {}).get(u), words) for u, words in asked[1]["inputs"].items()}
        said["asked"] = json.dumps({**asked[1], "inputs": both})
    for count in ("steps", "charts"):
        said[count] = int(first.attrs[count]) + int(said[count])
    return said


def _longer(first: Any, second: Any) -> Any:
    """What a function said along both parts, where it was asked now and then; otherwise what drove the second."""
    parts = first, second
    if not all(isinstance(part, dict) and part.get("interpolation") == "previous" for part in parts):
        return second
    said = dict(zip(first["times"], first["values"], strict=True)) | dict(
        zip(second["times"], second["values"], strict=True)
    )
    return {**second, "times": sorted(said), "values": [said[t] for t in sorted(said)]}
