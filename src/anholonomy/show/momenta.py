r"""Momenta and reactions of a motion as curves with units.

.. math:: p_a = \partial L/\partial w^a, \qquad R_a = \lambda_\nu\,\partial\varphi^\nu/\partial w^a
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.refusals import NotCovered
from anholonomy.symbolic.calculus import partial
from anholonomy.system.units.checking import dimensions_of
from anholonomy.system.units.dimension import TIME, Dimension

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.system.model import Model

__all__ = ["momenta", "natural_force", "reaction_units", "reactions", "without_rounding"]

_NOTHING = 1e-13
"""The share of the largest reaction below which another is only rounding."""


def momenta(run: Any) -> tuple[dict[str, xr.DataArray], dict[str, str]]:
    """The momenta of the velocities by name, and their units."""
    model = run.model
    found = model.momenta_a or tuple(partial(model.lagrangian, w) for w in model.velocities)
    curves = {f"p_{a}": run[p] for a, p in zip(model.directions, found, strict=True)}
    return curves, {f"p_{a}": unit for a, unit in _along(model, Dimension()).items()}


def reactions(run: Any) -> tuple[dict[str, xr.DataArray], dict[str, str]]:
    """The reactions of the constraints by direction, and their units."""
    model = run.model
    if not model.constraints:
        raise NotCovered(
            f"{model.name} has no constraints, and so no reactions; run.plot('momenta') draws its momenta."
        )
    curves = {f"R_{a}": run[f"reaction_{a}"] for a in model.directions}
    return without_rounding(curves, natural_force(run)), {f"R_{a}": unit for a, unit in _along(model, TIME).items()}


def natural_force(run: Any) -> float:
    """A force that would make the largest momentum of a motion in the time of it: beside that a reaction is large or nothing."""
    largest = max((float(np.nanmax(np.abs(p.values), initial=0.0)) for p in momenta(run)[0].values()), default=0.0)
    times = run.time.values
    return largest / abs(float(times[-1] - times[0])) if times.size > 1 and times[-1] != times[0] else 0.0


def without_rounding(curves: dict[str, Any], least: float = 0.0) -> dict[str, Any]:
    """Curves, and as the zero that it is what is only rounding beside the largest of them, or beside ``least``."""
    sizes = {name: float(np.nanmax(np.abs(curve), initial=0.0)) for name, curve in curves.items()}
    largest = max([least, *sizes.values()])
    return {name: curve if sizes[name] > _NOTHING * largest else 0 * curve for name, curve in curves.items()}


def reaction_units(model: Model) -> dict[str, str]:
    """The unit of each reaction by its name in a motion; empty where the system has no units."""
    return {f"reaction_{a}": unit for a, unit in _along(model, TIME).items()}


def _along(model: Model, per: Dimension) -> dict[str, str]:
    """Units of covectors by direction: energy over velocity, and ``per`` once more."""
    if not model.units:
        return {}
    found = dimensions_of(model)
    energy = found["energy"]
    speeds = {a: found[w.name] for a, w in zip(model.directions, model.velocities, strict=True)}
    if energy is None:
        return {}
    units = {a: (energy / speed / per).symbol for a, speed in speeds.items() if speed is not None}
    return {a: "N m" if unit == "J" else unit for a, unit in units.items()}  # what turns is a moment and no energy
