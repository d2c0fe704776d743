"""What a trajectory file holds: the written schema, and the dataset that follows it.

===================  ============================  ==================================================
variable             dimensions                    meaning
===================  ============================  ==================================================
``q``                time, coordinate              configuration
``velocity``         time, direction               velocities of the system's frame (on a chart, q')
``acceleration``     time, direction               their time derivatives
``reaction``         time, direction               reaction forces R = E - Q
``multiplier``       time, constraint              multipliers, R = λ_ν ∂φ^ν/∂w; not for a vakonomic motion
``residual``         time, constraint              φ^ν, zero for an exact motion
``position``         time, held                    g of constraints on positions, invariants of redundant coordinates
``energy``           time                          w ∂L/∂w - L, where there is a Lagrangian
``costate``          time, constraint              μ_ν of a vakonomic motion
``momentum``         time, direction               ∂(L + μφ)/∂w of a vakonomic motion
``vakonomic_energy`` time                          w ∂(L + μφ)/∂w - L - μφ of a vakonomic motion
``speed``            time, speed_name              speeds that were integrated and are no velocities; ``chart`` numbers their frames
``input``            time, input_name              forces that were planned
``event_time``       event                         when the named functions passed through zero, if any did
``event_q``          event, coordinate             the configuration there
``event_velocity``   event, direction              the velocities there
===================  ============================  ==================================================

Coordinates carry the user's names. The attributes say where the numbers came from: the system as a TOML text, the
parameters, the principle, the integrator and why it was chosen, tolerance, outcome, number of steps and of charts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["DISCRETE", "PLANNED", "SCHEMA", "VARIABLES", "Speeds", "dataset", "over_time", "with_events"]

SCHEMA = "anholonomy-trajectory-1"
PLANNED = "plan"
"""What stands for the principle where a plan drives the motion: no equations of its system lead on from a state of it."""
DISCRETE = "discrete"
"""What stands for the principle where steps of fixed length made the motion, which is known at their ends."""

VARIABLES = {
    "q": "coordinate",
    "velocity": "direction",
    "acceleration": "direction",
    "reaction": "direction",
    "multiplier": "constraint",
    "residual": "constraint",
    "position": "held",
    "energy": "",
    "costate": "constraint",
    "momentum": "direction",
    "vakonomic_energy": "",
    "speed": "speed_name",
    "input": "input_name",
}
"""Each variable and its dimension besides time."""


@final
@dataclass(frozen=True)
class Speeds:
    """The speeds that were integrated, (time, name), and the number of the frame each row belongs to; NaN where it has none."""

    names: tuple[str, ...]
    values: np.ndarray
    frames: np.ndarray


def dataset(
    model: Model,
    times: np.ndarray,
    q: np.ndarray,
    observed: Mapping[str, np.ndarray],
    speeds: Speeds,
    attributes: dict[str, object],
    inputs: Mapping[str, np.ndarray] | None = None,
) -> xr.Dataset:
    """Arrange configurations (time, coordinate), observables by name (time, value), speeds and inputs into the schema."""
    import xarray as xr

    labels = {
        "coordinate": [c.name for c in model.coordinates],
        "direction": [w.name for w in model.velocities],
        "constraint": [c.label for c in model.constraints],
        "held": [c.label for c in model.on_positions],
        "speed_name": list(speeds.names),
        "input_name": list(inputs or ()),
    }
    forces = {"input": np.column_stack(list(inputs.values()))} if inputs else {}
    variables: dict[str, object] = {"q": (("time", "coordinate"), q)}
    for name, values in {**observed, "speed": speeds.values, **forces}.items():
        if values.shape[1]:
            dimension = VARIABLES[name]
            variables[name] = (("time", dimension), values) if dimension else (("time",), values[:, 0])
    if "costate" in variables:
        # The reactions of a vakonomic motion are no combination of the constraints' gradients.
        variables.pop("multiplier", None)
    used = {dimension for name, dimension in VARIABLES.items() if name in variables and dimension}
    frames = {"chart": (("time",), speeds.frames)} if speeds.names and np.ptp(speeds.frames) else {}
    return xr.Dataset(
        variables,
        coords={"time": times, **{k: v for k, v in labels.items() if k in used}, **frames},
        attrs={"schema": SCHEMA, "system": model.name, **attributes},
    )


def over_time(name: str, times: np.ndarray, values: np.ndarray) -> xr.DataArray:
    """One quantity over time, put together from its parts: xarray would look three times as long at what it knows to be sound."""
    import xarray as xr
    from xarray.indexes import PandasIndex

    index = PandasIndex(times, "time")
    variable = xr.Variable(("time",), values)
    return xr.DataArray(variable, index.create_variables(), name=name, indexes={"time": index}, fastpath=True)


def with_events(
    data: xr.Dataset, names: list[str], times: list[float], q: np.ndarray, velocities: np.ndarray
) -> xr.Dataset:
    """The motion with the events met on it; the arrays have a row for each."""
    return data.assign(
        event_time=(("event",), times),
        event_q=(("event", "coordinate"), q),
        event_velocity=(("event", "direction"), velocities),
    ).assign_coords(event=names)
