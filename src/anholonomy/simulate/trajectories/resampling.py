r"""A motion at other times than its own: integrated again from the last of its samples before them.

What is interpolated between samples leaves a group and the constraints; what is integrated stays on them to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.formulations.equations.derivation import Derivation
from anholonomy.formulations.principles import formulation
from anholonomy.refusals import IntegrationProblem
from anholonomy.simulate.problem import pose
from anholonomy.simulate.simulation import Record, simulate
from anholonomy.simulate.trajectories.from_dataset import asked_of
from anholonomy.simulate.trajectories.schema import DISCRETE, PLANNED
from anholonomy.simulate.trajectories.trajectory import Trajectory
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["driving", "rederived", "resampled", "state_at"]


def resampled(motion: Trajectory, times: float | Sequence[float] | Array) -> xr.Dataset:
    """The motion at the given times, which lie within its own and follow each other in its direction."""
    own = motion.time.values
    try:
        asked = np.atleast_1d(np.asarray(times, dtype=float))
    except (TypeError, ValueError, OverflowError):
        raise IntegrationProblem(
            f"a motion is asked for times, and {times!r:.60} is none; give numbers, or ask run[…] for quantities."
        ) from None
    direction = 1.0 if own.size < 2 else float(np.sign(own[-1] - own[0]))
    along, wanted = direction * own, direction * asked
    if not (asked.ndim == 1 and asked.size and np.isfinite(asked).all() and (np.diff(wanted) > 0).all()):
        raise IntegrationProblem("the times must be finite numbers that follow each other as those of the motion do.")
    if wanted[0] < along[0] or wanted[-1] > along[-1]:
        outside = float(asked[0] if wanted[0] < along[0] else asked[-1])
        raise IntegrationProblem(
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
        raise IntegrationProblem(
            f"{declared.name}: integrated again at other times, the motion ends at t = {float(again.time[-1]):.6g}, for {again.attrs['outcome']}; "
            "it passed there by chance. Ask on a shorter motion."
        )
    return again.sel(time=asked)


def rederived(motion: Trajectory) -> tuple[Model, Derivation]:
    """The declared system and how its equations are derived for the motion to go on: as they were, also from a file."""
    declared = motion.model
    if motion.data.attrs["principle"] == PLANNED:
        raise IntegrationProblem(
            f"{declared.name}: a plan drives this motion, which is known at its own times and no longer than the plan; "
            "interpolate `run.data`, or simulate from `run.data.isel(time=-1)`."
        )
    if motion.data.attrs["principle"] == DISCRETE:
        raise IntegrationProblem(
            f"{declared.name}: this motion has steps of the discrete method {motion.data.attrs['integrator']} and is known at their ends; "
            "ask discrete() for other times."
        )
    used = motion.constraint_residual.sizes["constraint"]
    integrated = declared if used == len(declared.constraints) else declared.independent
    principle = formulation(str(motion.data.attrs["principle"]))
    return declared, Derivation.of(integrated, principle, asked_of(motion.data).get("speeds"))


def driving(motion: Trajectory, within: bool = False) -> dict[str, Any]:
    """The signals of the motion's inputs: its own functions, where it has not been kept in a file; ``within`` it, what they said."""
    kept = asked_of(motion.data).get("inputs", {})
    if not isinstance(motion.source, Record):
        return dict(kept)
    again = motion.source.problem.driven.again()
    return {u: words if within and "function" not in words else again[u] for u, words in kept.items()}


def state_at(motion: Trajectory, k: int) -> dict[str, float]:
    """One sample; the declaration that is stored with a motion has the parameters it was computed with."""
    data = motion.data
    costates = str(data.attrs.get("costates", "")).split()
    names = [*map(str, data["coordinate"].values), *map(str, data["direction"].values), *costates]
    return {name: float(motion[name][k]) for name in names} | {"t": float(motion.time[k])}
