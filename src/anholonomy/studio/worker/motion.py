"""A motion for the page: its film and its curves, as fast as a finger drags."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.public import Motion, System
from anholonomy.refusals import NotCovered, Refusal
from anholonomy.show.animation.animation import animate_both
from anholonomy.show.animation.film import film_of
from anholonomy.show.animation.page import page_data
from anholonomy.show.animation.usual import usual_scene
from anholonomy.show.momenta import reaction_units
from anholonomy.show.units import unit_in, with_unit
from anholonomy.studio.worker.declared import with_values

__all__ = ["END", "moved", "played"]

END = 10.0
"""Until when a motion lasts, unless told otherwise."""
_SAMPLES = 401
"""Times of a motion that a page draws."""
_FRAMES = 361
"""Pictures of its animation."""
_TOLERANCE = 1e-9
"""The error of a step that no eye sees."""
_CURVES = 8
"""Curves in one plot."""


def played(system: System, parameters: Mapping[str, float], start: Mapping[str, float], until: float | None) -> Motion:
    """The motion; a start that was dragged off the constraints is put back on them."""
    return system.simulate(start, times=_times(until), **_how(system, parameters))


def _how(system: System, parameters: Mapping[str, float]) -> dict[str, Any]:
    """Words of a simulation; inputs are held at the values they were dragged to, at first 0."""
    own = {name: value for name, value in parameters.items() if name not in system.inputs}
    inputs = {name: parameters.get(name, 0.0) for name in system.inputs} or None
    quiet = {"project": True, "progress": lambda _: None}
    return {"parameters": own, "inputs": inputs, "tolerance": _TOLERANCE, **quiet}


def _times(until: float | None) -> list[float]:
    return [float(t) for t in np.linspace(0.0, until or END, _SAMPLES)]


def moved(words: Mapping[str, Any]) -> dict[str, Any]:
    """Film, curves and where the motion began; with ``vakonomic`` also those of the other dynamics."""
    system, parameters, start = with_values(words)
    run = played(system, parameters, start, words["until"])
    other, said = None, ""
    if words.get("vakonomic"):
        try:
            other, said = _beside(system, parameters, start, words["until"])
        except Refusal as why:
            said = str(why)
    film, unseen = _film(system, run, other)
    return {
        "film": film,
        "unseen": unseen,
        "times": _packed(run.time.values),
        "panels": _panels(system, run, other),
        "began": {name: float(run[name].values[0]) for name in start},
        "outcome": run.outcome,
        "complete": run.is_complete,
        "vakonomic": said,
    }


def _beside(
    system: System, parameters: Mapping[str, float], start: Mapping[str, float], until: float | None
) -> tuple[Motion, str]:
    both = system.side_by_side(start, times=_times(until), **_how(system, parameters))
    return both.vakonomic, str(both)


def _film(system: System, run: Motion, other: Motion | None) -> tuple[Any, str]:
    """What the player shows, or why it shows nothing."""
    try:
        if other is not None:
            return page_data(animate_both(run.data, other.data, frames=_FRAMES).film), ""
        if len(run.time) < 2:
            raise NotCovered(f"{system.name}: {run.outcome}; there is nothing to play.")
        model = run.system
        last = float(run.time.values[-1] - run.time.values[0])
        rate = 1.0 if 3 <= last <= 30 or not last else last / 15
        return page_data(film_of(model, run.data, model.scene or usual_scene(model), _FRAMES, None, rate)), ""
    except Refusal as why:
        return None, str(why)


def _panels(system: System, run: Motion, other: Motion | None) -> list[dict[str, Any]]:
    found = []
    for title, variable, dimension in (("coordinates", "q", "coordinate"), ("velocities", "velocity", "direction")):
        names = [str(name) for name in run.data[dimension].values]
        series = [run.data[variable].values, *([other.data[variable].values] if other is not None else [])]
        for k in range(0, len(names), _CURVES):
            part = [with_unit(name, unit_in(system, name)) for name in names[k : k + _CURVES]]
            curves = {name: _packed(series[0][:, k + j]) for j, name in enumerate(part)}
            beside = {name: _packed(series[1][:, k + j]) for j, name in enumerate(part)} if other is not None else {}
            found.append({"title": title if k == 0 else f"{title}, further", "curves": curves, "beside": beside})
    if system.constraints and "reaction" in run.data:
        names = [str(name) for name in run.data["direction"].values][:_CURVES]
        units, values = reaction_units(system), run.data["reaction"].values
        forces = {
            with_unit(a, units.get("reaction_" + a.removesuffix("'"), "")): _packed(values[:, j])
            for j, a in enumerate(names)
        }
        found.append({"title": "reactions of the constraints", "curves": forces, "beside": {}})
    found.append({"title": "drift", "curves": _drift(run), "beside": {}})
    return [panel for panel in found if panel["curves"]]


def _drift(run: Motion) -> dict[str, str]:
    curves = {}
    if "energy" in run.data:
        energy = run.data["energy"].values
        curves["energy, less its first value"] = _packed(energy - energy[0])
    if "residual" in run.data and run.data["residual"].size:
        curves["largest residual"] = _packed(np.abs(run.data["residual"].values).max(axis=1))
    return curves


def _packed(values: Array) -> str:
    """32-bit floats in base 64: more digits than a plot can show, and nothing to be read letter by letter."""
    return base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode("ascii")
