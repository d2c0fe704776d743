"""The schema of an ensemble's dataset: a variable for each name that was kept, over members and times, and where they came from.

=================  ==================  ==============================================================
variable           dimensions          meaning
=================  ==================  ==============================================================
(names kept)       member, time        coordinates and velocities, or what ``keep`` names; NaN after an early end
(parameters)       member              coordinates of the dataset: those that differ from member to member
``start``          member, start_name  what was given of the starts for each member; the rest is the attribute ``start``
``complete``       member              whether the motion covers all times
``stop_time``      member              where it ended; NaN where it was not computed
``event_time``     event               times of events, with ``event`` (name) and ``event_member``
=================  ==================  ==============================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy._version import __version__
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.principles import formulation
from anholonomy.motion.driver.devices import Kept
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.problem.one_motion import integrable
from anholonomy.system.declaration.declare import declare
from anholonomy.system.declaration.toml import from_toml, to_toml
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "SCHEMA",
    "attributes",
    "dataset",
    "derivation_of",
    "endings",
    "from_file_names",
    "member_coordinates",
    "model_of",
    "on_disk",
    "to_file_names",
    "with_events",
]

SCHEMA = "anholonomy-ensemble-1"
_SLASH = "\N{DIVISION SLASH}"
"""What stands for a slash in names on disk, where it would be a folder."""


def dataset(question: Question, names: tuple[str, ...], kept: Kept, said: Mapping[str, Any]) -> xr.Dataset:
    """Arrange what was kept; ``said`` are further attributes."""
    import xarray as xr

    variables: dict[str, Any] = {
        name: (("member", "time"), values) for name, values in zip(names, kept.values, strict=True)
    }
    variables["complete"] = (("member",), kept.complete)
    variables["stop_time"] = (("member",), kept.stop_times)
    coordinates, starts = member_coordinates(question)
    data = xr.Dataset(variables | starts, coords={"time": question.grid, **coordinates})
    data.attrs = attributes(question) | {"endings": endings(kept.said)} | dict(said)
    return with_events(data, kept.events)


def with_events(data: xr.Dataset, events: Mapping[int, Sequence[tuple[str, float]]]) -> xr.Dataset:
    """The dataset with the events of its members, if there are any."""
    if not (found := [(name, t, i) for i, met in sorted(events.items()) for name, t in met]):
        return data
    times, names, members = ([each[k] for each in found] for k in (1, 0, 2))
    labels = {"event": ("event", names), "event_member": ("event", members)}
    return data.assign(event_time=("event", times)).assign_coords(labels)


def endings(said: Mapping[int, str]) -> str:
    """The sentences of members that did not reach the end, as they are kept."""
    return json.dumps({str(i): text for i, text in sorted(said.items())})


def member_coordinates(question: Question) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters that differ from member to member, and what was given of starts, as variables."""
    columns = question.columns
    several = {name: values for name, values in columns.states.items() if values.size > 1}
    coordinates: dict[str, Any] = {
        name: (("member",), values.copy()) for name, values in columns.parameters.items() if values.size > 1
    }
    if not several:
        return coordinates, {}
    coordinates["start_name"] = (("start_name",), list(several))
    return coordinates, {"start": (("member", "start_name"), np.column_stack(list(several.values())))}


def attributes(question: Question) -> dict[str, Any]:
    """Where the numbers came from."""
    columns, model = question.columns, question.model
    common = {name: value for name, value in question.declared.parameter_items if value is not None}
    common |= {name: float(values[0]) for name, values in columns.parameters.items() if values.size == 1}
    single = {name: float(values[0]) for name, values in columns.states.items() if values.size == 1}
    if columns.t:
        single["t"] = columns.t
    words = question.words
    return {
        "schema": SCHEMA,
        "system": model.name,
        "declaration": to_toml(question.declared),
        "parameters": json.dumps(common),
        "start": json.dumps(single),
        "principle": words["principle"],
        "speeds": json.dumps(words["speeds"]),
        "start_names": json.dumps([name for name, values in columns.states.items() if values.size > 1]),
        "by_name": int(not question.derivation_is_usual),
        "tolerance": question.tolerance,
        "asked": json.dumps({word: value for word, value in words.items() if value}),
        "anholonomy": __version__,
    }


def model_of(data: xr.Dataset) -> Model:
    """The system whose motions these are, with its inputs written out, from the declaration that was stored with them."""
    return declare(**from_toml(str(data.attrs["declaration"]), "the ensemble's declaration"), is_closed_loop=True)


def derivation_of(data: xr.Dataset, model: Model) -> Derivation:
    """How the equations were derived."""
    principle, speeds = formulation(str(data.attrs["principle"])), json.loads(data.attrs["speeds"])
    if speeds:
        return Derivation.of(model, principle, speeds)
    return Derivation.for_all_values(integrable(model), principle)


def on_disk(name: str) -> str:
    """A name without slashes."""
    return name.replace("/", _SLASH)


def to_file_names(data: xr.Dataset) -> xr.Dataset:
    """Names without slashes; truth as numbers, which netCDF has."""
    renamed = {name: on_disk(str(name)) for name in data.variables if "/" in str(name)}
    return data.rename(renamed).assign(complete=data["complete"].astype("int8"))


def from_file_names(data: xr.Dataset) -> xr.Dataset:
    """The names as they were."""
    renamed = {name: str(name).replace(_SLASH, "/") for name in data.variables if _SLASH in str(name)}
    return data.rename(renamed).assign(complete=data["complete"].astype(bool)) if "complete" in data else data
