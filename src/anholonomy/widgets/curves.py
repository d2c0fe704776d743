"""The curves of a motion as a page draws them: few enough samples to be sent again at every touch of a slider."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from anholonomy.show.panels import page_panels
from anholonomy.show.units import unit_in, with_unit

__all__ = ["curves_of"]

_SAMPLES = 401
"""Times of a curve; a plot of a cell is some 600 pixels wide."""


def curves_of(run: Any) -> dict[str, Any]:
    """Times, and the coordinates and velocities over them, with gaps where a value is not finite.

    >>> from anholonomy.catalogue import skate
    >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 2, "theta'": 1}, until=1)
    >>> [(panel["title"], list(panel["curves"])) for panel in curves_of(run)["panels"]]
    [('lengths', ['x', 'y']), ('angles', ['theta']), ('velocities', ["x'", "y'"]), ('angular velocities', ["theta'"])]
    """
    system, size = run.system, run.time.size
    taken = np.unique(np.rint(np.linspace(0, size - 1, min(size, _SAMPLES))).astype(int))  # the last is among them
    panels = [
        {"title": title, "curves": {name: _drawn(run[name].values[taken]) for name in names}, "units": names}
        for title, names in page_panels(system, reactions=False)
    ]
    return {"times": _drawn(run.time.values[taken]), "time": with_unit("t", unit_in(system, "t")), "panels": panels}


def _drawn(values: Any) -> list[float | None]:
    return [float(f"{value:.7g}") if isfinite(value) else None for value in values.tolist()]
