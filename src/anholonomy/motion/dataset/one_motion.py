"""The schema of one motion's dataset, the dataset that follows it, and the system and requests read back from it.

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

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.base.errors import Error, FileError
from anholonomy.system.declaration.declare import declare
from anholonomy.system.declaration.toml import from_toml
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "DISCRETE",
    "PLANNED",
    "SCHEMA",
    "VARIABLES",
    "Speeds",
    "asked_of",
    "dataset",
    "flaw",
    "model_of",
    "over_time",
    "parameters_of",
    "with_events",
]


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


# A dataset taken as a motion: what it must have for that, and the system whose motion it is.


_ALWAYS = ("time", "coordinate", "direction", "q", "velocity", "acceleration", "reaction")
"""What every system has; the rest belongs to constraints."""
_TEXTS = ("system", "declaration", "parameters", "principle", "outcome")
_NUMBERS = ("complete", "tolerance")
"""Attributes that a motion reads back."""
_DECLARATION = "the trajectory's declaration"


def flaw(data: xr.Dataset) -> str:
    """Why a dataset is no motion; empty when it is one."""
    said = getattr(data, "attrs", {})  # a user may hand in anything
    if not isinstance(schema := said.get("schema"), str) or schema != SCHEMA:
        return f"is not a trajectory of this package (schema {SCHEMA})"
    if missing := [name for name in _ALWAYS if name not in data.variables]:
        return f"is a trajectory without {missing[0]}"
    if missing := [name for name in (*_TEXTS, *_NUMBERS) if name not in said]:
        return f"is a trajectory without the attribute {missing[0]}"
    wrong = [name for name in _TEXTS if not isinstance(said[name], str)]
    wrong += [name for name in _NUMBERS if not isinstance(said[name], Real)]
    return _flaw_of_attribute(wrong[0]) if wrong else _flaw_of_numbers(data) or _flaw_of_words(data)


def _flaw_of_attribute(name: str) -> str:
    return f"is a trajectory whose attribute {name} is not what was saved"


def _flaw_of_numbers(data: xr.Dataset) -> str:
    """Every variable has its dimensions and floats, every dimension but the time names that differ."""
    for name, dimension in {"time": "", **VARIABLES}.items():
        if name not in data.variables:
            continue
        if data[name].dims != (("time", dimension) if dimension else ("time",)) or data[name].dtype.kind != "f":
            return f"is a trajectory whose {name} has another shape or kind"
        if dimension and len({str(label) for label in data[dimension].values}) != data.sizes[dimension]:
            return f"is a trajectory that has two of a {dimension}"
    return ""


def _flaw_of_words(data: xr.Dataset) -> str:
    """What the attributes say: a declaration with a value for every parameter, a costate for every constraint."""
    try:
        words = _words(data.attrs["declaration"])
        values = json.loads(data.attrs["parameters"])
        sided = json.loads(data.attrs.get("one_sided", "[]"))
    except (Error, ValueError, TypeError, RecursionError) as problem:
        return f"is a trajectory whose attributes cannot be read ({str(problem).rstrip('.'):.200})"
    if not isinstance(values, dict) or not all(isinstance(values.get(p), Real) for p in words["parameters"]):
        return _flaw_of_attribute("parameters")
    constraints = data["constraint"].values.tolist() if "constraint" in data.coords else []
    if not isinstance(sided, list) or not set(map(str, sided)) <= set(constraints):
        return _flaw_of_attribute("one_sided")
    if "costate" in data and len(str(data.attrs.get("costates", "")).split()) != data.sizes["constraint"]:
        return _flaw_of_attribute("costates")
    return ""


def model_of(data: xr.Dataset) -> Model:
    """The system whose motion it is, from the declaration that was stored with it."""
    model = _declared(str(data.attrs["declaration"]))
    for dimension, symbols in (("coordinate", model.coordinates), ("direction", model.velocities)):
        found, expected = [str(name) for name in data[dimension].values], [s.name for s in symbols]
        if found != expected:
            raise FileError(
                f"the trajectory has the {dimension}s {', '.join(found)} but its declaration {', '.join(expected)}; "
                "load the file that was saved."
            )
    return model


def asked_of(data: xr.Dataset) -> dict[str, Any]:
    """What was asked of the motion besides its start and its times."""
    try:
        return dict(json.loads(str(data.attrs.get("asked", "{}"))))
    except (ValueError, TypeError, RecursionError):
        raise FileError("the motion does not say what was asked of it; simulate it again.") from None


def parameters_of(data: xr.Dataset) -> dict[str, float]:
    """The values of the parameters in a motion, by name."""
    return dict(json.loads(str(data.attrs["parameters"])))


@lru_cache(maxsize=8)
def _declared(text: str) -> Model:
    return declare(**_words(text), is_closed_loop=True)


@lru_cache(maxsize=8)
def _words(text: str) -> dict[str, Any]:
    return from_toml(text, _DECLARATION)
