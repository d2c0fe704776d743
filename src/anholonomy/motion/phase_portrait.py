"""A phase portrait: motions from a grid of starts, in the plane of two of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.base.errors import IntegrationError, NotSupportedError, quoted
from anholonomy.language.arguments import finite, is_list
from anholonomy.show.figures.phase_portrait import plot_portrait
from anholonomy.show.labels import unit_in, with_unit
from anholonomy.show.picture_files import kept_in_file
from anholonomy.show.style import math
from anholonomy.system.model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["phase_portrait"]

_SAMPLES = 401
"""Times of each motion: enough that a curve looks smooth."""
_MOST = 400
"""Motions in one picture; more hide one another."""


@kept_in_file
def phase_portrait(
    system: Model,
    ensemble: Callable[..., Any],
    over: Mapping[str, Sequence[float]],
    until: float,
    start: Mapping[str, Any] | None,
    plane: Sequence[str] | None,
    ax: Axes | str | Path | None,
) -> Axes:
    """The portrait of a system; ``ensemble`` computes its motions."""
    if not isinstance(over, Mapping) or len(over) not in (1, 2) or not all(is_list(values) for values in over.values()):
        raise IntegrationError(
            f"{system.name}: `over` is {quoted(over)}; give lists of values for one or two names, such as {{'theta': [0, 1]}}."
        )
    names = list(plane if plane is not None else over)
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise NotSupportedError(
            f"{system.name}: a portrait is drawn in the plane of two names, not {quoted(names)}; give `plane`."
        )
    if (end := finite(until)) is None or end == 0:
        raise IntegrationError(f"{system.name}: until={quoted(until)} is not a finite number; give one.")
    for name, values in over.items():
        if strange := [value for value in values if finite(value) is None]:
            raise IntegrationError(
                f"{system.name}: {name} in `over` has {quoted(strange[0])}, which is no finite number; give numbers, or quantities such as '30 deg'."
            )
    grid = list(product(*over.values()))
    if not 0 < len(grid) <= _MOST:
        raise NotSupportedError(f"{system.name}: {len(grid)} motions make no picture; give between 1 and {_MOST}.")
    columns = {name: np.array([row[k] for row in grid], dtype=float) for k, name in enumerate(over)}
    given = dict(system.start if start is None else start)
    runs = ensemble({**given, **columns}, times=np.linspace(0, end, _SAMPLES), keep=names)
    x, y = (_wrapped(system, name, np.array(runs[name].transpose("member", "time").values)) for name in names)
    across, up = (_label(system, name) for name in names)
    return plot_portrait(list(zip(x, y, strict=True)), across, up, system.name, ax=ax)


def _label(system: Model, name: str) -> str:
    return with_unit(math(name), unit_in(system, name))


def _wrapped(system: Model, name: str, values: np.ndarray) -> np.ndarray:
    """An angle that turns over, within one turn, with gaps where it begins anew; everything else as it is."""
    kinds = dict(zip((q.name for q in system.coordinates), system.coordinate_kinds, strict=True))
    if kinds.get(name) != "angle" or np.nanmax(np.abs(values)) <= 1.01 * np.pi:
        return values
    turned = np.remainder(values + np.pi, 2 * np.pi) - np.pi
    turned[:, 1:][np.abs(np.diff(turned, axis=1)) > np.pi] = np.nan
    return turned
