"""A motion for the page: its film and its curves, as fast as a finger drags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.base.errors import Error, NotSupportedError
from anholonomy.public.motion import Motion
from anholonomy.public.system import System
from anholonomy.show.animation.animate import animate, animate_both, both_films
from anholonomy.show.animation.page import packed, page_data
from anholonomy.show.labels import with_unit
from anholonomy.show.panels import page_panels
from anholonomy.studio.worker.declarations import doubts_about, inputs_in, with_values

__all__ = ["END", "moved", "played"]

END = 10.0
"""Until when a motion lasts, unless told otherwise."""


@final
@dataclass(frozen=True)
class _Grain:
    """How finely a motion is computed and shown: its times, the pictures of its animation, and the error of a step."""

    samples: int
    frames: int
    tolerance: float


_FULL = _Grain(401, 361, 1e-9)
"""More than an eye sees."""
_DRAFT = _Grain(201, 161, 1e-6)
"""While a finger drags what takes long."""


def played(
    system: System,
    parameters: Mapping[str, float],
    start: Mapping[str, float],
    until: float | None,
    grain: _Grain = _FULL,
) -> Motion:
    """The motion; a start that was dragged off the constraints is put back on them."""
    return system.simulate(start, **_how(system, parameters, until, grain))


def _how(system: System, parameters: Mapping[str, float], until: float | None, grain: _Grain) -> dict[str, Any]:
    """Words of a simulation; inputs are held at the values they were dragged to, at first 0."""
    own = {name: value for name, value in parameters.items() if name not in system.inputs}
    inputs = inputs_in(system, parameters) or None
    times = [float(t) for t in np.linspace(0.0, until or END, grain.samples)]
    quiet = {"project": True, "progress": lambda _: None}
    return {"parameters": own, "inputs": inputs, "times": times, "tolerance": grain.tolerance, **quiet}


def moved(words: Mapping[str, Any]) -> dict[str, Any]:
    """Films, curves and where the motion began.

    With ``vakonomic`` also those of the other dynamics: beside the first film, or in it where ``overlay`` is said. A ``draft`` is coarser.
    """
    system, parameters, start = with_values(words)
    grain = _DRAFT if words.get("draft") else _FULL
    run, other, said = None, None, ""
    if words.get("vakonomic"):
        try:
            both = system.paths.side_by_side(start, **_how(system, parameters, words["until"], grain))
            run, other, said = both.nonholonomic, both.vakonomic, str(both)
        except Error as why:
            said = str(why)
    if run is None:
        run = played(system, parameters, start, words["until"], grain)
    films, unseen = _films(run, other, grain.frames, bool(words.get("overlay")))
    return {
        "films": films,
        "unseen": unseen,
        "times": packed(run.time.values),
        "panels": _panels(system, run, other),
        "began": {name: float(run[name].values[0]) for name in start},
        "outcome": run.outcome,
        "complete": run.is_complete,
        "vakonomic": said,
        "doubts": doubts_about(system, parameters) if parameters and grain is _FULL else [],
        "draft": grain is _DRAFT,
    }


def _films(run: Motion, other: Motion | None, frames: int, overlay: bool) -> tuple[list[Any], str]:
    """What the player shows, or why it shows nothing."""
    try:
        if other is None:
            if len(run.time) < 2:
                raise NotSupportedError(f"{run.system.name}: {run.outcome}; there is nothing to play.")
            return [page_data(animate(run, frames=frames).film)], ""
        if overlay:
            return [page_data(animate_both(run, other, frames=frames).film)], ""
        films = both_films(run, other, frames=frames)
        captions = ("nonholonomic", "vakonomic")
        return [page_data(film) | {"caption": word} for film, word in zip(films, captions, strict=True)], ""
    except Error as why:
        return [], str(why)


def _panels(system: System, run: Motion, other: Motion | None) -> list[dict[str, Any]]:
    series = [_columns(system, each) for each in (run, other) if each is not None]
    found = []
    for title, names in page_panels(system.model):
        curves, *beside = (
            {with_unit(name, unit): each[name] for name, unit in names.items() if name in each} for each in series
        )
        found.append({"title": title, "curves": curves, "beside": beside[0] if beside else {}})
    found.append({"title": "energy and residual", "curves": _kept(run), "beside": {}})
    return [panel for panel in found if panel["curves"]]


def _columns(system: System, run: Motion) -> dict[str, str]:
    """Coordinates, velocities and reactions by name, as they are sent: read off the arrays at once, because a finger waits."""
    kinds = {
        "q": [q.name for q in system.coordinates],
        "velocity": [w.name for w in system.velocities],
        "reaction": [f"reaction_{a}" for a in system.model.directions],
    }
    there = {variable: names for variable, names in kinds.items() if variable in run.data}
    return {name: packed(run.data[v].values[:, j]) for v, names in there.items() for j, name in enumerate(names)}


def _kept(run: Motion) -> dict[str, str]:
    curves = {}
    if "energy" in run.data:
        energy = run.data["energy"].values
        curves["energy, less its first value"] = packed(energy - energy[0])
    if "residual" in run.data and run.data["residual"].size:
        curves["largest residual"] = packed(np.abs(run.data["residual"].values).max(axis=1))
    return curves
