"""A motion at other times: resampled within its own, or continued beyond its end.

Both are integrated again: from the last sample before the times asked for, since what is interpolated between samples leaves a group and the
constraints; or from the last sample of all, and then both parts are one dataset. The second problem asks what the first did: the same
principle, tolerance, events and limits, which are attributes of the motion.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import IntegrationError, quoted
from anholonomy.base.tolerances import is_same, snapped
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.principles import formulation
from anholonomy.language.arguments import finite
from anholonomy.motion.dataset.one_motion import DISCRETE, PLANNED, asked_of
from anholonomy.motion.events.contact_losses import told_losses
from anholonomy.motion.integrators.base import Progress
from anholonomy.motion.problem.one_motion import SAMPLES, Problem, pose
from anholonomy.motion.simulate import Record, simulate
from anholonomy.motion.trajectory import Trajectory
from anholonomy.programs.backends.base import Array
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["resampled", "continuing", "continued", "driving", "rederived", "state_at"]


def resampled(motion: Trajectory, times: float | Sequence[float] | Array) -> xr.Dataset:
    """The motion at the given times, which lie within its own and follow each other in its direction."""
    own = motion.time.values
    try:
        asked = np.atleast_1d(np.asarray(times, dtype=float))
    except (TypeError, ValueError, OverflowError):
        raise IntegrationError(
            f"a motion is asked for times, and {quoted(times)} is none; give numbers, or ask run[…] for quantities."
        ) from None
    asked = snapped(asked, float(own.min()), float(own.max()))
    direction = 1.0 if own.size < 2 else float(np.sign(own[-1] - own[0]))
    along, wanted = direction * own, direction * asked
    if not (asked.ndim == 1 and asked.size and np.isfinite(asked).all() and (np.diff(wanted) > 0).all()):
        raise IntegrationError("the times must be finite numbers that follow each other as those of the motion do.")
    if wanted[0] < along[0] or wanted[-1] > along[-1]:
        outside = float(asked[0] if wanted[0] < along[0] else asked[-1])
        raise IntegrationError(
            f"t = {outside:g} is outside the motion, which lasts from {own[0]:g} to {own[-1]:g}; simulate it for longer."
        )
    first = int(np.searchsorted(along, wanted[0], side="right")) - 1
    grid = asked if asked[0] == own[first] else np.concatenate([own[first : first + 1], asked])
    said = motion.data.attrs
    declared, derivation = rederived(motion)
    problem = pose(
        declared,
        derivation,
        state_at(motion, first),
        times=grid,
        tolerance=float(said["tolerance"]),
        project=True,
        inputs=driving(motion, within=True) if declared.inputs else None,
    )
    again = simulate(problem).dataset
    if again.time.size < grid.size:
        raise IntegrationError(
            f"{declared.name}: integrated again at other times, the motion ends at t = {float(again.time[-1]):.6g}, for {again.attrs['outcome']}; "
            "it passed there by chance. Ask on a shorter motion."
        )
    return again.sel(time=asked)


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
    if not (end - own[-1]) * direction > 0 or is_same(end, own[-1], max(abs(own[0]), abs(own[-1]))):
        raise IntegrationError(
            f"until={quoted(until)} is no time beyond the end of the motion, t = {own[-1]:g}; give a later one in its direction."
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


def rederived(motion: Trajectory) -> tuple[Model, Derivation]:
    """The declared system and how its equations are derived for the motion to go on: as they were, also from a file."""
    declared = motion.model
    if motion.data.attrs["principle"] == PLANNED:
        raise IntegrationError(
            f"{declared.name}: a plan drives this motion, which is known at its own times and no longer than the plan; "
            "interpolate `run.data`, or simulate from `run.data.isel(time=-1)`."
        )
    if motion.data.attrs["principle"] == DISCRETE:
        raise IntegrationError(
            f"{declared.name}: this motion has steps of the discrete method {motion.data.attrs['integrator']} and is known at their ends; "
            "simulate again with `until` or another `step`."
        )
    used = motion.constraint_residual.sizes["constraint"]
    integrated = declared if used == len(declared.constraints) else declared.independent
    principle = formulation(str(motion.data.attrs["principle"]))
    return declared, Derivation.of(integrated, principle, asked_of(motion.data).get("speeds"))


def driving(motion: Trajectory, within: bool = False) -> dict[str, Any]:
    """The signals of the motion's inputs: its own functions, where it has not been kept in a file; ``within`` it, what they said."""
    kept = asked_of(motion.data).get("inputs", {})
    if not isinstance(motion._source, Record):
        return dict(kept)
    again = motion._source.problem.driven.again()
    return {u: words if within and "function" not in words else again[u] for u, words in kept.items()}


def state_at(motion: Trajectory, k: int) -> dict[str, float]:
    """One sample; the declaration that is stored with a motion has the parameters it was computed with."""
    data = motion.data
    costates = str(data.attrs.get("costates", "")).split()
    names = [*map(str, data["coordinate"].values), *map(str, data["direction"].values), *costates]
    return {name: float(motion[name][k]) for name in names} | {"t": float(motion.time[k])}
