"""A dataset taken as a motion: what it must have for that, and the system whose motion it is."""

from __future__ import annotations

import json
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any

from anholonomy.refusals import BrokenFile, Refusal
from anholonomy.simulate.trajectories.schema import SCHEMA, VARIABLES
from anholonomy.system.declaration.declare import declare
from anholonomy.system.declaration.files import from_toml
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["asked_of", "flaw", "model_of", "parameters_of"]

_ALWAYS = ("time", "coordinate", "direction", "q", "velocity", "acceleration", "reaction")
"""What every system has; the rest belongs to constraints."""
_TEXTS = ("system", "declaration", "parameters", "principle", "outcome")
_NUMBERS = ("complete", "tolerance")
"""Attributes that a motion reads back."""
_DECLARATION = "the trajectory's declaration"


def flaw(data: xr.Dataset) -> str:
    """Why a dataset is no motion; empty when it is one."""
    said = data.attrs
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
        words = from_toml(data.attrs["declaration"], _DECLARATION)
        values = json.loads(data.attrs["parameters"])
        sided = json.loads(data.attrs.get("one_sided", "[]"))
    except (Refusal, ValueError, TypeError, RecursionError) as problem:
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
            raise BrokenFile(
                f"the trajectory has the {dimension}s {', '.join(found)} but its declaration {', '.join(expected)}; "
                "load the file that was saved."
            )
    return model


def asked_of(data: xr.Dataset) -> dict[str, Any]:
    """What was asked of the motion besides its start and its times."""
    try:
        return dict(json.loads(str(data.attrs.get("asked", "{}"))))
    except (ValueError, TypeError, RecursionError):
        raise BrokenFile("the motion does not say what was asked of it; simulate it again.") from None


def parameters_of(data: xr.Dataset) -> dict[str, float]:
    """The values of the parameters in a motion, by name."""
    return dict(json.loads(str(data.attrs["parameters"])))


@lru_cache(maxsize=8)
def _declared(text: str) -> Model:
    return declare(**from_toml(text, _DECLARATION))
